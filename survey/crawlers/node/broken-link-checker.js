// Runs broken-link-checker on the host of each start URL in the file SEEDS. Usage: broken-link-checker.js AGENT SEEDS.
import { readFileSync } from "node:fs";
import checker from "broken-link-checker";

const [agent, seeds] = process.argv.slice(2);
const settings = { userAgent: agent, honorRobotExclusions: true, excludeExternalLinks: true, rateLimit: 0 };
const site = new checker.SiteChecker(settings, { end: () => process.exit(0) });
for (const url of readFileSync(seeds, "utf8").split("\n")) {
  if (url.startsWith("http")) site.enqueue(url);
}
