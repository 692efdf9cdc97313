//! What findings say: causes and mends.

use core::fmt;

use super::kind::FindingKind;
use super::one::{Detail, Finding};
use robots_core::syntax::{LineNumber, Shown};

impl<'r> Finding<'r> {
    /// Returns what is so, as a sentence without a capital and a full stop.
    pub fn cause(&self) -> impl fmt::Display + use<'r> {
        Cause(*self)
    }

    /// Returns what to do about it, as [`cause`](Self::cause) does.
    pub fn mend(&self) -> impl fmt::Display + use<'r> {
        Mend(*self)
    }
}

/// Writes it as one line: `line 2: error: …; did you mean …`.
impl fmt::Display for Finding<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { line, .. } = self;
        write!(f, "line {line}: {}: {}; {}", self.level(), self.cause(), self.mend())
    }
}

/// What is so.
struct Cause<'r>(Finding<'r>);

/// What to do about it.
struct Mend<'r>(Finding<'r>);

impl Finding<'_> {
    /// The octets of the span, for people.
    fn shown(&self) -> Shown<'_> {
        Shown(self.octets())
    }

    /// The part of the span that counts.
    fn part(&self) -> Shown<'_> {
        let len = if let Detail::Part(len) = self.detail { len } else { 0 };
        let (start, end) = match self.kind {
            // The suffix follows the part.
            FindingKind::AgentSuffix => (self.span.start().saturating_sub(len), self.span.start()),
            _ => (self.span.start(), (self.span.start() + len).min(self.span.end())),
        };
        Shown(&self.body[start..end])
    }

    /// The other line, for people.
    fn another(&self) -> Another<'_> {
        match self.detail {
            Detail::Line(number, span) => Another(Some((number, Shown(&self.body[span.range()])))),
            _ => Another(None),
        }
    }
}

/// Another line: its number and what it says.
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
                f.write_str("the file is UTF-16 or UTF-32; read as UTF-8 it has no line that means anything")
            }
            FindingKind::NotText => f.write_str("the file is no text, and nothing in it is a rule"),
            FindingKind::HtmlPage => f.write_str(
                "the file is a page of markup; but for lines that happen to be rules it says nothing",
            ),
            FindingKind::ByteOrderMark => f.write_str(
                "a byte order mark stands before the first line, and some software reads it as a part of that line",
            ),
            FindingKind::Truncated => {
                let octets = if let Detail::Octets(octets) = finding.detail { octets } else { 0 };
                let (at, line) = (finding.span.start(), finding.line);
                write!(
                    f,
                    "the file is longer than the limit: reading ends at octet {at}, before line {line}, \
                     and {octets} octets are not read"
                )
            }
            FindingKind::NoColon if memchr::memchr(b':', finding.octets()).is_some() => {
                f.write_str("no colon stands behind the field name, and the line means nothing")
            }
            FindingKind::NoColon => f.write_str("the line has no colon and means nothing"),
            FindingKind::NoField => f.write_str("no field name stands before the colon"),
            FindingKind::MisspeltField => {
                write!(f, "`{shown}` is no field of robots.txt, and the line is ignored")
            }
            FindingKind::UnknownField => {
                write!(f, "`{shown}` is no field of robots.txt, nor of any crawler known here")
            }
            FindingKind::ExtensionField | FindingKind::ObsoleteField => {
                let of = if let Detail::Extension(known) = finding.detail { known.of } else { "" };
                write!(f, "`{shown}` is no field of robots.txt: {of}")
            }
            FindingKind::BareUrl => f.write_str("a URL stands alone, and the line is ignored"),
            FindingKind::LinesJoined => {
                write!(f, "`{shown}` stands in the same line and is a part of the value before it")
            }
            FindingKind::OddSpace => f.write_str(
                "an invisible character stands before or behind this and is a part of it",
            ),
            FindingKind::ControlInField => f.write_str("the field name holds a control octet"),
            FindingKind::ControlInValue => {
                f.write_str("the value holds a control octet, and the line is without effect")
            }
            FindingKind::ControlInComment => f.write_str("the comment holds a control octet"),
            FindingKind::InvalidUtf8 => write!(f, "`{shown}` is not UTF-8"),
            FindingKind::LongLine => write!(
                f,
                "Google's published library reads 16663 octets of a line; {} follow",
                finding.span.len()
            ),
            FindingKind::EmptyAgent => f.write_str("the line names no crawler"),
            FindingKind::AgentsJoined => {
                write!(f, "one line names one crawler: this one names `{}` alone", finding.part())
            }
            FindingKind::AgentHeader => write!(
                f,
                "this is a whole User-Agent header; as a product token it reads `{}`",
                finding.part()
            ),
            FindingKind::AgentNamesNobody => {
                f.write_str("the value begins with no product token and is not `*` alone: it names nobody")
            }
            FindingKind::AgentSuffix => {
                write!(f, "`{shown}` is ignored: the line names `{}`", finding.part())
            }
            FindingKind::AgentDigits => write!(
                f,
                "`{shown}` holds a digit; RFC 9309 permits letters, `_` and `-`, and Google's published \
                 library ends the token there"
            ),
            FindingKind::AgentsRunOn => write!(
                f,
                "no rule stands between this line and {another}: both are of one group and follow the same rules"
            ),
            FindingKind::GroupRepeated => {
                write!(f, "the crawler has another group, of {another}: both are merged, but not by all software")
            }
            FindingKind::AgentRepeated => write!(f, "the group names the crawler already, by {another}"),
            FindingKind::RuleBeforeAgent => {
                f.write_str("no user-agent line stands before this rule: it is nobody's and is ignored")
            }
            FindingKind::EmptyAllow => f.write_str("an allow line without a path does nothing"),
            FindingKind::EmptyDisallow => write!(
                f,
                "a disallow line without a path does nothing; the group's other rules hold, {another} say"
            ),
            FindingKind::AbsoluteUrl => {
                f.write_str("a rule takes a path, not a URL: this one matches nothing")
            }
            FindingKind::NoSlash => {
                f.write_str("the path begins neither with `/` nor with `*`: the rule matches nothing")
            }
            FindingKind::SlashAssumed => f.write_str(
                "the path lacks its first slash; this edition lets a crawler assume it, the others do not",
            ),
            FindingKind::LeadingStar => f.write_str(
                "the path begins with `*`, which RFC 9309's grammar does not let it, and some software reads \
                 no such rule",
            ),
            FindingKind::PathsJoined => {
                f.write_str("one line takes one path: this is read as a single one, spaces included")
            }
            FindingKind::RawSpace => {
                f.write_str("the path holds white space, where some software ends it")
            }
            FindingKind::NonAscii => f.write_str(
                "the path holds characters outside ASCII: they equal their percent-encoded form, but not for \
                 all software",
            ),
            FindingKind::StrayPercent => {
                f.write_str("`%` without two hexadecimal digits behind it stands for itself, but no URL holds it so")
            }
            FindingKind::DollarInside => {
                f.write_str("`$` ends a path only as its last octet; here it stands for itself")
            }
            FindingKind::UselessDollar => {
                write!(f, "`{shown}` does nothing: a path matches whatever follows it")
            }
            FindingKind::UselessStar => {
                write!(f, "`{shown}` matches nothing more than the path without it")
            }
            FindingKind::HashInPath => {
                f.write_str("`#` begins a comment, also directly behind a path")
            }
            FindingKind::RobotsTxtRule => {
                f.write_str("robots.txt itself may always be fetched, by RFC 9309 at least")
            }
            FindingKind::OverriddenRule => {
                write!(f, "the rule never decides: of equal paths allow wins, {another}")
            }
            FindingKind::RedundantRule => match finding.detail {
                Detail::Line(..) => write!(f, "the rule changes no verdict: {another} says as much"),
                _ => f.write_str("the rule changes no verdict: nothing that it decides would be disallowed without it"),
            },
            FindingKind::EmptySitemap => f.write_str("the line names no sitemap"),
            FindingKind::RelativeSitemap => f.write_str("a sitemap is named by its whole URL; this names none"),
            FindingKind::SitemapsJoined => {
                f.write_str("the value holds white space and is read as one URL")
            }
        }
    }
}

impl fmt::Display for Mend<'_> {
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
                "write a rule before this line, `Disallow:` say, or nothing at all between the two where they \
                 are to share",
            ),
            FindingKind::GroupRepeated => f.write_str("write the rules of a crawler into one group"),
            FindingKind::AgentRepeated
            | FindingKind::EmptyDisallow
            | FindingKind::RobotsTxtRule
            | FindingKind::RedundantRule => f.write_str("remove the line"),
            FindingKind::RuleBeforeAgent => f.write_str("write `User-agent: *` before it"),
            FindingKind::EmptyAllow => f.write_str("write `Allow: /` to allow everything, or remove the line"),
            FindingKind::AbsoluteUrl => {
                or(f, "write", ", in the robots.txt of that host", "write the path")
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
                        "write `/*{rest}`, which matches the same, unless the octet more is to win or lose by its length"
                    ),
                }
            }
            FindingKind::PathsJoined => f.write_str("write a line for each path"),
            FindingKind::RawSpace | FindingKind::NonAscii | FindingKind::StrayPercent => {
                or(f, "write", "", "percent-encode it")
            }
            FindingKind::DollarInside => f.write_str("write `%24` for the character, or remove what follows the `$`"),
            FindingKind::UselessDollar | FindingKind::UselessStar => f.write_str(match finding.detail {
                Detail::Decides => "leave it out, unless the rule is to win by its length",
                _ => "leave it out",
            }),
            FindingKind::HashInPath => {
                f.write_str("write `%23` for the character, or white space before the comment")
            }
            FindingKind::OverriddenRule => f.write_str("remove one of the two"),
            FindingKind::EmptySitemap => f.write_str("write the sitemap's URL, or remove the line"),
            FindingKind::RelativeSitemap => {
                let path = match finding.octets() {
                    path @ [b'/', rest @ ..] if !rest.starts_with(b"/") => Shown(path),
                    _ => Shown(b"/sitemap.xml"),
                };
                write!(f, "write scheme and host too: `https://example.com{path}`")
            }
            FindingKind::SitemapsJoined => f.write_str("write a line for each URL, or encode the space as `%20`"),
        }
    }
}
