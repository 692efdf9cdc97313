//! A question to an engine, and the text of a question's kind.

use super::{Ask, Profile, QuestionKind};

/// A question to an engine: what is asked, and the edition or observed profile to answer by.
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
    /// The edition to answer by; the observed profile is asked for verdicts only.
    pub profile: Profile,
    /// What is asked.
    pub ask: Ask,
}

named!(QuestionKind, id, UnknownQuestionKind, "kind of question", "kinds");
