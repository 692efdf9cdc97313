//! Lists the cases that a reader fails although it does not violate their requirement, and the requirements whose cases
//! catch no reader.
//!
//! [`EXCEPTIONS`] is the table of cases, each with a reason. `cargo xtask faults` reports a failure without an
//! exception, and an exception that no failure needs. [`UNCAUGHT`] and [`UNCAUGHT_OVER_TIME`] list the requirements.
//! The command also reports a listed requirement if its cases catch a reader now.

use super::fault::Fault;

/// A case that a reader fails although the fault violates another requirement.
pub(super) struct Exception {
    pub(super) fault: Fault,
    pub(super) case: &'static str,
    pub(super) why: &'static str,
}

macro_rules! exceptions {
    ($($why:literal { $($fault:ident: $($case:literal)*,)* })*) => {
        pub(super) const EXCEPTIONS: &[Exception] = &[
            $($($(Exception { fault: Fault::$fault, case: $case, why: $why },)*)*)*
        ];
    };
}

exceptions! {
    "The file is the example of RFC 9309, 5.1, which has the shorter rule first." {
        FirstMatchWins:
            "simple-example-foobot",
    }
    "The allow rule comes before the shorter disallow rule. With two rules, either a first-match or a last-match reader fails; parsers that use the first match exist." {
        LastMatchWins:
            "case-of-allow-path"
            "end-rfc-example"
            "field-case-allow"
            "four-fields"
            "merging-before-precedence"
            "star-rfc-example",
    }
    "Two rules of different lengths match; a case about an allow rule needs both." {
        ShortestMatchWins:
            "case-of-allow-path"
            "end-rfc-example"
            "field-case-allow"
            "four-fields"
            "merging-before-precedence"
            "simple-example-foobot"
            "star-rfc-example",
    }
    "A row of the table decides, although the order of rules with wildcards is undefined." {
        UndefinedOrderAllows:
            "sample-end-at-the-root",
    }
    "The file is an example or a row of a document, which has an allow rule." {
        AllowUnknown:
            "comment-in-line"
            "end-rfc-example"
            "sample-end-at-the-root"
            "simple-example-foobot"
            "star-rfc-example",
    }
    "The case is about an allow rule." {
        AllowUnknown:
            "case-of-allow-path"
            "field-case-allow"
            "shape-allow-rule-ends-the-run"
            "wildcard-end-in-the-allow-rule",
    }
    "The case is about whether an allow or a disallow rule decides." {
        AllowUnknown:
            "merging-before-precedence"
            "order-ascending"
            "order-descending"
            "order-mixed"
            "order-of-a-wildcard-rule",
    }
    "The case is about allow and disallow rules in one list." {
        AllowUnknown:
            "shape-rules-in-order",
    }
    "The group of the case has several agents." {
        LastAgentOnly:
            "blank-between-agents"
            "blank-between-agents-one-group"
            "blank-comment-between-agents"
            "blank-many-between-agents"
            "lenient-text-between-agents"
            "merging-shared-groups"
            "other-crawl-delay-between-agents"
            "other-crawl-delay-one-group"
            "other-sitemap-between-agents-first"
            "other-sitemap-between-agents-one-group"
            "other-sitemap-on-the-line-between-agents"
            "other-sitemap-on-the-line-between-agents-one-group"
            "other-unknown-between-agents",
    }
    "The case uses the rules of * to show which group applies; a reader that adds these rules does not follow a single group." {
        GlobalMergedIn:
            "case-no-star"
            "empty-by-empty-rule"
            "empty-last-group"
            "empty-last-group-asked-for"
            "empty-last-group-of-two"
            "merging-asked-for"
            "merging-news"
            "merging-with-an-empty-group"
            "order-general-before-specific"
            "order-star-first"
            "order-star-last"
            "related-specific-match"
            "simple-example-barbot"
            "simple-example-bazbot"
            "simple-example-foobot"
            "simple-example-quxbot"
            "suffix-star-in-file"
            "suffix-version-in-file",
    }
    "The case uses the rules of * to show which group applies, and no rule of the crawler's group matches the URL." {
        UnmatchedFallsToGlobal:
            "case-no-star"
            "empty-by-empty-rule"
            "empty-last-group"
            "empty-last-group-of-two"
            "merging-news"
            "merging-with-an-empty-group"
            "order-general-before-specific"
            "order-star-first"
            "order-star-last"
            "related-specific-match"
            "simple-example-barbot"
            "simple-example-bazbot"
            "simple-example-quxbot"
            "suffix-star-in-file"
            "suffix-version-in-file",
    }
    "In this case, a $ at the end of a pattern must match the end of a URL without a path." {
        DollarIgnored: "path-empty-path-url-end",
        DollarLiteral: "path-empty-path-url-end",
    }
    "The case needs a path with a character that a URI does not have." {
        InvalidPathForbidsAll:
            "case-outside-ascii"
            "del-shortens-no-pattern"
            "encoding-both-raw"
            "encoding-four-octets"
            "encoding-in-query"
            "encoding-mixed-forms"
            "encoding-mixed-forms-of-a-raw-url"
            "encoding-percent-before-triplet"
            "encoding-raw-pattern"
            "encoding-two-octets"
            "no-break-space-is-value"
            "no-line-end-line-separator"
            "no-line-end-next-line"
            "no-line-end-paragraph-separator"
            "no-line-end-spelled-out"
            "two-fields-in-one-line"
            "utf8-four-octets"
            "utf8-in-comment-and-pattern",
    }
    "The crawler of the case has two groups." {
        GroupsNotMerged:
            "global-not-merged-asked-for",
        LaterGroupReplaces:
            "global-not-merged-asked-for",
    }
    "The crawler of the case has no group except the group of *." {
        NoGlobalGroup:
            "empty-last-group-others"
            "global-not-merged-both-ways"
            "merging-asked-for-star"
            "merging-groups-of-star"
            "merging-others"
            "order-star-between"
            "orphan-rules-not-for-the-star"
            "related-group-of-a-more-specific-name"
            "related-group-of-a-sibling"
            "robots-txt-for-everyone"
            "row-otherbot-news"
            "simple-example-star"
            "sitemap-disallowed"
            "suffix-star-is-no-wildcard"
            "suffix-version-of-another",
    }
    "The file is the example of google-2022, which has a blank line between the user-agent lines." {
        BlankLineEndsGroup:
            "other-sitemap-between-agents-first"
            "other-sitemap-between-agents-one-group",
    }
    "The file is the example of google-2022, which has a blank line between the user-agent lines." {
        BlankLineClosesGroup:
            "other-sitemap-between-agents-first"
            "other-sitemap-between-agents-one-group",
    }
    "The pattern ends in $: the case is about its requirement at the end of a URL." {
        DollarIgnored:
            "eof-end-of-pattern"
            "literal-dollar-then-end"
            "literal-star-beside-wildcard"
            "sample-end-does-not-match"
            "slashless-end-alone-assumed"
            "slashless-star-rejects"
            "star-later-occurrence"
            "star-middle-and-end"
            "wildcard-end-counts",
    }
    "The pattern ends in $: the case is about its requirement at the end of a URL." {
        DollarLiteral:
            "eof-end-of-pattern"
            "literal-dollar-then-end"
            "literal-star-beside-wildcard"
            "star-later-occurrence"
            "star-middle-and-end"
            "star-then-end"
            "star-then-end-alone"
            "wildcard-alone"
            "wildcard-end-counts",
    }
    "The case is about a `$` in an allow rule, which needs a shorter disallow rule beside it." {
        LastMatchWins:
            "sample-end-at-the-root"
            "wildcard-end-in-the-allow-rule",
        ShortestMatchWins:
            "sample-end-at-the-root"
            "wildcard-end-in-the-allow-rule",
    }
    "The pattern has a star that matches a slash: the case is about its requirement beside a star." {
        StarStopsAtSlash:
            "literal-star-beside-wildcard"
            "path-star-php-ends-any-path",
    }
    "The pattern has a star: the case is about its requirement beside a star." {
        StarLiteral:
            "literal-star-beside-wildcard"
            "literal-star-in-url"
            "path-star-php-ends-any-path"
            "sample-longer-wildcard-disallow"
            "tie-star-of-equal-length"
            "wildcard-alone"
            "wildcard-longer-than-prefix"
            "wildcard-trailing-star-in-the-allow-rule",
    }
    "A URL of the case, or of the row in the document, contains the pattern after its beginning." {
        PatternsFloat:
            "default-no-rule-matches"
            "path-fish-trailing-star"
            "path-query-after-match"
            "path-slashless-directory-rejects"
            "root-not-directory"
            "slashless-end-alone-assumed"
            "slashless-is-no-substring",
    }
    "A URL of the case is longer than a pattern that ends in neither a slash nor a star." {
        PrefixesOfFilesUnknown:
            "case-of-allow-path"
            "case-of-path"
            "colons-in-value"
            "comment-right-after-value"
            "encoding-both-raw"
            "encoding-encoded-pattern"
            "encoding-encoded-slash-in-pattern"
            "encoding-four-octets"
            "encoding-in-query"
            "encoding-in-query-of-a-raw-url"
            "encoding-invalid-utf8-triplet"
            "encoding-quotation-mark-stays-encoded"
            "encoding-raw-pattern"
            "encoding-raw-url"
            "encoding-reserved-in-query-value-plain"
            "encoding-space-stays-encoded"
            "encoding-two-octets"
            "encoding-unreserved-in-url"
            "four-fields"
            "leading-spaces"
            "length-among-ten-thousand-rules"
            "length-duplicate-rules"
            "length-longer-disallow"
            "length-not-first"
            "length-not-last"
            "length-not-the-sum"
            "length-of-matching-rules-only"
            "length-one-octet"
            "length-with-query"
            "lenient-missing-colon-joins-nothing"
            "lenient-second-colon"
            "literal-dollar"
            "literal-dollar-is-no-end"
            "merging-before-precedence"
            "no-white-space"
            "order-ascending"
            "order-descending"
            "order-mixed"
            "orphan-allow-ignored"
            "path-dot-is-plain"
            "path-fish-star-php"
            "path-fragment-behind-a-match"
            "path-query-after-match"
            "path-query-in-pattern"
            "path-star-php"
            "robots-txt-named-others"
            "root-not-directory"
            "sample-longer-allow"
            "slashes-begin-no-comment"
            "space-before-colon"
            "spaces-after-colon"
            "star-many"
            "star-partial-occurrence"
            "star-rfc-example"
            "star-segment"
            "tabs"
            "trailing-space-before-crlf"
            "trailing-spaces"
            "wildcard-end-in-the-allow-rule",
    }
    "A URL of the case, or of the row in the document, differs from the pattern in case." {
        PathsFolded:
            "field-case-not-the-value"
            "path-fish-directory"
            "path-fish-prefix"
            "path-fish-star-php"
            "path-fish-trailing-star"
            "path-slashless-directory-rejects"
            "path-star-php"
            "path-star-php-at-the-end"
            "slashless-star-rejects"
            "star-trailing",
    }
    "The URL has a query: the case is about its requirement in a query." {
        QueryDropped:
            "encoding-in-query"
            "encoding-in-query-of-a-raw-url"
            "encoding-reserved-in-query-value-plain"
            "length-with-query"
            "path-empty-path-url-with-query"
            "path-query-decides-the-end"
            "path-query-may-match-at-end"
            "path-star-php-at-the-end"
            "slashless-star-rejects"
            "star-matches-question-mark",
    }
    "The rule has characters outside ASCII, which the URL writes percent-encoded." {
        NonAsciiKeptRaw:
            "case-outside-ascii",
    }
    "The disallow line has no path: the case is about the text in its place." {
        EmptyDisallowForbids:
            "comment-for-a-value"
            "empty-by-empty-rule"
            "value-on-the-next-line",
    }
    "The line ends in CR LF or CR: the case is about the text before the line ending." {
        CrNoLineEnd:
            "bom-in-its-own-line"
            "trailing-space-before-crlf",
    }
    "The line has a comment: the case is about the text before it." {
        CommentsKept:
            "end-with-comment-behind"
            "line-end-cr-ends-comment"
            "sitemap-before-comment",
    }
    "The file is the example of the document, and its field names begin with a capital." {
        FieldsMatchCase:
            "length-rfc-longest-match"
            "opening-example-others"
            "simple-example-barbot"
            "simple-example-bazbot"
            "simple-example-foobot"
            "simple-example-star",
    }
    "The last line of the file, or the last line within the limit, has no line ending." {
        LastLineDropped:
            "last-line-without-end"
            "size-line-ends-at-the-limit",
    }
    "The reader treats a part of the IPv6 address as a port." {
        PortIgnored:
            "scope-ipv6-address",
    }
    "The URLs of the case differ in their schemes, or the case needs the default port of https or ftp." {
        SchemeIgnored:
            "redirected-to-another-scheme"
            "robots-url-rfc-examples"
            "scope-default-port-in-url"
            "scope-ftp-port-21"
            "scope-https-port-443"
            "scope-port-of-other-scheme"
            "scope-url-in-capitals",
    }
    "One host of the case is a subdomain of the other." {
        SubdomainIncluded:
            "redirected-to-another-host",
    }
    "The answer, or the last one after redirects, is a server error." {
        ServerErrorAllows:
            "server-error-after-redirect"
            "soft-missing-unknown"
            "unreachable-29-days"
            "unreachable-30-days-exactly"
            "unreachable-31-days-with-copy",
    }
    "The group of * comes before the group of the crawler." {
        FirstGroupFollowed:
            "empty-by-empty-rule"
            "empty-last-group"
            "empty-last-group-asked-for"
            "empty-last-group-of-two"
            "global-not-merged"
            "global-not-merged-asked-for"
            "simple-example-barbot"
            "simple-example-bazbot"
            "simple-example-foobot"
            "simple-example-quxbot",
    }
    "An agent in the file begins with the name of the crawler." {
        LongerAgentsMatch:
            "merging-not-by-prefix",
    }
    "The value has white space after it: the case is about what white space is." {
        TrailingSpaceKept:
            "space-and-tab-after-value",
    }
    "A URL of the case has two slashes in a row, which belong to what the case is about." {
        SlashesJoined:
            "slashes-begin-no-comment"
            "star-segment"
            "url-after-path-colon",
    }
    "The file has a line without a colon: the case is about such a line." {
        GarbageEndsFile:
            "comment-before-colon",
        GarbageRefused:
            "comment-before-colon"
            "equals-sign-for-colon"
            "full-width-colon"
            "missing-colon-in-rule"
            "missing-colon-in-user-agent",
        LoneWordRefused:
            "comment-before-colon"
            "equals-sign-for-colon"
            "full-width-colon",
    }
    "The rule comes after the first 8 KiB; the case shows that no other limit hides it." {
        LimitOf8KiB:
            "hundred-thousand-blank-lines"
            "length-among-ten-thousand-rules"
            "length-of-ten-thousand-octets"
            "lenient-long-line"
            "lenient-long-text-line"
            "lenient-ten-thousand-text-lines"
            "long-comment"
            "merging-ten-thousand-groups"
            "path-pattern-of-10000-octets"
            "shape-ten-thousand-agents"
            "shape-ten-thousand-groups"
            "star-ten-thousand-in-a-row"
            "ten-thousand-groups"
            "ten-thousand-rules",
    }
    "The file has two sitemaps: the case compares them." {
        FirstSitemapOnly:
            "field-case-sitemap"
            "sitemap-case-kept"
            "sitemap-on-parent-host",
    }
    "The URL has letters in upper case." {
        SitemapsFolded:
            "field-case-sitemap"
            "sitemap-percent-encoded",
    }
    "A sitemap of the case is on another host, as in the example of the document." {
        SitemapsOfTheHostOnly:
            "sitemap-case-of-scheme-and-host"
            "sitemap-example"
            "sitemap-example-not-encoded",
    }
    "The fetch fails below HTTP." {
        NetworkFailureAllows:
            "failure-timeout-with-copy"
            "unreachable-31-days-by-dns-with-copy",
    }
    "The case has an outage of more than 30 days, or ends one." {
        OutageNeverEnds:
            "status-200-after-outage"
            "status-404-after-outage"
            "status-429-after-31-days"
            "status-429-with-old-copy",
    }
    "The case asks about two ports of a host." {
        PortIgnored:
            "timeline-status-500-on-one-port",
    }
    "The case asks about two schemes of a host." {
        SchemeIgnored:
            "timeline-failure-on-https-alone",
    }
    "The retriever starts again in the timeline, and the case judges a verdict after that." {
        StoredCopyIsEmpty:
            "timeline-restart-with-a-condition",
    }
    "The clock is set back in the timeline, and the case judges a verdict after that." {
        ClockSetBackDropsCopy:
            "timeline-clock-back-in-an-outage"
            "timeline-clock-back-then-25-hours",
    }
    "The timeline asks about several hosts, and the requirement concerns each of them." {
        HostIgnored:
            "timeline-day-each-host"
            "timeline-each-host-unconditional"
            "timeline-failure-elsewhere"
            "timeline-ip-address"
            "timeline-one-request-for-two-hosts-each"
            "timeline-parent-domain"
            "timeline-redirect-only-the-first"
            "timeline-redirect-only-the-first-later"
            "timeline-redirect-to-disallowed"
            "timeline-restart-of-two-hosts"
            "timeline-retry-after-one-host"
            "timeline-siblings"
            "timeline-status-500-elsewhere"
            "timeline-status-500-on-one-port"
            "timeline-subdomain",
    }
    "The site of the timeline answers server errors, and the case judges a verdict in that time." {
        ServerErrorAllows:
            "timeline-clock-back-no-long-outage"
            "timeline-copy-then-500-then-a-file"
            "timeline-outage-31-days-with-a-copy"
            "timeline-outage-500-31-days"
            "timeline-outage-503-31-days"
            "timeline-outage-of-a-week"
            "timeline-outage-that-ends"
            "timeline-retry-after-on-500"
            "timeline-retry-after-then-changed"
            "timeline-status-500-then-503"
            "timeline-status-500-three-times",
    }
    "The file is reached by a redirect." {
        FirstRedirectIsNotFound:
            "timeline-cached-after-a-redirect"
            "timeline-etag-after-a-redirect"
            "timeline-failure-after-a-redirect"
            "timeline-gzip-after-a-redirect"
            "timeline-redirect-3-hops-to-503"
            "timeline-redirect-5-hops-to-503"
            "timeline-redirect-does-not-free-the-target"
            "timeline-redirect-five-hosts"
            "timeline-redirect-http-to-https"
            "timeline-redirect-https-to-http"
            "timeline-redirect-only-the-first"
            "timeline-redirect-only-the-first-later"
            "timeline-redirect-other-host"
            "timeline-redirect-other-host-any-path"
            "timeline-redirect-other-port"
            "timeline-redirect-target-of-two"
            "timeline-redirect-there-and-back"
            "timeline-redirect-to-500"
            "timeline-redirect-to-www",
        OneRedirectFollowed:
            "timeline-redirect-3-hops-to-503"
            "timeline-redirect-5-hops-to-503"
            "timeline-redirect-five-hosts"
            "timeline-redirect-there-and-back",
        RelativeLocationUnknown:
            "timeline-cached-after-a-redirect"
            "timeline-etag-after-a-redirect"
            "timeline-gzip-after-a-redirect"
            "timeline-redirect-3-hops-to-503"
            "timeline-redirect-5-hops-to-503"
            "timeline-redirect-to-500",
        PermanentRedirectsOnly:
            "timeline-gzip-after-a-redirect",
        OtherHostsNotFollowed:
            "timeline-failure-after-a-redirect"
            "timeline-redirect-to-disallowed",
    }
    "The outage of the timeline begins after a file was fetched." {
        CopiesNeverStale:
            "timeline-outage-31-days-with-a-copy",
    }
    "The site of the timeline cannot be reached, and the case judges a verdict in that time." {
        NetworkFailureAllows:
            "timeline-copy-then-dns"
            "timeline-copy-then-reset"
            "timeline-copy-then-timeout"
            "timeline-copy-then-tls"
            "timeline-outage-dns-31-days"
            "timeline-outage-refused-31-days"
            "timeline-outage-reset-31-days"
            "timeline-outage-timeout-31-days",
    }
    "The outage of the case lasts for more than 30 days." {
        OutageNeverEnds:
            "timeline-status-429-for-31-days",
    }
    "The pages of the case are in a folder." {
        FileBesideThePage:
            "timeline-one-request-for-ten",
    }
    "An answer of the case is a 404." {
        MissingFileDisallows:
            "missing-after-redirect"
            "status-404-after-503"
            "status-499-is-no-server-error"
            "timeline-cached-missing-file"
            "timeline-no-file-in-a-folder"
            "timeline-outage-that-ends"
            "timeline-parent-domain"
            "timeline-redirect-3-hops-to-404"
            "timeline-redirect-to-404"
            "timeline-status-502-then-missing"
            "timeline-two-schemes-one-missing",
    }
    "A body of the case is cut." {
        CutBodyTaken:
            "timeline-copy-then-cut",
        NetworkFailureAllows:
            "timeline-copy-then-cut",
    }
    "A Retry-After counts only for a retriever that remembers the failure." {
        NothingCached:
            "timeline-retry-after-on-429"
            "timeline-retry-after-on-500"
            "timeline-retry-after-then-changed"
            "timeline-status-429-for-31-days",
    }
    "The case judges the requests, and asks about two URLs." {
        OneRequestEach:
            "timeline-default-port-http"
            "timeline-identification-in-user-agent",
    }
    "The clock is set back while there is a copy." {
        MaxAgeUnbounded:
            "timeline-clock-back-then-25-hours",
    }
    "The clock is set back." {
        NewestTimeCounts:
            "timeline-clock-back-in-an-outage",
    }
    "The reader treats a body that it cannot decode as a copy." {
        FailingRefreshAllows:
            "timeline-gzip-cut"
            "timeline-gzip-that-is-none",
    }
    "The site of the timeline fails while there is a copy." {
        FailingRefreshAllows:
            "timeline-outage-31-days-with-a-copy",
    }
    "The case shows that the retriever continues its requests after a failure." {
        FailureIsFinal:
            "timeline-copy-then-500-then-a-file"
            "timeline-cut-then-whole"
            "timeline-failure-dns-then-a-file"
            "timeline-failure-refused-then-a-file"
            "timeline-failure-timeout-then-a-file"
            "timeline-retry-after-on-429"
            "timeline-status-429-for-31-days"
            "timeline-status-429-then-a-file",
    }
    "The case has a Retry-After." {
        RetryAfterIgnored:
            "timeline-retry-after-then-changed",
    }
    "The outage of the case lasts for more than a day." {
        OutageOfADayAllows:
            "timeline-status-500-then-503"
            "timeline-status-500-three-times"
            "timeline-status-503-days",
    }
}

/// The requirements at *must* whose cases catch no reader, each with the reason. A case catches a reader if the reader
/// violates the requirement of the case and fails the case.
pub(super) const UNCAUGHT: &[(&str, &str)] = &[
    (
        "FORMAT-UTF8",
        "the sentence tells the site how to write the file; cases of GRAMMAR-LENIENT ask how a parser reads other octets",
    ),
    (
        "FORMAT-TYPO",
        "the editions let the parser decide about misspelt fields, or contradict themselves, so no answer fails",
    ),
    (
        "SITEMAP-ABSOLUTE",
        "the editions tell the author that the URL is absolute, and do not say what a parser does with another value",
    ),
];

/// The requirements whose timelines catch no retriever, each with the reason.
pub(super) const UNCAUGHT_OVER_TIME: &[(&str, &str)] = &[
    (
        "LOC-CASE-HOST",
        "a retriever that compares hosts as written asks once more, and gets the same file",
    ),
    (
        "LOC-IDN",
        "a retriever that compares names as written asks once more, and gets the same file",
    ),
];

/// Returns the reason why a reader may fail a case of another requirement.
pub(super) fn why(fault: Fault, case: &str) -> Option<&'static str> {
    let of = |exception: &&Exception| exception.fault == fault && exception.case == case;
    EXCEPTIONS.iter().find(of).map(|exception| exception.why)
}
