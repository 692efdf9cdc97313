// robots.txt conformance: the suite as data, and a parser or retriever in JavaScript as its subject.

export { command } from './command.js';
export { Known } from './known.js';
export { Unsupported } from './protocol.js';
export { serve } from './serve.js';
export { vectors } from './vectors.js';
