//! The kinds of question: one file for each kind, and one table of the kinds.
//!
//! Each file of this folder defines a kind: its question, its answer and how a parser answers it; the keys of its cases,
//! its expected answers, how answers are judged and rendered, and its messages in the protocol. Several kinds use
//! `file`, `agents`, `fetched` and `word`. `network` answers the requests of a timeline, and `vector` writes the keys of
//! a line in a flat file. Start at the table below. This module does not know engines, the suite, runs or processes.

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
mod role;
mod scope;
mod sitemaps;
#[macro_use]
mod contract;
mod stated;
mod timeline;
mod usage;
#[cfg(feature = "process")]
mod vector;
mod verdict;
mod word;

use robots_core::fetch::{Access, Freshness, Retry, Scope};
use robots_core::syntax::GrammarMatch;
use robots_core::usage::Preferences;
use robots_core::{Edition, Parser};
use serde_yaml::{Mapping, Value};

pub use self::access::AccessQuestion;
pub use self::agents::Agents;
pub use self::derives::{DerivesQuestion, ExpectedMatch};
pub use self::freshness::FreshnessQuestion;
pub(crate) use self::group::Rule;
pub use self::group::{Group, GroupQuestion};
pub use self::groups::GroupsQuestion;
pub(crate) use self::keys::{KeyProblem, are_listed, check, known_keys, members};
pub use self::network::{
    Delivered, Network, NetworkFailure, ScriptedReply, ScriptedResponse, SentRequest,
};
pub use self::preference::PreferenceQuestion;
pub use self::retry::RetryQuestion;
pub use self::role::Role;
pub use self::scope::ScopeQuestion;
pub use self::sitemaps::SitemapsQuestion;
pub(crate) use self::stated::expected;
pub use self::timeline::{
    ExpectedRequest, ExpectedStep, Retrieve, RetrievedVerdict, StepAnswer, TimelineQuestion,
    TimelineStep,
};
pub use self::usage::{ExpectedUsage, UsageAnswer, UsageQuestion};
#[cfg(feature = "process")]
use self::vector::VectorKeys;
pub use self::verdict::{ExpectedVerdict, VerdictAnswer, VerdictQuestion};
#[cfg(feature = "process")]
use crate::octets::Part;
use robots_console::render;

// Each row defines a kind of question: its question in words, its variant, its id, and the types of its question, of an
// engine's answer, and of an answer that a case states.
kinds! {
    /// May this crawler fetch this URL?
    Verdict "verdict": VerdictQuestion => VerdictAnswer, ExpectedVerdict;
    /// Which groups does this file have, as written, before merging?
    Groups "groups": GroupsQuestion => Vec<Group>, Vec<Group>;
    /// Which merged group does this crawler follow? `None` if it follows no group.
    Group "group": GroupQuestion => Option<Group>, Option<Vec<Rule>>;
    /// Which sitemaps does this file name? The answer contains the values as written, without surrounding white space.
    Sitemaps "sitemaps": SitemapsQuestion => Vec<String>, Vec<String>;
    /// Does the file at this robots.txt URL govern this URL?
    Scope "scope": ScopeQuestion => Scope, Scope;
    /// What does this result of fetching robots.txt mean?
    Access "access": AccessQuestion => Access, Access;
    /// When is robots.txt fetched again after this result?
    Retry "retry": RetryQuestion => Retry, Retry;
    /// May this cached copy still be used?
    Freshness "freshness": FreshnessQuestion => Freshness, Freshness;
    /// Do these octets derive from the edition's grammar?
    Derives "derives": DerivesQuestion => GrammarMatch, ExpectedMatch;
    /// Which uses of this URL's content are allowed to this crawler, if it may fetch the URL?
    Usage "usage": UsageQuestion => UsageAnswer, ExpectedUsage;
    /// Which preferences do these octets state?
    Preference "preference": PreferenceQuestion => Preferences, Preferences;
    /// Which URLs does a retriever request over time, and which URLs may the crawler fetch?
    Timeline "timeline": TimelineQuestion => Vec<StepAnswer>, Vec<ExpectedStep>;
}

robots_core::named!(QuestionKind, id, "kind of question", "kinds");

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

impl Answer {
    /// Makes a verdict that names no deciding line and gives no reason.
    #[must_use]
    pub const fn verdict(allowed: bool) -> Self {
        Self::Verdict(VerdictAnswer { allowed, line: None, evidence: None })
    }

    /// Makes the answer to a question that the engine does not support.
    #[must_use]
    pub fn unsupported(reason: impl Into<String>) -> Self {
        Self::Unsupported(reason.into())
    }
}

/// Renders an engine's answer in the same form as [`text`].
#[must_use]
pub fn answer_text(answer: &Answer) -> String {
    let (what, why) = match answer {
        Answer::Unsupported(reason) => ("unsupported", reason),
        Answer::Error(message) | Answer::TimedOut(message) => ("error", message),
        answered => return stated(answered).map_or_else(String::new, |stated| text(&stated)),
    };
    format!("{what}: {}", render::text(why))
}

/// Returns whether the flat files contain questions of a kind.
///
/// ```
/// use robots_conformance::kind;
/// use robots_conformance::kind::QuestionKind;
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

/// Returns the whole URL for a URL of a case. A URL that begins with `/` belongs to `https://example.com`.
fn absolute(url: &str) -> String {
    if url.starts_with('/') { format!("https://example.com{url}") } else { url.to_owned() }
}

/// Makes a YAML mapping.
fn mapping<const N: usize>(pairs: [(&str, Value); N]) -> Value {
    let pairs = pairs.map(|(key, value)| (key.into(), value));
    Value::Mapping(pairs.into_iter().collect())
}

#[cfg(test)]
mod tests;
