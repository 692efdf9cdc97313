//! The fields that robots.txt defines: one table, from which [`Field`] is generated.
//!
//! A new field needs one row in the table at the end of this file: its name, the kind of rule if its lines are rules,
//! and the form of its values. [`Group::lines`](crate::Group::lines) and
//! [`RobotsTxt::lines`](crate::RobotsTxt::lines) need no change for a new field. The role of the field, in
//! `edition/role.rs`, decides which editions define it, and how its lines affect groups. The most common field comes
//! first in the table, because names are compared in the order of the table.

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
    /// Contains both kinds.
    pub const ALL: [Self; 2] = [Self::Allow, Self::Disallow];

    /// Returns the field name of rules of this kind, in lower case.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Allow => Field::Allow.name(),
            Self::Disallow => Field::Disallow.name(),
        }
    }
}

named!(RuleKind, name, "kind of rule", "kinds", |text| {
    Field::named(text.as_bytes()).and_then(Field::rule)
});

/// The form of a field's values, which decides how they are checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    Text,
    PathPattern,
    AbsoluteUrl,
    /// A preference about the use of content, with or without a path before it. `verdict/usage.rs` reads its octets.
    Preference,
}

impl Field {
    /// Returns the field with this name, without regard to ASCII case.
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
}

named!(Field, name, "field", "fields", |text| Field::named(text.as_bytes()));

macro_rules! fields {
    ($($field:ident, $name:literal, $rule:expr, $form:expr;)*) => {
        /// The fields that at least one edition defines ([`Edition::defines`](crate::Edition::defines)).
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
            /// Contains every field.
            pub const ALL: &'static [Self] = &[$(Self::$field,)*];

            /// Returns the name, in lower case.
            #[must_use]
            #[inline]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$field => $name,)*
                }
            }

            /// Returns the kind of rule that the lines of the field are, or `None` if they are not rules.
            ///
            /// ```
            /// use robots_core::{RuleKind, syntax::Field};
            /// assert_eq!(Field::Allow.rule(), Some(RuleKind::Allow));
            /// assert_eq!(Field::Sitemap.rule(), None);
            /// ```
            #[must_use]
            #[inline]
            pub const fn rule(self) -> Option<RuleKind> {
                match self {
                    $(Self::$field => $rule,)*
                }
            }

            /// Returns the form of the field's values.
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
    Disallow, "disallow", Some(RuleKind::Disallow), Form::PathPattern;
    Allow, "allow", Some(RuleKind::Allow), Form::PathPattern;
    UserAgent, "user-agent", None, Form::Text;
    Sitemap, "sitemap", None, Form::AbsoluteUrl;
    ContentUsage, "content-usage", None, Form::Preference;
}
