//! What a reader of a robots.txt should be told about it: findings.
//!
//! Start at [`RobotsTxt::findings`](crate::RobotsTxt::findings). A [`Finding`] has a line, a span, a cause, a
//! mend and the section that says so. What a line means is told elsewhere (`meaning`); this room only says what
//! follows from it for a person, and each thing once: a line without effect has one finding, why.
//!
//! ```
//! # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/dialect/line_parser.rs"));
//! # fn main() {
//! # use robots_core::{Options, RobotsTxt};
//! let body = "user-agent: *\ndisalow: /private\n";
//! let robots = RobotsTxt::parse(&LineParser, body, Options::default());
//! let finding = robots.findings().next().unwrap();
//! assert_eq!(finding.kind().name(), "misspelt-field");
//! assert_eq!(finding.line(), 2);
//! assert_eq!(&body.as_bytes()[finding.span().range()], b"disalow");
//! assert_eq!(finding.replacement().as_deref(), Some("Disallow"));
//! assert_eq!(finding.mend().to_string(), "did you mean `Disallow`?");
//! assert_eq!(finding.source().unwrap().to_string(), "google-2022, \"Syntax\"");
//! # }
//! ```
//!
//! Findings are found in one walk over the lines, after one over the user-agent lines and one over the rules of
//! each group, which are sorted. They are made as they are asked for; what is kept is what the walks found, a
//! few octets for each rule.

mod bearing;
mod field_name;
mod groups;
mod kind;
mod lines;
mod replacement;
mod rules;
mod source;
mod text;
mod user_agents;
mod whole;

pub use kind::{FindingKind, Level, UnknownFindingKind, UnknownLevel};
pub use source::Source;

use alloc::collections::VecDeque;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;
use core::iter::{FusedIterator, Peekable};

use crate::edition::Profile;
use crate::file::view::View;
use crate::line::span::Place;
use crate::line::{Field, LineNumber, Span};
use crate::robots_txt::RobotsTxt;
use field_name::Extension;
use groups::Across;
use lines::Lines;
use whole::Whole;

/// Something about a file that its author should know.
#[derive(Clone, Copy)]
pub struct Finding<'r> {
    body: &'r [u8],
    profile: Profile,
    kind: FindingKind,
    line: LineNumber,
    span: Span,
    detail: Detail,
}

/// What a finding says besides its kind and its span.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Detail {
    None,
    /// The field that is meant.
    Field(Field),
    /// A field of others.
    Extension(&'static Extension),
    /// A field of others that is meant.
    MeantExtension(&'static Extension),
    /// Another line, and the span of what it says.
    Line(LineNumber, Span),
    /// A number of octets.
    Octets(usize),
    /// The length of the part of the span that counts, a product token say.
    Part(usize),
}

impl<'r> Finding<'r> {
    /// Returns its kind.
    #[must_use]
    pub fn kind(&self) -> FindingKind {
        self.kind
    }

    /// Returns how much it matters; short for that of its kind.
    #[must_use]
    pub fn level(&self) -> Level {
        self.kind.level()
    }

    /// Returns the number of its line; of what is not read, that of the first line not read.
    #[must_use]
    pub fn line(&self) -> LineNumber {
        self.line
    }

    /// Returns the octets of the body that it is about.
    #[must_use]
    pub fn span(&self) -> Span {
        self.span
    }

    /// Returns another line that it speaks of, the rule that overrides this one say: its number, and the octets
    /// that are meant.
    #[must_use]
    pub fn other(&self) -> Option<(LineNumber, Span)> {
        match self.detail {
            Detail::Line(number, span) => Some((number, span)),
            _ => None,
        }
    }

    /// Returns what is so, as a sentence without a capital and a full stop.
    pub fn cause(&self) -> impl fmt::Display + use<'r> {
        text::Cause(*self)
    }

    /// Returns what to do about it, as [`cause`](Self::cause) does.
    pub fn mend(&self) -> impl fmt::Display + use<'r> {
        text::Mend(*self)
    }

    /// Returns the text to put in place of the span, where the mend is that and nothing else.
    #[must_use]
    pub fn replacement(&self) -> Option<String> {
        replacement::of(self)
    }

    /// Returns the section that says so: of the edition by which the file is read, or, where that is silent or
    /// the profile is none, of the newest edition that speaks.
    #[must_use]
    pub fn source(&self) -> Option<Source> {
        self.kind.source(self.profile)
    }

    fn octets(&self) -> &'r [u8] {
        &self.body[self.span.range()]
    }
}

impl fmt::Debug for Finding<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}@{} {}", self.line, self.span, self.kind)
    }
}

/// Writes it as one line: `line 2: error: …; did you mean …`.
impl fmt::Display for Finding<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { line, .. } = self;
        write!(f, "line {line}: {}: {}; {}", self.level(), self.cause(), self.mend())
    }
}

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
            lines: Lines::new(view, body, whole),
            place,
            across: across.into_iter().peekable(),
            pending: VecDeque::new(),
            ended: false,
        };
        findings.pending.extend(findings.lines.of_the_whole());
        findings
    }

    /// Looks at the next line, or at what lies behind the last.
    fn look(&mut self) {
        if self.place >= self.lines.view.end() {
            self.ended = true;
            self.pending.extend(self.lines.of_the_rest());
            return;
        }
        let place = self.place;
        self.place = place.next();
        self.lines.of_the_line(place, &mut self.pending);
        while let Some(across) = self.across.next_if(|across| across.place == place) {
            self.pending.push_back(across.finding(&self.lines));
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
