// Tests the types of the packages: correct uses compile, and wrong uses do not.

import 'robots-cli/vitest';
import { check } from 'robots-cli';
import { Known, Unsupported, command, serve, vectors, type Retriever, type Timeline, type Vector } from 'robots-conformance';
import { expect } from 'vitest';

const path: string = command();
const found: Vector[] = vectors('rfc9309');
const octets: Uint8Array | undefined = found[0]?.robotsTxt;
const level: 'must' | 'stated' | 'should' | 'may' | undefined = found[0]?.level;

const isAdvice: boolean | undefined = new Known('known.txt').failure(found[0]!, () => isAdvice ?? true)?.isAdvice;

// @ts-expect-error the edition does not exist
vectors('rfc1');
// @ts-expect-error a verdict is not a text
void serve(() => 'allow');

const reason: string | null | undefined = check('robots.txt', { blocked: 'GPTBot' }, { edition: 'rfc9309' })[0]?.reason;
expect(new URL('https://example.com')).toMeetExpectations({ urls: { allow: '/' } });
// @ts-expect-error the key does not exist
check('robots.txt', { never: reason });
// @ts-expect-error the key does not exist
expect('robots.txt').toMeetExpectations({ never: 'a' });

void serve(
  async (robotsTxt, agent, url) => {
    if (robotsTxt.length === 0) throw new Unsupported(`${agent} ${url} ${path} ${level} ${octets}`);
    return { allowed: true, line: 1 };
  },
  { editions: ['google-2022', 'rfc9309'], sitemaps: () => [] },
);

async function start(timeline: Timeline): Promise<Retriever> {
  const { token, send } = timeline;
  return async (url) => {
    const reply = await send(url, { 'user-agent': token }, timeline.now + 1);
    if (reply.failure === 'dns') return false;
    if (reply.failure !== undefined) return { allowed: false, because: 'unreachable' };
    return reply.fields.some(([name, value]) => name === value) || reply.body.length === reply.status + reply.delay;
  };
}
void serve({ retriever: start, clock: true });
void serve(() => true, { retriever: () => () => ({ allowed: true }) });
// @ts-expect-error the reason does not exist
void serve({ retriever: () => () => ({ allowed: true, because: 'luck' }) });
// @ts-expect-error a factory returns a function
void serve({ retriever: () => true });
