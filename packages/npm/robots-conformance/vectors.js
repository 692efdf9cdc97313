// The suite as data: the questions to which an edition gives exactly one answer.

import { execFileSync } from 'node:child_process';

import { command } from './command.js';

const EDITIONS = ['google-2018', 'google-2019', 'google-2022', 'rfc9309'];
const DRAFTS = ['aipref-2026-08'];

/** The objects of the files that were read, by the options of the command. */
const files = new Map();

/** Returns the questions to which an edition gives one answer; `index.d.ts` describes them. */
export function vectors(edition = 'rfc9309') {
  const known = [...EDITIONS, ...DRAFTS];
  if (!known.includes(edition)) {
    throw new RangeError(`unknown edition ${JSON.stringify(edition)}; the editions are ${known.join(', ')}`);
  }
  const verdicts = EDITIONS.includes(edition) ? read('--edition', edition).map(verdict) : [];
  const others = read('--other').filter(({ editions }) => edition in editions);
  return [...verdicts, ...others.map((raw) => vector(raw, stated(raw.editions[edition])))].map((one) => ({ ...one, edition }));
}

function read(...options) {
  const key = options.join(' ');
  if (!files.has(key)) {
    const text = execFileSync(command(), ['vectors', ...options], { encoding: 'utf8', maxBuffer: 64 << 20 });
    const items = JSON.parse(text);
    // A string is a comment; most of them have what a requirement says.
    const comments = items.filter((item) => typeof item === 'string');
    const says = new Map(comments.map((item) => item.split(/: (.*)/s)));
    files.set(key, items.filter((item) => typeof item === 'object').map((raw) => ({ ...raw, says: says.get(raw.requirement) })));
  }
  return files.get(key);
}

/** Returns the level and the section, which one text has. */
function stated(text) {
  const [level] = text.split(' ');
  return { level, section: text.slice(level.length + 1) };
}

/** Makes a vector from a flat object of the file of an edition. */
function verdict(raw) {
  const expected = { verdict: raw.allowed ? 'allow' : 'disallow' };
  if (raw.lines !== undefined) expected.lines = raw.lines.split(' ').map(Number);
  const path = raw.url.replace(/^[a-z]+:\/\/[^/?#]*/i, '').replace(/#.*/s, '');
  const path_and_query = path.startsWith('/') ? path : `/${path}`;
  return vector({ ...raw, ask: 'verdict', tokens: [raw.user_agent], path_and_query, expected }, raw);
}

function vector(raw, { level, section, row }) {
  const [text, base64] = [raw.preference, raw.preference_base64];
  const preference = base64 === undefined ? text === undefined ? undefined : Buffer.from(text) : Buffer.from(base64, 'base64');
  return {
    id: raw.id,
    requirement: raw.requirement,
    says: raw.says,
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
