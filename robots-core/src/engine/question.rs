//! What an engine is asked.

use core::fmt;
use core::str::FromStr;

use super::Role;
use crate::agent::Crawler;
use crate::edition::Profile;
use crate::fetch::{CachedCopy, FetchResult};

/// A question to an engine: what is asked, and by which edition or observed profile it is to answer.
///
/// ```
/// use robots_core::Edition;
/// use robots_core::engine::{Ask, Question, QuestionKind};
/// let question = Question {
///     profile: Edition::Rfc9309.into(),
///     ask: Ask::Sitemaps { robots_txt: b"sitemap: https://example.com/s.xml\n" },
/// };
/// assert_eq!(question.ask.kind(), QuestionKind::Sitemaps);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question<'a> {
    /// The edition to answer by; the observed profile is asked for verdicts only.
    pub profile: Profile,
    /// What is asked.
    pub ask: Ask<'a>,
}

/// What is asked.
///
/// Octets are the file as fetched, line endings and byte order mark included; URLs are the text as
/// given, neither encoded nor decoded.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Ask<'a> {
    /// May this crawler fetch this URL?
    Verdict {
        /// The octets of the file.
        robots_txt: &'a [u8],
        /// Who asks.
        crawler: &'a Crawler,
        /// The URL, or its path and query.
        url: &'a str,
    },
    /// Which groups stand in the file, as written, before merging?
    Groups {
        /// The octets of the file.
        robots_txt: &'a [u8],
    },
    /// Which merged group does this crawler follow?
    Group {
        /// The octets of the file.
        robots_txt: &'a [u8],
        /// Who asks.
        crawler: &'a Crawler,
    },
    /// Which sitemaps does the file name?
    Sitemaps {
        /// The octets of the file.
        robots_txt: &'a [u8],
    },
    /// Does the file at this robots.txt URL govern this URL?
    Scope {
        /// Where the file was asked for.
        robots_url: &'a str,
        /// Where it came from, where redirects led elsewhere.
        came_from: Option<&'a str>,
        /// The URL to be crawled.
        url: &'a str,
    },
    /// What does this result of fetching robots.txt mean?
    Access {
        /// What came back.
        fetch: FetchResult,
    },
    /// When is robots.txt to be fetched again after this result?
    Retry {
        /// What came back.
        fetch: FetchResult,
    },
    /// May this cached copy still be used?
    Freshness {
        /// The copy.
        copy: CachedCopy,
    },
    /// Do these octets derive from the edition's grammar?
    Derives {
        /// The octets of the file.
        robots_txt: &'a [u8],
    },
}

impl Ask<'_> {
    /// Returns the kind of question.
    #[must_use]
    pub const fn kind(&self) -> QuestionKind {
        match self {
            Self::Verdict { .. } => QuestionKind::Verdict,
            Self::Groups { .. } => QuestionKind::Groups,
            Self::Group { .. } => QuestionKind::Group,
            Self::Sitemaps { .. } => QuestionKind::Sitemaps,
            Self::Scope { .. } => QuestionKind::Scope,
            Self::Access { .. } => QuestionKind::Access,
            Self::Retry { .. } => QuestionKind::Retry,
            Self::Freshness { .. } => QuestionKind::Freshness,
            Self::Derives { .. } => QuestionKind::Derives,
        }
    }
}

/// The kinds of question.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum QuestionKind {
    /// [`Ask::Verdict`].
    #[default]
    Verdict,
    /// [`Ask::Groups`].
    Groups,
    /// [`Ask::Group`].
    Group,
    /// [`Ask::Sitemaps`].
    Sitemaps,
    /// [`Ask::Scope`].
    Scope,
    /// [`Ask::Access`].
    Access,
    /// [`Ask::Retry`].
    Retry,
    /// [`Ask::Freshness`].
    Freshness,
    /// [`Ask::Derives`].
    Derives,
}

impl QuestionKind {
    /// Holds every kind.
    pub const ALL: &'static [Self] = &[
        Self::Verdict,
        Self::Groups,
        Self::Group,
        Self::Sitemaps,
        Self::Scope,
        Self::Access,
        Self::Retry,
        Self::Freshness,
        Self::Derives,
    ];

    /// Returns the kind as the cases and the protocol write it.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::Verdict => "verdict",
            Self::Groups => "groups",
            Self::Group => "group",
            Self::Sitemaps => "sitemaps",
            Self::Scope => "scope",
            Self::Access => "access",
            Self::Retry => "retry",
            Self::Freshness => "freshness",
            Self::Derives => "derives",
        }
    }

    /// Returns who alone is asked such questions: a crawler what the network, a clock and hosts are to it,
    /// a parser what stands in a file. A verdict is asked of either.
    ///
    /// ```
    /// use robots_core::engine::{QuestionKind, Role};
    /// assert_eq!(QuestionKind::Freshness.role(), Some(Role::Crawler));
    /// assert_eq!(QuestionKind::Verdict.role(), None);
    /// ```
    #[must_use]
    pub const fn role(self) -> Option<Role> {
        match self {
            Self::Verdict => None,
            Self::Groups | Self::Group | Self::Sitemaps | Self::Derives => Some(Role::Parser),
            Self::Scope | Self::Access | Self::Retry | Self::Freshness => Some(Role::Crawler),
        }
    }
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

/// A text that is the id of no [`QuestionKind`]; its message lists them.
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
