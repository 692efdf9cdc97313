// Crawls from the start URL SEED with Supercrawler. Usage: supercrawler.js AGENT SEED.
import supercrawler from "supercrawler";

const [agent, seed] = process.argv.slice(2);
const crawler = new supercrawler.Crawler({
  interval: 1,
  concurrentRequestsLimit: 8,
  userAgent: agent,
  request: { timeout: 3000 },
});
crawler.addHandler("text/html", supercrawler.handlers.htmlLinkParser({}));
crawler.on("urllistcomplete", () => process.exit(0));
await crawler.getUrlList().insertIfNotExists(new supercrawler.Url(seed));
await crawler.start();
