// robots-parser. The package takes the URL of robots.txt, but does not check that this URL is the URL of a robots.txt.
// So the adapter does not answer questions about scope.

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
  },
});
