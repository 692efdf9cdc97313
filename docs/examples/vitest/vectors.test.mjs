// robots-parser, asked what RFC 9309 settles; `known-failures.txt` holds what it answers otherwise.

import { readFileSync } from 'node:fs';
import robotsParser from 'robots-parser';
import { describe, expect, test } from 'vitest';

const read = (name) => readFileSync(new URL(name, import.meta.url), 'utf8');
const known = new Set(read('known-failures.txt').split('\n').filter(Boolean));

// What a parser is asked for a crawler of one product token; robots-parser takes no list of them.
const vectors = JSON.parse(read('vectors.json')).vectors.filter(
  ({ ask, role, tokens, editions }) =>
    ask === 'verdict' && role === undefined && tokens.length === 1 && 'rfc9309' in editions,
);

/** The octets of a file, its parts joined. */
function octets(vector) {
  const joined = [];
  for (const part of vector.robots_txt_parts ?? [{ text: vector.robots_txt, base64: vector.robots_txt_base64 }]) {
    for (let number = 1; number <= (part.times ?? 1); number += 1) {
      if (part.text === undefined) joined.push(Buffer.from(part.base64, 'base64'));
      else joined.push(Buffer.from(part.counter ? part.text.replaceAll(part.counter, String(number)) : part.text));
    }
  }
  const file = Buffer.concat(joined);
  expect(file.length).toBe(vector.robots_txt_length ?? file.length);
  return file;
}

describe('RFC 9309', () => {
  for (const vector of vectors) {
    const ask = known.has(vector.name) ? test.fails : test;
    ask(vector.name, () => {
      const body = octets(vector).toString();
      const robotsUrl = `${/^[a-z]+:\/\/[^/?#]*/i.exec(vector.url)[0]}/robots.txt`;
      const allowed = robotsParser(robotsUrl, body).isAllowed(vector.url, vector.tokens[0]);
      expect(allowed, vector.about).toBe(vector.expected.verdict === 'allow');
    });
  }
});

test('every known failure is a vector', () => {
  expect([...known].filter((name) => !vectors.some((vector) => vector.name === name))).toEqual([]);
});
