//! The interface between syntax and meaning: a [`Parser`] reports the lines of a file to a [`Report`].
//!
//! A parser knows only syntax. The report checks each line, computes its meaning, and builds the index of the file.
//! Start at [`Parser`].

use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::edition::Grammar;
use crate::file::Options;
pub use crate::file::build::Report;
use crate::file::view::View;
use crate::line::Line;

/// A parser of robots.txt syntax. A parser reports the spans of each line. The core computes the meaning from the line
/// and the edition. Parsing never fails: every sequence of octets consists of lines.
///
/// ```
/// use robots_core::syntax::{Line, Parser, Report, Span, lines};
///
/// /// Every file is one line with neither field nor value.
/// struct OneLine;
///
/// impl Parser for OneLine {
///     fn name(&self) -> &str { "one-line" }
///     fn parse(&self, octets: &[u8], report: &mut Report<'_>) {
///         let all = Span::new(0, octets.len());
///         report.line(Line::new(all, all));
///     }
/// }
///
/// // References, boxes and `Arc`s of parsers are parsers too, and just as fast.
/// let parser: Box<dyn Parser> = Box::new(OneLine);
/// assert_eq!(lines(&parser, b"anything")[0].number, 1);
/// ```
pub trait Parser: Send + Sync {
    /// Returns the parser's name.
    fn name(&self) -> &str;

    /// Reports every line of the octets, in order. Lines cover the octets without a gap: the first line begins at 0,
    /// each other line begins where the line before it ends, and the last line ends at the end of the octets. The parts
    /// of a line are in its content. The colon is one octet, and the comment goes to the content's end. The
    /// documentation of [`Report`] explains what happens to lines that break these rules.
    fn parse(&self, octets: &[u8], report: &mut Report<'_>);

    /// Returns which lines of the octets derive from a grammar, and whether the whole file derives from it. Returns
    /// `None` if the parser cannot check octets against this grammar.
    fn derives(&self, grammar: Grammar, octets: &[u8]) -> Option<GrammarMatch> {
        let _ = (grammar, octets);
        None
    }
}

/// Returns the lines of a body as a parser reports them, without their meaning. Octets beyond 512 MiB are ignored.
///
/// ```
/// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/dialect/line_parser.rs"));
/// # fn main() {
/// use robots_core::syntax::lines;
/// let lines = lines(&LineParser, b"allow: /\n# end");
/// assert_eq!((lines.len(), lines[1].number.get()), (2, 2));
/// # }
/// ```
#[must_use]
pub fn lines(parser: &(impl Parser + ?Sized), octets: &[u8]) -> Vec<Line> {
    let mut report = Report::new(octets, Options::default().with_limit(Options::MAX));
    parser.parse(report.octets(), &mut report);
    let octets = report.octets();
    let index = report.finish();
    View { octets, index: &index }.lines().map(|(line, _)| line).collect()
}

/// The result of checking a file against a grammar: whether the whole file derives from the grammar, and which of its
/// lines derive from it.
///
/// ```
/// use robots_core::syntax::GrammarMatch;
/// let parsed = GrammarMatch::new(false, vec![true, false]);
/// assert_eq!((parsed.file(), parsed.lines()), (false, &[true, false][..]));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct GrammarMatch {
    file: bool,
    lines: Vec<bool>,
}

impl GrammarMatch {
    /// Makes a result. The arguments state whether the whole file derives from the grammar, and which of its lines do.
    #[must_use]
    pub const fn new(file: bool, lines: Vec<bool>) -> Self {
        Self { file, lines }
    }

    /// Returns whether the whole file derives from the grammar.
    #[must_use]
    pub const fn file(&self) -> bool {
        self.file
    }

    /// Returns for each line whether the line, with its line ending, derives from one of the grammar's productions for
    /// a line. Lines end in CR, LF or CR LF. An empty file has no lines.
    #[must_use]
    pub fn lines(&self) -> &[bool] {
        &self.lines
    }
}

macro_rules! forward {
    ($($pointer:ty),*) => {$(
        impl<P: Parser + ?Sized> Parser for $pointer {
            fn name(&self) -> &str {
                (**self).name()
            }

            fn parse(&self, octets: &[u8], report: &mut Report<'_>) {
                (**self).parse(octets, report);
            }

            fn derives(&self, grammar: Grammar, octets: &[u8]) -> Option<GrammarMatch> {
                (**self).derives(grammar, octets)
            }
        }
    )*};
}

forward!(&P, Box<P>, Arc<P>);
