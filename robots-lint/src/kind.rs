//! The kinds of findings: one table, from which [`FindingKind`] is generated.
//!
//! A new kind needs one row in the table at the end of this file, and its texts in `text`.

use robots_core::{Edition, Section};

/// The severity of a finding.
///
/// ```
/// use robots_lint::Level;
/// assert!(Level::Error > Level::Note);
/// assert_eq!("warning".parse(), Ok(Level::Warning));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// The line is not wrong. But the author may expect an effect that the line does not have, or some software reads
    /// the line differently.
    Note,
    /// The line has an effect, but perhaps not the intended effect, or not for all crawlers.
    Warning,
    /// Some text has no effect, although its author probably intended one.
    Error,
}

impl Level {
    /// Contains every level, from the least severe.
    pub const ALL: &'static [Self] = &[Self::Note, Self::Warning, Self::Error];

    /// Returns the name: `note`, `warning` or `error`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

robots_core::named!(Level, name, "level", "levels");
robots_core::named!(FindingKind, name, "kind of finding", "kinds");

impl FindingKind {
    /// Returns the section that supports findings of this kind, if the file is read under the given edition; see
    /// [`Finding::source`](super::Finding::source).
    ///
    /// ```
    /// use robots_lint::FindingKind;
    /// use robots_core::Edition;
    /// let source = FindingKind::NoSlash.source(Edition::Rfc9309).unwrap();
    /// assert_eq!((source.requirement(), source.section()), ("RULE-ROOT", "2.2.2"));
    /// ```
    #[must_use]
    pub fn source(self, edition: Edition) -> Option<Section> {
        edition.section(self.requirement())
    }
}

macro_rules! kinds {
    ($($kind:ident = $name:literal, $level:ident, $requirement:literal, $summary:literal;)*) => {
        /// The kind of a finding.
        ///
        /// ```
        /// use robots_lint::{FindingKind, Level};
        /// assert_eq!("misspelt-field".parse(), Ok(FindingKind::MisspeltField));
        /// assert_eq!(FindingKind::MisspeltField.level(), Level::Error);
        /// ```
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum FindingKind {
            $(#[doc = $summary] $kind,)*
        }

        impl FindingKind {
            /// Contains every kind.
            pub const ALL: &'static [Self] = &[$(Self::$kind,)*];

            /// Returns the name, for example `misspelt-field`.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$kind => $name,)*
                }
            }

            /// Returns the severity of findings of the kind.
            #[must_use]
            pub const fn level(self) -> Level {
                match self {
                    $(Self::$kind => Level::$level,)*
                }
            }

            /// Returns a description of the kind in one sentence.
            #[must_use]
            pub const fn summary(self) -> &'static str {
                match self {
                    $(Self::$kind => $summary,)*
                }
            }

            /// Returns the id of the requirement that findings of the kind cite.
            const fn requirement(self) -> &'static str {
                match self {
                    $(Self::$kind => $requirement,)*
                }
            }
        }
    };
}

kinds! {
    // The file
    Utf16 = "utf-16", Error, "FORMAT-UTF8",
        "The file is saved as UTF-16 or UTF-32, and crawlers read UTF-8.";
    NotText = "not-text", Error, "FORMAT-UTF8",
        "The file is not text: it is compressed or binary.";
    HtmlPage = "html-page", Error, "FORMAT-GARBAGE",
        "The file is an HTML page or other markup.";
    ByteOrderMark = "byte-order-mark", Warning, "FORMAT-BOM",
        "An invisible byte order mark is before the first line.";
    Truncated = "truncated", Error, "FORMAT-SIZE",
        "The file is longer than crawlers read, and they ignore the rest.";
    // Lines
    NoColon = "no-colon", Error, "FORMAT-LINE",
        "A line has no colon after a field name, so crawlers ignore it.";
    NoField = "no-field", Error, "FORMAT-LINE",
        "The field name before the colon is missing, so crawlers ignore the line.";
    MisspeltField = "misspelt-field", Error, "FORMAT-TYPO",
        "A field name looks misspelt, so crawlers ignore the line.";
    UnknownField = "unknown-field", Warning, "FORMAT-FIELDS",
        "No known crawler reads the field.";
    ExtensionField = "extension-field", Note, "FORMAT-FIELDS",
        "Only some crawlers read the field.";
    ObsoleteField = "obsolete-field", Warning, "FORMAT-FIELDS",
        "No crawler obeys the field any more.";
    BareUrl = "bare-url", Warning, "FORMAT-LINE",
        "A line is only a URL, so crawlers ignore it.";
    LinesJoined = "lines-joined", Error, "FORMAT-LINE",
        "Another field and its colon are inside a value.";
    OddSpace = "odd-space", Error, "FORMAT-LINE",
        "An invisible character that is not a space is before or after a name or value.";
    ControlInField = "control-in-field", Error, "FORMAT-UTF8",
        "A field name contains a control character, so crawlers ignore the line.";
    ControlInValue = "control-in-value", Error, "FORMAT-UTF8",
        "A value contains a control character, so the line has no effect.";
    ControlInComment = "control-in-comment", Note, "FORMAT-COMMENT",
        "A comment contains a control character.";
    InvalidUtf8 = "invalid-utf8", Warning, "FORMAT-UTF8",
        "A line is not valid UTF-8.";
    LongLine = "long-line", Note, "FORMAT-LINE",
        "A line is longer than Google's published library reads.";
    // Groups
    EmptyAgent = "empty-agent", Error, "AGENT-ONE",
        "A user-agent line names no crawler.";
    AgentsJoined = "agents-joined", Error, "AGENT-SUFFIX",
        "One user-agent line lists several crawlers, and only the first counts.";
    AgentHeader = "agent-header", Error, "AGENT-ONE",
        "A user-agent line contains a whole User-Agent header instead of a crawler's name.";
    AgentNamesNobody = "agent-names-nobody", Error, "AGENT-ONE",
        "The value of a user-agent line is not a crawler's name and not `*` alone.";
    AgentSuffix = "agent-suffix", Warning, "AGENT-SUFFIX",
        "Crawlers ignore what follows the name in a user-agent line.";
    AgentDigits = "agent-digits", Note, "AGENT-TOKEN",
        "A crawler's name contains a digit, which RFC 9309 does not allow.";
    AgentsRunOn = "agents-run-on", Warning, "GROUP-SHAPE",
        "No rule is between two user-agent lines, so both crawlers follow the same rules.";
    GroupRepeated = "group-repeated", Warning, "GROUP-MERGE",
        "A crawler has several groups, and some crawlers follow only one.";
    AgentRepeated = "agent-repeated", Note, "GROUP-MERGE",
        "A group names a crawler twice.";
    // Rules
    RuleBeforeAgent = "rule-before-agent", Error, "GROUP-ORPHAN",
        "No user-agent line comes before a rule, so crawlers ignore it.";
    EmptyAllow = "empty-allow", Warning, "RULE-EMPTY",
        "An allow line without a path has no effect.";
    EmptyDisallow = "empty-disallow", Note, "RULE-EMPTY",
        "A disallow line without a path has no effect beside other rules.";
    AbsoluteUrl = "absolute-url", Error, "RULE-ROOT",
        "A rule contains a whole URL instead of a path, and matches nothing.";
    NoSlash = "no-slash", Error, "RULE-ROOT",
        "The path of a rule does not begin with `/` or `*`, so the rule matches nothing.";
    SlashAssumed = "slash-assumed", Warning, "RULE-ROOT",
        "The first slash of a path is missing, and only some crawlers add it.";
    LeadingStar = "leading-star", Warning, "RULE-ROOT",
        "The path of a rule begins with `*`, and some crawlers ignore the rule.";
    PathsJoined = "paths-joined", Error, "FORMAT-LINE",
        "A rule lists several paths, and matches none of them.";
    RawSpace = "raw-space", Warning, "MATCH-ENCODING",
        "The path of a rule contains a space that is not encoded.";
    NonAscii = "non-ascii", Note, "MATCH-ENCODING",
        "The path of a rule contains characters outside ASCII that are not encoded.";
    StrayPercent = "stray-percent", Warning, "MATCH-ENCODING",
        "A `%` without two hexadecimal digits is in the path of a rule.";
    DollarInside = "dollar-inside", Warning, "MATCH-END",
        "A `$` that does not end the path of a rule is an ordinary character.";
    UselessDollar = "useless-dollar", Note, "MATCH-END",
        "A `$` after a `*` has no effect.";
    UselessStar = "useless-star", Note, "MATCH-TRAILING-STAR",
        "A `*` at the end of a path, or after another `*`, has no effect.";
    HashInPath = "hash-in-path", Note, "FORMAT-COMMENT",
        "A `#` directly after a path begins a comment.";
    RobotsTxtRule = "robots-txt-rule", Note, "RULE-ROBOTS-TXT",
        "A rule names robots.txt itself, which crawlers may always fetch.";
    OverriddenRule = "overridden-rule", Warning, "PREC-TIE",
        "A disallow rule has no effect, because an allow rule has the same path.";
    RedundantRule = "redundant-rule", Note, "PREC-LENGTH",
        "A rule has no effect, because other rules cover it.";
    // Preferences about the use of content. The drafts that define these fields may change, so no finding about them is
    // an error.
    PreferenceBetweenAgents = "preference-between-agents", Warning, "USAGE-RULE",
        "A preference is between two user-agent lines, which most parsers read as one group.";
    PreferenceBeforeAgent = "preference-before-agent", Warning, "USAGE-GROUP",
        "No user-agent line comes before a preference, so it belongs to no group.";
    PreferenceNotCrawled = "preference-not-crawled", Note, "USAGE-NOT-CRAWLED",
        "A preference is about pages that the crawlers of its group may not fetch.";
    UsageEmpty = "usage-empty", Warning, "USAGE-PATH-END",
        "A Content-Usage line states no preference.";
    UsageInvalid = "usage-invalid", Warning, "PREF-INVALID",
        "A part of a Content-Usage line is not `label=value`, so readers ignore the whole line.";
    UsageTrailingMark = "usage-trailing-mark", Warning, "PREF-INVALID",
        "A comma or semicolon ends a Content-Usage line, so readers ignore the whole line.";
    UsageQuotedHash = "usage-quoted-hash", Warning, "USAGE-END",
        "A `#` in quotation marks cuts a Content-Usage line, so readers ignore the whole line.";
    UsageCapitals = "usage-capitals", Warning, "PREF-CASE",
        "A label of Content-Usage contains a capital letter, so readers ignore the whole line.";
    UsageValue = "usage-value", Warning, "PREF-VALUE",
        "The value of a label of Content-Usage is not `y` or `n`, so it states nothing.";
    UsageOldLabel = "usage-old-label", Warning, "PREF-UNKNOWN",
        "A label of Content-Usage is one of an older draft, and readers of the current one ignore it.";
    UsageSignalKey = "usage-signal-key", Warning, "PREF-UNKNOWN",
        "A key of Content-Signal is in a Content-Usage line, and readers ignore it.";
    SignalUsageKey = "signal-usage-key", Warning, "FORMAT-FIELDS",
        "A label of Content-Usage is in a Content-Signal line.";
    SignalValue = "signal-value", Warning, "FORMAT-FIELDS",
        "The value of a key of Content-Signal is not `yes` or `no`.";
    // The meaning of the whole file
    EverythingBlocked = "everything-blocked", Warning, "PREC-LENGTH",
        "No crawler may fetch anything but robots.txt.";
    SearchEngineBlocked = "search-engine-blocked", Warning, "PREC-LENGTH",
        "A search engine may fetch nothing but robots.txt.";
    // Sitemaps
    EmptySitemap = "empty-sitemap", Error, "SITEMAP-ABSOLUTE",
        "A sitemap line names nothing.";
    RelativeSitemap = "relative-sitemap", Error, "SITEMAP-ABSOLUTE",
        "A sitemap line contains no whole URL, so crawlers ignore it.";
    SitemapsJoined = "sitemaps-joined", Warning, "SITEMAP-ABSOLUTE",
        "A sitemap line contains a space, perhaps between several URLs.";
}

#[cfg(test)]
mod tests {
    use alloc::string::ToString;

    use super::{FindingKind, Level};

    #[test]
    fn names_are_read_as_they_are_written() {
        for kind in FindingKind::ALL {
            assert_eq!(kind.name().parse(), Ok(*kind));
        }
        for level in Level::ALL {
            assert_eq!(level.name().parse(), Ok(*level));
        }
        let (kind, level) = ("typo".parse::<FindingKind>(), "fatal".parse::<Level>());
        let kind = kind.unwrap_err().to_string();
        assert!(kind.starts_with("unknown kind of finding; the kinds are utf-16, not-text, "));
        assert_eq!(
            level.unwrap_err().to_string(),
            "unknown level; the levels are note, warning, error"
        );
    }
}
