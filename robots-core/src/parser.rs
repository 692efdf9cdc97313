//! The syntax seam: a [`Parser`] reports the lines of a file to a [`Report`], and knows nothing of what they
//! mean.

use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::edition::Grammar;
use crate::file::Options;
use crate::file::build::Builder;
use crate::file::index::Index;
use crate::file::view::View;
use crate::line::{CompactLine, Field, Line};

/// A parser of robots.txt syntax.
///
/// It reports spans, line by line; what a line means the core derives from the line and the profile. Parsing
/// is total: any octets give lines, and there is no error.
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
/// // References, boxes and `Arc`s of parsers are parsers, and as fast.
/// let parser: Box<dyn Parser> = Box::new(OneLine);
/// assert_eq!(lines(&parser, b"anything")[0].number, 1);
/// ```
pub trait Parser: Send + Sync {
    /// Returns the parser's name.
    fn name(&self) -> &str;

    /// Reports every line of the octets, in order.
    ///
    /// Lines tile the octets: the first begins at 0, each begins where the one before ends, and the last ends
    /// with the octets. The parts of a line lie in its content: the colon is one octet, the comment goes to
    /// the content's end. See [`Report`] for what becomes of lines that do not fit.
    fn parse(&self, octets: &[u8], report: &mut Report<'_>);

    /// Returns which lines of the octets derive from a grammar, and whether all of them do, `None` where the
    /// parser has no recogniser for it.
    fn derives(&self, grammar: Grammar, octets: &[u8]) -> Option<GrammarMatch> {
        let _ = (grammar, octets);
        None
    }
}

/// What takes the lines that a parser reports.
///
/// A line comes whole, as a compact line or as a record; that is the parser's choice and says nothing about
/// it. Each is checked, and numbered, as it comes. A line that does not fit, because it begins elsewhere than
/// where the one before ended, has no octets or more than there are, or has parts outside of its content, is
/// refused, and all behind it: those octets are one line without a field then. That is the same with debug
/// assertions and without. A parser cannot break what is made of its lines.
pub struct Report<'o>(Builder<'o>);

impl<'o> Report<'o> {
    /// Begins the report on a body, cut at the limit.
    pub(crate) fn new(body: &'o [u8], options: Options) -> Self {
        Self(Builder::new(body, options))
    }

    /// The octets that are read.
    pub(crate) fn octets(&self) -> &'o [u8] {
        self.0.octets()
    }

    pub(crate) fn finish(self) -> Index {
        self.0.finish()
    }

    /// Takes the next line. Its number is of no matter.
    #[inline]
    pub fn line(&mut self, line: Line) {
        self.0.line(line);
    }

    /// Takes the next line, a compact one, and the length in octets of its line ending.
    ///
    /// ```
    /// use robots_core::syntax::{CompactLine, Parser, Report, lines};
    ///
    /// /// Lines end in LF, and there are comments alone.
    /// struct Comments;
    ///
    /// impl Parser for Comments {
    ///     fn name(&self) -> &str { "comments" }
    ///     fn parse(&self, octets: &[u8], report: &mut Report<'_>) {
    ///         for line in octets.split_inclusive(|octet| *octet == b'\n') {
    ///             let ending = u8::from(line.ends_with(b"\n"));
    ///             let compact = CompactLine::new(line.len() as u8 - ending).with_comment(0);
    ///             report.compact(compact, ending);
    ///         }
    ///     }
    /// }
    /// assert_eq!(lines(&Comments, b"# a\n# b")[1].comment.unwrap().range(), 4..7);
    /// ```
    #[inline]
    pub fn compact(&mut self, line: CompactLine, ending: u8) {
        self.0.compact(line, ending);
    }

    /// Takes the next line, a record: it begins with the name of the field, in whatever case, and the colon is
    /// directly behind it. The value goes from its offset in the line, in octets, to the end of the content. It
    /// has at least one octet and none that is a space, a tab, a control or `#`. The line ending has a length of
    /// its own, in octets.
    ///
    /// The parser is taken at its word for what the octets are; a parser that says otherwise has lines that
    /// mean what it says.
    #[expect(clippy::inline_always, reason = "the parser's loop is one with it")]
    #[inline(always)]
    pub fn record(&mut self, field: Field, value: u8, content: u8, ending: u8) {
        self.0.record(field, value, content, ending);
    }
}

/// Returns the lines of any octets as a parser reports them, without meaning. Of octets beyond 512 MiB none
/// are read.
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
    let mut report = Report::new(octets, Options::default().limit(Options::MOST));
    parser.parse(report.octets(), &mut report);
    let octets = report.octets();
    let index = report.finish();
    View { octets, index: &index }.lines().map(|(line, _)| line).collect()
}

/// Which parts of a file derive from a grammar.
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
    /// Makes one of whether the file as a whole derives, and of whether each line does.
    #[must_use]
    pub const fn new(file: bool, lines: Vec<bool>) -> Self {
        Self { file, lines }
    }

    /// Returns whether the file as a whole derives.
    #[must_use]
    pub const fn file(&self) -> bool {
        self.file
    }

    /// Returns for each line whether it derives, with its line ending, from one of the grammar's productions
    /// for a line. Lines end in CR, LF or CR LF; octets without any have no line.
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
