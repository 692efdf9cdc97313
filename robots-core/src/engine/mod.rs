//! The contract: an [`Engine`] answers [`Question`]s.
//!
//! An implementation of robots.txt, in whatever language and however built, is checked through this
//! trait alone. [`Interpreted`] makes an engine of a [`Parser`](crate::Parser), [`IsAllowed`] of a
//! closure.
//!
//! A new kind of question is a variant of [`QuestionKind`] and of [`Ask`], and its answer one of [`Answer`].

mod answer;
mod interpreted;
mod is_allowed;
mod question;
mod role;

use alloc::boxed::Box;
use alloc::sync::Arc;

pub use self::answer::{Answer, WrittenGroup};
pub use self::interpreted::Interpreted;
pub use self::is_allowed::{IsAllowed, Unsupported};
pub use self::question::{Ask, Question, QuestionKind, UnknownQuestionKind};
pub use self::role::{Role, UnknownRole};
use crate::edition::Profile;

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
///     fn answer(&self, question: &Question<'_>) -> Answer {
///         match question.ask {
///             Ask::Verdict { .. } => Answer::verdict(true),
///             _ => Answer::unsupported("verdicts only"),
///         }
///     }
/// }
///
/// let engine: Box<dyn Engine> = Box::new(AllowsAll);
/// assert_eq!(engine.name(), "allows-all");
/// ```
pub trait Engine: Send + Sync {
    /// Returns the name under which the engine appears in trial names and reports.
    fn name(&self) -> &str;

    /// Returns the profiles the engine implements; it is asked about no other.
    ///
    /// Those are editions, and [`Profile::GoogleCpp`] where it also gives verdicts by the observed profile.
    fn profiles(&self) -> &[Profile];

    /// Returns what the engine is; a parser, unless it says so. What is another's to answer is not asked.
    fn roles(&self) -> &[Role] {
        &[Role::Parser]
    }

    /// Answers one question; a question it cannot answer gets [`Answer::Unsupported`].
    fn answer(&self, question: &Question<'_>) -> Answer;
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

            fn answer(&self, question: &Question<'_>) -> Answer {
                (**self).answer(question)
            }
        }
    )*};
}

forward!(&E, Box<E>, Arc<E>);
