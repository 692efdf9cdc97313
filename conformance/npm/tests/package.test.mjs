// The installed package: its command, its data, and a JavaScript function as a subject.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { check, command, vectors } from 'robots-conformance';

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
  const suite = JSON.parse(run([command(), 'vectors']).stdout);
  for (const [edition, count] of Object.entries(suite.editions)) {
    const found = vectors(edition);
    assert.equal(found.length, count);
    assert.equal(new Set(found.map(({ name }) => name)).size, count);
    for (const vector of found) {
      assert.equal(vector.edition, edition);
      assert.ok(vector.robotsTxt instanceof Buffer && vector.about && vector.section, vector.name);
      assert.equal(vector.ask === 'verdict', vector.allowed !== undefined);
    }
  }
  const long = vectors().find(({ name }) => name === 'file-format::size-line-ends-at-the-limit');
  assert.equal(long.robotsTxt.length, 512_021);
  assert.throws(() => vectors('rfc1'), /unknown edition "rfc1"; the editions are google-2018, /);
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

test('a foreign parser is checked', () => {
  const known = join(mkdtempSync(join(tmpdir(), 'robots-')), 'known.yaml');
  const words = ['node_modules/.bin/robots-conformance', 'run', '--subject', 'node subject.mjs', '--edition', 'rfc9309'];
  const found = run([...words, '--report', 'json', '--write-deviations', known]);
  const report = JSON.parse(found.stdout);
  assert.deepEqual([found.status, report.subject], [1, 'robots-parser'], found.stderr);
  assert.ok(report.totals.passed > 900 && report.totals.failed > 0 && report.totals.failed < 100);
  // A deviations file is accepted when each entry has a reason.
  const listed = readFileSync(known, 'utf8');
  writeFileSync(known, listed.replaceAll(/why: (""|''|~|null)?$/gm, 'why: Seen.'));
  const again = run([...words, '--report', 'json', '--deviations', known]);
  assert.equal(again.status, 0, again.stderr);
  assert.equal(JSON.parse(again.stdout).totals.deviation, report.totals.failed);
});

const robots = 'User-agent: *\nDisallow: /private/\n\nUser-agent: GPTBot\nDisallow: /\n';
const meant = {
  'never-blocked': ['Googlebot'],
  blocked: 'ai',
  lists: { ai: ['GPTBot'] },
  urls: { agents: ['Googlebot'], allow: ['/', '/shop/'], disallow: ['/private/'] },
};

test('a robots.txt is compared with expectations', () => {
  const folder = mkdtempSync(join(tmpdir(), 'robots-'));
  const [file, expectations] = ['robots.txt', 'expect.yaml'].map((name) => join(folder, name));
  writeFileSync(file, robots);
  writeFileSync(expectations, 'never-blocked: [Googlebot]\nurls:\n  - disallow: [/private/]\n');
  assert.deepEqual(check(Buffer.from(robots), meant).map(({ met }) => met), [true, true, true, true, true]);
  assert.deepEqual(check(file, expectations, { edition: 'rfc9309' }).map(({ met }) => met), [true, true]);
  const [first] = check(Buffer.from('user-agent: *\ndisallow: /\n'), { 'never-blocked': 'Googlebot' });
  assert.deepEqual([first.expected, first.met, first.line], ['Googlebot is not blocked', false, 2]);
  assert.match(first.reason, /^Googlebot may fetch nothing but robots\.txt: disallow: /);
  assert.throws(() => check(file, { never: 'a' }), /unknown key "never"; the keys are never-blocked/);
  assert.throws(() => check(join(folder, 'none.txt'), meant), /cannot read .*none\.txt/);
});

// Makes a separate project, like the project of a site owner.
test('vitest has the matcher', () => {
  writeFileSync('site.spec.mjs', `
    import 'robots-conformance/vitest';
    import { expect, test } from 'vitest';
    const meant = ${JSON.stringify(meant)};
    test('it does what is meant', () => expect(Buffer.from(${JSON.stringify(robots)})).toMeetExpectations(meant));
    test('it can be negated', () => expect(Buffer.from('')).not.toMeetExpectations({ blocked: 'GPTBot' }));
    test('it does not', () => expect(Buffer.from('user-agent: *\\ndisallow: /')).toMeetExpectations(meant));
  `);
  const done = run(['node_modules/.bin/vitest', 'run', '--reporter', 'json', 'site.spec.mjs'], { env: { ...process.env, NO_COLOR: '1' } });
  const report = JSON.parse(done.stdout);
  assert.deepEqual([report.numPassedTests, report.numFailedTests], [2, 1], done.stderr);
  const [message] = report.testResults[0].assertionResults.find(({ status }) => status === 'failed').failureMessages;
  assert.ok(message.includes('robots.txt: 3 of 5 expectations not met\nnot met: Googlebot is not blocked\n  robots.txt:2: '), message);
});
