/// <reference types="node" />

/** Returns the path of the command `robots-conformance`; throws where there is none for this platform. */
export function command(): string;

/** An edition of the specification; `aipref-2026-08` is a draft, which may change and which nothing uses unless it is named. */
export type Edition = 'google-2018' | 'google-2019' | 'google-2022' | 'rfc9309' | 'aipref-2026-08';

/** The categories of use that are not unknown. */
export type Preferences = Record<string, 'allowed' | 'disallowed'>;

/** What a robots.txt is meant to do: the keys of a file of expectations. A list may be a single text. */
export interface Expectations {
  /** Agents, or names of `lists`, that may fetch something besides robots.txt. */
  'never-blocked'?: string | string[];
  /** Agents, or names of `lists`, that may fetch nothing but robots.txt. */
  blocked?: string | string[];
  /** URLs that may be fetched, or not; by everyone, if no agents are named. */
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

/** An expectation, and what the file does. */
export interface Checked {
  /** The expectation as a sentence, `Googlebot is not blocked`. */
  expected: string;
  met: boolean;
  /** The line of the file that is the reason, if a line is. */
  line: number | null;
  /** What the file does instead, and why. */
  reason: string | null;
}

export interface CheckOptions {
  /** The edition by which the file is read; google-2022 where it is left out. */
  edition?: Edition;
}

/** A robots.txt: its path, the URL where it is served, or its octets. */
export type Robots = string | URL | Uint8Array;

/**
 * Compares a robots.txt with expectations, given as the path of a YAML file or as its keys, and returns each of them with the
 * result. Throws where the file or the expectations cannot be read.
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

/** The answer that conforms; which keys it has depends on what is asked. */
export interface Expected {
  verdict?: 'allow' | 'disallow';
  /** The lines, from 1, any of which may decide; absent where that is not judged. */
  lines?: number[];
  /** The merged group; `null` where the crawler follows none. */
  group?: Group | null;
  /** The sitemaps, as written. */
  sitemaps?: string[];
  /** The preferences for the use of the content, by a draft edition. All of `lines` decide. */
  usage?: 'not-applicable' | Preferences;
  preference?: Preferences;
}

/** A question to which an edition gives one answer. */
export interface Vector {
  /** `area::case`, with `::member` where a case asks about several URLs; unique within an edition. */
  name: string;
  edition: string;
  requirement: string;
  level: 'must' | 'stated' | 'should' | 'may';
  /** Where the edition says it. */
  section: string;
  /** The row of the edition's table, where there is one. */
  row?: string;
  /** What it shows, in a sentence. */
  about: string;
  /** Who is asked. */
  role: 'parser' | 'crawler';
  ask: 'verdict' | 'group' | 'sitemaps' | 'usage' | 'preference';
  /** The octets of the file; empty where a preference is asked, which has none. */
  robotsTxt: Buffer;
  /** The crawler's product tokens, most specific first. */
  tokens: string[];
  /** What the crawler sends to name itself, where the question is about that. */
  identification?: string;
  url?: string;
  /** What is left of the URL without scheme, authority and fragment. */
  pathAndQuery?: string;
  /** The values of the `Content-Usage` field lines of the answer, where `usage` is asked. */
  contentUsage: Buffer[];
  /** The octets that are asked about, where a preference is asked. */
  preference?: Buffer;
  /** The vocabulary whose categories are asked about. */
  vocabulary: string;
  expected: Expected;
  /** Whether the URL may be fetched, where a verdict is asked. */
  allowed?: boolean;
}

/** Returns the questions to which an edition gives one answer; throws a `RangeError` where there is no such edition. */
export function vectors(edition?: Edition): Vector[];

/** Whether the URL may be fetched, and maybe the number of the deciding line, from 1. */
export type Verdict = boolean | { allowed: boolean; line?: number };

export interface ServeOptions {
  /** How reports call the subject; the function's name where it is left out. */
  name?: string;
  /** The version of the parser, for readers. */
  version?: string;
  /** The editions that the parser implements; RFC 9309 where it is left out. It is asked about no other. */
  editions?: Edition[];
  /** Returns the sitemaps of a file, as written. */
  sitemaps?: (robotsTxt: Buffer) => Iterable<string> | Promise<Iterable<string>>;
  /** Answers for a crawler of several product tokens, most specific first. Without it, such questions count as unanswered. */
  severalTokens?: (robotsTxt: Buffer, agents: string[], url: string) => Verdict | Promise<Verdict>;
  /** Functions for other kinds of question by name; each returns the keys of its answer, as PROTOCOL.md describes them. */
  answers?: Record<string, (question: Record<string, unknown>) => object | Promise<object>>;
}

/** Thrown where a parser has no interface to be asked through; it counts as unanswered. */
export class Unsupported extends Error {}

/**
 * Answers the suite's questions with functions until standard input ends: a subject for
 * `robots-conformance run --subject 'node subject.mjs'`.
 *
 * What a function throws is the error of that question. What it logs goes to standard error.
 *
 * @param verdict says of a file, a product token and a URL whether the token's crawler may fetch the URL
 */
export function serve(
  verdict: (robotsTxt: Buffer, agent: string, url: string) => Verdict | Promise<Verdict>,
  options?: ServeOptions,
): Promise<void>;
