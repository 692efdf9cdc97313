// Asks robots-parser the verdict questions of RFC 9309; `known-failures.txt` lists the wrong answers of
// robots-parser.

import { readFileSync } from 'node:fs';
import robotsParser from 'robots-parser';
import { describe, expect, test } from 'vitest';

import { octets } from './expand.mjs';

const read = (name) => readFileSync(new URL(name, import.meta.url), 'utf8');
const known = new Set(read('known-failures.txt').split('\n').filter(Boolean));

// The test asks only questions for parsers about a crawler with one product token, because robots-parser does not
// accept a list of tokens.
const vectors = JSON.parse(read('vectors.json')).vectors.filter(
  ({ ask, role, tokens, editions }) =>
    ask === 'verdict' && role === undefined && tokens.length === 1 && 'rfc9309' in editions,
);

describe('RFC 9309', () => {
  for (const vector of vectors) {
    const ask = known.has(vector.name) ? test.fails : test;
    ask(vector.name, () => {
      const body = octets(vector, 'robots_txt').toString();
      const robotsUrl = `${/^[a-z]+:\/\/[^/?#]*/i.exec(vector.url)[0]}/robots.txt`;
      const allowed = robotsParser(robotsUrl, body).isAllowed(vector.url, vector.tokens[0]);
      expect(allowed, vector.about).toBe(vector.expected.verdict === 'allow');
    });
  }
});

test('every known failure is a vector', () => {
  expect([...known].filter((name) => !vectors.some((vector) => vector.name === name))).toEqual([]);
});
