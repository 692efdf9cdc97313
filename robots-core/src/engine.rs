//! The contract: an [`Engine`] answers [`Question`]s.
//!
//! An implementation of robots.txt, in whatever language and however built, is checked through this
//! trait alone. [`Interpreted`](crate::Interpreted) makes an engine of a [`Parser`](crate::Parser),
//! [`IsAllowed`](crate::IsAllowed) of a closure.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;

use crate::{
    Access, CachedCopy, Crawler, Derivation, Edition, FetchResult, Freshness, Profile, RuleKind,
    Scope,
};

/// An implementation of robots.txt that answers questions.
///
/// There is no blanket implementation; references, boxes and `Arc`s of engines are engines.
///
/// ```
/// use robots_core::{Answer, Edition, Engine, Question};
///
/// struct AllowsAll;
///
/// impl Engine for AllowsAll {
///     fn name(&self) -> &str { "allows-all" }
///     fn editions(&self) -> &[Edition] { &[Edition::Rfc9309] }
///     fn answer(&self, question: &Question<'_>) -> Answer {
///         match question {
///             Question::Verdict { .. } => Answer::verdict(true),
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

    /// Returns the editions the engine implements; it is asked about no other.
    fn editions(&self) -> &[Edition];

    /// Returns whether the engine also answers verdicts by the observed profile,
    /// [`Profile::GoogleCpp`]; no, unless it says so.
    fn observes(&self) -> bool {
        false
    }

    /// Returns what the engine is; a parser, unless it says so. What is another's to answer is not asked.
    fn roles(&self) -> &[Role] {
        &[Role::Parser]
    }

    /// Answers one question; a question it cannot answer gets [`Answer::Unsupported`].
    fn answer(&self, question: &Question<'_>) -> Answer;
}

/// To whom a requirement is addressed.
///
/// ```
/// use robots_core::{Engine, IsAllowed, Role};
/// let engine = IsAllowed { name: "open", f: |_: &[u8], _: &str, _: &str| true };
/// assert_eq!(engine.roles(), [Role::Parser]);
/// assert_eq!(Role::Crawler.id(), "crawler");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    /// To whoever is given a file, a crawler's name and a URL.
    #[default]
    Parser,
    /// To whoever also fetches: what it does with the network, a clock, a size.
    Crawler,
}

impl Role {
    /// Holds both roles.
    pub const ALL: [Self; 2] = [Self::Parser, Self::Crawler];

    /// Returns the role as the cases and the protocol write it.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::Parser => "parser",
            Self::Crawler => "crawler",
        }
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.id())
    }
}

/// A question to an engine.
///
/// Octets are the file as fetched, line endings and byte order mark included; URLs are the text as
/// given, neither encoded nor decoded.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Question<'a> {
    /// May this crawler fetch this URL?
    Verdict {
        /// The edition, or the observed profile, to answer by.
        profile: Profile,
        /// The octets of the file.
        robots_txt: &'a [u8],
        /// Who asks.
        crawler: &'a Crawler,
        /// The URL, or its path and query.
        url: &'a str,
    },
    /// Which groups stand in the file, as written, before merging?
    Groups {
        /// The edition to answer by.
        edition: Edition,
        /// The octets of the file.
        robots_txt: &'a [u8],
    },
    /// Which merged group does this crawler follow?
    Group {
        /// The edition to answer by.
        edition: Edition,
        /// The octets of the file.
        robots_txt: &'a [u8],
        /// Who asks.
        crawler: &'a Crawler,
    },
    /// Which sitemaps does the file name?
    Sitemaps {
        /// The edition to answer by.
        edition: Edition,
        /// The octets of the file.
        robots_txt: &'a [u8],
    },
    /// Does the file at this robots.txt URL govern this URL?
    Scope {
        /// The edition to answer by.
        edition: Edition,
        /// Where the file was asked for.
        robots_url: &'a str,
        /// Where it came from, where redirects led elsewhere.
        came_from: Option<&'a str>,
        /// The URL to be crawled.
        url: &'a str,
    },
    /// What does this result of fetching robots.txt mean?
    Access {
        /// The edition to answer by.
        edition: Edition,
        /// What came back.
        fetch: FetchResult,
    },
    /// May this cached copy still be used?
    Freshness {
        /// The edition to answer by.
        edition: Edition,
        /// The copy.
        copy: CachedCopy,
    },
    /// Do these octets derive from the edition's grammar?
    Derives {
        /// The edition to answer by.
        edition: Edition,
        /// The octets of the file.
        robots_txt: &'a [u8],
    },
}

impl Question<'_> {
    /// Returns the edition to answer by; only verdicts are asked by the observed profile.
    #[must_use]
    pub fn profile(&self) -> Profile {
        match self {
            Self::Verdict { profile, .. } => *profile,
            Self::Groups { edition, .. }
            | Self::Group { edition, .. }
            | Self::Sitemaps { edition, .. }
            | Self::Scope { edition, .. }
            | Self::Access { edition, .. }
            | Self::Freshness { edition, .. }
            | Self::Derives { edition, .. } => Profile::Edition(*edition),
        }
    }
}

/// An engine's answer.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Answer {
    /// Answers [`Question::Verdict`].
    Verdict {
        /// Whether the URL may be fetched.
        allowed: bool,
        /// The number of the deciding line, from 1, where the engine knows it.
        line: Option<u32>,
        /// The engine's reason in words; shown, never judged.
        evidence: Option<String>,
    },
    /// Answers [`Question::Groups`].
    Groups(Vec<WrittenGroup>),
    /// Answers [`Question::Group`]; `None` where the crawler follows no group.
    Group(Option<WrittenGroup>),
    /// Answers [`Question::Sitemaps`]: the values as written, without surrounding white space.
    Sitemaps(Vec<String>),
    /// Answers [`Question::Scope`].
    Scope(Scope),
    /// Answers [`Question::Access`].
    Access(Access),
    /// Answers [`Question::Freshness`].
    Freshness(Freshness),
    /// Answers [`Question::Derives`].
    Derives(Derivation),
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

macro_rules! forward {
    ($($pointer:ty),*) => {$(
        impl<E: Engine + ?Sized> Engine for $pointer {
            fn name(&self) -> &str {
                (**self).name()
            }

            fn editions(&self) -> &[Edition] {
                (**self).editions()
            }

            fn observes(&self) -> bool {
                (**self).observes()
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
