//! The kinds of findings: [`FindingKind`] is generated from one table.
//!
//! A new kind needs one row in `table.rs`, which has everything about it except the check that finds it.

use robots_core::{Edition, Section};

pub use self::table::FindingKind;

/// The severity of a finding.
///
/// ```
/// use robots_lint::Level;
/// assert!(Level::Error > Level::Note);
/// assert_eq!("warning".parse(), Ok(Level::Warning));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// The line is not wrong. But the author may expect an effect that the line does not have, or some software reads
    /// the line differently.
    Note,
    /// The line has an effect, but perhaps not the intended effect, or not for all crawlers.
    Warning,
    /// Some text has no effect, although its author probably intended one.
    Error,
}

impl Level {
    /// Contains every level, from the least severe.
    pub const ALL: &'static [Self] = &[Self::Note, Self::Warning, Self::Error];

    /// Returns the name: `note`, `warning` or `error`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

robots_core::named!(Level, name, "level", "levels");
robots_core::named!(FindingKind, name, "kind of finding", "kinds");

impl FindingKind {
    /// Returns the name, for example `misspelt-field`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.row().name
    }

    /// Returns the severity of findings of the kind.
    #[must_use]
    pub const fn level(self) -> Level {
        self.row().level
    }

    /// Returns a description of the kind in one sentence.
    #[must_use]
    pub const fn summary(self) -> &'static str {
        self.row().summary
    }

    /// Returns a small file that has a finding of the kind, in some edition. A kind that needs a long or a binary file
    /// has no example.
    #[must_use]
    pub const fn example(self) -> Option<&'static str> {
        self.row().example
    }

    /// Returns the section that supports findings of this kind, if the file is read under the given edition; see
    /// [`Finding::source`](super::Finding::source).
    ///
    /// ```
    /// use robots_lint::FindingKind;
    /// use robots_core::Edition;
    /// let source = FindingKind::NoSlash.source(Edition::Rfc9309).unwrap();
    /// assert_eq!((source.requirement(), source.section()), ("RULE-ROOT", "2.2.2"));
    /// ```
    #[must_use]
    pub fn source(self, edition: Edition) -> Option<Section> {
        edition.section(self.row().requirement)
    }
}

/// A row of the table: what is known about a kind of finding.
pub(crate) struct Row {
    name: &'static str,
    level: Level,
    /// The id of the requirement that findings of the kind cite.
    requirement: &'static str,
    summary: &'static str,
    pub(crate) cause: &'static [&'static str],
    pub(crate) fix: &'static [&'static str],
    example: Option<&'static str>,
}

macro_rules! kinds {
    ($($kind:ident = $name:literal, $level:ident, $requirement:literal, $summary:literal
        cause $cause:tt fix $fix:tt $(example $example:literal)?;)*) => {
        /// The kind of a finding.
        ///
        /// ```
        /// use robots_lint::{FindingKind, Level};
        /// assert_eq!("misspelt-field".parse(), Ok(FindingKind::MisspeltField));
        /// assert_eq!(FindingKind::MisspeltField.level(), Level::Error);
        /// ```
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum FindingKind {
            $(#[doc = $summary] $kind,)*
        }

        impl FindingKind {
            /// Contains every kind.
            pub const ALL: &'static [Self] = &[$(Self::$kind,)*];

            const ROWS: &'static [$crate::kind::Row] = &[$($crate::kind::Row {
                name: $name,
                level: $crate::kind::Level::$level,
                requirement: $requirement,
                summary: $summary,
                cause: &$cause,
                fix: &$fix,
                example: { let examples: &[&'static str] = &[$($example)?]; examples.first().copied() },
            },)*];

            /// Returns the row of the kind.
            pub(crate) const fn row(self) -> &'static $crate::kind::Row {
                &Self::ROWS[self as usize]
            }
        }
    };
}
// The table uses the macro above.
mod table;

#[cfg(test)]
mod tests {
    use alloc::string::ToString;

    use super::{FindingKind, Level};

    #[test]
    fn names_are_read_as_they_are_written() {
        for kind in FindingKind::ALL {
            assert_eq!(kind.name().parse(), Ok(*kind));
        }
        for level in Level::ALL {
            assert_eq!(level.name().parse(), Ok(*level));
        }
        let (kind, level) = ("typo".parse::<FindingKind>(), "fatal".parse::<Level>());
        let kind = kind.unwrap_err().to_string();
        assert!(kind.starts_with("unknown kind of finding; the kinds are utf-16, not-text, "));
        assert_eq!(
            level.unwrap_err().to_string(),
            "unknown level; the levels are note, warning, error"
        );
    }
}
