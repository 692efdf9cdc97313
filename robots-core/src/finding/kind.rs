//! The kinds of findings: one table, [`FindingKind`] made of it.
//!
//! A new kind is one entry of the table at the end of this file, and its words in `text`.

use core::fmt;
use core::str::FromStr;

use super::source::Source;
use crate::edition::Profile;
use crate::edition::section::Requirement;

/// How much a finding matters.
///
/// ```
/// use robots_core::finding::Level;
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

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Level {
    type Err = UnknownLevel;

    /// Reads the name of a level.
    ///
    /// # Errors
    /// [`UnknownLevel`] where the text is none of the names.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::ALL.iter().copied().find(|level| level.name() == text).ok_or(UnknownLevel(()))
    }
}

/// The error of text that names no level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownLevel(());

impl fmt::Display for UnknownLevel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("unknown level; the levels are note, warning, error")
    }
}

impl core::error::Error for UnknownLevel {}

impl FindingKind {
    /// Returns the section that findings of the kind rest on, where a file is read by a profile; see
    /// [`Finding::source`](super::Finding::source).
    ///
    /// ```
    /// use robots_core::{Edition, finding::FindingKind};
    /// let source = FindingKind::NoSlash.source(Edition::Rfc9309.into()).unwrap();
    /// assert_eq!((source.requirement(), source.section()), ("RULE-ROOT", "2.2.2"));
    /// ```
    #[must_use]
    pub fn source(self, profile: Profile) -> Option<Source> {
        Source::of(self.requirement(), profile)
    }
}

impl fmt::Display for FindingKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for FindingKind {
    type Err = UnknownFindingKind;

    /// Reads the name of a kind.
    ///
    /// # Errors
    /// [`UnknownFindingKind`] where the text is none of the names.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::ALL.iter().copied().find(|kind| kind.name() == text).ok_or(UnknownFindingKind(()))
    }
}

/// The error of text that names no kind of finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownFindingKind(());

impl fmt::Display for UnknownFindingKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("unknown kind of finding; the kinds are")?;
        for (position, kind) in FindingKind::ALL.iter().enumerate() {
            write!(f, "{} {kind}", if position == 0 { "" } else { "," })?;
        }
        Ok(())
    }
}

impl core::error::Error for UnknownFindingKind {}

macro_rules! kinds {
    ($($kind:ident = $name:literal, $level:ident, $requirement:ident, $summary:literal;)*) => {
        /// What kind of finding it is.
        ///
        /// ```
        /// use robots_core::finding::{FindingKind, Level};
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

            /// What the kind rests on.
            pub(crate) const fn requirement(self) -> Requirement {
                match self {
                    $(Self::$kind => Requirement::$requirement,)*
                }
            }
        }
    };
}

kinds! {
    // The file
    Utf16 = "utf-16", Error, FormatUtf8,
        "The file is UTF-16 or UTF-32, not UTF-8.";
    NotText = "not-text", Error, FormatUtf8,
        "The file is no text: compressed, or another binary format.";
    HtmlPage = "html-page", Error, FormatGarbage,
        "The file is a page of HTML or another markup.";
    ByteOrderMark = "byte-order-mark", Warning, FormatBom,
        "A byte order mark stands before the first line.";
    Truncated = "truncated", Error, FormatSize,
        "The file is longer than the limit, and what lies beyond it is not read.";
    // Lines
    NoColon = "no-colon", Error, FormatLine,
        "A line has text, and no colon behind a field name.";
    NoField = "no-field", Error, FormatLine,
        "No field name stands before the colon.";
    MisspeltField = "misspelt-field", Error, FormatTypo,
        "A field name looks like a misspelling of one that robots.txt defines.";
    AcceptedMisspelling = "accepted-misspelling", Warning, FormatTypo,
        "A misspelt field name that the library of the profile accepts and others ignore.";
    UnknownField = "unknown-field", Warning, FormatFields,
        "A field that neither robots.txt nor any known crawler defines.";
    ExtensionField = "extension-field", Note, FormatFields,
        "A field that some crawlers read and no edition defines.";
    ObsoleteField = "obsolete-field", Warning, FormatFields,
        "A field that no known crawler obeys.";
    BareUrl = "bare-url", Warning, FormatLine,
        "A URL stands alone in a line.";
    LinesJoined = "lines-joined", Error, FormatLine,
        "Another field and its colon stand within a value.";
    OddSpace = "odd-space", Error, FormatLine,
        "An invisible character that is no white space of robots.txt stands before or behind a name or value.";
    ControlInField = "control-in-field", Error, FormatUtf8,
        "A field name holds a control octet.";
    ControlInValue = "control-in-value", Error, FormatUtf8,
        "A value holds a control octet.";
    ControlInComment = "control-in-comment", Note, FormatComment,
        "A comment holds a control octet.";
    InvalidUtf8 = "invalid-utf8", Warning, FormatUtf8,
        "A line holds octets outside UTF-8.";
    LongLine = "long-line", Note, FormatLine,
        "A line is longer than Google's published library reads.";
    // Groups
    EmptyAgent = "empty-agent", Error, AgentOne,
        "A user-agent line names nobody.";
    AgentsJoined = "agents-joined", Error, AgentSuffix,
        "One user-agent line lists several crawlers, and names only the first.";
    AgentHeader = "agent-header", Error, AgentOne,
        "A user-agent line holds a whole User-Agent header, and names no crawler by it.";
    AgentNamesNobody = "agent-names-nobody", Error, AgentOne,
        "The value of a user-agent line begins with no product token and is not `*` alone.";
    AgentSuffix = "agent-suffix", Warning, AgentSuffix,
        "Something follows the product token in a user-agent line, and is ignored.";
    AgentDigits = "agent-digits", Note, AgentToken,
        "A product token holds a digit, which RFC 9309 does not permit.";
    AgentsRunOn = "agents-run-on", Warning, GroupShape,
        "A user-agent line joins the group above it, for no rule stands between the two.";
    GroupRepeated = "group-repeated", Warning, GroupMerge,
        "A crawler has several groups, which are merged.";
    AgentRepeated = "agent-repeated", Note, GroupMerge,
        "A group names a crawler twice.";
    // Rules
    RuleBeforeAgent = "rule-before-agent", Error, GroupOrphan,
        "A rule stands before the first user-agent line and belongs to no group.";
    EmptyAllow = "empty-allow", Warning, RuleEmpty,
        "An allow line without a path does nothing.";
    EmptyDisallow = "empty-disallow", Note, RuleEmpty,
        "A disallow line without a path does nothing beside other rules.";
    AbsoluteUrl = "absolute-url", Error, RuleRoot,
        "A rule holds a whole URL and not a path.";
    NoSlash = "no-slash", Error, RuleRoot,
        "The path of a rule begins neither with `/` nor with `*`, so that the rule does nothing.";
    SlashAssumed = "slash-assumed", Warning, RuleRoot,
        "The path of a rule lacks its first slash, which this edition lets a crawler assume.";
    LeadingStar = "leading-star", Warning, RuleRoot,
        "The path of a rule begins with `*` and not with `/`.";
    PathsJoined = "paths-joined", Error, FormatLine,
        "A rule holds several paths, and matches none of them.";
    RawSpace = "raw-space", Warning, MatchEncoding,
        "The path of a rule holds white space that is not encoded.";
    NonAscii = "non-ascii", Note, MatchEncoding,
        "The path of a rule holds characters outside ASCII that are not encoded.";
    StrayPercent = "stray-percent", Warning, MatchEncoding,
        "A `%` without two hexadecimal digits stands in the path of a rule.";
    DollarInside = "dollar-inside", Warning, MatchEnd,
        "A `$` that does not end the path of a rule stands for itself.";
    UselessDollar = "useless-dollar", Note, MatchEnd,
        "A `$` behind a `*` does nothing.";
    UselessStar = "useless-star", Note, MatchTrailingStar,
        "A `*` at the end of a path, or behind another `*`, matches nothing more.";
    HashInPath = "hash-in-path", Note, FormatComment,
        "A `#` directly behind a path begins a comment.";
    RobotsTxtRule = "robots-txt-rule", Note, RuleRobotsTxt,
        "A rule names robots.txt itself, which may always be fetched.";
    OverriddenRule = "overridden-rule", Warning, PrecTie,
        "A disallow rule never decides, for an allow rule has the same path.";
    RedundantRule = "redundant-rule", Note, PrecLength,
        "A rule that changes no verdict.";
    // Sitemaps
    EmptySitemap = "empty-sitemap", Error, SitemapAbsolute,
        "A sitemap line names nothing.";
    RelativeSitemap = "relative-sitemap", Error, SitemapAbsolute,
        "A sitemap line holds no absolute URL.";
    SitemapsJoined = "sitemaps-joined", Warning, SitemapAbsolute,
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
