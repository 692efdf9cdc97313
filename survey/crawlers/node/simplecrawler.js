// Crawls from the start URL SEED with simplecrawler. Usage: simplecrawler.js AGENT SEED.
import Crawler from "simplecrawler";

const [agent, seed] = process.argv.slice(2);
const crawler = new Crawler(seed);
crawler.userAgent = agent;
crawler.respectRobotsTxt = true;
crawler.filterByDomain = false;
crawler.interval = 1;
crawler.maxConcurrency = 8;
crawler.timeout = 3000;
crawler.on("complete", () => process.exit(0));
crawler.start();
