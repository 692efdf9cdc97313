// The suite as data: the questions to which an edition gives exactly one answer.

import { execFileSync } from 'node:child_process';

import { command } from './command.js';

let suite;

/** Returns the questions to which an edition gives one answer; `index.d.ts` describes them. */
export function vectors(edition = 'rfc9309') {
  suite ??= JSON.parse(execFileSync(command(), ['vectors'], { encoding: 'utf8', maxBuffer: 64 << 20 }));
  if (!Object.hasOwn(suite.editions, edition)) {
    const known = Object.keys(suite.editions).join(', ');
    throw new RangeError(`unknown edition ${JSON.stringify(edition)}; the editions are ${known}`);
  }
  return suite.vectors.filter(({ editions }) => edition in editions).map((raw) => vector(raw, edition));
}

function vector(raw, edition) {
  const { level, section, row } = raw.editions[edition];
  const [text, base64] = [raw.preference, raw.preference_base64];
  const preference = base64 === undefined ? text === undefined ? undefined : Buffer.from(text) : Buffer.from(base64, 'base64');
  return {
    name: raw.name,
    edition,
    requirement: raw.requirement,
    level,
    section,
    row,
    about: raw.about,
    role: raw.role ?? 'parser',
    ask: raw.ask,
    robotsTxt: preference === undefined ? Buffer.concat((raw.robots_txt_parts ?? [raw]).map(octets)) : Buffer.alloc(0),
    tokens: raw.tokens ?? [],
    identification: raw.identification,
    url: raw.url,
    pathAndQuery: raw.path_and_query,
    contentUsage: (raw.content_usage_base64 ?? []).map((line) => Buffer.from(line, 'base64')),
    preference,
    vocabulary: raw.vocabulary ?? 'vocab-07',
    expected: raw.expected,
    allowed: raw.expected.verdict === undefined ? undefined : raw.expected.verdict === 'allow',
  };
}

/** Returns the octets of a part, or of a file without parts. */
function octets(part) {
  const text = part.text ?? part.robots_txt;
  const one = (number) =>
    text === undefined
      ? Buffer.from(part.base64 ?? part.robots_txt_base64, 'base64')
      : Buffer.from(part.counter ? text.replaceAll(part.counter, number) : text);
  return Buffer.concat(Array.from({ length: part.times ?? 1 }, (_, index) => one(String(index + 1))));
}
