// Makes a JavaScript function a subject, which `robots-conformance run --subject` starts and asks.

import { createInterface } from 'node:readline';

/** Thrown if a parser has no interface for a question; the question counts as unanswered. */
export class Unsupported extends Error {}

/** Answers the suite's questions with functions until standard input ends; `index.d.ts` describes them. */
export async function serve(verdict, options = {}) {
  const { name, version, editions = ['rfc9309'], sitemaps, severalTokens, answers = {} } = options;
  const known = { verdict: (question) => verdictOf(verdict, severalTokens, question) };
  if (sitemaps) known.sitemaps = async (question) => ({ sitemaps: [...(await sitemaps(octets(question)))] });
  Object.assign(known, answers);
  const hello = {
    protocol: 1,
    name: name || verdict.name || 'subject',
    version,
    language: 'javascript',
    answers: Object.keys(known),
    editions,
  };
  // A parser that prints must not break the protocol.
  for (const method of ['log', 'info', 'debug']) console[method] = console.error;
  for await (const line of createInterface({ input: process.stdin })) {
    const question = JSON.parse(line);
    const answer = question.ask === 'hello' ? hello : { id: question.id, ...(await answerTo(known, question)) };
    process.stdout.write(`${JSON.stringify(answer)}\n`);
  }
}

async function answerTo(known, question) {
  if (!Object.hasOwn(known, question.ask)) return { unsupported: `no function answers ${question.ask}` };
  try {
    return await known[question.ask](question);
  } catch (error) {
    // If a parser throws, the error is its answer to this question.
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
