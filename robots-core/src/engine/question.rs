//! A question to an engine, and the text of a question's kind.

use core::fmt;
use core::str::FromStr;

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

impl fmt::Display for QuestionKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.id())
    }
}

impl FromStr for QuestionKind {
    type Err = UnknownQuestionKind;

    /// Reads a kind's id.
    fn from_str(id: &str) -> Result<Self, UnknownQuestionKind> {
        Self::ALL.iter().copied().find(|kind| kind.id() == id).ok_or(UnknownQuestionKind)
    }
}

/// The error of a text that is the id of no [`QuestionKind`]; its message lists them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownQuestionKind;

impl fmt::Display for UnknownQuestionKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the kinds of question are ")?;
        for (index, kind) in QuestionKind::ALL.iter().enumerate() {
            write!(f, "{}{kind}", if index == 0 { "" } else { ", " })?;
        }
        Ok(())
    }
}

impl core::error::Error for UnknownQuestionKind {}
