// Makes a parser or a retriever in JavaScript a subject, which `robots-conformance run --subject` starts and asks.

import { Messages, Unsupported } from './protocol.js';
import { timelineOf } from './timeline.js';

/** Answers the suite's questions with functions until standard input ends; `index.d.ts` describes them. */
export async function serve(verdict, options = {}) {
  // A subject without a verdict function calls `serve` with the options as its first argument.
  if (typeof verdict !== 'function') [verdict, options] = [undefined, verdict ?? options];
  const { name, version, editions = ['rfc9309'], sitemaps, severalTokens, answers = {}, retriever, clock = false } = options;
  const messages = new Messages();
  const known = {};
  if (verdict) known.verdict = (question) => verdictOf(verdict, severalTokens, question);
  if (sitemaps) known.sitemaps = async (question) => ({ sitemaps: [...(await sitemaps(octets(question)))] });
  Object.assign(known, answers);
  if (retriever) known.timeline = (question) => timelineOf(retriever, messages, question);
  const kinds = Object.keys(known);
  if (kinds.length === 0) throw new TypeError('serve() has no function; pass a verdict function or `retriever`');
  const hello = {
    protocol: 1,
    name: name || (verdict ?? retriever)?.name || 'subject',
    version,
    language: 'javascript',
    answers: kinds,
    editions,
  };
  if (retriever) {
    Object.assign(hello, { roles: [...(kinds.length > 1 ? ['parser'] : []), 'retriever'], clock });
  }
  // The runner reads standard output as messages of the protocol, so the text that a parser prints goes to standard
  // error.
  for (const method of ['log', 'info', 'debug']) console[method] = console.error;
  for (let question = await messages.hear(); question; question = await messages.hear()) {
    messages.say(question.ask === 'hello' ? hello : { id: question.id, ...(await answerTo(known, question)) });
  }
}

async function answerTo(known, question) {
  if (!Object.hasOwn(known, question.ask)) return { unsupported: `no function answers ${question.ask}` };
  try {
    return await known[question.ask](question);
  } catch (error) {
    // If the subject throws, the error is its answer to this question.
    if (error instanceof Unsupported) return { unsupported: error.message };
    return { error: String(error).slice(0, 1000) };
  }
}

function octets(question) {
  return Buffer.from(question.robots_txt, 'base64');
}

async function verdictOf(one, several, question) {
  const { crawler: tokens, url } = question;
  if (tokens.length > 1 && !several) {
    throw new Unsupported('a crawler has one product token here, not a list');
  }
  const given = await (tokens.length > 1
    ? several(octets(question), tokens, url)
    : one(octets(question), tokens[0], url));
  const { allowed, line } = typeof given === 'object' && given !== null ? given : { allowed: given };
  if (typeof allowed !== 'boolean') throw new TypeError(`a verdict is true or false, not ${String(allowed)}`);
  return { verdict: allowed ? 'allow' : 'disallow', line };
}
