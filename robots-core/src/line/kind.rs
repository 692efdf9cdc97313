//! The meaning of a line: [`LineKind`].
//!
//! [`NoEffect`] is the reason why the value of a line with a known field has no effect. [`Malformed`] is the reason why
//! a line is malformed.

use core::fmt;

use super::field::Field;

/// The meaning of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum LineKind {
    /// A line that is empty or has only white space.
    Blank,
    /// A line that has only a comment, perhaps after white space.
    Comment,
    /// A line with a field that the edition defines.
    ///
    /// A user-agent line or a rule affects groups even if its value has no effect: a user-agent line starts or
    /// continues a group, and a rule ends a run of user-agent lines.
    Record {
        /// The field.
        field: Field,
        /// Whether the value has effect, and if not, the reason.
        effect: Result<(), NoEffect>,
    },
    /// A line with a field that the edition does not define. The line is kept, but has no effect.
    Unknown,
    /// A malformed line, with the reason.
    Malformed(Malformed),
}

/// The reason why the value of a line with a known field has no effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum NoEffect {
    /// The value is empty.
    Empty,
    /// The value contains a control octet other than tab.
    Control,
    /// The path pattern begins neither with `/` nor with `*`.
    NoSlash,
    /// The value of the sitemap line is not an absolute URL.
    NotAbsolute,
}

impl fmt::Display for NoEffect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Empty => "the value is empty",
            Self::Control => "the value contains a control octet",
            Self::NoSlash => "the path does not begin with / or *",
            Self::NotAbsolute => "the value is not an absolute URL",
        })
    }
}

/// The reason why a line is malformed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Malformed {
    /// The line has text, but no colon.
    NoColon,
    /// The line has no text before the colon.
    NoField,
    /// The field name contains a control octet other than tab.
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

/// An irregularity of a line that does not change its meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Remark {
    /// The line contains octets that are not valid UTF-8. In a rule, these octets are compared as if they were
    /// percent-encoded.
    InvalidUtf8,
    /// The comment contains a control octet other than tab.
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
