//! The syntax seam: a [`Parser`] turns octets into [`Line`]s, and knows nothing of what they mean.

use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::{Edition, Field, Line, ShortLine};

/// A parser of robots.txt syntax.
///
/// It reports spans, line by line; what a line means the core derives from the line and the edition.
/// Parsing is total: any octets give lines, and there is no error. The spans of the lines tile the
/// octets: the first begins at 0, each begins where the one before ends, and the last ends with the
/// octets. Line numbers count from 1. The parts of a line lie in its content: the colon is one octet, the
/// comment goes to the content's end.
///
/// ```
/// use robots_core::{Line, Parser, Span};
///
/// /// Every file is one line with neither field nor value.
/// struct OneLine;
///
/// impl Parser for OneLine {
///     fn name(&self) -> &str { "one-line" }
///     fn parse(&self, octets: &[u8], sink: &mut dyn FnMut(Line)) {
///         let all = Span::new(0, octets.len());
///         sink(Line::new(1, all, all));
///     }
/// }
///
/// let parser: &dyn Parser = &OneLine;
/// parser.parse(b"anything", &mut |line| assert_eq!(line.number, 1));
/// ```
pub trait Parser: Sync {
    /// Returns the parser's name.
    fn name(&self) -> &str;

    /// Reports every line of the octets to the sink, in order.
    fn parse(&self, octets: &[u8], sink: &mut dyn FnMut(Line));

    /// Reports every line of the octets, in order, to a sink that takes short lines as they are.
    ///
    /// [`RobotsTxt::parse`](crate::RobotsTxt::parse) comes this way by an edition, and by
    /// [`parse`](Self::parse) for google-cpp; both report the same lines. A parser need not have this one:
    /// without it every line comes as a [`Line`], more slowly, and so it does where the parser is handed
    /// over as a reference to a reference, in a box or in an `Arc`.
    fn report<S: Sink>(&self, octets: &[u8], sink: &mut S)
    where
        Self: Sized,
    {
        self.parse(octets, &mut |line| sink.line(line));
    }

    /// Returns whether the octets derive from the edition's grammar, `None` where the parser has no
    /// recogniser for it.
    fn derives(&self, edition: Edition, octets: &[u8]) -> Option<Derivation> {
        let _ = (edition, octets);
        None
    }
}

/// What takes the lines a parser reports.
///
/// Lines come in order, each begins where the one before ends, and numbers count up by one, so that a sink
/// may count for itself. Whether a line comes whole, short or as a record is the parser's choice and says
/// nothing about it.
///
/// ```
/// use robots_core::{Line, ShortLine, Sink, Span};
///
/// /// Collects every line as a line.
/// struct Collected(Vec<Line>);
///
/// impl Sink for Collected {
///     fn line(&mut self, line: Line) {
///         self.0.push(line);
///     }
/// }
///
/// // "Disallow: /x\n"
/// let mut lines = Collected(Vec::new());
/// lines.short(ShortLine::new(0, 12).with_field(0..8, 8, 10..12), 1, 13);
/// assert_eq!(lines.0[0].value, Some(Span::new(10, 12)));
/// ```
pub trait Sink {
    /// Takes the next line.
    fn line(&mut self, line: Line);

    /// Takes the next line, a short one, with its number, from 1, and the offset where it ends with its
    /// line ending.
    #[inline]
    fn short(&mut self, line: ShortLine, number: u32, end: u32) {
        self.line(line.line(number, end));
    }

    /// Takes the next line, a record: one that [`ShortLine::record`] made of this very field, with nothing but
    /// the name, the colon, maybe white space, and the value. A line made otherwise goes to
    /// [`short`](Self::short).
    ///
    /// The value has at least one octet and none that is a space, a tab, a control or `#`; a sink may rely
    /// on that.
    #[inline]
    fn record(&mut self, field: Field, line: ShortLine, number: u32, end: u32) {
        let _ = field;
        self.short(line, number, end);
    }
}

/// Which parts of a file derive from a grammar.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Derivation {
    /// Whether the file as a whole derives.
    pub file: bool,
    /// For each line, whether it derives, with its line ending, from one of the grammar's productions
    /// for a line. Lines end in CR, LF or CR LF; octets without any have no line.
    pub lines: Vec<bool>,
}

macro_rules! forward {
    ($($pointer:ty),*) => {$(
        impl<P: Parser + Send + ?Sized> Parser for $pointer {
            fn name(&self) -> &str {
                (**self).name()
            }

            fn parse(&self, octets: &[u8], sink: &mut dyn FnMut(Line)) {
                (**self).parse(octets, sink);
            }

            fn derives(&self, edition: Edition, octets: &[u8]) -> Option<Derivation> {
                (**self).derives(edition, octets)
            }
        }
    )*};
}

forward!(&P, Box<P>, Arc<P>);
