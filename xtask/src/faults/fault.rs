//! The table of faults: each has a name, what it does, and the requirements that it offends.

macro_rules! faults {
    ($($(#[doc = $says:literal])* $fault:ident => [$($requirement:literal),*],)*) => {
        /// A way of being wrong.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
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

            /// Returns the ids of the requirements that it offends, the first most of all.
            pub(super) fn requirements(self) -> &'static [&'static str] {
                match self {
                    $(Self::$fault => &[$($requirement),*],)*
                }
            }

            /// Returns whether it gives one answer to everything: no single requirement tells it.
            pub(super) fn is_constant(self) -> bool {
                matches!(self, Self::AlwaysAllows | Self::AlwaysDisallows)
            }

            /// Returns what the reader does.
            pub(super) fn says(self) -> &'static str {
                match self {
                    $(Self::$fault => concat!($($says),*),)*
                }
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
    /// Of equally long rules, disallow decides.
    DisallowWinsTies => ["PREC-TIE"],
    /// A group for `goo` holds for googlebot.
    AgentsMatchPrefix => ["AGENT-ONE", "AGENT-RELATED", "AGENT-ORDER"],
    /// A group for `bot` holds for googlebot.
    AgentsMatchSubstring => ["AGENT-ONE", "AGENT-RELATED", "AGENT-ORDER"],
    /// Agents compare in the case they are written in.
    AgentsMatchCase => ["AGENT-CASE"],
    /// A version in a user-agent line is compared too.
    VersionsCompared => ["AGENT-SUFFIX"],
    /// Of several user-agent lines only the last counts.
    LastAgentOnly => ["GROUP-SHAPE", "GROUP-EXAMPLE", "GROUP-BLANK", "GROUP-OTHER-FIELDS"],
    /// The rules of `*` are added to those of the specific group.
    GlobalMergedIn => ["GROUP-NO-GLOBAL-MERGE", "AGENT-ONE"],
    /// Only the first of several groups for an agent counts.
    GroupsNotMerged => ["GROUP-MERGE"],
    /// A further group of an agent counts only where its first user-agent line names the agent.
    MergedByFirstAgentOnly => ["GROUP-MERGE"],
    /// A crawler without a group of its own follows none.
    NoGlobalGroup => ["AGENT-ONE"],
    /// A group without rules is skipped in favour of `*`.
    EmptyGroupFallsToGlobal => ["GROUP-EMPTY-SPECIFIC"],
    /// Rules before the first user-agent line hold for everybody.
    OrphanRulesObeyed => ["GROUP-ORPHAN"],
    /// A crawl-delay line ends the run of user-agent lines.
    CrawlDelayEndsGroup => ["GROUP-OTHER-FIELDS"],
    /// A sitemap line ends the run of user-agent lines.
    SitemapEndsGroup => ["GROUP-OTHER-FIELDS", "SITEMAP-NO-GROUP"],
    /// A blank line ends the run of user-agent lines.
    BlankLineEndsGroup => ["GROUP-BLANK"],
    /// A `$` at the end has no meaning, and is dropped.
    DollarIgnored => ["MATCH-END"],
    /// A `$` at the end is an octet as any other.
    DollarLiteral => ["MATCH-END"],
    /// A `$` ends the pattern wherever it stands.
    DollarAnywhereEnds => ["MATCH-END"],
    /// `*` stops at a slash.
    StarStopsAtSlash => ["MATCH-STAR"],
    /// `*` is an octet as any other.
    StarLiteral => ["MATCH-STAR", "MATCH-TRAILING-STAR"],
    /// A pattern matches anywhere in the path.
    PatternsFloat => ["MATCH-PREFIX"],
    /// Paths compare without case.
    PathsFolded => ["RULE-CASE"],
    /// The query is not matched.
    QueryDropped => ["MATCH-QUERY"],
    /// `%2A` in a pattern is a wildcard.
    EncodedStarIsWildcard => ["MATCH-LITERAL"],
    /// `%2F` equals `/`.
    EncodedSlashDecoded => ["MATCH-ENCODING"],
    /// Hex digits compare with their case.
    HexNotFolded => ["MATCH-ENCODING"],
    /// `%61` does not equal `a`.
    UnreservedKeptEncoded => ["MATCH-ENCODING"],
    /// Octets outside ASCII do not equal their percent-encoded form.
    NonAsciiKeptRaw => ["MATCH-ENCODING", "FORMAT-UTF8"],
    /// An empty disallow forbids everything.
    EmptyDisallowForbids => ["RULE-EMPTY"],
    /// A rule whose path has no slash matches anywhere.
    SlashlessFloats => ["RULE-ROOT"],
    /// `/robots.txt` itself can be disallowed.
    RobotsTxtNotExempt => ["RULE-ROBOTS-TXT"],
    /// A CR alone ends no line.
    CrNoLineEnd => ["FORMAT-EOL"],
    /// U+2028 ends a line.
    LineSeparatorEndsLine => ["FORMAT-EOL"],
    /// A byte order mark belongs to the first field.
    BomKept => ["FORMAT-BOM"],
    /// A `#` starts no comment.
    CommentsKept => ["FORMAT-COMMENT"],
    /// Field names compare with their case.
    FieldsMatchCase => ["FORMAT-FIELD-CASE"],
    /// A last line without a line ending does not count.
    LastLineDropped => ["GRAMMAR-EOF"],
    /// A line is cut by the limit where only its line ending lies beyond.
    LimitCutsBeforeCr => ["FORMAT-SIZE"],
    /// What the limit leaves of a line counts as a line.
    CutLineKept => ["FORMAT-SIZE"],
    /// The last of the controls may stand in a value.
    UnitSeparatorIsPlain => ["FORMAT-GARBAGE"],
    /// A NUL at the end of a record is trimmed as white space.
    NulIsWhiteSpace => ["FORMAT-GARBAGE"],
    /// A sitemap line without a value names a sitemap.
    EmptySitemapsNamed => ["SITEMAP-ABSOLUTE"],
    /// Ports do not matter.
    PortIgnored => ["LOC-PORT-OTHER", "LOC-PORT-DEFAULT", "LOC-SCOPE", "FETCH-3XX-CONTEXT"],
    /// Schemes do not matter.
    SchemeIgnored => ["LOC-SCOPE", "LOC-SCHEME"],
    /// A file governs the subdomains of its host.
    SubdomainIncluded => ["LOC-SUBDOMAIN", "LOC-SCOPE"],
    /// A file reached by redirect governs the host it came from.
    RedirectMovesScope => ["FETCH-3XX-CONTEXT"],
    /// A robots.txt may lie anywhere.
    AnyPathIsRobotsTxt => ["LOC-ROOT", "LOC-SUBDIR"],
    /// A server error allows everything.
    ServerErrorAllows => ["FETCH-5XX", "FETCH-5XX-CACHED", "FETCH-503"],
    /// 401 and 403 disallow everything.
    ForbiddenDisallows => ["FETCH-4XX"],
    /// Redirects are not followed.
    FirstRedirectIsNotFound => ["FETCH-3XX", "FETCH-3XX-BLOCKED"],
    /// A server error is not asked about again before the copy's lifetime ends.
    ServerErrorNotRetried => ["FETCH-5XX-RETRY", "FETCH-503"],
    /// 429 is retried as any 4xx, although it counts as a server error.
    TooManyRequestsNotRetried => ["FETCH-429"],
    /// 503 is retried no more often than another server error.
    PauseRetriedSeldom => ["FETCH-503"],
    /// Retries go on although the file is missing now.
    RetriesNeverEnd => ["FETCH-5XX-RETRY"],
    /// A cached copy is good for ever.
    CopiesNeverStale => ["CACHE-24H", "CACHE-STALE", "CACHE-MAXAGE"],
    /// A copy as old as its max-age is fresh.
    FreshAtMaxAge => ["CACHE-MAXAGE"],
    /// Every line derives.
    EverythingDerives => ["GRAMMAR-STRICT", "AGENT-TOKEN", "GRAMMAR-EOF"],
    /// No line derives.
    NothingDerives => ["GRAMMAR-STRICT", "AGENT-TOKEN", "GRAMMAR-EOF"],
    /// A crawler follows the first group that names it or `*`.
    FirstGroupFollowed => ["AGENT-ORDER", "AGENT-ONE"],
    /// A group for `googlebot-news` holds for googlebot.
    LongerAgentsMatch => ["AGENT-RELATED", "AGENT-ONE", "AGENT-ORDER"],
    /// A sitemap line ends the group: the rules behind it belong to nobody.
    SitemapClosesGroup => ["SITEMAP-NO-GROUP", "GROUP-OTHER-FIELDS"],
    /// A dot in a pattern is a wildcard for one octet.
    DotIsWildcard => ["MATCH-LIMITED"],
    /// A question mark in a pattern is a wildcard for one octet.
    QuestionMarkIsWildcard => ["MATCH-LIMITED"],
    /// White space at the end of a value is part of it.
    TrailingSpaceKept => ["FORMAT-LINE"],
    /// A no-break space is white space.
    NoBreakSpaceTrimmed => ["FORMAT-WHITE-SPACE"],
    /// An octet that is no UTF-8 ends the reading.
    InvalidUtf8EndsFile => ["FORMAT-UTF8", "GRAMMAR-LENIENT"],
    /// NUL ends the file.
    NulEndsFile => ["FORMAT-GARBAGE", "GRAMMAR-LENIENT"],
    /// A line without a colon ends the reading.
    GarbageEndsFile => ["FORMAT-GARBAGE", "GRAMMAR-LENIENT"],
    /// A field that begins with a known name is that field.
    FieldsMatchPrefix => ["FORMAT-FIELDS"],
    /// Only the first 8 KiB are read.
    LimitOf8KiB => ["FORMAT-SIZE"],
    /// Only the first sitemap line counts.
    FirstSitemapOnly => ["SITEMAP-MANY"],
    /// A sitemap's URL is written in lower case.
    SitemapsFolded => ["SITEMAP-CASE"],
    /// A compressed sitemap is not read as a sitemap.
    GzipSitemapsDropped => ["SITEMAP-PROTOCOL"],
    /// Only a sitemap on example.com, the host of the file, is one.
    SitemapsOfTheHostOnly => ["SITEMAP-HOST"],
    /// A network failure allows everything.
    NetworkFailureAllows => ["FETCH-NETWORK"],
    /// A success other than 200 disallows everything.
    OnlyStatus200Counts => ["FETCH-2XX"],
    /// 429 is a server error in every edition, or in none.
    TooManyRequestsTurned => ["FETCH-429"],
    /// A site that answers 5xx for missing pages is a site that fails.
    MissingPagesUnknown => ["FETCH-5XX-SOFT404"],
    /// An outage of more than 30 days is still an outage.
    OutageNeverEnds => ["FETCH-30D"],
    /// A logical redirect leads to another file.
    LogicalRedirectFollowed => ["FETCH-LOGICAL"],
    /// A URL without the default port is another origin than one with it.
    DefaultPortCompared => ["LOC-PORT-DEFAULT"],
    /// Hosts compare as they are written, not by their punycode form.
    PunycodeUnknown => ["LOC-IDN"],
    /// Schemes and hosts compare with their case.
    HostCaseCompared => ["LOC-CASE-HOST"],
    /// A file under an IP address governs every host.
    AddressGovernsNames => ["LOC-IP"],
}
