// Tests the installed package of the command `robots`: the command, and the functions that check the robots.txt of a site.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { check, command } from 'robots-cli';

const { version } = JSON.parse(readFileSync('node_modules/robots-cli/package.json', 'utf8'));
const run = (words, options = {}) =>
  spawnSync(words[0], words.slice(1), { encoding: 'utf8', maxBuffer: 64 << 20, ...options });

test('the command and the one that npm links are the same version', () => {
  for (const path of [command(), 'node_modules/.bin/robots']) {
    assert.equal(run([path, '--version']).stdout, `robots ${version}\n`);
  }
  assert.equal(run(['node_modules/.bin/robots', 'lint', 'no-such-file']).status, 2);
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

// Runs a file of tests with vitest, and returns its report.
const vitest = (file, text) => {
  writeFileSync(file, text);
  const done = run(['node_modules/.bin/vitest', 'run', '--reporter', 'json', file], { env: { ...process.env, NO_COLOR: '1' } });
  return { ...JSON.parse(done.stdout), stderr: done.stderr };
};

// The test writes a file of tests, as the owner of a site would write it, and runs it with vitest.
test('vitest has the matcher', () => {
  const report = vitest('site.spec.mjs', `
    import 'robots-cli/vitest';
    import { expect, test } from 'vitest';
    const meant = ${JSON.stringify(meant)};
    test('it does what is meant', () => expect(Buffer.from(${JSON.stringify(robots)})).toMeetExpectations(meant));
    test('it can be negated', () => expect(Buffer.from('')).not.toMeetExpectations({ blocked: 'GPTBot' }));
    test('it does not', () => expect(Buffer.from('user-agent: *\\ndisallow: /')).toMeetExpectations(meant));
  `);
  assert.deepEqual([report.numPassedTests, report.numFailedTests], [2, 1], report.stderr);
  const [message] = report.testResults[0].assertionResults.find(({ status }) => status === 'failed').failureMessages;
  assert.ok(message.includes('robots.txt: 3 of 5 expectations not met\nnot met: Googlebot is not blocked\n  robots.txt:2: '), message);
});
