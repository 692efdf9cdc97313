//! The iterator over the findings of a file: [`Findings`].
//!
//! The iterator checks one line at a time. Findings that depend on several lines come from `groups`. They are computed
//! before the first line is checked, and the iterator returns each of them together with the other findings of its
//! line.

use alloc::collections::VecDeque;
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;
use core::iter::{FusedIterator, Peekable};

use super::file::File;
use super::groups::{self, Across};
use super::lengths::Lengths;
use super::lines::Lines;
use super::one::Finding;
use super::whole::Whole;
use robots_core::RobotsTxtRef;
use robots_core::syntax::LineNumber;

/// Returns the findings about a file, ordered by line and then by the start of their spans.
///
/// ```
/// let robots = robots_nom_parser::parse("user-agent: *\ndisallow: *.pdf\n");
/// let finding = robots_lint::findings(&robots).next().unwrap();
/// assert_eq!(
///     finding.to_string(),
///     "line 2: warning: the path begins with `*`, which RFC 9309 does not allow, and some crawlers \
///      ignore the rule; write `/*.pdf`, which matches the same"
/// );
/// ```
pub fn findings<'r>(robots: impl Into<RobotsTxtRef<'r>>) -> Findings<'r> {
    Findings::new(File::of(robots.into()))
}

/// Returns the findings about a file that is served at an origin, for example `https://example.com`. The fixes of the
/// findings use the origin.
///
/// ```
/// let robots = robots_nom_parser::parse("user-agent: *\ndisallow: /x\nsitemap: /sitemap.xml\n");
/// let finding = robots_lint::findings_at(&robots, "https://shop.example").next().unwrap();
/// assert_eq!(finding.replacement().as_deref(), Some("https://shop.example/sitemap.xml"));
/// ```
pub fn findings_at<'r>(robots: impl Into<RobotsTxtRef<'r>>, origin: &'r str) -> Findings<'r> {
    Findings::new(File { origin: Some(origin), ..File::of(robots.into()) })
}

/// The findings about a file; see [`findings`].
#[derive(Clone)]
pub struct Findings<'r> {
    lines: Lines<'r>,
    /// The number of the next line.
    next: LineNumber,
    /// The findings that depend on several lines, in the order of the lines.
    across: Peekable<vec::IntoIter<Across>>,
    lengths: Lengths<'r>,
    /// The findings about the last checked line that were not returned yet.
    pending: VecDeque<Finding<'r>>,
    ended: bool,
}

impl<'r> Findings<'r> {
    fn new(file: File<'r>) -> Self {
        let whole = Whole::of(file.read());
        let across = if whole.has_lines() { groups::across(file) } else { Vec::new() };
        let mut findings = Self {
            lines: Lines::new(file, whole),
            next: LineNumber::FIRST,
            across: across.into_iter().peekable(),
            lengths: Lengths::of(file),
            pending: VecDeque::new(),
            ended: false,
        };
        findings.pending.extend(findings.lines.of_the_whole());
        findings
    }

    /// Checks the next line, or the octets after the last line.
    fn look(&mut self) {
        let number = self.next;
        let Some((line, kind)) = self.lines.line(number) else {
            self.ended = true;
            self.pending.extend(self.lines.of_the_rest());
            return;
        };
        self.next = number.next();
        self.lines.of_the_line(line, kind, &mut self.pending);
        for finding in &mut self.pending {
            self.lengths.mark(self.lines.file, &line, kind, finding);
        }
        while let Some(across) = self.across.next_if(|across| across.line == number) {
            self.pending.extend(across.finding(self.lines.file));
        }
        self.pending.make_contiguous().sort_by_key(|finding| finding.span.start());
    }
}

impl<'r> Iterator for Findings<'r> {
    type Item = Finding<'r>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(finding) = self.pending.pop_front() {
                return Some(finding);
            }
            if self.ended {
                return None;
            }
            self.look();
        }
    }
}

impl FusedIterator for Findings<'_> {}

impl fmt::Debug for Findings<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.clone()).finish()
    }
}
