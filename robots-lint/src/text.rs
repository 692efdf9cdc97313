//! The texts of findings: causes and fixes, in words that a site owner understands.
//!
//! [`Finding::cause`] and [`Finding::fix`] return values that write the text only when it is displayed. Each text comes
//! from a table with a sentence for each kind. The two tables of this module have no default, so the compiler reports a
//! kind without texts. Text of the file is shown only through [`Shown`], which escapes it. The module `preferences` has
//! the texts about preferences.

use core::fmt;

use super::engines::Engines;
use super::kind::FindingKind;
use super::one::{Detail, Finding};
use super::preferences;
use robots_core::syntax::{LineNumber, Shown};

impl<'r> Finding<'r> {
    /// Returns the problem as a sentence without a capital letter at its start and without a full stop.
    pub fn cause(&self) -> impl fmt::Display + use<'r> {
        Cause(*self)
    }

    /// Returns the fix, in the same form as [`cause`](Self::cause).
    pub fn fix(&self) -> impl fmt::Display + use<'r> {
        Fix(*self)
    }
}

/// Writes the finding as one line: `line 2: error: …; did you mean …`.
impl fmt::Display for Finding<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { line, .. } = self;
        write!(f, "line {line}: {}: {}; {}", self.level(), self.cause(), self.fix())
    }
}

/// The text of a cause.
struct Cause<'r>(Finding<'r>);

/// The text of a fix.
struct Fix<'r>(Finding<'r>);

impl Finding<'_> {
    /// Returns the octets of the span in a form that can be displayed.
    fn shown(&self) -> Shown<'_> {
        Shown(self.octets())
    }

    /// Returns the relevant part of the line: the beginning of the span, or the token before it.
    fn part(&self) -> Shown<'_> {
        let len = if let Detail::Part(len) = self.detail { len } else { 0 };
        let (start, end) = match self.kind {
            // The span is the text after the product token, and the relevant part is the token.
            FindingKind::AgentSuffix => (self.span.start().saturating_sub(len), self.span.start()),
            _ => (self.span.start(), (self.span.start() + len).min(self.span.end())),
        };
        Shown(&self.body[start..end])
    }

    /// Returns the other line in a form that can be displayed.
    fn another(&self) -> Another<'_> {
        match self.detail {
            Detail::Line(number, span) => Another(Some((number, Shown(&self.body[span.range()])))),
            _ => Another(None),
        }
    }
}

/// Another line: its number and its text.
struct Another<'r>(Option<(LineNumber, Shown<'r>)>);

impl fmt::Display for Another<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Some((number, shown)) => write!(f, "`{shown}` in line {number}"),
            None => f.write_str("another line"),
        }
    }
}

impl fmt::Display for Cause<'_> {
    #[expect(clippy::too_many_lines, reason = "a table: one sentence for each kind")]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(finding) = self;
        let (shown, another) = (finding.shown(), finding.another());
        match finding.kind {
            FindingKind::Utf16 => {
                f.write_str("the file is saved as UTF-16 or UTF-32; crawlers read UTF-8 and find no rule in it")
            }
            FindingKind::NotText => f.write_str("the file is not text (it is compressed or binary), so crawlers find no rule in it"),
            FindingKind::HtmlPage => f.write_str(
                "the file is an HTML page, not a robots.txt; crawlers ignore every line that is not a rule by chance",
            ),
            FindingKind::ByteOrderMark => f.write_str(
                "the file begins with an invisible byte order mark, and some crawlers therefore misread the first line",
            ),
            FindingKind::Truncated => {
                let octets = if let Detail::Octets(octets) = finding.detail { octets } else { 0 };
                let (at, line) = (finding.span.start(), finding.line);
                write!(
                    f,
                    "crawlers read the first {at} octets only; everything from line {line} on is ignored \
                     ({octets} octets)"
                )
            }
            FindingKind::NoColon if memchr::memchr(b':', finding.octets()).is_some() => {
                f.write_str("the colon after the field name is missing, so crawlers ignore this line")
            }
            FindingKind::NoColon => f.write_str("the line has no colon, so crawlers ignore it"),
            FindingKind::NoField => f.write_str("the field name before the colon is missing, so crawlers ignore this line"),
            FindingKind::MisspeltField => {
                write!(f, "robots.txt has no field `{shown}`, so crawlers ignore this line")
            }
            FindingKind::UnknownField => {
                write!(f, "no known crawler reads a field `{shown}`")
            }
            FindingKind::ExtensionField | FindingKind::ObsoleteField => {
                let of = if let Detail::Extension(known) = finding.detail { known.of } else { "" };
                write!(f, "`{shown}` is not part of the standard; it is {of}")
            }
            FindingKind::BareUrl => f.write_str("the line is only a URL, so crawlers ignore it"),
            FindingKind::LinesJoined => {
                write!(f, "`{shown}` is in the same line as another field, so crawlers read it as part of that value")
            }
            FindingKind::OddSpace => f.write_str(
                "an invisible character before or after this text belongs to it, so crawlers do not recognise the text",
            ),
            FindingKind::ControlInField => f.write_str("the field name contains an invisible control character, so crawlers ignore this line"),
            FindingKind::ControlInValue => {
                f.write_str("the value contains an invisible control character, so the line has no effect")
            }
            FindingKind::ControlInComment => f.write_str("the comment contains an invisible control character"),
            FindingKind::InvalidUtf8 => write!(f, "`{shown}` is not valid UTF-8, so crawlers may read this line differently"),
            FindingKind::LongLine => write!(
                f,
                "Google's published library reads only the first 16,663 octets of a line; {} more follow",
                finding.span.len()
            ),
            FindingKind::EmptyAgent => f.write_str("the line names no crawler, so the rules below it apply to no crawler"),
            FindingKind::AgentsJoined => {
                write!(f, "a line can name only one crawler; this one names `{}` and no other", finding.part())
            }
            FindingKind::AgentHeader => write!(
                f,
                "this is a whole User-Agent header; crawlers read only the first word, `{}`",
                finding.part()
            ),
            FindingKind::AgentNamesNobody => {
                f.write_str("this is not a crawler's name and not `*` alone, so the line names no crawler")
            }
            FindingKind::AgentSuffix => {
                write!(f, "crawlers ignore `{shown}`; the line names `{}`", finding.part())
            }
            FindingKind::AgentDigits => write!(
                f,
                "RFC 9309 does not allow digits in a crawler's name, and Google's published library reads `{shown}` \
                 only up to the digit"
            ),
            FindingKind::AgentsRunOn => write!(
                f,
                "no rule is between this line and {another}, so both crawlers follow the same rules"
            ),
            FindingKind::GroupRepeated => {
                write!(f, "the same crawler has another group ({another}); most crawlers follow both, some only one")
            }
            FindingKind::AgentRepeated => write!(f, "the group already names this crawler ({another})"),
            FindingKind::RuleBeforeAgent => {
                f.write_str("no user-agent line comes before this rule, so crawlers ignore it")
            }
            FindingKind::EmptyAllow => f.write_str("an allow line without a path has no effect"),
            FindingKind::EmptyDisallow => write!(
                f,
                "a disallow line without a path has no effect, because the group has other rules ({another})"
            ),
            FindingKind::AbsoluteUrl => {
                f.write_str("a rule needs a path, not a whole URL; this rule matches nothing")
            }
            FindingKind::NoSlash => {
                f.write_str("the path does not begin with `/` or `*`, so the rule matches nothing")
            }
            FindingKind::SlashAssumed => f.write_str(
                "the first slash of the path is missing; only some crawlers add it",
            ),
            FindingKind::LeadingStar => f.write_str(
                "the path begins with `*`, which RFC 9309 does not allow, and some crawlers ignore the rule",
            ),
            FindingKind::PathsJoined => {
                f.write_str("a line can have only one path; crawlers read this as a single path with spaces")
            }
            FindingKind::RawSpace => {
                f.write_str("the path contains a space, and some crawlers stop reading there")
            }
            FindingKind::NonAscii => f.write_str(
                "the path contains characters outside ASCII; some crawlers match only their percent-encoded form",
            ),
            FindingKind::StrayPercent => {
                f.write_str("two hexadecimal digits must follow `%`; no URL contains a `%` like this one")
            }
            FindingKind::DollarInside => {
                f.write_str("`$` marks the end of a URL only as the last character; here it is an ordinary character")
            }
            FindingKind::UselessDollar => {
                write!(f, "`{shown}` has no effect: a rule matches every URL that begins with its path")
            }
            FindingKind::UselessStar => {
                write!(f, "`{shown}` has no effect: the path matches the same URLs without it")
            }
            FindingKind::HashInPath => {
                f.write_str("`#` begins a comment, even without a space before it")
            }
            FindingKind::RobotsTxtRule => {
                f.write_str("crawlers may always fetch robots.txt itself, whatever the rules are")
            }
            FindingKind::OverriddenRule => {
                write!(f, "the rule has no effect: an allow rule with the same path wins ({another})")
            }
            FindingKind::RedundantRule => match finding.detail {
                Detail::Line(..) => write!(f, "the rule has no effect: {another} already covers it"),
                _ => f.write_str("the rule has no effect: without it, the same URLs are allowed"),
            },
            FindingKind::PreferenceBetweenAgents
            | FindingKind::PreferenceBeforeAgent
            | FindingKind::PreferenceNotCrawled
            | FindingKind::UsageEmpty
            | FindingKind::UsageInvalid
            | FindingKind::UsageTrailingMark
            | FindingKind::UsageQuotedHash
            | FindingKind::UsageCapitals
            | FindingKind::UsageValue
            | FindingKind::UsageOldLabel
            | FindingKind::UsageSignalKey
            | FindingKind::SignalUsageKey
            | FindingKind::SignalValue => preferences::cause(finding, &another, f),
            FindingKind::EverythingBlocked => {
                f.write_str("no crawler may fetch anything from this site, search engines included")
            }
            FindingKind::SearchEngineBlocked => {
                let engines = if let Detail::Engines(engines) = finding.detail { engines } else { Engines::NONE };
                write!(f, "{engines} may fetch nothing from this site")
            }
            FindingKind::EmptySitemap => f.write_str("the line names no sitemap"),
            FindingKind::RelativeSitemap => f.write_str("a sitemap needs its whole URL, so crawlers ignore this line"),
            FindingKind::SitemapsJoined => {
                f.write_str("the value contains a space, and crawlers read all of it as one URL")
            }
        }
    }
}

impl fmt::Display for Fix<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(finding) = self;
        let replacement = finding.suggestion();
        let replacement = replacement.as_deref().map(|text| Shown(text.as_bytes()));
        let or = |f: &mut fmt::Formatter<'_>, with: &str, behind: &str, without: &str| {
            match &replacement {
                Some(text) => write!(f, "{with} `{text}`{behind}"),
                None => f.write_str(without),
            }
        };
        match finding.kind {
            FindingKind::Utf16 => f.write_str("save it as UTF-8, without a byte order mark"),
            FindingKind::NotText => f.write_str("serve plain text in UTF-8; compress with Content-Encoding alone"),
            FindingKind::HtmlPage => {
                f.write_str("serve plain text, or answer 404 where there is no robots.txt")
            }
            FindingKind::ByteOrderMark => f.write_str("save the file without it"),
            FindingKind::Truncated => {
                f.write_str("keep the file below 500 KiB: merge rules, or move what is excluded into one directory")
            }
            FindingKind::NoColon => or(
                f,
                "write",
                "",
                "write `field: value`, or begin the line with `#`",
            ),
            FindingKind::NoField => f.write_str("write `field: value`, or begin the line with `#`"),
            FindingKind::MisspeltField => or(f, "did you mean", "?", "correct the name"),
            FindingKind::UnknownField => match finding.detail {
                Detail::MeantExtension(known) => write!(f, "did you mean `{}`?", known.name),
                _ => f.write_str("remove the line, or make it a comment"),
            },
            FindingKind::ExtensionField => {
                f.write_str("keep it for the crawlers that read it; do not rely on it for others")
            }
            FindingKind::ObsoleteField => match finding.detail {
                Detail::Extension(known) => f.write_str(known.instead.unwrap_or("remove the line")),
                _ => f.write_str("remove the line"),
            },
            FindingKind::BareUrl => or(f, "for a sitemap write", "", "for a sitemap write `Sitemap:` before it"),
            FindingKind::LinesJoined => f.write_str("begin a new line before it"),
            FindingKind::OddSpace => or(f, "delete it: write", "", "delete it"),
            FindingKind::ControlInField
            | FindingKind::ControlInValue
            | FindingKind::ControlInComment => f.write_str("delete it"),
            FindingKind::InvalidUtf8 => f.write_str("save the file as UTF-8, or percent-encode the octets"),
            FindingKind::LongLine => f.write_str("write shorter lines"),
            FindingKind::EmptyAgent => f.write_str("name a crawler, or `*` for all that are not named"),
            FindingKind::AgentsJoined => f.write_str("write a user-agent line for each, one below the other"),
            FindingKind::AgentHeader => {
                or(f, "write the product token,", "", "write the product token that the crawler documents")
            }
            FindingKind::AgentNamesNobody => {
                f.write_str("write a product token (letters, `_` and `-`), or `*` alone")
            }
            FindingKind::AgentSuffix => {
                let part = finding.part();
                if replacement.is_some() || part.0 == b"*" {
                    write!(f, "write `{part}`")
                } else {
                    f.write_str("write the product token that the crawler documents")
                }
            }
            FindingKind::AgentDigits => f.write_str("write the token that the crawler documents"),
            FindingKind::AgentsRunOn => f.write_str(
                "write a rule before this line, for example `Disallow:`, or remove the lines between the two if they \
                 are meant to share rules",
            ),
            FindingKind::GroupRepeated => f.write_str("put all rules for this crawler into one group"),
            FindingKind::AgentRepeated
            | FindingKind::EmptyDisallow
            | FindingKind::RobotsTxtRule
            | FindingKind::RedundantRule => f.write_str("remove the line"),
            FindingKind::RuleBeforeAgent => f.write_str("write `User-agent: *` before it"),
            FindingKind::EmptyAllow => f.write_str("write `Allow: /` to allow everything, or remove the line"),
            FindingKind::AbsoluteUrl => {
                let host = if finding.is_of_origin() { "" } else { ", in the robots.txt of that host" };
                or(f, "write", host, "write the path")
            }
            FindingKind::NoSlash => or(f, "did you mean", "?", "begin the path with `/`"),
            FindingKind::SlashAssumed => or(f, "write", "", "begin the path with `/`"),
            FindingKind::LeadingStar => {
                let octets = finding.octets();
                let rest = octets.iter().position(|octet| *octet != b'*').unwrap_or(octets.len());
                let rest = Shown(&octets[rest..]);
                match &replacement {
                    Some(text) => write!(f, "write `{text}`, which matches the same"),
                    None if matches!(rest.0.first(), Some(b'/' | b'$')) => {
                        write!(f, "write two rules, `{rest}` and `/*{rest}`")
                    }
                    None => write!(
                        f,
                        "write `/*{rest}`, which matches the same, unless another rule then wins or loses by its length"
                    ),
                }
            }
            FindingKind::PathsJoined => f.write_str("write a line for each path"),
            FindingKind::RawSpace | FindingKind::NonAscii | FindingKind::StrayPercent => {
                or(f, "write", "", "percent-encode it")
            }
            FindingKind::DollarInside => f.write_str("write `%24` for the character, or remove what follows the `$`"),
            FindingKind::UselessDollar | FindingKind::UselessStar => f.write_str(match finding.detail {
                Detail::Decides => "leave it out, unless the rule is meant to win by its length",
                _ => "leave it out",
            }),
            FindingKind::HashInPath => {
                f.write_str("write `%23` for the character, or white space before the comment")
            }
            FindingKind::OverriddenRule => f.write_str("remove one of the two"),
            FindingKind::PreferenceBetweenAgents
            | FindingKind::PreferenceBeforeAgent
            | FindingKind::PreferenceNotCrawled
            | FindingKind::UsageEmpty
            | FindingKind::UsageInvalid
            | FindingKind::UsageTrailingMark
            | FindingKind::UsageQuotedHash
            | FindingKind::UsageCapitals
            | FindingKind::UsageValue
            | FindingKind::UsageOldLabel
            | FindingKind::UsageSignalKey
            | FindingKind::SignalUsageKey
            | FindingKind::SignalValue => preferences::fix(finding, f),
            FindingKind::EverythingBlocked => {
                f.write_str("if that is not meant, remove this rule, or name the directories that are to stay closed")
            }
            FindingKind::SearchEngineBlocked => f.write_str(
                "if that is not meant, remove this rule, or write a group with `Disallow:` for that search engine",
            ),
            FindingKind::EmptySitemap => f.write_str("write the sitemap's URL, or remove the line"),
            FindingKind::RelativeSitemap => {
                let path = match finding.octets() {
                    path @ [b'/', rest @ ..] if !rest.starts_with(b"/") => Shown(path),
                    _ => Shown(b"/sitemap.xml"),
                };
                let origin = Shown(finding.origin.unwrap_or("https://example.com").as_bytes());
                write!(f, "write the whole URL: `{origin}{path}`")
            }
            FindingKind::SitemapsJoined => f.write_str("write a line for each URL, or encode the space as `%20`"),
        }
    }
}
