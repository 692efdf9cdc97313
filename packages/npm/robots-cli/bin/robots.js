#!/usr/bin/env node
// Runs the command as if the user had called it directly: with its streams, its signals and its exit status.

import { spawn } from 'node:child_process';
import { constants } from 'node:os';

import { command } from '../command.js';

let path;
try {
  path = command();
} catch (error) {
  console.error(`error: ${error.message}`);
  process.exit(2);
}
const child = spawn(path, process.argv.slice(2), { stdio: 'inherit' });
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => child.kill(signal));
}
child.on('error', (error) => {
  console.error(`error: ${path} does not start: ${error.message}`);
  process.exit(2);
});
child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
