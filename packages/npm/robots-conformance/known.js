// Known failures in a file, as the README of the vectors describes it.

import { readFileSync } from 'node:fs';
import { basename } from 'node:path';

const TAGS = ['divergence', 'bug', 'wontfix', 'error'];

/** The known failures of a parser; `index.d.ts` describes the methods. */
export class Known {
  #name;
  #tags = new Map();

  constructor(path) {
    this.#name = basename(path);
    for (const [index, line] of readFileSync(path, 'utf8').split(/\r?\n/).entries()) {
      if (line.trim() && line[0] !== '#') this.#add(line, index + 1);
    }
  }

  #add(line, number) {
    const [id, tag = '', ...why] = line.split(' ');
    let problem = this.#tags.has(id) && 'the list has this id twice; keep one line';
    if (!why.join(' ').trim()) problem = 'the reason is missing after the tag';
    if (!TAGS.includes(tag)) problem = `${JSON.stringify(tag)} is no tag; the tags are ${TAGS.join(', ')}`;
    if (problem) throw new RangeError(`${this.#name}:${number}: ${id}: ${problem}`);
    this.#tags.set(id, tag);
  }

  failure(vector, isAllowed) {
    const { id, level, section, requirement, says, about, robotsTxt, tokens, url, expected } = vector;
    let [got, tag] = ['', 'bug'];
    try {
      got = isAllowed(robotsTxt, tokens[0], url) ? 'allow' : 'disallow';
    } catch (error) {
      [got, tag] = [String(error), 'error'];
    }
    const listed = this.#tags.get(id);
    if (got === expected.verdict) {
      return listed === undefined ? undefined : failed(`${id} passes; remove it from ${this.#name}`, false);
    }
    if (listed !== undefined && (listed === 'error') === (tag === 'error')) return undefined;
    const lines = robotsTxt.toString().split(/(?<=\n)/).map((line, index) => `  ${index + 1} ${JSON.stringify(line)}\n`);
    const message =
      `${id} (${level}, section ${section}): ${about}\n  ${requirement}: ${says}\n${lines.join('')}` +
      `  ${tokens[0]} ${url}: expected ${expected.verdict}, got ${got}\n  ${this.#name}: ${id} ${tag} WHY`;
    return failed(message, listed === undefined && !['must', 'stated'].includes(level));
  }

  gone(vectors) {
    const ids = new Set(vectors.map(({ id }) => id));
    return [...this.#tags.keys()].filter((id) => !ids.has(id));
  }
}

/** Returns an error without a stack, because the message explains the failure. */
function failed(message, isAdvice) {
  return Object.assign(new Error(message), { stack: '', isAdvice });
}
