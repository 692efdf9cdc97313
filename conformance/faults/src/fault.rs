//! The table of faults: each has a name, a description, and the requirements that it violates.
//!
//! Start at the table at the end. The macro above it makes [`Fault`] from the table; the doc comment of a fault is its
//! description. This module does not define what a fault does: `reader.rs`, `bent.rs` and `retriever.rs` do.

use serde::Deserialize;

macro_rules! faults {
    ($($(#[doc = $says:literal])* $fault:ident => [$($requirement:literal),*],)*) => {
        /// A fault of a reader.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
        pub(super) enum Fault {
            $($(#[doc = $says])* $fault,)*
        }

        impl Fault {
            pub(super) const ALL: &[Self] = &[$(Self::$fault,)*];

            /// Returns the fault's name.
            pub(super) fn name(self) -> &'static str {
                match self {
                    $(Self::$fault => stringify!($fault),)*
                }
            }

            /// Returns the ids of the requirements that the fault violates, the most important one first.
            pub(super) fn requirements(self) -> &'static [&'static str] {
                match self {
                    $(Self::$fault => &[$($requirement),*],)*
                }
            }

            /// Returns whether a reader with this fault gives the same answer to every question, so that its failures
            /// do not show a particular requirement.
            pub(super) fn is_constant(self) -> bool {
                matches!(self, Self::AlwaysAllows | Self::AlwaysDisallows)
            }
        }
    };
}

faults! {
    /// Every URL may be fetched.
    AlwaysAllows => [],
    /// No URL may be fetched.
    AlwaysDisallows => ["RULE-DEFAULT"],
    /// The first matching rule decides.
    FirstMatchWins => ["PREC-ORDER", "PREC-LENGTH", "PREC-TIE"],
    /// The last matching rule decides.
    LastMatchWins => ["PREC-ORDER", "PREC-LENGTH", "PREC-TIE", "PREC-WILDCARD"],
    /// The shortest matching rule decides.
    ShortestMatchWins => ["PREC-LENGTH", "PREC-ORDER", "PREC-TIE", "PREC-WILDCARD"],
    /// If two rules are equally long, disallow decides.
    DisallowWinsTies => ["PREC-TIE"],
    /// If the order of rules with wildcards is undefined, a group with several rules ignores those with wildcards.
    UndefinedOrderAllows => ["PREC-WILDCARD"],
    /// A group for `goo` applies to googlebot.
    AgentsMatchPrefix => ["AGENT-ONE", "AGENT-RELATED", "AGENT-ORDER"],
    /// A group for `bot` applies to googlebot.
    AgentsMatchSubstring => ["AGENT-ONE", "AGENT-RELATED", "AGENT-ORDER"],
    /// The comparison of agents is case-sensitive.
    AgentsMatchCase => ["AGENT-CASE"],
    /// A version in a user-agent line is compared too.
    VersionsCompared => ["AGENT-SUFFIX"],
    /// Only the last of several user-agent lines counts.
    LastAgentOnly => ["GROUP-SHAPE", "GROUP-EXAMPLE"],
    /// The rules of `*` are added to those of the specific group.
    GlobalMergedIn => ["GROUP-NO-GLOBAL-MERGE", "AGENT-ONE"],
    /// Only the first of several groups for an agent counts.
    GroupsNotMerged => ["GROUP-MERGE"],
    /// A later group for an agent replaces the earlier ones.
    LaterGroupReplaces => ["GROUP-MERGE"],
    /// A second group for an agent counts only if its first user-agent line names the agent.
    MergedByFirstAgentOnly => ["GROUP-MERGE"],
    /// A crawler without a group of its own follows no group.
    NoGlobalGroup => ["AGENT-ONE"],
    /// A crawler obeys `*` for a URL that no rule of its own group matches.
    UnmatchedFallsToGlobal => ["GROUP-NO-GLOBAL-MERGE", "AGENT-ONE"],
    /// A crawler whose group has no rules follows the group of `*`.
    EmptyGroupFallsToGlobal => ["GROUP-EMPTY-SPECIFIC"],
    /// Rules before the first user-agent line apply to every crawler.
    OrphanRulesObeyed => ["GROUP-ORPHAN"],
    /// A crawl-delay line ends the run of user-agent lines.
    CrawlDelayEndsGroup => ["GROUP-OTHER-FIELDS"],
    /// A sitemap line ends the run of user-agent lines.
    SitemapEndsGroup => ["GROUP-OTHER-FIELDS", "SITEMAP-NO-GROUP"],
    /// A blank line ends the run of user-agent lines.
    BlankLineEndsGroup => ["GROUP-BLANK"],
    /// A blank line ends a group, and rules after it belong to no group.
    BlankLineClosesGroup => ["GROUP-BLANK"],
    /// A `$` at the end of a pattern is ignored.
    DollarIgnored => ["MATCH-END"],
    /// A `$` at the end of a pattern is an ordinary octet.
    DollarLiteral => ["MATCH-END"],
    /// A `$` ends the pattern wherever it is.
    DollarAnywhereEnds => ["MATCH-END"],
    /// `*` stops at a slash.
    StarStopsAtSlash => ["MATCH-STAR"],
    /// `*` is an ordinary octet.
    StarLiteral => ["MATCH-STAR", "MATCH-TRAILING-STAR"],
    /// A pattern matches anywhere in the path.
    PatternsFloat => ["MATCH-PREFIX"],
    /// A pattern that does not end in a slash or a star matches only a path that is equal to it.
    PrefixesOfFilesUnknown => ["MATCH-PREFIX"],
    /// A URL without path and query has an empty path, which no rule for `/` matches.
    EmptyPathKept => ["MATCH-PREFIX"],
    /// Several slashes in a row count as one slash in the path of a URL, but not in a pattern.
    SlashesJoined => ["MATCH-PREFIX"],
    /// The comparison of paths ignores case.
    PathsFolded => ["RULE-CASE"],
    /// The query of the URL is ignored.
    QueryDropped => ["MATCH-QUERY"],
    /// `%2A` in a pattern is a wildcard.
    EncodedStarIsWildcard => ["MATCH-LITERAL"],
    /// `%2F` equals `/`.
    EncodedSlashDecoded => ["MATCH-ENCODING"],
    /// The comparison of hex digits is case-sensitive.
    HexNotFolded => ["MATCH-ENCODING"],
    /// `%61` does not equal `a`.
    UnreservedKeptEncoded => ["MATCH-ENCODING"],
    /// Octets outside ASCII do not equal their percent-encoded form.
    NonAsciiKeptRaw => ["MATCH-ENCODING", "FORMAT-UTF8"],
    /// A disallow line without a path disallows everything.
    EmptyDisallowForbids => ["RULE-EMPTY"],
    /// An allow line without a path allows everything.
    EmptyAllowAllows => ["RULE-EMPTY"],
    /// An allow line without a path disallows everything.
    EmptyAllowForbids => ["RULE-EMPTY"],
    /// A rule whose path has no slash matches anywhere.
    SlashlessFloats => ["RULE-ROOT"],
    /// `/robots.txt` itself can be disallowed.
    RobotsTxtNotExempt => ["RULE-ROBOTS-TXT"],
    /// A CR alone does not end a line.
    CrNoLineEnd => ["FORMAT-EOL"],
    /// U+2028 ends a line.
    LineSeparatorEndsLine => ["FORMAT-EOL"],
    /// A byte order mark belongs to the first field.
    BomKept => ["FORMAT-BOM"],
    /// A `#` does not start a comment.
    CommentsKept => ["FORMAT-COMMENT"],
    /// The comparison of field names is case-sensitive.
    FieldsMatchCase => ["FORMAT-FIELD-CASE"],
    /// A last line without a line ending does not count.
    LastLineDropped => ["GRAMMAR-EOF"],
    /// The limit cuts a line even if only its line ending is beyond it.
    LimitCutsBeforeCr => ["FORMAT-SIZE"],
    /// A value may contain the last of the control octets, 1F.
    UnitSeparatorIsPlain => ["FORMAT-GARBAGE"],
    /// A NUL at the end of a record is trimmed like white space.
    NulIsWhiteSpace => ["FORMAT-GARBAGE"],
    /// Ports do not matter.
    PortIgnored => ["LOC-PORT-OTHER", "LOC-PORT-DEFAULT", "LOC-SCOPE", "FETCH-3XX-CONTEXT"],
    /// Schemes do not matter.
    SchemeIgnored => ["LOC-SCOPE", "LOC-SCHEME"],
    /// A file governs the subdomains of its host.
    SubdomainIncluded => ["LOC-SUBDOMAIN", "LOC-SCOPE"],
    /// A file that was reached by a redirect governs the host that sent the file.
    RedirectMovesScope => ["FETCH-3XX-CONTEXT"],
    /// A robots.txt may have any path.
    AnyPathIsRobotsTxt => ["LOC-ROOT", "LOC-SUBDIR"],
    /// A server error allows everything.
    ServerErrorAllows => ["FETCH-5XX", "FETCH-5XX-CACHED", "FETCH-503"],
    /// 401 and 403 disallow everything.
    ForbiddenDisallows => ["FETCH-4XX"],
    /// Redirects are not followed.
    FirstRedirectIsNotFound => ["FETCH-3XX", "FETCH-3XX-BLOCKED"],
    /// After a server error, the file is not requested again before the lifetime of the copy ends.
    ServerErrorNotRetried => ["FETCH-5XX-RETRY", "FETCH-503"],
    /// 429 is retried like any 4xx, although it counts as a server error.
    TooManyRequestsNotRetried => ["FETCH-429"],
    /// 503 is retried no more often than another server error.
    PauseRetriedSeldom => ["FETCH-503"],
    /// Retries continue although the file is missing now.
    RetriesNeverEnd => ["FETCH-5XX-RETRY"],
    /// A cached copy never becomes stale.
    CopiesNeverStale => ["CACHE-24H", "CACHE-STALE", "CACHE-MAXAGE"],
    /// A copy as old as its max-age is fresh.
    FreshAtMaxAge => ["CACHE-MAXAGE"],
    /// Every line is well-formed.
    EverythingDerives => ["GRAMMAR-STRICT", "AGENT-TOKEN", "GRAMMAR-EOF"],
    /// No line is well-formed.
    NothingDerives => ["GRAMMAR-STRICT", "AGENT-TOKEN", "GRAMMAR-EOF"],
    /// A crawler follows the first group that names it or `*`.
    FirstGroupFollowed => ["AGENT-ORDER", "AGENT-ONE"],
    /// A group for `googlebot-news` applies to googlebot.
    LongerAgentsMatch => ["AGENT-RELATED", "AGENT-ONE", "AGENT-ORDER"],
    /// A sitemap line ends the group, and the rules after it belong to no group.
    SitemapClosesGroup => ["SITEMAP-NO-GROUP", "GROUP-OTHER-FIELDS"],
    /// A dot in a pattern is a wildcard for one octet.
    DotIsWildcard => ["MATCH-LIMITED"],
    /// A question mark in a pattern is a wildcard for one octet.
    QuestionMarkIsWildcard => ["MATCH-LIMITED"],
    /// White space at the end of a value is part of it.
    TrailingSpaceKept => ["FORMAT-LINE"],
    /// A no-break space is white space.
    NoBreakSpaceTrimmed => ["FORMAT-WHITE-SPACE"],
    /// An octet that is not UTF-8 ends the file.
    InvalidUtf8EndsFile => ["FORMAT-UTF8", "GRAMMAR-LENIENT"],
    /// An octet that is not UTF-8 is an error, and no question about the file is answered.
    InvalidUtf8Refused => ["GRAMMAR-LENIENT", "FORMAT-GARBAGE"],
    /// A NUL ends the file.
    NulEndsFile => ["FORMAT-GARBAGE", "GRAMMAR-LENIENT"],
    /// A line without a colon ends the file.
    GarbageEndsFile => ["FORMAT-GARBAGE", "GRAMMAR-LENIENT"],
    /// A line without a colon is an error, and no question about the file is answered.
    GarbageRefused => ["FORMAT-GARBAGE", "GRAMMAR-LENIENT"],
    /// If a line is one word without a colon, and does not begin with the octet EF, no question about the file is
    /// answered.
    LoneWordRefused => ["FORMAT-GARBAGE", "GRAMMAR-LENIENT"],
    /// If a path in the crawler's group is text with a character that no URI has, or with a lone `%`, no URL may be fetched.
    InvalidPathForbidsAll => ["MATCH-PREFIX"],
    /// An allow line is a line with an unknown field.
    AllowUnknown => ["PREC-LENGTH", "PREC-TIE", "FORMAT-FIELDS"],
    /// A field that begins with a known name is that field.
    FieldsMatchPrefix => ["FORMAT-FIELDS"],
    /// Only the first 8 KiB are read.
    LimitOf8KiB => ["FORMAT-SIZE"],
    /// Only the first sitemap line counts.
    FirstSitemapOnly => ["SITEMAP-MANY"],
    /// The URL of a sitemap is changed to lower case.
    SitemapsFolded => ["SITEMAP-CASE"],
    /// A compressed sitemap is not read as a sitemap.
    GzipSitemapsDropped => ["SITEMAP-PROTOCOL"],
    /// Only a sitemap on example.com, the host of the file, counts.
    SitemapsOfTheHostOnly => ["SITEMAP-HOST"],
    /// A network failure allows everything.
    NetworkFailureAllows => ["FETCH-NETWORK"],
    /// A success other than 200 disallows everything.
    OnlyStatus200Counts => ["FETCH-2XX"],
    /// 429 counts as a server error where the edition counts it as a client error, and the other way round.
    TooManyRequestsTurned => ["FETCH-429"],
    /// A site that answers 5xx for missing pages counts as failing.
    MissingPagesUnknown => ["FETCH-5XX-SOFT404"],
    /// An outage of more than 30 days continues.
    OutageNeverEnds => ["FETCH-30D"],
    /// A logical redirect leads to another file.
    LogicalRedirectFollowed => ["FETCH-LOGICAL"],
    /// A URL with the default port and the same URL without it have different origins.
    DefaultPortCompared => ["LOC-PORT-DEFAULT"],
    /// Hosts are compared as written, not in their punycode form.
    PunycodeUnknown => ["LOC-IDN"],
    /// The comparison of schemes and hosts is case-sensitive.
    HostCaseCompared => ["LOC-CASE-HOST"],
    /// A file under an IP address governs every host.
    AddressGovernsNames => ["LOC-IP"],
    /// The file in the folder of the page is requested.
    FileBesideThePage => ["LOC-ROOT", "LOC-SUBDIR"],
    /// Requests do not contain the product token.
    NamelessRequests => ["AGENT-IDENTIFICATION"],
    /// Every request has a condition, also if there is no copy.
    ConditionInvented => ["LOC-GET"],
    /// The last validator of any host is sent to every host.
    ValidatorsShared => ["LOC-GET"],
    /// A missing file disallows everything.
    MissingFileDisallows => ["FETCH-4XX"],
    /// Rules on an error page apply.
    ErrorPageRead => ["FETCH-4XX", "FETCH-5XX"],
    /// A body is read without decoding its content coding.
    ContentCodingIgnored => ["FETCH-2XX", "FETCH-NETWORK"],
    /// A file with the media type of HTML counts as empty.
    MediaTypeDecides => ["FORMAT-GARBAGE"],
    /// The part of a file that arrived counts as the whole file.
    CutBodyTaken => ["FETCH-NETWORK"],
    /// Only one redirect is followed.
    OneRedirectFollowed => ["FETCH-3XX"],
    /// A relative Location names no target.
    RelativeLocationUnknown => ["FETCH-3XX"],
    /// 302, 303 and 307 are not followed.
    PermanentRedirectsOnly => ["FETCH-3XX"],
    /// Redirects are followed without a limit.
    RedirectsWithoutLimit => ["FETCH-3XX"],
    /// Redirects to another host are not followed.
    OtherHostsNotFollowed => ["FETCH-3XX-CONTEXT"],
    /// Nothing is cached.
    NothingCached => ["CACHE-24H", "FETCH-30D", "FETCH-503"],
    /// Questions at the same time cause a request each.
    OneRequestEach => ["CACHE-24H"],
    /// A 304 is an empty file.
    ConfirmationIsEmpty => ["CACHE-24H"],
    /// A copy may be used for as long as its max-age says.
    MaxAgeUnbounded => ["CACHE-MAXAGE"],
    /// Every question makes a copy new again.
    QuestionsRenewCopy => ["CACHE-24H"],
    /// If the clock is set back, the latest time is used until the clock reaches it again.
    NewestTimeCounts => ["CACHE-24H"],
    /// A failing refresh drops the copy and allows everything.
    FailingRefreshAllows => ["FETCH-5XX-CACHED", "CACHE-STALE"],
    /// After a failure, the file is never requested again.
    FailureIsFinal => ["FETCH-5XX-RETRY", "FETCH-503", "FETCH-30D"],
    /// Retry-After is ignored.
    RetryAfterIgnored => ["FETCH-503"],
    /// After a 503, the request is repeated at once.
    RepeatsAtOnce => ["FETCH-503"],
    /// A Retry-After of any length is obeyed.
    RetryAfterUnbounded => ["FETCH-5XX-RETRY"],
    /// An outage of more than a day counts as one of more than 30 days.
    OutageOfADayAllows => ["FETCH-30D"],
    /// An outage counts from the first failure of all, even if the site was reached in between.
    OutagesAddUp => ["FETCH-30D"],
    /// After an outage of more than 30 days, the last copy is not used.
    LastCopyDropped => ["FETCH-30D"],
    /// A copy with Cache-Control, Expires, Age or Vary counts as missing at the next question.
    FreshnessFieldsDropCopy => ["CACHE-MAXAGE"],
    /// After a restart, the stored copy is empty, until a new file arrives.
    StoredCopyIsEmpty => ["FETCH-2XX"],
    /// If the clock is set back, every copy counts as missing until the clock has caught up.
    ClockSetBackDropsCopy => ["FETCH-2XX"],
    /// All hosts share the file of the first one.
    HostIgnored => ["LOC-SCOPE"],
}
