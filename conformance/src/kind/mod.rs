//! The kinds of question: one file for each, and one table.
//!
//! A file of this folder defines what a kind is to the suite: the keys of its cases, the answers that they expect, how
//! an answer is judged, how both are shown, and its messages in the protocol. What is asked, and how our own engines
//! answer, is in `robots_core::engine`. Files that several kinds use are `file`, `agents`, `fetched` and `word`.
//! Start at the table below. Nothing here knows a suite, a run or a process.

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
mod retry;
mod scope;
mod sitemaps;
#[macro_use]
mod table;
mod stated;
mod verdict;
mod word;

use robots_core::engine::{
    AccessQuestion, Answer, Ask, DerivesQuestion, FreshnessQuestion, GroupQuestion, GroupsQuestion,
    QuestionKind, RetryQuestion, ScopeQuestion, SitemapsQuestion, VerdictQuestion,
};
use robots_core::fetch::{Access, Freshness, Retry, Scope};
use serde_yaml::{Mapping, Value};

pub use self::derives::ExpectedMatch;
pub use self::group::Rule;
pub use self::groups::Group;
pub(crate) use self::keys::{KeyProblem, are_listed, check, known_keys, members};
pub(crate) use self::stated::expected;
pub use self::verdict::ExpectedVerdict;
use crate::render;

// Each row is a kind: its variant, the type of its questions, and what a case expects of an answer.
kinds! {
    /// The verdict.
    Verdict: VerdictQuestion => ExpectedVerdict,
    /// The groups as written.
    Groups: GroupsQuestion => Vec<Group>,
    /// The rules of the merged group; `None` if the crawler follows no group.
    Group: GroupQuestion => Option<Vec<Rule>>,
    /// The sitemaps, as written.
    Sitemaps: SitemapsQuestion => Vec<String>,
    /// What the URL governs.
    Scope: ScopeQuestion => Scope,
    /// What the fetch result means.
    Access: AccessQuestion => Access,
    /// When robots.txt is fetched again.
    Retry: RetryQuestion => Retry,
    /// Whether the copy may be used.
    Freshness: FreshnessQuestion => Freshness,
    /// What derives from the grammar.
    Derives: DerivesQuestion => ExpectedMatch,
}

/// One thing a case asks.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Member {
    /// Its name in a trial's name, made printable; `None` if the case has no lists.
    pub name: Option<String>,
    /// What is asked.
    pub ask: Ask,
    /// What `as-listed` means for it.
    pub listed: Option<Expected>,
}

/// Renders an engine's answer in the form of [`text`].
#[must_use]
pub fn answer_text(answer: &Answer) -> String {
    match (stated(answer), answer) {
        (Some(expected), _) => text(&expected),
        (None, Answer::Unsupported(reason)) => format!("unsupported: {}", render::text(reason)),
        (None, Answer::Error(what)) => format!("error: {}", render::text(what)),
        (None, other) => format!("{other:?}"),
    }
}

/// Makes a YAML mapping.
fn mapping<const N: usize>(pairs: [(&str, Value); N]) -> Value {
    let pairs = pairs.map(|(key, value)| (key.into(), value));
    Value::Mapping(pairs.into_iter().collect())
}
