// Adds the matcher to vitest's `expect`.

import { expect } from 'vitest';

import { toMeetExpectations } from './check.js';

expect.extend({ toMeetExpectations });
