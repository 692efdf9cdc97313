//! The fields robots.txt defines: one table, [`Field`] made of it.
//!
//! A new kind of record is one entry of the table at the end of this file: its name, what its lines are to
//! groups, and what form its values have. [`Group::lines`](crate::Group::lines) and
//! [`RobotsTxt::lines`](crate::RobotsTxt::lines) give its lines then. The commonest field comes first: that is
//! the order in which names are compared.

use core::fmt;

/// Whether a rule allows or disallows.
///
/// ```
/// use robots_core::RuleKind;
/// assert_eq!("allow".parse(), Ok(RuleKind::Allow));
/// assert_eq!(RuleKind::Disallow.to_string(), "disallow");
/// ```
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

impl core::str::FromStr for RuleKind {
    type Err = UnknownField;

    /// Reads the field name of a rule, ASCII case ignored.
    ///
    /// # Errors
    /// [`UnknownField`] where the text is neither `allow` nor `disallow`.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match Field::named(text.as_bytes()).map(Field::role) {
            Some(Role::Rule(kind)) => Ok(kind),
            _ => Err(UnknownField(())),
        }
    }
}

/// What a line of a field is to the groups of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// It begins a group, or goes on with the user-agent lines of one.
    UserAgent,
    /// It is a rule of its group, and ends the run of user-agent lines before it.
    Rule(RuleKind),
    /// It belongs to no group and ends none.
    Apart,
}

/// What form the values of a field have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    Text,
    PathPattern,
    AbsoluteUrl,
}

impl Field {
    /// Returns the field of this name, ASCII case ignored.
    ///
    /// ```
    /// use robots_core::syntax::Field;
    /// assert_eq!(Field::named(b"User-Agent"), Some(Field::UserAgent));
    /// assert_eq!(Field::named(b"useragent"), None);
    /// ```
    #[must_use]
    #[inline]
    pub fn named(name: &[u8]) -> Option<Self> {
        let called = |field: &Self| name.eq_ignore_ascii_case(field.name().as_bytes());
        Self::ALL.iter().copied().find(called)
    }

    /// Returns the rule a line of the field is, if it is one.
    ///
    /// ```
    /// use robots_core::{RuleKind, syntax::Field};
    /// assert_eq!(Field::Allow.rule(), Some(RuleKind::Allow));
    /// assert_eq!(Field::Sitemap.rule(), None);
    /// ```
    #[must_use]
    #[inline]
    pub const fn rule(self) -> Option<RuleKind> {
        match self.role() {
            Role::Rule(kind) => Some(kind),
            _ => None,
        }
    }
}

impl fmt::Display for Field {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl core::str::FromStr for Field {
    type Err = UnknownField;

    /// Reads the name of a field, ASCII case ignored.
    ///
    /// # Errors
    /// [`UnknownField`] where robots.txt defines no field of that name.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::named(text.as_bytes()).ok_or(UnknownField(()))
    }
}

/// The error of text that names no such field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownField(());

impl fmt::Display for UnknownField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("unknown field; the fields are")?;
        for (position, field) in Field::ALL.iter().enumerate() {
            write!(f, "{} {field}", if position == 0 { "" } else { "," })?;
        }
        Ok(())
    }
}

impl core::error::Error for UnknownField {}

macro_rules! fields {
    ($($field:ident, $name:literal, $role:expr, $form:expr;)*) => {
        /// The fields robots.txt defines.
        ///
        /// ```
        /// use robots_core::syntax::Field;
        /// assert_eq!("Disallow".parse(), Ok(Field::Disallow));
        /// assert_eq!(Field::UserAgent.to_string(), "user-agent");
        /// ```
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Field {
            $(#[doc = concat!("`", $name, "`")] $field,)*
        }

        impl Field {
            /// Holds every field.
            pub const ALL: &'static [Self] = &[$(Self::$field,)*];

            /// Returns the name, in lower case.
            #[must_use]
            #[inline]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$field => $name,)*
                }
            }

            /// What a line of the field is to groups.
            #[inline]
            pub(crate) const fn role(self) -> Role {
                match self {
                    $(Self::$field => $role,)*
                }
            }

            /// What form its values have.
            #[inline]
            pub(crate) const fn form(self) -> Form {
                match self {
                    $(Self::$field => $form,)*
                }
            }
        }
    };
}

fields! {
    Disallow, "disallow", Role::Rule(RuleKind::Disallow), Form::PathPattern;
    Allow, "allow", Role::Rule(RuleKind::Allow), Form::PathPattern;
    UserAgent, "user-agent", Role::UserAgent, Form::Text;
    Sitemap, "sitemap", Role::Apart, Form::AbsoluteUrl;
}
