// Tests the installed package: its command, its data, and a parser and a retriever in JavaScript as subjects.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { Known, command, vectors } from 'robots-conformance';

const { version } = JSON.parse(readFileSync('node_modules/robots-conformance/package.json', 'utf8'));
const run = (words, options = {}) =>
  spawnSync(words[0], words.slice(1), { encoding: 'utf8', maxBuffer: 64 << 20, ...options });

test('the command and the one that npm links are the same version', () => {
  for (const path of [command(), 'node_modules/.bin/robots-conformance']) {
    assert.equal(run([path, '--version']).stdout, `robots-conformance ${version}\n`);
  }
  assert.equal(run(['node_modules/.bin/robots-conformance', 'show', 'no-such-case']).status, 2);
});

test('vectors are those of the file', () => {
  const items = (...options) => JSON.parse(run([command(), 'vectors', ...options]).stdout);
  const read = (...options) => items(...options).filter((item) => typeof item === 'object');
  const others = read('--other');
  for (const edition of ['google-2018', 'google-2019', 'google-2022', 'rfc9309', 'aipref-2026-08']) {
    const verdicts = edition === 'aipref-2026-08' ? [] : read('--edition', edition);
    const count = verdicts.length + others.filter(({ editions }) => edition in editions).length;
    const found = vectors(edition);
    assert.equal(found.length, count);
    assert.equal(new Set(found.map(({ id }) => id)).size, count);
    for (const vector of found) {
      assert.equal(vector.edition, edition);
      assert.ok(vector.robotsTxt instanceof Buffer && vector.says && vector.about && vector.section, vector.id);
      assert.equal(vector.ask === 'verdict', vector.allowed !== undefined);
    }
  }
  const long = vectors().find(({ id }) => id === 'size-line-ends-at-the-limit');
  assert.equal(long.robotsTxt.length, 512_021);
  assert.throws(() => vectors('rfc1'), /unknown edition "rfc1"; the editions are google-2018, /);
});

test('a known failure is exactly true', () => {
  const file = join(mkdtempSync(join(tmpdir(), 'robots-')), 'known.txt');
  const id = 'path-fish-prefix::/fish';
  const vector = vectors().find((one) => one.id === id);
  const list = (text) => {
    writeFileSync(file, text);
    return new Known(file);
  };
  const message = (line, isAllowed) => list(`# Known.\n\n${line}\n`).failure(vector, isAllowed)?.message;
  const throws = () => {
    throw new Error('no');
  };
  assert.equal(message('', () => false), undefined);
  assert.ok(message('', () => true).endsWith(`expected disallow, got allow\n  known.txt: ${id} bug WHY`));
  assert.ok(message('', throws).endsWith(`got Error: no\n  known.txt: ${id} error WHY`));
  assert.equal(message(`${id} bug It is so.`, () => true), undefined);
  assert.equal(message(`${id} error It is so.`, throws), undefined);
  assert.match(message(`${id} bug It is so.`, throws), / error WHY$/);
  assert.equal(message(`${id} bug It is so.`, () => false), `${id} passes; remove it from known.txt`);
  assert.deepEqual(list('gone wontfix It is gone.').gone([vector]), ['gone']);
  assert.throws(() => list('\nx bug'), /^RangeError: known.txt:2: x: the reason is missing after the tag$/);
  assert.throws(() => list('x'), /known.txt:1: x: "" is no tag; the tags are divergence, /);
});

const subjects = {
  right: ['() => true', { verdict: 'allow' }],
  'with a line': ['() => ({ allowed: false, line: 2 })', { verdict: 'disallow', line: 2 }],
  'a promise': ['async () => false', { verdict: 'disallow' }],
  'one that logs': ['() => { console.log("noise"); return true; }', { verdict: 'allow' }],
  'one that throws': ['() => { throw new Error("no"); }', { error: 'Error: no' }],
  'no verdict': ['() => "yes"', { error: 'TypeError: a verdict is true or false, not yes' }],
};

for (const [name, [code, expected]] of Object.entries(subjects)) {
  test(`a function answers the protocol: ${name}`, () => {
    const question = { id: 1, ask: 'verdict', robots_txt: '', crawler: ['a'], url: 'https://example.com/' };
    const asked = [{ ask: 'hello', protocol: 1 }, question, { ...question, id: 2, crawler: ['a', 'b'] }, { id: 3, ask: 'scope' }];
    const input = asked.map((one) => `${JSON.stringify(one)}\n`).join('');
    const script = `import { serve } from 'robots-conformance'; await serve(${code}, { name: ${JSON.stringify(name)} });`;
    const done = run([process.execPath, '--input-type=module', '--eval', script], { input });
    const [hello, one, several, scope] = done.stdout.trim().split('\n').map((line) => JSON.parse(line));
    assert.deepEqual([hello.name, hello.answers, hello.editions], [name, ['verdict'], ['rfc9309']]);
    assert.deepEqual(one, { id: 1, ...expected });
    assert.ok(several.unsupported && scope.unsupported);
  });
}

const messages = (asked) => asked.map((one) => `${JSON.stringify(one)}\n`).join('');
const evaluated = (script, asked) => {
  const done = run([process.execPath, '--input-type=module', '--eval', script], { input: messages(asked) });
  return { ...done, lines: done.stdout.trim().split('\n').map((line) => JSON.parse(line)) };
};

const script = `
  import { serve } from 'robots-conformance';
  await serve({ clock: true, retriever: async function start(timeline) {
    const starts = (timeline.store.get('starts') ?? 0) + 1;
    timeline.store.set('starts', starts);
    return async (url) => {
      const { token, now, send } = timeline;
      const reply = await send(url, { x: \`start \${starts}, \${token}, \${now}\` }, now + 0.5);
      console.log('noise');
      if (reply.failure) return { allowed: false, because: 'unreachable' };
      const found = [new Headers(reply.fields).get('etag'), reply.body.toString(), reply.cut, reply.delay];
      return found.join() === 'v1,allow,false,5';
    };
  } });
`;

test('a retriever answers the protocol', () => {
  const urls = ['https://example.com/1', 'https://example.com/2'];
  const [url] = urls;
  const question = { id: 1, ask: 'timeline', edition: 'rfc9309', crawler: ['a'] };
  const steps = [{ at: 0, urls }, { at: 90, urls: [url] }, { at: 60, urls: [url], restart: true }];
  const body = Buffer.from('allow').toString('base64');
  const allows = { id: 1, reply: { status: 200, fields: [['etag', 'v1']], body, delay: 5 } };
  const fails = { id: 1, reply: { failure: 'reset' } };
  const { lines } = evaluated(script, [
    { ask: 'hello', protocol: 1 },
    { ...question, steps },
    allows,
    fails,
    allows,
    fails,
    { ...question, id: 2, crawler: ['a', 'b'], steps },
    { ...question, id: 3, steps: [{ at: 0, urls, ask: 'usage' }] },
    { ...question, id: 4, steps },
  ]);
  assert.deepEqual(lines[0], {
    protocol: 1,
    name: 'start',
    language: 'javascript',
    answers: ['timeline'],
    editions: ['rfc9309'],
    roles: ['retriever'],
    clock: true,
  });
  const begin = 1893456000;
  assert.deepEqual(
    lines.slice(1, 5).map(({ request }) => request),
    [
      { step: 0, at: 0, url, fields: { x: `start 1, a, ${begin}` } },
      // The clock moved by half a second before the first request, and by five seconds until the reply.
      { step: 0, at: 6, url: urls[1], fields: { x: `start 1, a, ${begin + 5.5}` } },
      { step: 1, at: 90, url, fields: { x: `start 1, a, ${begin + 90}` } },
      { step: 2, at: 60, url, fields: { x: `start 2, a, ${begin + 60}` } },
    ],
  );
  const [answer, several, usage, last, end] = lines.slice(5);
  const [allow, disallow] = [{ verdict: 'allow' }, { verdict: 'disallow', because: 'unreachable' }];
  assert.deepEqual(answer, { id: 1, timeline: [[allow, disallow], [allow], [disallow]] });
  assert.equal(several.unsupported, 'a crawler has one product token here, not a list');
  assert.match(usage.unsupported, /which uses are allowed/);
  assert.match(last.request.fields.x, /^start 1,/, 'another timeline has another store');
  assert.deepEqual(end, { id: 4, error: 'Error: standard input ended before the reply' });
});

test('requests may wait at the same time, but not after their timeline', () => {
  const retriever = `(timeline) => async (url) => {
    if (url === 'late') setImmediate(() => timeline.send('late').catch(({ message }) => console.error(message)));
    else if (url === 'wrong') await timeline.send('wrong', {}, 0);
    else return (await Promise.all(['a', 'b'].map((one) => timeline.send(one)))).map(({ failure }) => failure).join() === 'dns,tls';
    return true;
  }`;
  const question = (id, url) => ({ id, ask: 'timeline', edition: 'rfc9309', crawler: ['a'], steps: [{ at: 0, urls: [url] }] });
  const reply = (failure) => ({ id: 1, reply: { failure } });
  const { lines, stderr } = evaluated(
    `import { serve } from 'robots-conformance'; await serve({ retriever: ${retriever} });`,
    [question(1, 'both'), reply('dns'), reply('tls'), question(2, 'wrong'), question(3, 'late')],
  );
  assert.deepEqual(lines.slice(0, 2).map(({ request }) => request.url), ['a', 'b']);
  assert.deepEqual(lines[2], { id: 1, timeline: [[{ verdict: 'allow' }]] });
  assert.equal(lines[3].error, 'RangeError: `at` is 0; it is a time in seconds since 1970, as `now` is');
  assert.deepEqual(lines.slice(4), [{ id: 3, timeline: [[{ verdict: 'allow' }]] }]);
  assert.match(stderr, /^a request for late after the end of the timeline$/m);
});

test('a subject may be a parser and a retriever', () => {
  const { lines } = evaluated(
    "import { serve } from 'robots-conformance'; await serve(() => true, { retriever: () => () => true });",
    [{ ask: 'hello', protocol: 1 }],
  );
  assert.deepEqual([lines[0].roles, lines[0].answers, lines[0].clock], [['parser', 'retriever'], ['verdict', 'timeline'], false]);
  const none = run([process.execPath, '--input-type=module', '--eval', "import { serve } from 'robots-conformance'; await serve();"]);
  assert.match(none.stderr, /TypeError: serve\(\) has no function; pass a verdict function or `retriever`/);
});

test('a retriever is checked', () => {
  const words = ['run', '--subject', 'node retriever-subject.mjs', '--report', 'json'];
  const done = run(['node_modules/.bin/robots-conformance', ...words]);
  const { trials, totals } = JSON.parse(done.stdout);
  const failed = trials.filter(({ outcome }) => outcome === 'failed').map(({ case: id }) => id);
  // With the runner, the retriever fails the same timelines as with the flat file.
  const lines = readFileSync('known-timelines.txt', 'utf8').split('\n').filter((line) => line && line[0] !== '#');
  const known = lines.map((line) => line.split(' ')[0]);
  assert.deepEqual(failed.sort(), known.sort(), done.stderr);
  assert.ok(totals.passed > 150);
  assert.deepEqual([totals.errored, totals.unanswered], [0, 0]);
});

test('a foreign parser is checked', () => {
  const known = join(mkdtempSync(join(tmpdir(), 'robots-')), 'known.yaml');
  const words = ['node_modules/.bin/robots-conformance', 'run', '--subject', 'node subject.mjs', '--edition', 'rfc9309'];
  const found = run([...words, '--report', 'json', '--write-deviations', known]);
  const report = JSON.parse(found.stdout);
  assert.deepEqual([found.status, report.subject], [1, 'robots-parser'], found.stderr);
  assert.ok(report.totals.passed > 900 && report.totals.failed > 0 && report.totals.failed < 100);
  // The run accepts a deviations file in which each entry has a reason.
  const listed = readFileSync(known, 'utf8');
  writeFileSync(known, listed.replaceAll(/why: (""|''|~|null)?$/gm, 'why: Seen.'));
  const again = run([...words, '--report', 'json', '--deviations', known]);
  assert.equal(again.status, 0, again.stderr);
  assert.equal(JSON.parse(again.stdout).totals.deviation, report.totals.failed);
});

// Runs a file of tests with vitest, and returns its report.
const vitest = (file, text) => {
  writeFileSync(file, text);
  const done = run(['node_modules/.bin/vitest', 'run', '--reporter', 'json', file], { env: { ...process.env, NO_COLOR: '1' } });
  return { ...JSON.parse(done.stdout), stderr: done.stderr };
};

test('the program of the page for vitest reports each vector with its whole name', () => {
  const page = readFileSync('node_modules/robots-conformance/README.md', 'utf8');
  const [, program] = page.split('## The suite in vitest')[1].match(/```js\n(.*?)```/s);
  writeFileSync('known.txt', '');
  const report = vitest('suite.spec.mjs', `const myParser = () => true;\n${program}`);
  const reported = report.testResults[0].assertionResults.map(({ title }) => title);
  // The page asks only what a parser that takes one product token can answer.
  const asked = vectors('rfc9309').filter(({ ask, role, tokens }) => ask === 'verdict' && role === 'parser' && tokens.length === 1);
  const expected = [...asked.map(({ id }) => id), 'every known failure is a vector'];
  assert.deepEqual(reported.sort(), expected.sort(), report.stderr);
  assert.ok(reported.some((title) => title.length > 60), 'some names are long');
  assert.ok(report.numPassedTests > 0 && report.numFailedTests > 0, 'a parser that always allows passes some tests');
});
