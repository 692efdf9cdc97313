/// <reference types="node" />

/** Returns the path of the command `robots-conformance`; throws if there is no command for this platform. */
export function command(): string;

/** An edition of the specification; `aipref-2026-08` is a draft, which may change and is used only if you name it. */
export type Edition = 'google-2018' | 'google-2019' | 'google-2022' | 'rfc9309' | 'aipref-2026-08';

/** The stated preferences, by category of use. */
export type Preferences = Record<string, 'allowed' | 'disallowed'>;

/** The merged group that a crawler follows. Its rules are in order, with path patterns as written. */
export interface Group {
  rules: ['allow' | 'disallow', string][];
}

/** The conforming answer. Its keys depend on the kind of question. */
export interface Expected {
  verdict?: 'allow' | 'disallow';
  /** The numbers of the lines that may decide, from 1. Absent if the deciding line is not judged. */
  lines?: number[];
  /** The merged group; `null` if the crawler follows no group. */
  group?: Group | null;
  /** The sitemaps, as written. */
  sitemaps?: string[];
  /** The preferences for the use of the content, under a draft edition. All `lines` decide together. */
  usage?: 'not-applicable' | Preferences;
  preference?: Preferences;
}

/** A question to which an edition gives one answer. */
export interface Vector {
  /** The id, which is unique within an edition and never changes its meaning. */
  id: string;
  edition: string;
  requirement: string;
  /** What the requirement says. */
  says: string;
  level: 'must' | 'stated' | 'should' | 'may';
  /** The section of the edition that requires the answer. */
  section: string;
  /** The row of a table in the edition, if the case is about such a row. */
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
  /** The text with which the crawler identifies itself, if the question is about this text. */
  identification?: string;
  url?: string;
  /** The URL without scheme, authority and fragment. */
  pathAndQuery?: string;
  /** The values of the `Content-Usage` field lines of the page's response, if `usage` is asked. */
  contentUsage: Buffer[];
  /** The octets of the preference, if a preference is asked. */
  preference?: Buffer;
  /** The id of the vocabulary that defines the categories of use. */
  vocabulary: string;
  expected: Expected;
  /** Whether the URL may be fetched, if a verdict is asked. */
  allowed?: boolean;
}

/** Returns the questions to which an edition gives one answer; throws a `RangeError` if there is no such edition. */
export function vectors(edition?: Edition): Vector[];

/** A wrong answer, or a line of the list that is no longer true; it has no stack, because its message explains it. */
export interface Failure extends Error {
  /** Whether the requirement is not at `must`, so that a test need not fail. */
  isAdvice: boolean;
}

/**
 * The known failures of a parser: on each line of a file an id, a tag and a reason. The tag is `bug`, `wontfix`,
 * `divergence` or, if the parser throws, `error`.
 */
export class Known {
  /** Reads the file; throws a `RangeError` with the number of a wrong line. */
  constructor(path: string);
  /**
   * Asks a parser the question of a vector, which asks for a verdict about one product token. Returns `undefined` if
   * the answer is right and not listed, or wrong and listed.
   */
  failure(vector: Vector, isAllowed: (robotsTxt: Buffer, agent: string, url: string) => boolean): Failure | undefined;
  /** Returns the listed ids that are not among the vectors, so that a test can fail if there are any. */
  gone(vectors: Vector[]): string[];
}

/** Whether the URL may be fetched, and optionally the number of the deciding line, from 1. */
export type Verdict = boolean | { allowed: boolean; line?: number };

/** The result of a request: either a response, which has `status`, or a `failure`. */
export type Reply =
  | {
      status: number;
      /** The header fields in order, with names in lower case. */
      fields: [name: string, value: string][];
      /** The octets of the body: still in their content coding, but without the marks between chunks. */
      body: Buffer;
      /** Whether the connection ended before the whole body had arrived. */
      cut: boolean;
      /** The number of seconds until the reply arrived. The clock of the timeline includes them already. */
      delay: number;
      failure?: undefined;
    }
  | {
      failure: 'dns' | 'refused' | 'reset' | 'tls' | 'timeout' | 'invalid-response';
      /** The number of seconds until the failure. The clock of the timeline includes them already. */
      delay: number;
      status?: undefined;
    };

/** The parts that a retriever gets from a timeline: the name of the crawler, the network, the clock and the store. */
export interface Timeline {
  /** The crawler's product token. If there are several, it throws `Unsupported`, and the timeline is unanswered. */
  readonly token: string;
  /** The crawler's product tokens, most specific first. */
  readonly tokens: string[];
  /** The text with which the crawler identifies itself, for example in `User-Agent`. Often it is the first token. */
  readonly identification: string;
  /** The edition of the question. */
  readonly edition: Edition;
  /** The time of the virtual clock, in seconds since 1970. Every timeline starts on 2030-01-01 at 00:00 GMT. */
  readonly now: number;
  /** The data that a restart does not erase. It is empty at the start of the timeline. */
  readonly store: Map<any, any>;
  /**
   * Sends a request, and returns its result. Redirects are not followed. The function can be passed on without its
   * object.
   *
   * @param fields the header fields of the request
   * @param at the time of the request, as in `now`, which is the default
   */
  readonly send: (url: string, fields?: Record<string, string>, at?: number) => Promise<Reply>;
}

/** Whether the URL may be fetched, and optionally the reason, which PROTOCOL.md describes. */
export type RetrievedVerdict = boolean | { allowed: boolean; because?: Because };

/** The reason for a verdict. */
export type Because =
  | 'rules'
  | 'stale-rules'
  | 'last-copy'
  | 'no-file'
  | 'unreachable'
  | 'unreachable-for-long'
  | 'robots-txt-itself'
  | 'not-fetched'
  | 'expired';

/** Receives a URL, and returns whether it may be fetched. */
export type Retriever = (url: string) => RetrievedVerdict | Promise<RetrievedVerdict>;

export interface ServeOptions {
  /** The name of the subject in reports. The default is the name of the served function. */
  name?: string;
  /** The version of the parser or retriever, for readers. */
  version?: string;
  /**
   * The editions that the subject implements; the default is RFC 9309. The runner asks about another edition only if
   * `--edition` names it.
   */
  editions?: Edition[];
  /** Returns the sitemaps of a file, as written. */
  sitemaps?: (robotsTxt: Buffer) => Iterable<string> | Promise<Iterable<string>>;
  /**
   * Answers for a crawler with several product tokens, most specific first. Without this function, such questions count as
   * unanswered.
   */
  severalTokens?: (robotsTxt: Buffer, agents: string[], url: string) => Verdict | Promise<Verdict>;
  /** Functions for other kinds of question, by kind. Each returns the keys of its answer, as in PROTOCOL.md. */
  answers?: Record<string, (question: Record<string, unknown>) => object | Promise<object>>;
  /**
   * Starts a retriever. The function is called at the start of each timeline, and again at each restart, with the same
   * `Timeline`.
   */
  retriever?: (timeline: Timeline) => Retriever | Promise<Retriever>;
  /**
   * Whether the retriever takes its time from `Timeline.now` and keeps its data in `Timeline.store`. The default is
   * false: timelines in which time passes or the retriever restarts are not asked.
   */
  clock?: boolean;
}

/** Thrown if a parser or retriever has no interface for a question; the question counts as unanswered. */
export class Unsupported extends Error {}

/**
 * Answers the suite's questions with functions until standard input ends: a subject for
 * `robots-conformance run --subject 'node subject.mjs'`.
 *
 * If a function throws, the question counts as an error. The log output of functions goes to standard error.
 *
 * @param verdict receives a file, a product token and a URL, and returns whether the token's crawler may fetch the URL
 */
export function serve(
  verdict: (robotsTxt: Buffer, agent: string, url: string) => Verdict | Promise<Verdict>,
  options?: ServeOptions,
): Promise<void>;
/** Serves only the functions in the options, for example a retriever. */
export function serve(options: ServeOptions): Promise<void>;
