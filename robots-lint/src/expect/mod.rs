//! Expectations for a robots.txt, and the check whether a file meets them.
//!
//! Start at [`Expectations::read`] and [`check`]. `read` reads expectations from YAML, which people who are not
//! programmers can write. `check` compares the expectations with a file. This module reads no files, does not fetch,
//! and has no command line.

mod checked;
mod draft;
mod read;

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use robots_core::{Crawler, CrawlerRef};

pub use checked::{Checked, check};
pub use draft::draft;
pub use robots_yaml::{Mistake, Place};

/// The word that stands for every crawler, whether or not the file names it.
pub const EVERYONE: &str = "everyone";

/// All expectations for a file.
///
/// ```
/// use robots_lint::expect::{Expectations, check};
/// let expectations = Expectations::read("never-blocked: [Googlebot]\nurls:\n- disallow: [/private/]\n")?;
/// let robots = robots_nom_parser::parse("user-agent: *\ndisallow: /\n");
/// let failed: Vec<_> = check(&expectations, &robots).into_iter().filter(|one| !one.is_met()).collect();
/// assert_eq!(failed.len(), 1);
/// assert_eq!(failed[0].expected(), "Googlebot is not blocked");
/// # Ok::<(), robots_lint::expect::Mistake>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Expectations {
    /// The expectations, in the order of the text: one for each agent in `never-blocked` or `blocked`, for each pair of
    /// an agent and a URL, and for each sitemap.
    pub all: Vec<Expectation>,
    /// The crawlers that follow other groups than that of `*` if no group names them.
    pub crawlers: Vec<Crawler>,
}

impl Expectations {
    /// Returns the crawler with an agent's token.
    fn crawler<'a>(&'a self, agent: &'a str) -> CrawlerRef<'a> {
        let is_it = |it: &&Crawler| it.tokens()[0].as_str().eq_ignore_ascii_case(agent);
        self.crawlers.iter().find(is_it).map_or(agent.into(), CrawlerRef::from)
    }
}

/// One expectation, and its place in the YAML text.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Expectation {
    /// The line and the column where the expectation is.
    pub place: Place,
    /// The expectation itself.
    pub what: What,
}

/// The kinds of expectations.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum What {
    /// The agent is not [blocked](crate::effect::blocking()).
    NeverBlocked {
        /// A product token, or [`EVERYONE`].
        agent: String,
    },
    /// The agent is [blocked](crate::effect::blocking()).
    Blocked {
        /// A product token, or [`EVERYONE`].
        agent: String,
    },
    /// The agent may fetch the URL if `is_allowed` is true. Otherwise, it may not fetch the URL.
    Url {
        /// A product token, or [`EVERYONE`].
        agent: String,
        /// A URL, or its path and query.
        url: String,
        /// Whether the agent may fetch the URL.
        is_allowed: bool,
    },
    /// A sitemap line of the file has this URL.
    Sitemap {
        /// The whole URL.
        url: String,
    },
}

/// Writes the expectation as a sentence without a full stop.
impl fmt::Display for What {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NeverBlocked { agent } if agent == EVERYONE => {
                f.write_str("no crawler is blocked")
            }
            Self::NeverBlocked { agent } => write!(f, "{agent} is not blocked"),
            Self::Blocked { agent } => write!(f, "{agent} is blocked"),
            Self::Url { agent, url, is_allowed: true } => write!(f, "{agent} may fetch {url}"),
            Self::Url { agent, url, is_allowed: false } => write!(f, "{agent} may not fetch {url}"),
            Self::Sitemap { url } => write!(f, "the sitemap {url} is listed"),
        }
    }
}
