import 'vitest';

import type { CheckOptions, Expectations } from './index.js';

interface RobotsMatchers<R = unknown> {
  /** Passes if the robots.txt (a path, a URL or octets) meets the expectations. */
  toMeetExpectations(expectations: string | Expectations, options?: CheckOptions): R;
}

declare module 'vitest' {
  // eslint-disable-next-line @typescript-eslint/no-empty-object-type
  interface Assertion<T = any> extends RobotsMatchers<T> {}
}
