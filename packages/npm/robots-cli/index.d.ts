/// <reference types="node" />

/** Returns the path of the command `robots`; throws if there is no command for this platform. */
export function command(): string;

/** An edition of the specification; `aipref-2026-08` is a draft, which may change and is used only if you name it. */
export type Edition = 'google-2018' | 'google-2019' | 'google-2022' | 'rfc9309' | 'aipref-2026-08';

/** The expectations for a robots.txt, with the keys of a file of expectations. A single text counts as a list. */
export interface Expectations {
  /** Agents that the file must allow something besides robots.txt, or names of lists in `lists`. */
  'never-blocked'?: string | string[];
  /** Agents that the file must allow nothing besides robots.txt, or names of lists in `lists`. */
  blocked?: string | string[];
  /** URLs that agents may or may not fetch. If no agents are named, this applies to every crawler. */
  urls?: UrlExpectations | UrlExpectations[];
  /** Sitemaps that the file must name. */
  sitemaps?: string | string[];
  /** Lists of agents by name. */
  lists?: Record<string, string | string[]>;
}

export interface UrlExpectations {
  agents?: string | string[];
  allow?: string | string[];
  disallow?: string | string[];
}

/** An expectation, and whether the file meets it. */
export interface Checked {
  /** The expectation as a sentence, for example `Googlebot is not blocked`. */
  expected: string;
  met: boolean;
  /** The line that causes the failure; `null` if the expectation is met, or if no line causes the failure. */
  line: number | null;
  /** The actual behaviour of the file, and its reason; `null` if the expectation is met. */
  reason: string | null;
}

export interface CheckOptions {
  /** The edition under which the file is read; the default is google-2022. */
  edition?: Edition;
}

/** A robots.txt: its path, the URL where it is served, or its octets. */
export type Robots = string | URL | Uint8Array;

/**
 * Compares a robots.txt with expectations, and returns each expectation with its result. The expectations are the path
 * of a YAML file, or an object with the keys of such a file. Throws if the file or the expectations cannot be read.
 */
export function check(robots: Robots, expectations: string | Expectations, options?: CheckOptions): Checked[];

/**
 * The matcher for `expect.extend` of vitest and Jest; `import 'robots-cli/vitest'` adds it to vitest, with its type.
 */
export function toMeetExpectations(
  robots: unknown,
  expectations: string | Expectations,
  options?: CheckOptions,
): { pass: boolean; message: () => string };
