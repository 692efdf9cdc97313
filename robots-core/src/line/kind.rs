//! What a line means: [`LineKind`], and why it may mean nothing.

use core::fmt;

use super::field::Field;

/// What a line means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum LineKind {
    /// Nothing but white space.
    Blank,
    /// A comment alone.
    Comment,
    /// A line of a field that robots.txt defines.
    ///
    /// Also without effect it is what it is to groups: a user-agent line starts or continues one even
    /// where its value names nobody, and a rule ends a run of user-agent lines.
    Record {
        /// The field.
        field: Field,
        /// Whether the value has effect: names a crawler, is a rule, names a sitemap.
        effect: Result<(), NoEffect>,
    },
    /// A field robots.txt does not define; kept, and of no effect.
    Unknown,
    /// A line that is none of these.
    Malformed(Malformed),
}

/// Why a line with a known field has no effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
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
