// Runs broken-link-checker on the site of each start URL in the file SEEDS. Usage: broken-link-checker.js AGENT SEEDS.
import { readFileSync } from "node:fs";
import checker from "broken-link-checker";

const [agent, seeds] = process.argv.slice(2);
const site = new checker.SiteChecker({ userAgent: agent, rateLimit: 0 }, { end: () => process.exit(0) });
for (const url of readFileSync(seeds, "utf8").trim().split("\n")) site.enqueue(url);
