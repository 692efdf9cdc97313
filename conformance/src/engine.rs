//! The interface to a subject: an [`Engine`] answers [`Question`]s. The suite checks every implementation of robots.txt,
//! in any language, through this trait.
//!
//! [`Interpreted`] makes an engine from a [`Parser`](robots_core::Parser), and [`IsAllowed`] makes one from a closure.
//! The [`Profile`] of a question is the edition or the observed library that the answer must follow. The kinds of
//! question are in [`kind`](crate::kind). This module knows no cases and no messages of the protocol.

mod interpreted;
mod is_allowed;
mod profile;

use std::sync::Arc;
use std::time::Duration;

pub use self::interpreted::Interpreted;
pub use self::is_allowed::IsAllowed;
pub use self::profile::Profile;
use crate::kind::{Answer, Ask, Role};

/// A question to an engine, with the edition or observed profile that the answer must follow.
///
/// ```
/// use robots_conformance::engine::Question;
/// use robots_conformance::kind::{Ask, QuestionKind, SitemapsQuestion};
/// use robots_core::Edition;
/// let robots_txt = (*b"sitemap: https://example.com/s.xml\n").into();
/// let question = Question {
///     profile: Edition::Rfc9309.into(),
///     ask: Ask::Sitemaps(SitemapsQuestion { robots_txt }),
/// };
/// assert_eq!(question.ask.kind(), QuestionKind::Sitemaps);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// The profile that the answer must follow. The observed profile `google-cpp` has only verdict questions.
    pub profile: Profile,
    /// The kind of the question and its data.
    pub ask: Ask,
}

/// An implementation of robots.txt that answers questions. References, boxes and `Arc`s of engines implement this trait
/// too.
///
/// ```
/// use robots_conformance::engine::{Engine, Profile, Question};
/// use robots_conformance::kind::{Answer, Ask};
/// use robots_core::Edition;
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

    /// Answers one question, and returns what only the engine knows about it. The runner calls this function. By
    /// default, the reply contains only the [answer](Self::answer).
    fn reply(&self, question: &Question) -> Reply {
        self.answer(question).into()
    }
}

/// An engine's answer, and what only the engine knows about the question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reply {
    /// The answer.
    pub answer: Answer,
    /// The time that the answer took, without waits for a free process, for the start of a process, and for answers to
    /// earlier questions. `None` if the engine does not wait; the runner then measures the time.
    pub took: Option<Duration>,
    /// The `id` of the question in the protocol, if the question has no usable answer.
    pub id: Option<u64>,
}

impl From<Answer> for Reply {
    fn from(answer: Answer) -> Self {
        Self { answer, took: None, id: None }
    }
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

            fn reply(&self, question: &Question) -> Reply {
                (**self).reply(question)
            }
        }
    )*};
}

forward!(&E, Box<E>, Arc<E>);
