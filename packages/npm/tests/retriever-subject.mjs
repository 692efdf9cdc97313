// Makes the small retriever of docs/examples/vitest a subject.

import { serve } from 'robots-conformance';

import { Retriever } from './retriever.mjs';

await serve({
  name: 'small retriever',
  clock: true,
  retriever(timeline) {
    const robots = new Retriever(timeline.token, timeline.identification, timeline.send, timeline.store);
    return async (url) => {
      const [allowed, because] = await robots.verdict(url, timeline.now);
      return { allowed, because };
    };
  },
});
