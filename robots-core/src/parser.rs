//! The syntax seam: a [`Parser`] turns octets into [`Line`]s, and knows nothing of what they mean.

use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::{Edition, Line};

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

    /// Returns whether the octets derive from the edition's grammar, `None` where the parser has no
    /// recogniser for it.
    fn derives(&self, edition: Edition, octets: &[u8]) -> Option<Derivation> {
        let _ = (edition, octets);
        None
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
