// Crawls from each start URL in the file SEEDS with Supercrawler. Usage: supercrawler.js AGENT SEEDS.
import { readFileSync } from "node:fs";
import supercrawler from "supercrawler";

const [agent, seeds] = process.argv.slice(2);
const crawler = new supercrawler.Crawler({
  interval: 1,
  userAgent: agent,
  request: { timeout: 3000 },
});
crawler.addHandler("text/html", supercrawler.handlers.htmlLinkParser({}));
crawler.on("urllistcomplete", () => process.exit(0));
for (const url of readFileSync(seeds, "utf8").trim().split("\n")) {
  await crawler.getUrlList().insertIfNotExists(new supercrawler.Url(url));
}
await crawler.start();
