// Takes a retriever through the steps of a timeline.
//
// Start at `timelineOf`. This function calls the factory of the retriever at the first step and at each restart. The
// retriever gets a `Timeline`, which contains its network, its clock and its store. The network sends each request to
// the runner.

import { Unsupported } from './protocol.js';

/** The start of every timeline: 2030-01-01 00:00 GMT, in seconds since 1970. */
const START = 1893456000;

/** The parts that a retriever gets from a timeline; `index.d.ts` describes them. */
class Timeline {
  store = new Map();
  now = START;
  #step;

  constructor({ id, edition, crawler, identification = crawler[0] }, messages) {
    Object.assign(this, { edition, tokens: crawler, identification });
    // `send` is a property and not a method, so that it can be passed on without its object.
    this.send = async (url, fields = {}, at = this.now) => {
      if (this.#step === undefined) throw new Error(`a request for ${url} after the end of the timeline`);
      if (!(at >= START)) throw new RangeError(`\`at\` is ${at}; it is a time in seconds since 1970, as \`now\` is`);
      messages.say({ id, request: { step: this.#step, at: Math.floor(at - START), url, fields } });
      const message = await messages.hear();
      if (!message) throw new Error('standard input ended before the reply');
      const { status, failure, fields: received = [], body, cut = false, delay = 0 } = message.reply;
      this.now = Math.max(this.now, at + delay);
      if (failure !== undefined) return { failure, delay };
      return { status, fields: received, body: Buffer.from(body, 'base64'), cut, delay };
    };
  }

  get token() {
    if (this.tokens.length !== 1) throw new Unsupported('a crawler has one product token here, not a list');
    return this.tokens[0];
  }

  begin(step, at) {
    this.#step = step;
    this.now = START + at;
  }

  end() {
    this.#step = undefined;
  }
}

/** Returns the verdicts of a retriever at each step of a timeline. */
export async function timelineOf(factory, messages, question) {
  if (question.steps.some((step) => 'ask' in step)) {
    throw new Unsupported('this retriever answers whether URLs may be fetched, not which uses are allowed');
  }
  const timeline = new Timeline(question, messages);
  const answers = [];
  let retriever;
  try {
    for (const [index, { at, urls, restart }] of question.steps.entries()) {
      timeline.begin(index, at);
      if (!retriever || restart) retriever = await factory(timeline);
      const verdicts = [];
      // The URLs are asked one after the other, because each answer may need a request, and requests move the clock.
      for (const url of urls) verdicts.push(verdictOf(await retriever(url)));
      answers.push(verdicts);
    }
  } finally {
    timeline.end();
  }
  return { timeline: answers };
}

function verdictOf(given) {
  const { allowed, because } = typeof given === 'object' && given !== null ? given : { allowed: given };
  if (typeof allowed !== 'boolean') throw new TypeError(`a verdict is true or false, not ${String(allowed)}`);
  return { verdict: allowed ? 'allow' : 'disallow', because };
}
