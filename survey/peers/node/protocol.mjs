// The protocol, for adapters in JavaScript: JSON lines on standard input and output.
// Start at `serve`. This module contains no code for a particular peer.

import { createRequire } from 'node:module';
import { Console } from 'node:console';

const require = createRequire(import.meta.url);

/** Thrown if the peer has no interface for the question; the text gives the reason. */
export class Unsupported extends Error {}

/** One question, with its robots.txt decoded on demand. */
export class Question {
  constructor(fields) {
    this.fields = fields;
  }

  /** The robots.txt, as octets. */
  get octets() {
    return Buffer.from(this.fields.robots_txt, 'base64');
  }

  /**
   * The robots.txt as text, for peers that do not take octets. The decoder drops a byte order mark, and octets that are
   * not UTF-8 become U+FFFD.
   */
  get text() {
    return new TextDecoder().decode(this.octets);
  }

  /** The crawler's product token, for peers that take only one. */
  get token() {
    if (this.fields.crawler.length !== 1) {
      throw new Unsupported('this parser accepts one product token, not a list');
    }
    return this.fields.crawler[0];
  }

  /** The URL as the question contains it. */
  get url() {
    return this.fields.url;
  }

  /** The URL of the robots.txt that governs the question's URL. */
  get robotsUrl() {
    return new URL('/robots.txt', this.url).href;
  }

  /** The URL's path and query as written, for peers that take a path. */
  get pathAndQuery() {
    const [, path] = /^(?:[^:/?#]+:\/\/[^/?#]*)?([^#]*)/s.exec(this.url);
    return path.startsWith('/') ? path : `/${path}`;
  }
}

/** The answer to a verdict question; a line of -1, 0 or undefined means that no line decided. */
export function verdict(allowed, line) {
  const answer = { verdict: allowed ? 'allow' : 'disallow' };
  return line > 0 ? { ...answer, line } : answer;
}

/** The version of an installed package. */
export function version(name) {
  return require(`${name}/package.json`).version;
}

/** The kinds of question that only a crawler is asked. */
const CRAWLER = ['scope', 'access', 'retry', 'freshness'];

/**
 * Answers questions until standard input ends. The keys of `answers` are the kinds of question that the peer can
 * answer. The function of a kind receives a `Question` and returns the fields of the answer, or a promise of them.
 */
export async function serve({ name, version, answers, editions = ['rfc9309'] }) {
  globalThis.console = new Console(process.stderr); // A peer that prints must not break the protocol.
  const hello = { protocol: 1, name, version, language: 'javascript' };
  const kinds = Object.keys(answers);
  Object.assign(hello, { answers: kinds, editions });
  if (kinds.some((kind) => CRAWLER.includes(kind))) hello.roles = ['parser', 'crawler'];
  for await (const line of lines(process.stdin)) {
    process.stdout.write(`${JSON.stringify(await reply(hello, answers, line))}\n`);
  }
}

async function reply(hello, answers, line) {
  let id = null;
  try {
    const fields = JSON.parse(line);
    if (fields.ask === 'hello') return hello;
    id = fields.id ?? null;
    if (!Object.hasOwn(answers, fields.ask)) {
      throw new Unsupported(`no interface for ${fields.ask} questions`);
    }
    return { id, ...(await answers[fields.ask](new Question(fields))) };
  } catch (error) {
    if (error instanceof Unsupported) return { id, unsupported: error.message };
    // The text is cut, because an error of a regular expression contains the whole expression.
    return { id, error: String(error).slice(0, 1000) };
  }
}

// The line reader of Node also splits at U+2028 and U+2029, which JSON may contain.
async function* lines(stream) {
  let parts = [];
  for await (let chunk of stream) {
    for (let end; (end = chunk.indexOf(0x0a)) >= 0; chunk = chunk.subarray(end + 1)) {
      yield Buffer.concat([...parts, chunk.subarray(0, end)]).toString('utf8');
      parts = [];
    }
    parts.push(chunk);
  }
}
