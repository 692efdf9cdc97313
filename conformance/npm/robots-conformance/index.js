// robots.txt conformance: the suite as data, and a JavaScript parser as its subject.

export { check, toMeetExpectations } from './check.js';
export { command } from './command.js';
export { serve, Unsupported } from './serve.js';
export { vectors } from './vectors.js';
