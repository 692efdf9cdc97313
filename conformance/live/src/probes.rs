//! The pages of an expectation: [`Probes`], and [`Page`].
//!
//! An expectation lists the pages that a crawler must fetch, must not fetch, or may fetch. A [`Page`] is written as
//! `{origin}/path`; without an origin, it is a page of the origin `main`.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error as _};
use serde::ser::{Serialize, Serializer};

/// The pages that a crawler must fetch, must not fetch, or may fetch.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Probes {
    /// The pages that must be fetched.
    pub fetched: Vec<Page>,
    /// The pages that must not be fetched.
    pub not_fetched: Vec<Page>,
    /// The pages that may be fetched or not.
    pub either: Vec<Page>,
}

/// A page of an origin.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Page {
    /// The name of the origin.
    pub origin: String,
    /// Path and query as the case writes them.
    pub target: String,
}

impl Probes {
    /// Returns whether a page must be fetched, or must not be fetched.
    #[must_use]
    pub fn binds(&self) -> bool {
        !(self.fetched.is_empty() && self.not_fetched.is_empty())
    }

    /// Returns all pages.
    pub fn pages(&self) -> impl Iterator<Item = &Page> {
        self.fetched.iter().chain(&self.not_fetched).chain(&self.either)
    }

    /// Returns a line for each list that is not empty, for example `fetched: /a of main, /b of main`.
    pub fn lines(&self) -> impl Iterator<Item = String> {
        let lists = [
            ("fetched", &self.fetched),
            ("not fetched", &self.not_fetched),
            ("either", &self.either),
        ];
        lists.into_iter().filter(|(_, pages)| !pages.is_empty()).map(|(name, pages)| {
            let pages: Vec<String> = pages.iter().map(ToString::to_string).collect();
            format!("{name}: {}", pages.join(", "))
        })
    }
}

impl Page {
    /// Makes the page of the origin `main` with this path and query.
    #[must_use]
    pub fn of_main(target: &str) -> Self {
        Self { origin: "main".to_owned(), target: target.to_owned() }
    }

    /// Reads a page that is written as `{origin}/path`, or as `/path` for a page of the origin `main`.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let (origin, target) = match text.strip_prefix('{') {
            Some(rest) => rest.split_once('}')?,
            None => ("main", text),
        };
        let page = Self { origin: origin.to_owned(), target: target.to_owned() };
        target.starts_with('/').then_some(page)
    }

    /// Returns the page in the form of a link in a case, which is `{origin}/path`.
    #[must_use]
    pub fn link(&self) -> String {
        format!("{{{}}}{}", self.origin, self.target)
    }
}

impl<'de> Deserialize<'de> for Page {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Self::parse(&text).ok_or_else(|| {
            D::Error::custom(format_args!("{text:?} is not a page; write /path or {{origin}}/path"))
        })
    }
}

impl Serialize for Page {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.link())
    }
}

impl fmt::Display for Page {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {}", self.target, self.origin)
    }
}
