// Runs a small retriever through the timelines of RFC 9309; `known-timelines.txt` lists the timelines that it fails.

import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

import { octets } from './expand.mjs';
import { Retriever } from './retriever.mjs';

const read = (name) => readFileSync(new URL(name, import.meta.url), 'utf8');
const listed = read('known-timelines.txt').split('\n').filter((line) => line && line[0] !== '#');
const known = new Set(listed.map((line) => line.split(' ')[0]));
const vectors = JSON.parse(read('fetch-vectors.json')).filter((vector) => 'rfc9309' in (vector.editions ?? {}));

/** Returns the answer of the script to a request. The last line that applies to the request is the answer. */
function deliver(network, url, fields, at) {
  const holds = ({ url: own, from = 0, when }) =>
    own === url && from <= at && (!when || (fields[when.field] ?? '').includes(when.contains));
  const line = network.findLast(holds);
  if (line) return { ...line, body: octets(line, 'body') };
  const isKnown = network.some((other) => new URL(other.url).origin === new URL(url).origin);
  return isKnown ? { status: 404 } : { failure: 'dns' };
}

function judge(expected, requests, verdicts) {
  if (expected.requests) {
    expect(requests.map(({ url }) => url)).toEqual(expected.requests.map(({ url }) => url));
    expected.requests.forEach((request, index) => {
      const { fields, at } = requests[index];
      for (const [name, text] of Object.entries(request.with ?? {})) expect(fields[name]).toContain(text);
      for (const name of request.without ?? []) expect(fields).not.toHaveProperty([name]);
      expect(at).toBeGreaterThanOrEqual(request.not_before ?? 0);
    });
  }
  expect(requests.length).toBeGreaterThanOrEqual(expected.at_least ?? 0);
  expect(requests.length).toBeLessThanOrEqual(expected.at_most ?? 100);
  const words = expected.verdicts ?? ['either'];
  verdicts.forEach(([allowed, because], index) => {
    const word = words[words.length > 1 ? index : 0];
    expect(['either', allowed ? 'allow' : 'disallow']).toContain(word);
    expect(expected.because ?? [because]).toContain(because);
  });
}

async function run(vector) {
  const requests = [];
  const send = (url, fields, at) => {
    requests.push({ url, fields, at });
    return deliver(vector.network, url, fields, at);
  };
  const [token] = vector.tokens;
  let retriever = new Retriever(token, vector.identification ?? token, send);
  for (const [index, step] of vector.steps.entries()) {
    if (step.restart) retriever = new Retriever(token, retriever.identification, send, retriever.entries);
    requests.length = 0;
    let now = step.at;
    const verdicts = [];
    for (const url of step.urls) {
      const [allowed, because, later] = await retriever.verdict(url, now);
      now = later;
      verdicts.push([allowed, because]);
    }
    judge(vector.expected.timeline[index], requests, verdicts);
  }
}

describe('timelines', () => {
  for (const vector of vectors) {
    const { id, requirement, about, editions } = vector;
    const isKnown = known.has(id);
    (isKnown ? test.fails : test)(id, async (context) => {
      const error = await run(vector).catch((error) => error);
      if (!error) return;
      const message = `${id} (${editions.rfc9309}, ${requirement}): ${about}\n${error.message}\nknown-timelines.txt: ${id} bug WHY`;
      if (!isKnown && !editions.rfc9309.startsWith('must ')) context.skip(message);
      // Without a stack, the report shows the message only.
      throw Object.assign(new Error(message), { stack: '' });
    });
  }
});

test('every known failure is a vector', () => {
  expect([...known].filter((id) => !vectors.some((vector) => vector.id === id))).toEqual([]);
});
