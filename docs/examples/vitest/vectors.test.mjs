// Asks robots-parser the questions of RFC 9309; `known.txt` lists its wrong answers.

import { readFileSync } from 'node:fs';
import robotsParser from 'robots-parser';
import { describe, expect, test } from 'vitest';

const read = (name) => readFileSync(new URL(name, import.meta.url), 'utf8');
const listed = read('known.txt').split('\n').filter((line) => line && line[0] !== '#');
const known = new Map(listed.map((line) => line.split(' ')));
const items = JSON.parse(read('rfc9309.json'));
const vectors = items.filter((item) => typeof item === 'object');
// A string in the file is a comment; most of them have what a requirement says.
const comments = items.filter((item) => typeof item === 'string');

function isAllowed(robots, userAgent, url) {
  const robotsUrl = `${/^[a-z]+:\/\/[^/?#]*/i.exec(url)[0]}/robots.txt`;
  return robotsParser(robotsUrl, robots.toString()).isAllowed(url, userAgent);
}

describe('RFC 9309', () => {
  for (const vector of vectors) {
    const { id, level, section, requirement, about, user_agent, url, allowed } = vector;
    test(id, (context) => {
      const robots = Buffer.from(vector.robots_txt ?? vector.robots_txt_base64, 'robots_txt' in vector ? 'utf8' : 'base64');
      let [got, tag] = [undefined, 'bug'];
      try {
        got = isAllowed(robots, user_agent, url);
      } catch (error) {
        [got, tag] = [error, 'error'];
      }
      if (got === allowed && known.has(id)) expect.fail(`${id} passes; remove it from known.txt`);
      if (got === allowed || (known.has(id) && (known.get(id) === 'error') === (tag === 'error'))) return;
      const lines = robots.toString().split('\n').map((line, index) => `  ${index + 1} ${JSON.stringify(line)}`);
      const message =
        `${id} (${level}, section ${section}): ${about}\n` +
        `  ${comments.find((line) => line.startsWith(`${requirement}: `))}\n${lines.join('\n')}\n` +
        `  ${user_agent} ${url}: expected ${allowed}, got ${got}\n  known.txt: ${id} ${tag} WHY`;
      if (level !== 'must' && !known.has(id)) context.skip(message);
      // Without a stack, the report shows the message only.
      throw Object.assign(new Error(message), { stack: '' });
    });
  }
});

test('every known failure is a vector', () => {
  expect([...known.keys()].filter((id) => !vectors.some((vector) => vector.id === id))).toEqual([]);
});
