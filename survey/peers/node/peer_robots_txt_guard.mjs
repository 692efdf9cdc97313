// robots-txt-guard. The package decides with the result of robots-txt-parse, which reads a stream of octets.

import { Readable } from 'node:stream';
import guard from 'robots-txt-guard';
import parse from 'robots-txt-parse';
import { serve, verdict, version } from './protocol.mjs';

await serve({
  name: 'robots-txt-guard',
  version: `${version('robots-txt-guard')} with robots-txt-parse ${version('robots-txt-parse')}`,
  answers: {
    async verdict(question) {
      const robots = guard(await parsed(question));
      return verdict(robots.isAllowed(question.token, question.pathAndQuery));
    },
    async groups(question) {
      const { groups } = await parsed(question);
      return {
        groups: groups.map(({ agents, rules }) => ({
          agents,
          // No edition defines the rule `noindex`.
          rules: rules.filter(({ rule }) => rule !== 'noindex').map(({ rule, path }) => [rule, path]),
        })),
      };
    },
    async sitemaps(question) {
      const { extensions } = await parsed(question);
      return {
        sitemaps: extensions.filter(({ extension }) => extension === 'sitemap').map(({ value }) => value),
      };
    },
  },
});

function parsed(question) {
  return parse(Readable.from([question.octets], { objectMode: false }));
}
