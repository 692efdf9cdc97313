// Crawls from each start URL in the file SEEDS with Crawlee. Usage: crawlee.js AGENT SEEDS.
import { readFileSync } from "node:fs";
import { CheerioCrawler, Configuration } from "@crawlee/cheerio";

const [agent, seeds] = process.argv.slice(2);
const crawler = new CheerioCrawler(
  {
    respectRobotsTxtFile: { userAgent: agent },
    maxRequestRetries: 0,
    navigationTimeoutSecs: 3,
    requestHandlerTimeoutSecs: 5,
    preNavigationHooks: [(_, options) => { options.headers = { "User-Agent": agent }; }],
    async requestHandler({ enqueueLinks }) {
      await enqueueLinks();
    },
  },
  new Configuration({ persistStorage: false }),
);
await crawler.run(readFileSync(seeds, "utf8").trim().split("\n"));
