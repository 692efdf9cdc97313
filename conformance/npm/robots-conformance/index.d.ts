/// <reference types="node" />

/** Returns the path of the command `robots-conformance`; throws if there is no command for this platform. */
export function command(): string;

/** An edition of the specification; `aipref-2026-08` is a draft: it may change, and it is used only if you name it. */
export type Edition = 'google-2018' | 'google-2019' | 'google-2022' | 'rfc9309' | 'aipref-2026-08';

/** The categories of use that are not unknown. */
export type Preferences = Record<string, 'allowed' | 'disallowed'>;

/** The expectations for a robots.txt: the keys of a file of expectations. A list may be a single text. */
export interface Expectations {
  /** Agents, or names of `lists`, that may fetch something besides robots.txt. */
  'never-blocked'?: string | string[];
  /** Agents, or names of `lists`, that may fetch only robots.txt. */
  blocked?: string | string[];
  /** URLs that agents may or may not fetch. If no agents are named, this applies to every crawler. */
  urls?: UrlExpectations | UrlExpectations[];
  /** Sitemaps that the file names. */
  sitemaps?: string | string[];
  /** Lists of agents by name. */
  lists?: Record<string, string | string[]>;
}

export interface UrlExpectations {
  agents?: string | string[];
  allow?: string | string[];
  disallow?: string | string[];
}

/** An expectation, and the behaviour of the file. */
export interface Checked {
  /** The expectation as a sentence, `Googlebot is not blocked`. */
  expected: string;
  met: boolean;
  /** The line of the file that is the reason, if there is such a line. */
  line: number | null;
  /** The actual behaviour of the file, and its reason. */
  reason: string | null;
}

export interface CheckOptions {
  /** The edition under which the file is read; the default is google-2022. */
  edition?: Edition;
}

/** A robots.txt: its path, the URL where it is served, or its octets. */
export type Robots = string | URL | Uint8Array;

/**
 * Compares a robots.txt with expectations, given as the path of a YAML file or as its keys, and returns each of them with the
 * result. Throws if the file or the expectations cannot be read.
 */
export function check(robots: Robots, expectations: string | Expectations, options?: CheckOptions): Checked[];

/**
 * The matcher for `expect.extend` of vitest and Jest; `import 'robots-conformance/vitest'` adds it to vitest, with its type.
 */
export function toMeetExpectations(
  robots: unknown,
  expectations: string | Expectations,
  options?: CheckOptions,
): { pass: boolean; message: () => string };

/** The merged group that a crawler follows: its rules in order, path patterns as written. */
export interface Group {
  rules: ['allow' | 'disallow', string][];
}

/** The answer that conforms; its keys depend on the kind of question. */
export interface Expected {
  verdict?: 'allow' | 'disallow';
  /** The lines, from 1, any of which may decide; absent if the line is not judged. */
  lines?: number[];
  /** The merged group; `null` if the crawler follows no group. */
  group?: Group | null;
  /** The sitemaps, as written. */
  sitemaps?: string[];
  /** The preferences for the use of the content, under a draft edition. All of `lines` decide. */
  usage?: 'not-applicable' | Preferences;
  preference?: Preferences;
}

/** A question to which an edition gives one answer. */
export interface Vector {
  /** `area::case`, with `::member` if a case asks about several URLs; unique within an edition. */
  name: string;
  edition: string;
  requirement: string;
  level: 'must' | 'stated' | 'should' | 'may';
  /** The section of the edition that requires the answer. */
  section: string;
  /** The row of the edition's table, if the case is about one. */
  row?: string;
  /** One sentence about the case. */
  about: string;
  /** The role to which the question is addressed. */
  role: 'parser' | 'crawler';
  ask: 'verdict' | 'group' | 'sitemaps' | 'usage' | 'preference';
  /** The octets of the file; empty if a preference is asked, because it has no file. */
  robotsTxt: Buffer;
  /** The crawler's product tokens, most specific first. */
  tokens: string[];
  /** The text with which the crawler identifies itself, if the question is about that. */
  identification?: string;
  url?: string;
  /** The URL without scheme, authority and fragment. */
  pathAndQuery?: string;
  /** The values of the `Content-Usage` field lines of the page's response, if `usage` is asked. */
  contentUsage: Buffer[];
  /** The octets of the preference, if a preference is asked. */
  preference?: Buffer;
  /** The vocabulary that defines the categories. */
  vocabulary: string;
  expected: Expected;
  /** Whether the URL may be fetched, if a verdict is asked. */
  allowed?: boolean;
}

/** Returns the questions to which an edition gives one answer; throws a `RangeError` if there is no such edition. */
export function vectors(edition?: Edition): Vector[];

/** Whether the URL may be fetched, and maybe the number of the deciding line, from 1. */
export type Verdict = boolean | { allowed: boolean; line?: number };

export interface ServeOptions {
  /** The name of the subject in reports; the default is the function's name. */
  name?: string;
  /** The version of the parser, for readers. */
  version?: string;
  /** The editions that the parser implements; the default is RFC 9309. The runner asks it about no other edition. */
  editions?: Edition[];
  /** Returns the sitemaps of a file, as written. */
  sitemaps?: (robotsTxt: Buffer) => Iterable<string> | Promise<Iterable<string>>;
  /**
   * Answers for a crawler with several product tokens, most specific first. Without this function, such questions count as
   * unanswered.
   */
  severalTokens?: (robotsTxt: Buffer, agents: string[], url: string) => Verdict | Promise<Verdict>;
  /** Functions for other kinds of question by name; each returns the keys of its answer, as PROTOCOL.md describes them. */
  answers?: Record<string, (question: Record<string, unknown>) => object | Promise<object>>;
}

/** Thrown if a parser has no interface for a question; the question counts as unanswered. */
export class Unsupported extends Error {}

/**
 * Answers the suite's questions with functions until standard input ends: a subject for
 * `robots-conformance run --subject 'node subject.mjs'`.
 *
 * If a function throws, that question counts as an error. The log output of functions goes to standard error.
 *
 * @param verdict receives a file, a product token and a URL, and returns whether the token's crawler may fetch the URL
 */
export function serve(
  verdict: (robotsTxt: Buffer, agent: string, url: string) => Verdict | Promise<Verdict>,
  options?: ServeOptions,
): Promise<void>;
