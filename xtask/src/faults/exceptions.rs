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
    "The file is the example of RFC 9309, 5.1, in which the shorter rule comes first." {
        FirstMatchWins:
            "simple-example-foobot",
    }
    "The allow rule comes before the shorter disallow rule. In this order, a reader that uses the last match fails; in the other order, a reader that uses the first match fails. The case has this order because parsers exist that use the first match." {
        LastMatchWins:
            "case-of-allow-path"
            "end-rfc-example"
            "field-case-allow"
            "four-fields"
            "merging-before-precedence"
            "star-rfc-example",
    }
    "Two rules of different lengths match the URL. A case about an allow rule needs both, because a URL that no disallow rule matches is allowed anyway." {
        ShortestMatchWins:
            "case-of-allow-path"
            "end-rfc-example"
            "field-case-allow"
            "four-fields"
            "merging-before-precedence"
            "simple-example-foobot"
            "star-rfc-example",
    }
    "A row of the document's table gives the answer, although the document leaves the order of rules with wildcards undefined." {
        UndefinedOrderAllows:
            "sample-end-at-the-root",
    }
    "The file is from an example or a table row of a document, and has an allow rule." {
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
    "The case asks for the rules of a group, and the list has allow and disallow rules." {
        AllowUnknown:
            "shape-rules-in-order",
    }
    "The file has a group that names several agents." {
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
    "The case has rules in the group of * to show which group applies. A reader that adds these rules to the group of the crawler does not follow a single group." {
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
    "The case has rules in the group of * to show which group applies, and no rule of the crawler's own group matches the URL." {
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
    "The case needs a path with a character that is not allowed in a URI." {
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
    "The file has two groups for the crawler of the case." {
        GroupsNotMerged:
            "global-not-merged-asked-for",
        LaterGroupReplaces:
            "global-not-merged-asked-for",
    }
    "The file has no group for the crawler of the case except the group of *." {
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
    "The pattern ends in $, because the case tests its requirement at the end of a URL." {
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
    "The pattern ends in $, because the case tests its requirement at the end of a URL." {
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
    "The case is about a `$` in an allow rule. The file also needs a shorter disallow rule, because a URL that no disallow rule matches is allowed anyway." {
        LastMatchWins:
            "sample-end-at-the-root"
            "wildcard-end-in-the-allow-rule",
        ShortestMatchWins:
            "sample-end-at-the-root"
            "wildcard-end-in-the-allow-rule",
    }
    "The pattern has a star that matches a slash, because the case tests its requirement in a pattern with a star." {
        StarStopsAtSlash:
            "literal-star-beside-wildcard"
            "path-star-php-ends-any-path",
    }
    "The pattern has a star, because the case tests its requirement in a pattern with a star." {
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
    "A URL of the case, or of the table row in the document, contains the pattern, but not at the beginning of its path." {
        PatternsFloat:
            "default-no-rule-matches"
            "path-fish-trailing-star"
            "path-query-after-match"
            "path-slashless-directory-rejects"
            "root-not-directory"
            "slashless-end-alone-assumed"
            "slashless-is-no-substring",
    }
    "A pattern of the case ends in neither a slash nor a star, and a URL of the case is longer than the pattern." {
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
    "Some letters are in upper case in the pattern and in lower case in a URL of the case or of the table row in the document, or the other way round." {
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
    "The URL has a query, because the case tests its requirement in a URL with a query." {
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
    "The rule has characters outside ASCII, which are percent-encoded in the URL." {
        NonAsciiKeptRaw:
            "case-outside-ascii",
    }
    "The case needs a disallow line without a path, for example a line with a comment in place of the path." {
        EmptyDisallowForbids:
            "comment-for-a-value"
            "empty-by-empty-rule"
            "value-on-the-next-line",
    }
    "A line of the file ends in CR LF or CR, because the case is about the text before the line ending." {
        CrNoLineEnd:
            "bom-in-its-own-line"
            "trailing-space-before-crlf",
    }
    "The case needs a line that ends in a comment." {
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
    "The response to the request for robots.txt, or the last response after redirects, is a server error." {
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
    "White space comes after the value, because the case is about which characters are white space." {
        TrailingSpaceKept:
            "space-and-tab-after-value",
    }
    "The case needs a URL that has two slashes in a row." {
        SlashesJoined:
            "slashes-begin-no-comment"
            "star-segment"
            "url-after-path-colon",
    }
    "The file has a line without a colon, because the case is about such a line." {
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
    "The rule comes after the first 8 KiB of the file. The case tests whether another limit, for example on the number of rules, makes a parser ignore the rule." {
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
    "The file has two sitemap lines, because the case is about both of them." {
        FirstSitemapOnly:
            "field-case-sitemap"
            "sitemap-case-kept"
            "sitemap-on-parent-host",
    }
    "The URL of the sitemap has letters in upper case." {
        SitemapsFolded:
            "field-case-sitemap"
            "sitemap-percent-encoded",
    }
    "A sitemap of the case is on another host than the file, as in the example of the document." {
        SitemapsOfTheHostOnly:
            "sitemap-case-of-scheme-and-host"
            "sitemap-example"
            "sitemap-example-not-encoded",
    }
    "The fetch fails because of the network, so there is no HTTP response." {
        NetworkFailureAllows:
            "failure-timeout-with-copy"
            "unreachable-31-days-by-dns-with-copy",
    }
    "In the case, an outage lasts for more than 30 days, or such an outage ends." {
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
    "The timeline restarts the retriever, and the case judges a verdict after the restart." {
        StoredCopyIsEmpty:
            "timeline-restart-with-a-condition",
    }
    "The timeline sets the clock back, and the case judges a verdict after that moment." {
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
    "In the timeline, the site answers with server errors, and the case judges a verdict during that time." {
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
    "In the timeline, a redirect leads to the file." {
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
    "In the timeline, the outage begins after the retriever fetched a file." {
        CopiesNeverStale:
            "timeline-outage-31-days-with-a-copy",
    }
    "In the timeline, the site cannot be reached, and the case judges a verdict during that time." {
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
    "In the case, one response has the status 404." {
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
    "In the case, the connection ends before the whole body of a response has arrived." {
        CutBodyTaken:
            "timeline-copy-then-cut",
        NetworkFailureAllows:
            "timeline-copy-then-cut",
    }
    "A Retry-After has an effect only if the retriever remembers the failure." {
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
    "In the timeline, the clock is set back while the retriever has a copy of the file." {
        MaxAgeUnbounded:
            "timeline-clock-back-then-25-hours",
    }
    "The clock is set back." {
        NewestTimeCounts:
            "timeline-clock-back-in-an-outage",
    }
    "The reader counts a response as a copy even if it cannot decode the body." {
        FailingRefreshAllows:
            "timeline-gzip-cut"
            "timeline-gzip-that-is-none",
    }
    "In the timeline, the site fails while the retriever has a copy of the file." {
        FailingRefreshAllows:
            "timeline-outage-31-days-with-a-copy",
    }
    "The case tests whether the retriever sends further requests after a failure." {
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
    "In the case, a response has the header Retry-After." {
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
        "the requirement is about sites, which must encode their file as UTF-8; the cases of GRAMMAR-LENIENT test how a parser reads other octets",
    ),
    (
        "FORMAT-TYPO",
        "the editions let the parser decide about misspelt fields, or contradict themselves, so no answer fails",
    ),
    (
        "SITEMAP-ABSOLUTE",
        "the editions tell authors to write an absolute URL, and do not say what a parser does with another value",
    ),
];

/// The requirements whose timelines catch no retriever, each with the reason.
pub(super) const UNCAUGHT_OVER_TIME: &[(&str, &str)] = &[
    (
        "LOC-CASE-HOST",
        "a retriever that compares hosts as they are written sends one more request, and gets the same file",
    ),
    (
        "LOC-IDN",
        "a retriever that compares host names as they are written sends one more request, and gets the same file",
    ),
];

/// Returns the reason why a reader may fail a case of another requirement.
pub(super) fn why(fault: Fault, case: &str) -> Option<&'static str> {
    let of = |exception: &&Exception| exception.fault == fault && exception.case == case;
    EXCEPTIONS.iter().find(of).map(|exception| exception.why)
}
