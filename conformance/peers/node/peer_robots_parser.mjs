// robots-parser: takes the robots.txt URL, and says by `undefined` that a URL lies outside its scope.

import robotsParser from 'robots-parser';
import { serve, verdict, version } from './protocol.mjs';

await serve({
  name: 'robots-parser',
  version: version('robots-parser'),
  answers: {
    verdict(question) {
      const robots = robotsParser(question.robotsUrl, question.text);
      const allowed = robots.isAllowed(question.url, question.token);
      if (allowed === undefined) throw new Error('isAllowed: the URL is not valid for its robots.txt');
      return verdict(allowed, robots.getMatchingLineNumber(question.url, question.token));
    },
    sitemaps: (question) => ({ sitemaps: robotsParser('/robots.txt', question.text).getSitemaps() }),
    scope({ fields, url }) {
      const allowed = robotsParser(fields.robots_url, '').isAllowed(url);
      return { scope: allowed === undefined ? 'does-not-govern' : 'governs' };
    },
  },
});
