//! A line: what a parser saw of it, and what it means.
//!
//! [`Line`] is syntax, spans only. [`LineKind`] is meaning, derived from the line, its octets and the
//! edition by [`Line::kind`].

use core::fmt;
use core::ops::Range;

use crate::edition::Semantics;
use crate::meaning::{self, is_control};
use crate::observed;

/// A half-open range of octets in a file.
///
/// Offsets are 32 bits wide: a file is cut by its limit long before (500 KiB unless configured).
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Span {
    pub(crate) start: u32,
    pub(crate) end: u32,
}

impl Span {
    /// Makes the span of the octets from `start` up to, not including, `end`.
    ///
    /// # Panics
    /// Where `end` lies before `start` or beyond 4 GiB.
    #[must_use]
    #[inline]
    pub const fn new(start: usize, end: usize) -> Self {
        assert!(start <= end && end <= u32::MAX as usize);
        #[expect(clippy::cast_possible_truncation, reason = "asserted above")]
        Self { start: start as u32, end: end as u32 }
    }

    /// Makes the span of the octets from `start` up to, not including, `end`; empty where `end` lies
    /// before `start`.
    #[must_use]
    #[inline]
    pub const fn of(start: u32, end: u32) -> Self {
        Self { start, end: if end < start { start } else { end } }
    }

    /// Returns the offset of the first octet.
    #[must_use]
    #[inline]
    pub const fn start(self) -> usize {
        self.start as usize
    }

    /// Returns the offset behind the last octet.
    #[must_use]
    #[inline]
    pub const fn end(self) -> usize {
        self.end as usize
    }

    /// Returns the number of octets.
    #[must_use]
    #[inline]
    pub const fn len(self) -> usize {
        (self.end - self.start) as usize
    }

    /// Returns whether the span holds no octet.
    #[must_use]
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.start == self.end
    }

    /// Returns the span as a range, to index octets with.
    #[must_use]
    #[inline]
    pub const fn range(self) -> Range<usize> {
        self.start()..self.end()
    }
}

impl fmt::Debug for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}..{}", self.start, self.end)
    }
}

impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self, f)
    }
}

/// A line as a parser reports it: spans, no meaning.
///
/// ```
/// use robots_core::{Line, Span};
/// // "Allow : /x # why\r\n"
/// let line = Line {
///     field: Some(Span::new(0, 5)),
///     colon: Some(Span::new(6, 7)),
///     value: Some(Span::new(8, 10)),
///     comment: Some(Span::new(11, 16)),
///     ..Line::new(1, Span::new(0, 18), Span::new(0, 16))
/// };
/// assert_eq!(line.ending().len(), 2);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line {
    /// The line's number, from 1.
    pub number: u32,
    /// The whole line, byte order mark and line ending included.
    pub span: Span,
    /// The line without byte order mark and line ending.
    pub content: Span,
    /// The field name, without surrounding white space: what stands before the colon, or, in a
    /// dialect that lets the colon be left out, the first word.
    pub field: Option<Span>,
    /// The colon.
    pub colon: Option<Span>,
    /// The value, without surrounding white space; present, maybe empty, wherever `field` is.
    pub value: Option<Span>,
    /// The comment, from its `#` to the end of the content.
    pub comment: Option<Span>,
}

impl Line {
    /// Makes a line of which only the spans of the whole and of its content are known.
    #[must_use]
    #[inline]
    pub const fn new(number: u32, span: Span, content: Span) -> Self {
        Self { number, span, content, field: None, colon: None, value: None, comment: None }
    }

    /// Returns the span of the line ending; empty in a last line without one.
    #[must_use]
    pub const fn ending(&self) -> Span {
        Span::new(self.content.end(), self.span.end())
    }

    /// Returns what the line means under an edition, given the octets its spans refer to.
    ///
    /// ```
    /// use robots_core::{Edition, Line, LineKind, RuleKind, Span};
    /// let octets = b"Disallow:/x";
    /// let all = Span::new(0, octets.len());
    /// let line = Line {
    ///     field: Some(Span::new(0, 8)),
    ///     value: Some(Span::new(9, 11)),
    ///     ..Line::new(1, all, all)
    /// };
    /// let kind = line.kind(octets, Edition::Rfc9309.semantics());
    /// assert_eq!(kind, LineKind::Rule { kind: RuleKind::Disallow, effect: Ok(()) });
    /// ```
    #[must_use]
    #[inline]
    pub fn kind(&self, octets: &[u8], semantics: &Semantics) -> LineKind {
        let code = match &semantics.observed {
            None => meaning::of_line(self, octets, semantics),
            Some(observed) => {
                observed::kind(&observed::line(octets, *self, observed), octets, observed)
            }
        };
        code.kind()
    }

    /// Returns what is odd about the line, given the octets its spans refer to.
    ///
    /// ```
    /// use robots_core::{Line, Remark, Span};
    /// let line = Line::new(1, Span::new(0, 3), Span::new(0, 2));
    /// assert_eq!(line.remarks(b"#\xFF\n").next(), Some(Remark::InvalidUtf8));
    /// ```
    pub fn remarks(&self, octets: &[u8]) -> impl Iterator<Item = Remark> + use<> {
        let utf8 = core::str::from_utf8(&octets[self.content.range()]).is_ok();
        let comment = self.comment.map_or(&[][..], |comment| &octets[comment.range()]);
        let control = comment.iter().copied().any(is_control);
        let remark = |holds: bool, remark| holds.then_some(remark);
        let remarks =
            [remark(!utf8, Remark::InvalidUtf8), remark(control, Remark::ControlInComment)];
        remarks.into_iter().flatten()
    }
}

/// The fields robots.txt defines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Field {
    /// `user-agent`
    UserAgent,
    /// `allow`
    Allow,
    /// `disallow`
    Disallow,
    /// `sitemap`
    Sitemap,
}

impl Field {
    /// All fields, the most frequent first.
    pub const ALL: &'static [Self] = &[Self::Disallow, Self::Allow, Self::UserAgent, Self::Sitemap];

    /// Returns the field of this name, ASCII case ignored.
    ///
    /// ```
    /// use robots_core::Field;
    /// assert_eq!(Field::named(b"User-Agent"), Some(Field::UserAgent));
    /// assert_eq!(Field::named(b"useragent"), None);
    /// ```
    #[must_use]
    #[inline]
    pub fn named(name: &[u8]) -> Option<Self> {
        // Words instead of octets: every line comes by here whose parser does not tell its field.
        let [first, last] = ends(name)?;
        let is = |spelling: &&Spelling| {
            spelling.field.name().len() == name.len()
                && first | spelling.letters[0] == spelling.ends[0]
                && last | spelling.letters[1] == spelling.ends[1]
        };
        SPELLINGS.iter().find(is).map(|spelling| spelling.field)
    }

    /// The number of octets of the name.
    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "names are short")]
    pub(crate) const fn len(self) -> u8 {
        self.name().len() as u8
    }

    /// Returns the name, in lower case.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::UserAgent => "user-agent",
            Self::Allow => "allow",
            Self::Disallow => "disallow",
            Self::Sitemap => "sitemap",
        }
    }
}

/// A field's name in two words that overlap.
struct Spelling {
    field: Field,
    ends: [u64; 2],
    /// The bit in which the cases of a letter differ, for each octet that is a letter.
    letters: [u64; 2],
}

const SPELLINGS: [Spelling; Field::ALL.len()] = {
    let mut spellings = [const { Spelling::of(Field::ALL[0]) }; Field::ALL.len()];
    let mut at = 1;
    while at < Field::ALL.len() {
        spellings[at] = Spelling::of(Field::ALL[at]);
        at += 1;
    }
    spellings
};

impl Spelling {
    const fn of(field: Field) -> Self {
        let name = field.name().as_bytes();
        let (mut letters, mut at) = ([0; 16], 0);
        while at < name.len() {
            letters[at] = if name[at].is_ascii_lowercase() { 0x20 } else { 0 };
            at += 1;
        }
        match (ends(name), ends(letters.split_at(name.len()).0)) {
            (Some(ends), Some(letters)) => Self { field, ends, letters },
            _ => panic!("the name of a field has four octets to sixteen"),
        }
    }
}

/// Returns the first and the last eight octets of a name; four each of one shorter than eight.
#[inline]
const fn ends(name: &[u8]) -> Option<[u64; 2]> {
    if name.len() > 16 {
        None
    } else if let (Some(first), Some(last)) = (name.first_chunk::<8>(), name.last_chunk::<8>()) {
        Some([u64::from_le_bytes(*first), u64::from_le_bytes(*last)])
    } else if let (Some(first), Some(last)) = (name.first_chunk::<4>(), name.last_chunk::<4>()) {
        Some([u32::from_le_bytes(*first) as u64, u32::from_le_bytes(*last) as u64])
    } else {
        None
    }
}

/// Whether a rule allows or disallows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RuleKind {
    /// `allow`
    Allow,
    /// `disallow`
    Disallow,
}

impl RuleKind {
    /// Returns the field name, in lower case.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Allow => Field::Allow.name(),
            Self::Disallow => Field::Disallow.name(),
        }
    }
}

impl fmt::Display for RuleKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// What a line means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LineKind {
    /// Nothing but white space.
    Blank,
    /// A comment alone.
    Comment,
    /// A user-agent line; it starts or continues a group even where its value names nobody.
    UserAgent {
        /// Whether the value can name a crawler.
        effect: Result<(), NoEffect>,
    },
    /// An allow or disallow line; it ends a run of user-agent lines even where it contributes no rule.
    Rule {
        /// Which of the two.
        kind: RuleKind,
        /// Whether it contributes a rule.
        effect: Result<(), NoEffect>,
    },
    /// A sitemap line; it belongs to no group.
    Sitemap {
        /// Whether it names a sitemap.
        effect: Result<(), NoEffect>,
    },
    /// A field robots.txt does not define; kept, and of no effect.
    Unknown,
    /// A line that is none of these.
    Malformed(Malformed),
}

/// Why a line with a known field has no effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NoEffect {
    /// The value is empty.
    Empty,
    /// The value holds a control octet other than tab.
    Control,
    /// A path pattern that begins neither with `/` nor with `*`.
    NoSlash,
    /// A sitemap that is no absolute URL.
    NotAbsolute,
}

impl fmt::Display for NoEffect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Empty => "the value is empty",
            Self::Control => "the value holds a control octet",
            Self::NoSlash => "the path begins neither with / nor with *",
            Self::NotAbsolute => "the value is no absolute URL",
        })
    }
}

/// Why a line is malformed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Malformed {
    /// There is text, but no colon.
    NoColon,
    /// Nothing stands before the colon.
    NoField,
    /// The field name holds a control octet other than tab.
    ControlInField,
}

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NoColon => "no colon",
            Self::NoField => "no field name before the colon",
            Self::ControlInField => "a control octet in the field name",
        })
    }
}

/// Something odd about a line that takes nothing from what it means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Remark {
    /// Octets outside UTF-8 in a field, value or comment; in a rule they count as percent-encoded.
    InvalidUtf8,
    /// A control octet other than tab in the comment.
    ControlInComment,
}

impl fmt::Display for Remark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::InvalidUtf8 => "octets outside UTF-8",
            Self::ControlInComment => "a control octet in the comment",
        })
    }
}
