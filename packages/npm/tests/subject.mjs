// Makes the package robots-parser a subject.

import robotsParser from 'robots-parser';
import { serve } from 'robots-conformance';

const origin = (url) => /^[a-z]+:\/\/[^/?#]*/i.exec(url)[0];

await serve(
  (robotsTxt, agent, url) => {
    const robots = robotsParser(`${origin(url)}/robots.txt`, robotsTxt.toString());
    const line = robots.getMatchingLineNumber(url, agent);
    return { allowed: robots.isAllowed(url, agent), line: line > 0 ? line : undefined };
  },
  {
    name: 'robots-parser',
    version: '3.0.1',
    sitemaps: (robotsTxt) => robotsParser('/robots.txt', robotsTxt.toString()).getSitemaps(),
  },
);
