// Crawls from the start URL SEED with Crawlee. Usage: crawlee.js AGENT SEED.
import { CheerioCrawler, Configuration } from "@crawlee/cheerio";

const [agent, seed] = process.argv.slice(2);
const crawler = new CheerioCrawler(
  {
    respectRobotsTxtFile: { userAgent: agent },
    maxRequestRetries: 0,
    navigationTimeoutSecs: 3,
    requestHandlerTimeoutSecs: 5,
    minConcurrency: 8,
    preNavigationHooks: [(_, options) => { options.headers = { "User-Agent": agent }; }],
    async requestHandler({ enqueueLinks }) {
      await enqueueLinks({ strategy: "all" });
    },
  },
  new Configuration({ persistStorage: false, availableMemoryRatio: 0.5 }),
);
await crawler.run([seed]);
