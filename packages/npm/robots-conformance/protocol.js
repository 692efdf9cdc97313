// Defines the messages of the protocol, one on each line, and the error `Unsupported`, for a question that a subject
// has no interface for.

import { createInterface } from 'node:readline';

/** Thrown if a parser or retriever has no interface for a question; the question counts as unanswered. */
export class Unsupported extends Error {}

/** Reads the messages of the runner, and writes the messages to the runner. */
export class Messages {
  #lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();

  /** Returns the next message, or undefined at the end. Waiting calls get the messages in the order of the calls. */
  async hear() {
    const { value, done } = await this.#lines.next();
    return done ? undefined : JSON.parse(value);
  }

  say(message) {
    process.stdout.write(`${JSON.stringify(message)}\n`);
  }
}
