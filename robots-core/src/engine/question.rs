//! A question to an engine: [`Question`]. This file also implements the text form of [`QuestionKind`]. The kinds
//! themselves are in the table of `engine/mod.rs`.

use super::{Ask, Profile, QuestionKind};

/// A question to an engine, with the edition or observed profile that the answer must follow.
///
/// ```
/// use robots_core::Edition;
/// use robots_core::engine::{Ask, Question, QuestionKind, SitemapsQuestion};
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

named!(QuestionKind, id, UnknownQuestionKind, "kind of question", "kinds");
