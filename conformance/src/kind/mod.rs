//! The kinds of question: one file for each kind, and one table of the kinds.
//!
//! Each file of this folder defines a kind for the suite: the keys of its cases, its expected answers, how answers are
//! judged and rendered, and its messages in the protocol. `robots_core::engine` defines the questions and how our
//! engines answer them. Several kinds use `file`, `agents`, `fetched` and `word`. `network` reads the script of a
//! timeline, and `vector` writes the keys of a line in a flat file. Start at the table below. This module does not know
//! the suite, runs or processes.

mod access;
mod agents;
mod derives;
mod fetched;
#[cfg(feature = "process")]
pub(crate) mod fields;
mod file;
mod freshness;
mod group;
mod groups;
mod keys;
pub(crate) mod network;
mod preference;
mod retry;
mod scope;
mod sitemaps;
#[macro_use]
mod table;
mod stated;
mod timeline;
mod usage;
#[cfg(feature = "process")]
mod vector;
mod verdict;
mod word;

use robots_core::Edition;
use robots_core::engine::{
    AccessQuestion, Answer, Ask, DerivesQuestion, FreshnessQuestion, GroupQuestion, GroupsQuestion,
    PreferenceQuestion, QuestionKind, RetryQuestion, ScopeQuestion, SitemapsQuestion,
    TimelineQuestion, UsageQuestion, VerdictQuestion,
};
use robots_core::fetch::{Access, Freshness, Retry, Scope};
use robots_core::usage::Preferences;
use serde_yaml::{Mapping, Value};

pub use self::derives::ExpectedMatch;
pub use self::group::Rule;
pub use self::groups::Group;
pub(crate) use self::keys::{KeyProblem, are_listed, check, known_keys, members};
pub(crate) use self::stated::expected;
pub use self::timeline::{ExpectedRequest, ExpectedStep};
pub use self::usage::ExpectedUsage;
#[cfg(feature = "process")]
use self::vector::VectorKeys;
pub use self::verdict::ExpectedVerdict;
#[cfg(feature = "process")]
use crate::octets::Part;
use crate::render;

// Each row is a kind: its variant, the type of its questions, and the type of its expected answers.
kinds! {
    /// The verdict.
    Verdict: VerdictQuestion => ExpectedVerdict,
    /// The groups as written.
    Groups: GroupsQuestion => Vec<Group>,
    /// The rules of the merged group; `None` if the crawler follows no group.
    Group: GroupQuestion => Option<Vec<Rule>>,
    /// The sitemaps, as written.
    Sitemaps: SitemapsQuestion => Vec<String>,
    /// The relation of the file to the URL: whether the file governs it.
    Scope: ScopeQuestion => Scope,
    /// The meaning of the fetch result.
    Access: AccessQuestion => Access,
    /// The time at which robots.txt is fetched again.
    Retry: RetryQuestion => Retry,
    /// The freshness of a cached copy: whether the copy may be used.
    Freshness: FreshnessQuestion => Freshness,
    /// The results for the file and its lines: whether they derive from the grammar.
    Derives: DerivesQuestion => ExpectedMatch,
    /// The preferences about the use of a URL's content.
    Usage: UsageQuestion => ExpectedUsage,
    /// The preferences that some octets state.
    Preference: PreferenceQuestion => Preferences,
    /// The actions of a retriever at each step.
    Timeline: TimelineQuestion => Vec<ExpectedStep>,
}

/// One question of a case. A case with lists has a member for each entry of its lists.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Member {
    /// The last part of the trial's name, in printable characters; `None` if the case has no lists.
    pub name: Option<String>,
    /// The question.
    pub ask: Ask,
    /// The answer of the list that this member belongs to, which a case expects with `as-listed`. `None` if the case
    /// has no lists.
    pub listed: Option<Expected>,
}

/// Renders an engine's answer in the same form as [`text`].
#[must_use]
pub fn answer_text(answer: &Answer) -> String {
    match (stated(answer), answer) {
        (Some(expected), _) => text(&expected),
        (None, Answer::Unsupported(reason)) => format!("unsupported: {}", render::text(reason)),
        (None, Answer::Error(what) | Answer::TimedOut(what)) => {
            format!("error: {}", render::text(what))
        }
        (None, other) => format!("{other:?}"),
    }
}

/// Returns whether the flat files contain questions of a kind.
///
/// ```
/// use robots_conformance::kind;
/// use robots_core::engine::QuestionKind;
/// assert!(kind::has_vectors(QuestionKind::Sitemaps));
/// assert!(!kind::has_vectors(QuestionKind::Scope));
/// ```
#[cfg(feature = "process")]
#[must_use]
pub const fn has_vectors(kind: QuestionKind) -> bool {
    wire::has_vectors(kind)
}

/// Returns the keys of a question in a vector, which is one line of a flat file. `robots_parts` are the parts of the
/// question's robots.txt, or an empty list if the case does not write the robots.txt in parts. If the flat files do not
/// contain the kind of the question, there are no keys.
#[cfg(feature = "process")]
#[must_use]
pub fn vector_keys(ask: &Ask, robots_parts: &[Part]) -> serde_json::Map<String, serde_json::Value> {
    let mut keys = VectorKeys::new(robots_parts);
    wire::write_vector(ask, &mut keys);
    keys.into_map()
}

/// Makes a YAML mapping.
fn mapping<const N: usize>(pairs: [(&str, Value); N]) -> Value {
    let pairs = pairs.map(|(key, value)| (key.into(), value));
    Value::Mapping(pairs.into_iter().collect())
}

#[cfg(test)]
mod tests;
