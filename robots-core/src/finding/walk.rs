//! The walk over a file that finds its findings: [`Findings`].

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
use crate::file::view::View;
use crate::line::span::Place;
use crate::robots_txt::RobotsTxt;

impl<B: AsRef<[u8]>> RobotsTxt<B> {
    /// Returns the findings, by line and then by where their spans begin.
    ///
    /// ```
    /// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/dialect/line_parser.rs"));
    /// # fn main() {
    /// # let robots = robots_core::RobotsTxt::parse(&LineParser,
    /// #     "user-agent: *\ndisallow: *.pdf\n", robots_core::Options::default());
    /// let finding = robots.findings().next().unwrap();
    /// assert_eq!(
    ///     finding.to_string(),
    ///     "line 2: warning: the path begins with `*`, which RFC 9309's grammar does not let it, and \
    ///      some software reads no such rule; write `/*.pdf`, which matches the same"
    /// );
    /// # }
    /// ```
    pub fn findings(&self) -> Findings<'_> {
        Findings::new(self.view(), self.body())
    }
}

/// The findings on a file; see [`RobotsTxt::findings`](crate::RobotsTxt::findings).
#[derive(Clone)]
pub struct Findings<'r> {
    lines: Lines<'r>,
    place: Place,
    /// What rests on several lines, by line.
    across: Peekable<vec::IntoIter<Across>>,
    lengths: Lengths<'r>,
    /// Those of the line that was looked at last.
    pending: VecDeque<Finding<'r>>,
    ended: bool,
}

impl<'r> Findings<'r> {
    fn new(view: View<'r>, body: &'r [u8]) -> Self {
        let whole = Whole::of(view.octets);
        let (across, place) = match whole {
            Whole::Utf16 | Whole::NotText => (Vec::new(), view.end()),
            Whole::Text | Whole::Html => (groups::across(view), Place::FIRST),
        };
        let mut findings = Self {
            lines: Lines::new(File { view, body }, whole),
            place,
            across: across.into_iter().peekable(),
            lengths: Lengths::of(view),
            pending: VecDeque::new(),
            ended: false,
        };
        findings.pending.extend(findings.lines.of_the_whole());
        findings
    }

    /// Looks at the next line, or at what lies behind the last.
    fn look(&mut self) {
        if self.place >= self.lines.file.view.end() {
            self.ended = true;
            self.pending.extend(self.lines.of_the_rest());
            return;
        }
        let place = self.place;
        self.place = place.next();
        self.lines.of_the_line(place, &mut self.pending);
        for finding in &mut self.pending {
            self.lengths.mark(self.lines.file.view, place, finding);
        }
        while let Some(across) = self.across.next_if(|across| across.place == place) {
            self.pending.push_back(across.finding(self.lines.file));
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
