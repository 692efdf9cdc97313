// A small retriever that obeys RFC 9309: it fetches robots.txt, caches it, and decides what may be fetched.
//
// The retriever uses no socket and no clock. `send(url, fields, now)` sends one request and follows no redirect. It
// returns a reply, or the promise of a reply. A reply has `status`, `fields` with names in lower case, `body`, `cut` and
// `delay`, or it has `failure`. Times are in seconds.

import { gunzipSync } from 'node:zlib';
import robotsParser from 'robots-parser';

const DAY = 24 * 60 * 60;
const MOST_OCTETS = 500 * 1024;
const MOST_REDIRECTS = 5;
const REDIRECTS = [301, 302, 303, 307, 308];

export class Retriever {
  /** `entries` has an entry for each origin. A new retriever with the same map continues after a restart. */
  constructor(token, identification, send, entries = new Map()) {
    Object.assign(this, { token, identification, send, entries });
  }

  /** Returns whether a URL may be fetched, the reason, and the time after all requests. */
  async verdict(url, now) {
    const key = new URL(url).origin;
    let entry = this.entries.get(key);
    // An entry from the future was written with a wrong clock, so it is not used.
    if (!entry || now < entry.since || now >= entry.until) {
      ({ entry, now } = await this.request(key, entry, now));
      this.entries.set(key, entry);
    }
    const allows = () => robotsParser(`${key}/robots.txt`, entry.file).isAllowed(new URL(url).href, this.token);
    if (entry.failingSince === undefined) {
      return entry.isMissing ? [true, 'no-file', now] : [allows(), 'rules', now];
    }
    if (now - entry.failingSince <= 30 * DAY) return [false, 'unreachable', now];
    return entry.file === undefined ? [true, 'unreachable-for-long', now] : [allows(), 'last-copy', now];
  }

  /** Requests robots.txt, and returns the new entry and the time. */
  async request(key, known, now) {
    let url = `${key}/robots.txt`;
    let fields, reply, answer;
    for (let hops = 0; hops <= MOST_REDIRECTS; hops += 1) {
      fields = { 'user-agent': this.identification, 'accept-encoding': 'gzip' };
      if (known?.validators?.url === url) Object.assign(fields, known.validators.fields);
      reply = await this.send(url, fields, now);
      now += reply.delay ?? 0;
      answer = Object.fromEntries(reply.fields ?? []);
      if (!REDIRECTS.includes(reply.status) || !answer.location) break;
      url = new URL(answer.location, url).href.split('#')[0];
    }
    const { status } = reply;
    const fresh = { since: now, until: now + DAY };
    if (status === 304 && ('if-none-match' in fields || 'if-modified-since' in fields)) {
      return { entry: { ...fresh, file: known.file, validators: known.validators }, now };
    }
    const body = status >= 200 && status < 300 ? decoded(reply, answer) : undefined;
    if (body) {
      const file = body.subarray(0, MOST_OCTETS).toString().replace(/^\uFEFF/, '');
      const conditions = {};
      if (answer.etag) conditions['if-none-match'] = answer.etag;
      if (answer['last-modified']) conditions['if-modified-since'] = answer['last-modified'];
      return { entry: { ...fresh, file, validators: { url, fields: conditions } }, now };
    }
    const copy = { file: known?.file, validators: known?.validators };
    if (status >= 300 && status < 500 && status !== 304) {
      return { entry: { ...fresh, ...copy, isMissing: true }, now };
    }
    const pause = /^\d+$/.test(answer['retry-after'] ?? '')
      ? Math.min(Math.max(Number(answer['retry-after']), 60), DAY)
      : 60 * 60;
    // If there was no request for a week, the site may have worked in between, so a new outage begins.
    const failingSince = known && now - known.since <= 7 * DAY ? (known.failingSince ?? now) : now;
    return { entry: { since: now, until: now + pause, ...copy, failingSince }, now };
  }
}

/** Returns the decoded body, or undefined if it is not complete. */
function decoded(reply, answer) {
  const coding = answer['content-encoding'] ?? 'identity';
  const body = reply.body ?? Buffer.alloc(0);
  if (coding === 'gzip' || coding === 'x-gzip') {
    try {
      return gunzipSync(body, { maxOutputLength: 2 * MOST_OCTETS });
    } catch {
      return undefined;
    }
  }
  return coding === 'identity' && (!reply.cut || body.length > MOST_OCTETS) ? body : undefined;
}
