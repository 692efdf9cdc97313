// What a reader in TypeScript writes compiles, and what is wrong does not.

import { Unsupported, command, serve, vectors, type Vector } from 'robots-conformance';

const path: string = command();
const found: Vector[] = vectors('rfc9309');
const octets: Uint8Array | undefined = found[0]?.robotsTxt;
const level: 'must' | 'should' | 'may' | undefined = found[0]?.level;

// @ts-expect-error no such edition
vectors('rfc1');
// @ts-expect-error a verdict is no text
void serve(() => 'allow');

void serve(
  async (robotsTxt, agent, url) => {
    if (robotsTxt.length === 0) throw new Unsupported(`${agent} ${url} ${path} ${level} ${octets}`);
    return { allowed: true, line: 1 };
  },
  { editions: ['google-2022', 'rfc9309'], sitemaps: () => [] },
);
