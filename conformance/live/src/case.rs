//! A live case: a crawl on sites, and what each edition expects of the crawler.
//!
//! A [`CrawlPlan`] contains only what the author of the case wrote, or what `verdicts.rs` made from a verdict case.
//! `start.rs` chooses the page where the crawl begins, and `served.rs` adds the pages that every crawl needs. `probes.rs` defines
//! the lists of pages in an expectation.

use std::collections::BTreeMap;

use robots_conformance::suite::Suite;
use robots_conformance::suite::case::{self, Expect};
use robots_conformance::suite::requirement::Statement;
use robots_core::Edition;
use robots_spec_cases::escape;

use crate::probes::{Page, Probes};
use robots_test_web::{Body, Origin, Response, Scheme, Sites};

/// The id of the requirement that a crawler reads the rules before it fetches a page, and follows them.
pub(crate) const ASKED: &str = "APPLY-CRAWLERS";

/// The id of the requirement that rules apply only to the scheme, host and port from which they were fetched.
pub(crate) const SCOPE: &str = "LOC-SCOPE";

/// A live case of robots.txt: a crawl, and what each edition expects of the crawler.
pub type Case = case::Case<CrawlPlan, Probes>;

/// The part of a case that only live cases have: the sites of the crawl, the links, and the checks of the access log.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct CrawlPlan {
    /// The sites as the case writes them. They do not include the start page, or pages that only an expectation lists.
    pub sites: Sites,
    /// The links on the page where the crawl begins, as the case writes them. When this page is served, links to control
    /// pages come before and after the links of the case.
    pub links: Vec<String>,
    /// Additional control pages of the case. Every working crawler fetches them. If a crawler did not fetch them, its
    /// crawl does not show why other pages were not fetched.
    pub controls: Vec<Page>,
    /// The page that shows whether the crawler follows a redirect of robots.txt. If the crawler does not follow the
    /// redirect, its other mistakes in the case violate the requirement that redirects are followed.
    pub follows: Option<Follows>,
    /// Requirements on the access log.
    pub log: Vec<Check>,
    /// The sections that state `ASKED` and `SCOPE`, the requirements that every crawl can violate, by requirement and
    /// edition.
    pub(crate) sections: Sections,
}

/// The section of an edition that states a requirement, by the id of the requirement and the edition.
pub(crate) type Sections = BTreeMap<(&'static str, Edition), String>;

/// Returns the section of each edition that states [`ASKED`] or [`SCOPE`], according to the suite.
pub(crate) fn sections(suite: &Suite) -> Sections {
    let of = |id: &'static str| {
        let requirement = suite.requirement(id).into_iter();
        let stated = requirement.flat_map(|requirement| &requirement.editions);
        stated.map(move |(edition, statement)| ((id, *edition), statement.source.clone()))
    };
    [ASKED, SCOPE].into_iter().flat_map(of).collect()
}

/// The pages that a crawler must, must not or may fetch under an edition.
pub type Expectation = Expect<Probes>;

/// The target of a redirect, and the requirement that a crawler violates if it does not request this target.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Follows {
    /// The target of the redirect. Only a crawler that follows the redirect requests it.
    pub page: Page,
    /// The id of the requirement that redirects are followed.
    pub requirement: String,
    /// The requirement's level in each edition, and the section that states the requirement.
    pub levels: BTreeMap<Edition, Statement>,
}

/// A requirement on the access log.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Check {
    /// The property that is checked.
    pub kind: Kind,
    /// The name of the origin. Only the requests to this origin are checked.
    pub origin: String,
    /// The requirement's level in each edition, and the section that states the requirement. The map is empty for
    /// advice.
    pub levels: BTreeMap<Edition, Statement>,
    /// The id of the requirement.
    pub requirement: String,
}

/// A property of the access log that a case checks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Kind {
    /// The first request to the origin is for `/robots.txt`.
    RobotsFirst,
    /// `/robots.txt` is requested only by GET, or by RETR over FTP.
    Get,
    /// The first request for `/robots.txt` has no condition and no range.
    Unconditional,
    /// `/robots.txt` is requested at least this number of times.
    AtLeast(usize),
    /// `/robots.txt` is requested at most this number of times.
    AtMost(usize),
    /// The `User-Agent` of every request to the origin contains the product token.
    NamesToken,
    /// The product token contains only letters, underscores and hyphens.
    TokenCharacters,
    /// Over FTP, `/robots.txt` is retrieved after a login as `anonymous`.
    Anonymous,
}

impl Check {
    /// Returns the name of the property and of the origin, for example `robots-first of main`.
    #[must_use]
    pub fn name(&self) -> String {
        let (word, times) = self.kind.word();
        let times = times.map_or_else(String::new, |times| format!(" {times}"));
        format!("{word}{times} of {}", self.origin)
    }
}

impl Kind {
    /// Contains each kind once. The number in `AtLeast(1)` and `AtMost(1)` has no meaning; [`Self::of`] replaces it.
    const ALL: [Self; 8] = [
        Self::RobotsFirst,
        Self::Get,
        Self::Unconditional,
        Self::AtLeast(1),
        Self::AtMost(1),
        Self::NamesToken,
        Self::TokenCharacters,
        Self::Anonymous,
    ];

    /// Returns the word for this kind in a case file, and the number of requests if the kind has one.
    const fn word(self) -> (&'static str, Option<usize>) {
        match self {
            Self::RobotsFirst => ("robots-first", None),
            Self::Get => ("get", None),
            Self::Unconditional => ("unconditional", None),
            Self::AtLeast(times) => ("at-least", Some(times)),
            Self::AtMost(times) => ("at-most", Some(times)),
            Self::NamesToken => ("names-token", None),
            Self::TokenCharacters => ("token-characters", None),
            Self::Anonymous => ("anonymous", None),
        }
    }

    /// Makes a kind from a word of a case file and the number of requests.
    ///
    /// # Errors
    /// Returns a message if the word is unknown, or if the number of requests is missing or not needed.
    pub(crate) fn of(word: &str, times: Option<usize>) -> Result<Self, String> {
        let Some(kind) = Self::ALL.into_iter().find(|kind| kind.word().0 == word) else {
            let known = Self::ALL.map(|kind| kind.word().0).join(", ");
            return Err(format!("unknown `check: {word}`; known here: {known}"));
        };
        match (kind, times) {
            (Self::AtLeast(_), Some(times)) => Ok(Self::AtLeast(times)),
            (Self::AtMost(_), Some(times)) => Ok(Self::AtMost(times)),
            (Self::AtLeast(_) | Self::AtMost(_), None) => {
                Err("`at-least` and `at-most` need `times`".to_owned())
            }
            (_, Some(_)) => Err("only `at-least` and `at-most` take `times`".to_owned()),
            (kind, None) => Ok(kind),
        }
    }
}

impl CrawlPlan {
    /// Makes the plan for verdict questions about one robots.txt. The origin `main` serves the octets `robots` as its
    /// robots.txt, and the start page links to the pages `links` of `main`.
    pub(crate) fn of_file(robots: &[u8], links: &[&str], sections: Sections) -> Self {
        // The test server replaces names in braces, such as `{agent}`.
        let robots = escape(robots).replace('{', r"\x7B").replace('}', r"\x7D");
        let body = Some(Body::Escaped(robots));
        let origin = Origin {
            robots: Some(Response { body, ..Response::default() }.into()),
            ..Origin::default()
        };
        Self {
            sites: Sites([("main".to_owned(), origin)].into_iter().collect()),
            links: links.iter().map(|link| format!("{{main}}{link}")).collect(),
            controls: Vec::new(),
            follows: None,
            log: Vec::new(),
            sections,
        }
    }

    /// Returns whether the case needs a crawler with a product token. The case needs one if its sites contain the
    /// token, or if the access log must show the token.
    #[must_use]
    pub fn names_the_crawler(&self) -> bool {
        let sites = serde_yaml::to_string(&self.sites).unwrap_or_default();
        sites.contains("{agent}")
            || sites.contains("{AGENT}")
            || self
                .log
                .iter()
                .any(|check| matches!(check.kind, Kind::NamesToken | Kind::TokenCharacters))
    }

    /// Returns whether all pages, files and redirects of the case are on one origin, over HTTP.
    ///
    /// Such a case can test a crawler that stays on the host of a start URL.
    #[must_use]
    pub fn is_on_own_host(&self) -> bool {
        self.sites.0.len() == 1 && self.sites.0.values().all(|origin| origin.scheme != Scheme::Ftp)
    }

    /// Returns the name of the origin whose host the given origin uses. If the given origin has a host of its own,
    /// returns its own name.
    pub(crate) fn host<'a>(&'a self, origin: &'a str) -> &'a str {
        let shared = self.sites.0.get(origin).and_then(|site| site.host.as_deref());
        shared.unwrap_or(origin)
    }

    /// Returns the section of an edition that states [`ASKED`] or [`SCOPE`]. The result is empty if the edition has no
    /// such section.
    pub(crate) fn section(&self, requirement: &str, edition: Edition) -> String {
        let is_it =
            |((of, by), _): &(&(&str, Edition), &String)| (*of, *by) == (requirement, edition);
        self.sections.iter().find(is_it).map_or_else(String::new, |(_, section)| section.clone())
    }

    /// Sets an origin's robots.txt to a text in which `{agent}` means the crawler's product token.
    pub fn set_robots(&mut self, origin: &str, robots: String) {
        if let Some(origin) = self.sites.0.get_mut(origin) {
            let body = Some(Body::Text(robots));
            origin.robots = Some(Response { body, ..Response::default() }.into());
        }
    }
}
