// Checks whether a robots.txt meets its expectations: `robots check` as functions, for any test framework.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { command } from './command.js';

/** Compares a robots.txt with expectations, and returns each expectation with its result; see `index.d.ts`. */
export function check(robots, expectations, options = {}) {
  return file(robots, expectations, options).results.map(({ expected, met, line, reason }) => ({ expected, met, line, reason }));
}

/** The matcher of vitest and Jest, for `expect.extend`. */
export function toMeetExpectations(robots, expectations, options = {}) {
  const found = file(robots, expectations, options);
  const failed = found.results.filter(({ met }) => !met);
  const message = () => {
    if (failed.length === 0) return `${found.file} meets all ${found.results.length} expectations`;
    const lines = failed.flatMap(({ expected, line, reason, at }) => [
      `not met: ${expected}${typeof expectations === 'string' ? ` (${expectations}:${at.line}:${at.column})` : ''}`,
      `  ${found.file}${line === null ? '' : `:${line}`}: ${reason}`,
    ]);
    return [`${found.file}: ${failed.length} of ${found.results.length} expectations not met`, ...lines].join('\n');
  };
  return { pass: failed.length === 0, message };
}

function file(robots, expectations, options) {
  if (typeof expectations === 'string') return checked(robots, expectations, options);
  const folder = mkdtempSync(join(tmpdir(), 'robots-'));
  try {
    // The command reads expectations as YAML, and every JSON text is also a YAML text.
    const path = join(folder, 'expectations');
    writeFileSync(path, JSON.stringify(expectations));
    return checked(robots, path, options);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function checked(robots, expectations, { edition }) {
  const isPath = typeof robots === 'string' || robots instanceof URL;
  const words = ['check', '--format', 'json', ...(edition ? ['--edition', edition] : [])];
  try {
    const text = execFileSync(command(), [...words, '--', expectations, isPath ? String(robots) : '-'], {
      input: isPath ? '' : robots,
      encoding: 'utf8',
      maxBuffer: 64 << 20,
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    return JSON.parse(text).files[0];
  } catch (error) {
    // Status 1 means that at least one expectation is not met.
    if (error.status === 1) return JSON.parse(error.stdout).files[0];
    throw new Error(error.stderr?.trim() || error.message);
  }
}
