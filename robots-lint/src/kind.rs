//! The kinds of findings: one table, [`FindingKind`] made of it.
//!
//! A new kind is one entry of the table at the end of this file, and its words in `text`.

use robots_core::{Edition, Section};

/// How much a finding matters.
///
/// ```
/// use robots_lint::Level;
/// assert!(Level::Error > Level::Note);
/// assert_eq!("warning".parse(), Ok(Level::Warning));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// Nothing is wrong: what a line does not do, or may not do elsewhere.
    Note,
    /// The line is read, but perhaps not as it was meant, or not by all.
    Warning,
    /// Something that was written is not in force.
    Error,
}

impl Level {
    /// Holds every level, the least first.
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

robots_core::named!(Level, name, UnknownLevel, "level", "levels");
robots_core::named!(FindingKind, name, UnknownFindingKind, "kind of finding", "kinds");

impl FindingKind {
    /// Returns the section that findings of the kind rest on, where a file is read by an edition; see
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
        /// What kind of finding it is.
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
            /// Holds every kind.
            pub const ALL: &'static [Self] = &[$(Self::$kind,)*];

            /// Returns the name, `misspelt-field` say.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$kind => $name,)*
                }
            }

            /// Returns how much findings of the kind matter.
            #[must_use]
            pub const fn level(self) -> Level {
                match self {
                    $(Self::$kind => Level::$level,)*
                }
            }

            /// Returns a sentence on the kind.
            #[must_use]
            pub const fn summary(self) -> &'static str {
                match self {
                    $(Self::$kind => $summary,)*
                }
            }

            /// The id of the requirement that the kind rests on.
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
        "The file is UTF-16 or UTF-32, not UTF-8.";
    NotText = "not-text", Error, "FORMAT-UTF8",
        "The file is no text: compressed, or another binary format.";
    HtmlPage = "html-page", Error, "FORMAT-GARBAGE",
        "The file is a page of HTML or another markup.";
    ByteOrderMark = "byte-order-mark", Warning, "FORMAT-BOM",
        "A byte order mark stands before the first line.";
    Truncated = "truncated", Error, "FORMAT-SIZE",
        "The file is longer than the limit, and what lies beyond it is not read.";
    // Lines
    NoColon = "no-colon", Error, "FORMAT-LINE",
        "A line has text, and no colon behind a field name.";
    NoField = "no-field", Error, "FORMAT-LINE",
        "No field name stands before the colon.";
    MisspeltField = "misspelt-field", Error, "FORMAT-TYPO",
        "A field name looks like a misspelling of one that robots.txt defines.";
    UnknownField = "unknown-field", Warning, "FORMAT-FIELDS",
        "A field that neither robots.txt nor any known crawler defines.";
    ExtensionField = "extension-field", Note, "FORMAT-FIELDS",
        "A field that some crawlers read and no edition defines.";
    ObsoleteField = "obsolete-field", Warning, "FORMAT-FIELDS",
        "A field that no known crawler obeys.";
    BareUrl = "bare-url", Warning, "FORMAT-LINE",
        "A URL stands alone in a line.";
    LinesJoined = "lines-joined", Error, "FORMAT-LINE",
        "Another field and its colon stand within a value.";
    OddSpace = "odd-space", Error, "FORMAT-LINE",
        "An invisible character that is no white space of robots.txt stands before or behind a name or value.";
    ControlInField = "control-in-field", Error, "FORMAT-UTF8",
        "A field name holds a control octet.";
    ControlInValue = "control-in-value", Error, "FORMAT-UTF8",
        "A value holds a control octet.";
    ControlInComment = "control-in-comment", Note, "FORMAT-COMMENT",
        "A comment holds a control octet.";
    InvalidUtf8 = "invalid-utf8", Warning, "FORMAT-UTF8",
        "A line holds octets outside UTF-8.";
    LongLine = "long-line", Note, "FORMAT-LINE",
        "A line is longer than Google's published library reads.";
    // Groups
    EmptyAgent = "empty-agent", Error, "AGENT-ONE",
        "A user-agent line names nobody.";
    AgentsJoined = "agents-joined", Error, "AGENT-SUFFIX",
        "One user-agent line lists several crawlers, and names only the first.";
    AgentHeader = "agent-header", Error, "AGENT-ONE",
        "A user-agent line holds a whole User-Agent header, and names no crawler by it.";
    AgentNamesNobody = "agent-names-nobody", Error, "AGENT-ONE",
        "The value of a user-agent line begins with no product token and is not `*` alone.";
    AgentSuffix = "agent-suffix", Warning, "AGENT-SUFFIX",
        "Something follows the product token in a user-agent line, and is ignored.";
    AgentDigits = "agent-digits", Note, "AGENT-TOKEN",
        "A product token holds a digit, which RFC 9309 does not permit.";
    AgentsRunOn = "agents-run-on", Warning, "GROUP-SHAPE",
        "A user-agent line joins the group above it, for no rule stands between the two.";
    GroupRepeated = "group-repeated", Warning, "GROUP-MERGE",
        "A crawler has several groups, which are merged.";
    AgentRepeated = "agent-repeated", Note, "GROUP-MERGE",
        "A group names a crawler twice.";
    // Rules
    RuleBeforeAgent = "rule-before-agent", Error, "GROUP-ORPHAN",
        "A rule stands before the first user-agent line and belongs to no group.";
    EmptyAllow = "empty-allow", Warning, "RULE-EMPTY",
        "An allow line without a path does nothing.";
    EmptyDisallow = "empty-disallow", Note, "RULE-EMPTY",
        "A disallow line without a path does nothing beside other rules.";
    AbsoluteUrl = "absolute-url", Error, "RULE-ROOT",
        "A rule holds a whole URL and not a path.";
    NoSlash = "no-slash", Error, "RULE-ROOT",
        "The path of a rule begins neither with `/` nor with `*`, so that the rule does nothing.";
    SlashAssumed = "slash-assumed", Warning, "RULE-ROOT",
        "The path of a rule lacks its first slash, which this edition lets a crawler assume.";
    LeadingStar = "leading-star", Warning, "RULE-ROOT",
        "The path of a rule begins with `*` and not with `/`.";
    PathsJoined = "paths-joined", Error, "FORMAT-LINE",
        "A rule holds several paths, and matches none of them.";
    RawSpace = "raw-space", Warning, "MATCH-ENCODING",
        "The path of a rule holds white space that is not encoded.";
    NonAscii = "non-ascii", Note, "MATCH-ENCODING",
        "The path of a rule holds characters outside ASCII that are not encoded.";
    StrayPercent = "stray-percent", Warning, "MATCH-ENCODING",
        "A `%` without two hexadecimal digits stands in the path of a rule.";
    DollarInside = "dollar-inside", Warning, "MATCH-END",
        "A `$` that does not end the path of a rule stands for itself.";
    UselessDollar = "useless-dollar", Note, "MATCH-END",
        "A `$` behind a `*` does nothing.";
    UselessStar = "useless-star", Note, "MATCH-TRAILING-STAR",
        "A `*` at the end of a path, or behind another `*`, matches nothing more.";
    HashInPath = "hash-in-path", Note, "FORMAT-COMMENT",
        "A `#` directly behind a path begins a comment.";
    RobotsTxtRule = "robots-txt-rule", Note, "RULE-ROBOTS-TXT",
        "A rule names robots.txt itself, which may always be fetched.";
    OverriddenRule = "overridden-rule", Warning, "PREC-TIE",
        "A disallow rule never decides, for an allow rule has the same path.";
    RedundantRule = "redundant-rule", Note, "PREC-LENGTH",
        "A rule that changes no verdict.";
    // Sitemaps
    EmptySitemap = "empty-sitemap", Error, "SITEMAP-ABSOLUTE",
        "A sitemap line names nothing.";
    RelativeSitemap = "relative-sitemap", Error, "SITEMAP-ABSOLUTE",
        "A sitemap line holds no absolute URL.";
    SitemapsJoined = "sitemaps-joined", Warning, "SITEMAP-ABSOLUTE",
        "A sitemap line holds white space: perhaps several URLs.";
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
