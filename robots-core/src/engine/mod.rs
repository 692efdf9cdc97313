//! The interface for tests: an [`Engine`] answers [`Question`]s. The suite checks every implementation of robots.txt,
//! in any language, through this trait. [`Interpreted`] makes an engine from a [`Parser`]; [`IsAllowed`] makes one from
//! a closure. Each kind of question has one file in this folder and one row in the table below. The file of a kind
//! defines the data of the question and the role of the engines that answer it. The file also computes the answer of an
//! engine that is made from a parser. Start at the table. The code in this folder defines the ids that cases and the
//! protocol use, but reads no cases and no messages of the protocol.

mod access;
pub(crate) mod agents;
mod answer;
mod derives;
mod freshness;
mod group;
mod groups;
mod interpreted;
mod is_allowed;
mod network;
mod preference;
pub(crate) mod profile;
pub(crate) mod question;
mod retry;
pub(crate) mod role;
mod scope;
mod sitemaps;
#[macro_use]
mod table;
pub(crate) mod timeline;
mod usage;
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
pub use self::network::{
    Deliver, Delivered, Network, NetworkFailure, ScriptedReply, ScriptedResponse, SentRequest,
};
pub use self::preference::PreferenceQuestion;
pub use self::profile::Profile;
pub use self::question::Question;
pub use self::retry::RetryQuestion;
pub use self::role::Role;
pub use self::scope::ScopeQuestion;
pub use self::sitemaps::SitemapsQuestion;
pub use self::timeline::{
    Retrieve, RetrievedVerdict, StepAnswer, TimelineAnswer, TimelineQuestion, TimelineStep,
};
pub use self::usage::{UsageAnswer, UsageQuestion};
pub use self::verdict::{VerdictAnswer, VerdictQuestion};
use crate::edition::Edition;
use crate::fetch::{Access, Freshness, Retry, Scope};
use crate::parser::{GrammarMatch, Parser};
use crate::preference::Preferences;

// Each row defines a kind of question: its question in words, its variant, its id, and the types of its question and
// its answer.
kinds! {
    /// May this crawler fetch this URL?
    Verdict "verdict": VerdictQuestion => VerdictAnswer,
    /// Which groups does this file have, as written, before merging?
    Groups "groups": GroupsQuestion => Vec<WrittenGroup>,
    /// Which merged group does this crawler follow? `None` if it follows no group.
    Group "group": GroupQuestion => Option<WrittenGroup>,
    /// Which sitemaps does this file name? The answer contains the values as written, without surrounding white space.
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
    /// Which uses of this URL's content are allowed to this crawler, if it may fetch the URL?
    Usage "usage": UsageQuestion => UsageAnswer,
    /// Which preferences do these octets state?
    Preference "preference": PreferenceQuestion => Preferences,
    /// Which URLs does a retriever request over time, and which URLs may the crawler fetch?
    Timeline "timeline": TimelineQuestion => TimelineAnswer,
}

/// An implementation of robots.txt that answers questions. References, boxes and `Arc`s of engines implement this trait
/// too.
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
    /// Returns the engine's name, as the names of trials and the reports show it.
    fn name(&self) -> &str;

    /// Returns the profiles that the engine implements. The suite asks only about these profiles.
    ///
    /// A profile is an edition, or [`Profile::GoogleCpp`] for an engine that follows the observed library.
    fn profiles(&self) -> &[Profile];

    /// Returns the roles of the engine; by default, the engine is only a parser. The suite does not ask an engine
    /// questions for roles that the engine does not have.
    fn roles(&self) -> &[Role] {
        &[Role::Parser]
    }

    /// Returns whether the engine uses the clock of a timeline. If the engine has its own clock, the suite does not ask
    /// it about timelines in which time passes or the retriever restarts.
    fn takes_clock(&self) -> bool {
        true
    }

    /// Answers one question. If the engine does not support the question, the answer is [`Answer::Unsupported`].
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

            fn takes_clock(&self) -> bool {
                (**self).takes_clock()
            }

            fn answer(&self, question: &Question) -> Answer {
                (**self).answer(question)
            }
        }
    )*};
}

forward!(&E, Box<E>, Arc<E>);
