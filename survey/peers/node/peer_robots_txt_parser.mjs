// robots-txt-parser, with its default options.

import robotsTxtParser from 'robots-txt-parser';
import { serve, verdict, version } from './protocol.mjs';

await serve({
  name: 'robots-txt-parser',
  version: version('robots-txt-parser'),
  answers: {
    verdict(question) {
      const robots = robotsTxtParser({ userAgent: question.token });
      robots.parseRobots(question.url, question.text);
      return verdict(robots.canCrawlSync(question.url));
    },
    sitemaps(question) {
      const robots = robotsTxtParser();
      robots.parseRobots('https://example.com', question.text);
      return { sitemaps: robots.getSitemapsSync() };
    },
  },
});
