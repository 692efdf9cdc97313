// Crawls from each start URL in the file SEEDS with simplecrawler, one site after the other. Usage: simplecrawler.js
// AGENT SEEDS.
import { readFileSync } from "node:fs";
import { once } from "node:events";
import Crawler from "simplecrawler";

const [agent, seeds] = process.argv.slice(2);
for (const seed of readFileSync(seeds, "utf8").trim().split("\n")) {
  const crawler = new Crawler(seed);
  crawler.userAgent = agent;
  crawler.interval = 1;
  crawler.timeout = 3000;
  crawler.start();
  await once(crawler, "complete");
}
process.exit(0);
