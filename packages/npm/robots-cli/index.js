// The command `robots`, and its verb `check` as functions for tests of a site.

export { check, toMeetExpectations } from './check.js';
export { command } from './command.js';
