//! Reads the statements about the use of content that a crawler follows, and the preferences that they give to a path.
//!
//! Without the feature `usage`, no statement is read. [`are_unread`] then finds the files that have statements, so that
//! their comparison does not count as exact.

use robots_core::RobotsTxtRef;
use robots_core::syntax::LineNumber;

#[cfg(feature = "usage")]
pub(super) use self::read::{decides, preference, statements, usage};
#[cfg(not(feature = "usage"))]
pub(super) use self::unread::{decides, preference, statements};

/// The place of a rule or a statement in its file.
#[derive(Clone, Copy, Debug)]
pub(super) struct Source<'r> {
    /// The path pattern as written. For a statement without a path, it is empty.
    pub(super) path: &'r [u8],
    pub(super) line: LineNumber,
}

/// Returns whether a file has statements that are not read.
pub(super) fn are_unread(file: RobotsTxtRef<'_>) -> bool {
    use robots_core::syntax::{Field, LineKind};

    let is_statement =
        |kind| matches!(kind, LineKind::Record { field: Field::ContentUsage, effect: _ });
    cfg!(not(feature = "usage")) && file.lines().any(|(_, kind)| is_statement(kind))
}

#[cfg(feature = "usage")]
mod read {
    use robots_core::path::Pattern;
    use robots_core::usage::{Category, Preference, Preferences, Usage, Vocabulary};
    use robots_core::{MergedGroup, RuleSet};

    use super::Source;

    /// Returns the statements of a merged group with their preferences. A statement without a path has the empty
    /// pattern, which matches every path and has the precedence 0.
    pub(in crate::effect) fn statements<'r>(
        merged: &MergedGroup<'r>,
    ) -> impl Iterator<Item = (Source<'r>, Preferences)> + use<'r> {
        merged.statements().map(|statement| {
            let path = statement.path().unwrap_or_default();
            (Source { path, line: statement.line().number }, statement.preferences())
        })
    }

    /// Returns the preference for a path, or `None` if the path is disallowed.
    pub(in crate::effect) fn preference(
        rules: &RuleSet,
        path: &str,
        category: Category,
    ) -> Option<Preference> {
        usage(rules.usage(path, &[]), category).preference(category)
    }

    /// Returns whether a statement with this pattern decides about a path.
    pub(in crate::effect) fn decides(rules: &RuleSet, path: &str, pattern: &Pattern<'_>) -> bool {
        let usage = rules.usage(path, &[]);
        usage.statements().any(|it| Pattern::new(it.path().unwrap_or_default()) == *pattern)
    }

    /// Returns the same result, but under a vocabulary that has the category: the default vocabulary if possible.
    pub(in crate::effect) fn usage(usage: Usage<'_>, category: Category) -> Usage<'_> {
        let has = |vocabulary: &&Vocabulary| vocabulary.categories().contains(&category);
        usage.by(Vocabulary::ALL.iter().copied().find(|it| has(&it)).unwrap_or_default())
    }
}

#[cfg(not(feature = "usage"))]
mod unread {
    use robots_core::path::Pattern;
    use robots_core::usage::{Category, Preference, Preferences};
    use robots_core::{MergedGroup, RuleSet};

    use super::Source;

    pub(in crate::effect) fn statements<'r>(
        _: &MergedGroup<'r>,
    ) -> impl Iterator<Item = (Source<'r>, Preferences)> + use<'r> {
        core::iter::empty()
    }

    pub(in crate::effect) fn preference(_: &RuleSet, _: &str, _: Category) -> Option<Preference> {
        None
    }

    pub(in crate::effect) fn decides(_: &RuleSet, _: &str, _: &Pattern<'_>) -> bool {
        false
    }
}
