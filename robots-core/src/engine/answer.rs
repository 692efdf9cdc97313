//! What an engine answers.

use alloc::string::String;
use alloc::vec::Vec;

#[cfg(doc)]
use super::Ask;
use super::QuestionKind;
use crate::fetch::{Access, Freshness, Retry, Scope};
use crate::line::RuleKind;
use crate::parser::GrammarMatch;

/// An engine's answer.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Answer {
    /// Answers [`Ask::Verdict`].
    Verdict {
        /// Whether the URL may be fetched.
        allowed: bool,
        /// The number of the deciding line, from 1, where the engine knows it.
        line: Option<u32>,
        /// The engine's reason in words; shown, never judged.
        evidence: Option<String>,
    },
    /// Answers [`Ask::Groups`].
    Groups(Vec<WrittenGroup>),
    /// Answers [`Ask::Group`]; `None` where the crawler follows no group.
    Group(Option<WrittenGroup>),
    /// Answers [`Ask::Sitemaps`]: the values as written, without surrounding white space.
    Sitemaps(Vec<String>),
    /// Answers [`Ask::Scope`].
    Scope(Scope),
    /// Answers [`Ask::Access`].
    Access(Access),
    /// Answers [`Ask::Retry`].
    Retry(Retry),
    /// Answers [`Ask::Freshness`].
    Freshness(Freshness),
    /// Answers [`Ask::Derives`].
    Derives(GrammarMatch),
    /// The engine does not answer questions of this kind; the text says why.
    Unsupported(String),
    /// The engine failed to answer; the text says how.
    Error(String),
}

impl Answer {
    /// Makes a bare verdict, without line or evidence.
    #[must_use]
    pub fn verdict(allowed: bool) -> Self {
        Self::Verdict { allowed, line: None, evidence: None }
    }

    /// Returns what kind of question it answers; `None` where it answers none.
    #[must_use]
    pub const fn kind(&self) -> Option<QuestionKind> {
        Some(match self {
            Self::Verdict { .. } => QuestionKind::Verdict,
            Self::Groups(_) => QuestionKind::Groups,
            Self::Group(_) => QuestionKind::Group,
            Self::Sitemaps(_) => QuestionKind::Sitemaps,
            Self::Scope(_) => QuestionKind::Scope,
            Self::Access(_) => QuestionKind::Access,
            Self::Retry(_) => QuestionKind::Retry,
            Self::Freshness(_) => QuestionKind::Freshness,
            Self::Derives(_) => QuestionKind::Derives,
            Self::Unsupported(_) | Self::Error(_) => return None,
        })
    }

    /// Makes the answer to a question the engine does not answer.
    #[must_use]
    pub fn unsupported(reason: impl Into<String>) -> Self {
        Self::Unsupported(reason.into())
    }
}

/// A group as an answer states it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WrittenGroup {
    /// The values of its user-agent lines, as written, without surrounding white space.
    pub agents: Vec<String>,
    /// Its rules in the order of the file: the kind, and the value as written, without surrounding
    /// white space. Rules without effect are left out; octets outside UTF-8 read U+FFFD.
    pub rules: Vec<(RuleKind, String)>,
}
