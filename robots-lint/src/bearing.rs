//! Selects the findings that may explain one verdict: [`findings_for`].
//!
//! These findings are the possible reasons why the verdict is not the verdict that the author of the file expects.
//! Start at [`findings_for`]: it makes all findings of the file, and keeps those that a `Question` selects.

use alloc::vec::Vec;

use super::kind::FindingKind;
use super::one::{Detail, Finding};
use super::values::{joined, of_header};
use super::walk::findings;
use core::ops::Range;

use robots_core::path::{PathAndQuery, Pattern};
use robots_core::syntax::{Field, LineNumber};
use robots_core::{CrawlerRef, MergedGroup, RobotsTxtRef};

/// Returns the findings that affect the verdict on a URL for a crawler, in the order of the file.
///
/// The result contains findings about the file as a whole and about the rule that decided. The result contains findings
/// about user-agent lines of the groups that the crawler follows, and about user-agent lines that would name the
/// crawler if they were fixed. The result also contains findings about rules without effect that would match the URL,
/// if these rules are in the same groups or outside any group. An invalid crawler follows no group, and an invalid URL
/// matches no rule.
///
/// ```
/// let robots = robots_nom_parser::parse("user-agent: *\ndisalow: /private\ndisalow: /other\n");
/// assert!(robots.verdict("examplebot", "/private").is_allowed());
/// let findings = robots_lint::findings_for(&robots, "examplebot", "/private");
/// assert_eq!(findings.len(), 1);
/// assert_eq!(findings[0].line(), 2);
/// ```
#[must_use]
pub fn findings_for<'r, 'c>(
    robots: impl Into<RobotsTxtRef<'r>>,
    crawler: impl Into<CrawlerRef<'c>>,
    url: &str,
) -> Vec<Finding<'r>> {
    let (robots, crawler) = (robots.into(), crawler.into());
    let merged = robots.followed_by(crawler);
    let verdict = robots.try_verdict(crawler, url).ok();
    let question = Question {
        crawler,
        path: PathAndQuery::parse(url).ok(),
        lines: merged.as_ref().map(lines_of).unwrap_or_default(),
        decided: verdict.and_then(|verdict| verdict.rule()).map(|rule| rule.line().number),
    };
    findings(robots).filter(|finding| question.bears(finding)).collect()
}

/// Returns the range of line numbers of each merged group, in the order of the file.
fn lines_of(merged: &MergedGroup<'_>) -> Vec<Range<LineNumber>> {
    merged.groups().map(|group| group.line_numbers()).collect()
}

struct Question<'q> {
    crawler: CrawlerRef<'q>,
    path: Option<PathAndQuery<'q>>,
    lines: Vec<Range<LineNumber>>,
    decided: Option<LineNumber>,
}

impl Question<'_> {
    fn bears(&self, finding: &Finding<'_>) -> bool {
        let is_followed = || self.is_followed(finding.line);
        match finding.kind {
            FindingKind::Utf16
            | FindingKind::NotText
            | FindingKind::HtmlPage
            | FindingKind::Truncated => true,
            FindingKind::ByteOrderMark => finding.line == LineNumber::FIRST,
            FindingKind::AgentsJoined
            | FindingKind::AgentHeader
            | FindingKind::AgentNamesNobody => {
                is_followed() && self.names(finding.octets()) || self.names_if_fixed(finding)
            }
            FindingKind::AgentSuffix
            | FindingKind::AgentDigits
            | FindingKind::AgentsRunOn
            | FindingKind::GroupRepeated => is_followed() && self.names_line(finding),
            // This kind of finding is about the crawlers in the user-agent lines above and below a preference.
            FindingKind::PreferenceBetweenAgents => {
                is_followed() || finding.other().is_some_and(|(line, _)| self.is_followed(line))
            }
            FindingKind::MisspeltField | FindingKind::NoColon | FindingKind::OddSpace => {
                self.would_bear(finding)
            }
            FindingKind::RuleBeforeAgent => self.would_match(finding),
            FindingKind::AbsoluteUrl
            | FindingKind::NoSlash
            | FindingKind::PathsJoined
            | FindingKind::LinesJoined
            | FindingKind::ControlInValue
            | FindingKind::OverriddenRule => is_followed() && self.would_match(finding),
            _ => self.decided == Some(finding.line),
        }
    }

    fn is_followed(&self, line: LineNumber) -> bool {
        let after = self.lines.partition_point(|lines| lines.start <= line);
        after.checked_sub(1).is_some_and(|at| self.lines[at].contains(&line))
    }

    /// Returns whether one word of a text is a product token of the crawler.
    fn names(&self, text: &[u8]) -> bool {
        let is_token = |octet: &u8| octet.is_ascii_alphanumeric() || matches!(octet, b'_' | b'-');
        text.split(|octet| !is_token(octet)).any(|word| self.is_token(word))
    }

    fn is_token(&self, word: &[u8]) -> bool {
        self.crawler.tokens().any(|token| word.eq_ignore_ascii_case(token.as_bytes()))
    }

    fn names_if_fixed(&self, finding: &Finding<'_>) -> bool {
        match finding.kind {
            FindingKind::AgentHeader => {
                of_header(finding.octets()).is_some_and(|token| self.is_token(token.as_bytes()))
            }
            _ => joined(finding.octets()).any(|name| self.names(name)),
        }
    }

    /// Returns whether the user-agent line of a finding names the crawler, or contains `*`.
    fn names_line(&self, finding: &Finding<'_>) -> bool {
        let (start, end) = line_around(finding);
        let line = &finding.body[start..end];
        self.names(line) || line.contains(&b'*')
    }

    /// Returns whether a line without effect would name the crawler if it were fixed, or would be a rule that matches
    /// the URL.
    fn would_bear(&self, finding: &Finding<'_>) -> bool {
        let (start, end) = line_around(finding);
        if finding.detail == Detail::Field(Field::UserAgent) {
            return self.names(&finding.body[start..end]);
        }
        self.is_followed(finding.line) && self.would_match(finding)
    }

    /// Returns whether the path in a line would match the URL, if the line were fixed. If the replacement begins with
    /// `/`, the replacement is the path. Otherwise the whole value and each of its words are tried as a path, if they
    /// begin with `/` or `*`.
    fn would_match(&self, finding: &Finding<'_>) -> bool {
        let Some(path) = &self.path else { return false };
        let (start, end) = line_around(finding);
        let line = &finding.body[start..end];
        // In a line with the finding `NoColon`, a colon is part of the value.
        let colon = memchr::memchr(b':', line).filter(|_| finding.kind != FindingKind::NoColon);
        let value = colon.map_or(line, |colon| &line[colon + 1..]);
        let fixed = finding.suggestion().filter(|_| finding.kind != FindingKind::MisspeltField);
        let value = match &fixed {
            Some(text) if text.starts_with('/') => text.as_bytes(),
            _ => value,
        };
        let words = value.split(|octet| matches!(octet, b' ' | b'\t' | b'\n'));
        let words = words.map(|word| word.strip_suffix(b",").unwrap_or(word));
        let whole = core::iter::once(value.trim_ascii());
        whole.chain(words).any(|word| {
            let begins = memchr::memchr2(b'/', b'*', word);
            begins == Some(0) && Pattern::new(word).matches(path)
        })
    }
}

/// Returns the offsets where the line with a finding's span begins and ends. If the line has a comment, the end is the
/// start of the comment.
fn line_around(finding: &Finding<'_>) -> (usize, usize) {
    let (before, behind) = finding.body.split_at(finding.span.start().min(finding.body.len()));
    let start = memchr::memrchr2(b'\r', b'\n', before).map_or(0, |at| at + 1);
    let end = memchr::memchr3(b'\r', b'\n', b'#', behind).unwrap_or(behind.len());
    (start, before.len() + end)
}
