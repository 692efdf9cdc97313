//! The contract: an [`Engine`] answers [`Question`]s.
//!
//! An implementation of robots.txt in any language is checked through this trait alone. [`Interpreted`] makes an
//! engine of a [`Parser`], [`IsAllowed`] of a closure.
//!
//! A kind of question is one file of this folder and one row of the table below. The file defines the question and
//! its answer, says who is asked, and answers the question with a parser. Start at the table. No file here knows the
//! cases or the protocol.

mod access;
pub(crate) mod agents;
mod answer;
mod derives;
mod freshness;
mod group;
mod groups;
mod interpreted;
mod is_allowed;
pub(crate) mod profile;
pub(crate) mod question;
mod retry;
pub(crate) mod role;
mod scope;
mod sitemaps;
#[macro_use]
mod table;
mod verdict;

use alloc::boxed::Box;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

pub use self::access::AccessQuestion;
pub use self::agents::Agents;
pub use self::derives::DerivesQuestion;
pub use self::freshness::FreshnessQuestion;
pub use self::group::{GroupQuestion, WrittenGroup};
pub use self::groups::GroupsQuestion;
pub use self::interpreted::Interpreted;
pub use self::is_allowed::{IsAllowed, Unsupported};
pub use self::profile::Profile;
pub use self::question::Question;
pub use self::retry::RetryQuestion;
pub use self::role::Role;
pub use self::scope::ScopeQuestion;
pub use self::sitemaps::SitemapsQuestion;
pub use self::verdict::{VerdictAnswer, VerdictQuestion};
use crate::edition::Edition;
use crate::fetch::{Access, Freshness, Retry, Scope};
use crate::parser::{GrammarMatch, Parser};

// Each row is a kind: what it asks, its variant, its id, and the types of its question and its answer.
kinds! {
    /// May this crawler fetch this URL?
    Verdict "verdict": VerdictQuestion => VerdictAnswer,
    /// Which groups does this file have, as written, before merging?
    Groups "groups": GroupsQuestion => Vec<WrittenGroup>,
    /// Which merged group does this crawler follow? `None` if it follows no group.
    Group "group": GroupQuestion => Option<WrittenGroup>,
    /// Which sitemaps does this file name? The values as written, without surrounding white space.
    Sitemaps "sitemaps": SitemapsQuestion => Vec<String>,
    /// Does the file at this robots.txt URL govern this URL?
    Scope "scope": ScopeQuestion => Scope,
    /// What does this result of fetching robots.txt mean?
    Access "access": AccessQuestion => Access,
    /// When is robots.txt fetched again after this result?
    Retry "retry": RetryQuestion => Retry,
    /// May this cached copy still be used?
    Freshness "freshness": FreshnessQuestion => Freshness,
    /// Do these octets derive from the edition's grammar?
    Derives "derives": DerivesQuestion => GrammarMatch,
}

/// An implementation of robots.txt that answers questions.
///
/// There is no blanket implementation; references, boxes and `Arc`s of engines are engines.
///
/// ```
/// use robots_core::engine::{Answer, Ask, Engine, Question};
/// use robots_core::{Edition, Profile};
///
/// struct AllowsAll;
///
/// impl Engine for AllowsAll {
///     fn name(&self) -> &str { "allows-all" }
///     fn profiles(&self) -> &[Profile] { &[Profile::Edition(Edition::Rfc9309)] }
///     fn answer(&self, question: &Question) -> Answer {
///         match question.ask {
///             Ask::Verdict(_) => Answer::verdict(true),
///             _ => Answer::unsupported("verdicts only"),
///         }
///     }
/// }
///
/// let engine: Box<dyn Engine> = Box::new(AllowsAll);
/// assert_eq!(engine.name(), "allows-all");
/// ```
pub trait Engine: Send + Sync {
    /// Returns the engine's name in trial names and reports.
    fn name(&self) -> &str;

    /// Returns the profiles that the engine implements; it is asked about no other.
    ///
    /// Those are editions, and [`Profile::GoogleCpp`] if it also gives verdicts by the observed profile.
    fn profiles(&self) -> &[Profile];

    /// Returns what the engine is: a parser by default. Questions for another role are not asked.
    fn roles(&self) -> &[Role] {
        &[Role::Parser]
    }

    /// Answers one question; a question it cannot answer gets [`Answer::Unsupported`].
    fn answer(&self, question: &Question) -> Answer;
}

macro_rules! forward {
    ($($pointer:ty),*) => {$(
        impl<E: Engine + ?Sized> Engine for $pointer {
            fn name(&self) -> &str {
                (**self).name()
            }

            fn profiles(&self) -> &[Profile] {
                (**self).profiles()
            }

            fn roles(&self) -> &[Role] {
                (**self).roles()
            }

            fn answer(&self, question: &Question) -> Answer {
                (**self).answer(question)
            }
        }
    )*};
}

forward!(&E, Box<E>, Arc<E>);
