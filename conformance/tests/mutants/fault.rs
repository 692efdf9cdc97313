//! The faults, each with its name and the normative trial that must catch it.

macro_rules! faults {
    ($($(#[doc = $says:literal])* $fault:ident => $trial:literal,)*) => {
        /// A way of being wrong.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum Fault {
            $($(#[doc = $says])* $fault,)*
        }

        impl Fault {
            pub(crate) const ALL: &[Self] = &[$(Self::$fault,)*];

            /// Returns the fault's name.
            pub(crate) fn name(self) -> &'static str {
                match self {
                    $(Self::$fault => stringify!($fault),)*
                }
            }

            /// Returns the name of the trial that catches it: `area::case::edition[::member]`.
            pub(crate) fn caught_by(self) -> &'static str {
                match self {
                    $(Self::$fault => $trial,)*
                }
            }
        }
    };
}

faults! {
    /// Every URL may be fetched.
    AlwaysAllows => "path-matching::path-fish-prefix::google-2018::/fish",
    /// No URL may be fetched.
    AlwaysDisallows => "path-matching::path-fish-prefix::google-2018::/catfish",
    /// The first matching rule decides.
    FirstMatchWins => "precedence::length-longer-disallow::rfc9309::/page",
    /// The last matching rule decides.
    LastMatchWins => "precedence::sample-longer-allow::google-2022",
    /// The shortest matching rule decides.
    ShortestMatchWins => "file-format::field-case-allow::google-2022::/x/y",
    /// Of equally long rules, disallow decides.
    DisallowWinsTies => "precedence::sample-equal-paths::google-2022",
    /// A group for `goo` holds for googlebot.
    AgentsMatchPrefix => "user-agent::row-googlebot-news::google-2022::/3",
    /// A group for `bot` holds for googlebot.
    AgentsMatchSubstring => "user-agent::tokens-news-crawling-images::google-2022::/3",
    /// Agents compare in the case they are written in.
    AgentsMatchCase => "user-agent::case-upper-in-file::rfc9309",
    /// A version in a user-agent line is compared too.
    VersionsCompared => "user-agent::suffix-version-in-file::google-2022::/google",
    /// Of several user-agent lines only the last counts.
    LastAgentOnly => "grouping::example-e::google-2022::/g",
    /// The rules of `*` are added to those of the specific group.
    GlobalMergedIn => "grouping::merging-news::google-2022::/carrots",
    /// Only the first of several groups for an agent counts.
    GroupsNotMerged => "grouping::merging-news::google-2019::/shrimp",
    /// A further group of an agent counts only where its first user-agent line names the agent.
    MergedByFirstAgentOnly => "grouping::merging-by-a-later-line::rfc9309::/b",
    /// A crawler without a group of its own follows none.
    NoGlobalGroup => "grouping::merging-others::google-2022::/carrots",
    /// A group without rules is skipped in favour of `*`.
    EmptyGroupFallsToGlobal => "grouping::empty-last-group::google-2019::/",
    /// Rules before the first user-agent line hold for everybody.
    OrphanRulesObeyed => "grouping::orphan-rules-alone::google-2018::/",
    /// A crawl-delay line ends the run of user-agent lines.
    CrawlDelayEndsGroup => "grouping::other-crawl-delay-between-agents::google-2022",
    /// A sitemap line does.
    SitemapEndsGroup => "grouping::other-sitemap-between-agents-first::google-2022",
    /// A blank line does.
    BlankLineEndsGroup => "grouping::blank-between-agents::google-2019",
    /// A `$` at the end has no meaning, and is dropped.
    DollarIgnored => "path-matching::path-root-end::google-2018::/fish",
    /// A `$` at the end is an octet as any other.
    DollarLiteral => "path-matching::path-star-php-end::google-2018::/filename.php",
    /// A `$` ends the pattern wherever it stands.
    DollarAnywhereEnds => "path-matching::end-in-the-middle-before-it::google-2018",
    /// `*` stops at a slash.
    StarStopsAtSlash => "path-matching::path-star-php::google-2018::/folder/filename.php",
    /// `*` is an octet as any other.
    StarLiteral => "path-matching::path-root-star::google-2018::/",
    /// A pattern matches anywhere in the path.
    PatternsFloat => "path-matching::path-fish-prefix::google-2022::/desert/fish",
    /// Paths compare without case.
    PathsFolded => "path-matching::path-fish-prefix::google-2018::/Fish.asp",
    /// The query is not matched.
    QueryDropped => "path-matching::path-query-in-pattern::google-2018",
    /// `%2A` in a pattern is a wildcard.
    EncodedStarIsWildcard => "path-matching::literal-star::rfc9309::/path/file-with-a-b.html",
    /// `%2F` equals `/`.
    EncodedSlashDecoded => "path-matching::encoding-slash-is-not-decoded::google-2018::/a%2Fb",
    /// Hex digits compare with their case.
    HexNotFolded => "path-matching::encoding-hex-case-in-url::google-2018::/caf%c3%a9",
    /// `%61` does not equal `a`.
    UnreservedKeptEncoded => "path-matching::encoding-unreserved-in-pattern::rfc9309::/foo/bar/baz",
    /// Octets outside ASCII do not equal their percent-encoded form.
    NonAsciiKeptRaw => "path-matching::encoding-raw-pattern::google-2018::/foo/bar/%E3%83%84",
    /// An empty disallow forbids everything.
    EmptyDisallowForbids => "grouping::empty-by-empty-rule::google-2022::/",
    /// A rule whose path has no slash matches anywhere.
    SlashlessFloats => "rules::slashless-is-no-substring::rfc9309::/a/fish",
    /// `/robots.txt` itself can be disallowed.
    RobotsTxtNotExempt => "rules::robots-txt-exempt::rfc9309::/robots.txt",
    /// A CR alone ends no line.
    CrNoLineEnd => "file-format::line-end-cr::google-2018::/a",
    /// U+2028 ends a line.
    LineSeparatorEndsLine => "file-format::no-line-end-line-separator::google-2018::/y",
    /// A byte order mark belongs to the first field.
    BomKept => "file-format::bom-before-user-agent::google-2018",
    /// A `#` starts no comment.
    CommentsKept => "file-format::comment-in-line::google-2022",
    /// Field names compare with their case.
    FieldsMatchCase => "file-format::field-case-upper::google-2018::/x",
    /// A last line without a line ending does not count.
    LastLineDropped => "grammar::eof-rule::google-2022::/fish",
    /// A line is cut by the limit where only its line ending lies beyond.
    LimitCutsBeforeCr => "file-format::size-line-ends-at-the-limit::rfc9309",
    /// What the limit leaves of a line counts as a line.
    CutLineKept => "file-format::size-line-cut-by-the-limit::rfc9309",
    /// The last of the controls may stand in a value.
    UnitSeparatorIsPlain => "file-format::control-1f-makes-no-rule::rfc9309::/x%1Fy",
    /// NUL is white space at the end of a record.
    NulIsWhiteSpace => "file-format::nul-at-the-end-of-a-record::rfc9309",
    /// A sitemap line without a value names a sitemap.
    EmptySitemapsNamed => "sitemap::sitemap-without-value::google-2018",
    /// Ports do not matter.
    PortIgnored => "robots-url::scope-http-host::google-2018::http://example.com:8181/",
    /// Schemes do not matter.
    SchemeIgnored => "robots-url::scope-http-host::google-2018::https://example.com/",
    /// A file governs the subdomains of its host.
    SubdomainIncluded => "robots-url::scope-http-host::google-2018::http://autre.example.com/",
    /// A file reached by redirect governs the host it came from.
    RedirectMovesScope => "robots-url::redirected-to-another-host::rfc9309::https://example.com/",
    /// A robots.txt may lie anywhere.
    AnyPathIsRobotsTxt => "robots-url::scope-http-subdirectory::google-2018::http://example.com/",
    /// A server error allows everything.
    ServerErrorAllows => "http-result::status-500::google-2022",
    /// 401 and 403 disallow everything.
    ForbiddenDisallows => "http-result::status-401::google-2018",
    /// Redirects are not followed.
    FirstRedirectIsNotFound => "http-result::status-301::google-2018",
    /// A server error is not asked about again before the copy's lifetime ends.
    ServerErrorNotRetried => "http-result::retry-after-500::google-2022",
    /// 429 is retried as any 4xx, although it counts as a server error.
    TooManyRequestsNotRetried => "http-result::retry-after-429::google-2022",
    /// 503 is retried no more often than another server error.
    PauseRetriedSeldom => "http-result::retry-after-503::google-2018",
    /// Retries go on although the file is missing now.
    RetriesNeverEnd => "http-result::retry-ends-with-404::google-2019",
    /// A cached copy is good for ever.
    CopiesNeverStale => "caching::copy-of-25-hours::rfc9309",
    /// A copy as old as its max-age is fresh.
    FreshAtMaxAge => "caching::max-age-two-days-to-the-second::rfc9309",
    /// Every line derives.
    EverythingDerives => "grammar::rfc-user-agent-line::rfc9309::user-agent: example bot",
    /// No line derives.
    NothingDerives => "grammar::rfc-user-agent-line::rfc9309::user-agent: examplebot",
}
