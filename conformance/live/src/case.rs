//! A live case: sites, probes, and what each edition expects of a crawler on these sites.
//!
//! A [`Case`] contains only what its author wrote, or what `verdicts.rs` made from a question. [`Case::served`] adds
//! what every crawl needs: the hub, the controls, the start pages, and a page for each probe. A crawl without requests
//! for the controls shows nothing about the case. So if some crawlers cannot reach an origin, for example over FTP, the
//! case has a control on an origin of the same kind ([`KINDS`]).

use std::collections::BTreeMap;
use std::fmt;

use robots_conformance::problem::Place;
use robots_conformance::suite::case::{Case as Question, Expect};
use robots_conformance::suite::requirement::Level;
use robots_core::Edition;
use serde::de::{Deserialize, Deserializer, Error as _};

use robots_test_web::{Body, Certificate, Origin, Response, Responses, Scheme, Sites};

/// The name of the origin at which a crawl begins. It allows everything and links to the pages of the case.
pub const HUB: &str = "hub";

/// The name of the origin of the neutral control. This origin is neither the hub nor under test, and it allows
/// everything.
///
/// The hub links to the control, which is also a start URL. A crawler that does not fetch the control visits only the
/// hub. It may not know the other pages, so its omissions show nothing.
pub const NEUTRAL: &str = "neutral";

/// The control to which the hub links before the probes.
pub const BEFORE: &str = "/control-before";

/// The control to which the hub links after the probes.
pub const AFTER: &str = "/control-after";

/// The start page of an origin under test, for a crawler that stays on the host of a start URL. This page links to the
/// pages of the case on its origin. No page links to it; only the list of start URLs contains it. A request for it does
/// not violate `robots-first`, because the user asks for each start URL.
pub(crate) const START: &str = "/start";

/// Further pages of the hub, which no expectation mentions. A link checker may ignore links of a page that has fewer
/// links to its own host than to other hosts.
const MORE: [&str; 3] = ["/more-1", "/more-2", "/more-3"];

/// The page of a control on a separate origin.
const CONTROL: &str = "/control";

/// Returns whether an origin has a property.
type IsOfKind = fn(&Origin) -> bool;

/// The kinds of origins that some crawlers cannot reach, because of the scheme or the kind of address.
///
/// A case that uses such an origin has a control on another origin of the same kind, which allows everything.
const KINDS: [(&str, IsOfKind); 3] = [
    ("hub-https", |origin| {
        origin.scheme == Scheme::Https && origin.certificate == Certificate::Trusted
    }),
    ("hub-ftp", |origin| origin.scheme == Scheme::Ftp),
    ("hub-ipv6", |origin| origin.name.as_ref().is_some_and(|name| name.starts_with('['))),
];

/// A live case of robots.txt.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Case {
    /// The case's name: kebab-case, unique, permanent.
    pub id: String,
    /// The area: `crawling`, or the area of the question from which the case is made.
    pub area: String,
    /// The place of the case's id: the file below `spec-cases/` and the line.
    pub place: Place,
    /// The id of the requirement.
    pub requirement: String,
    /// A description of what the case tests.
    pub about: String,
    /// The sites as written in the case, without hub and probes.
    pub sites: Sites,
    /// The links of the hub between its two controls, as the case writes them.
    pub links: Vec<String>,
    /// Further controls: pages that every working crawler fetches. A crawl without requests for them shows nothing.
    pub controls: Vec<Page>,
    /// The page that shows whether the crawler follows a redirect of robots.txt. If it does not follow the redirect,
    /// its other mistakes in the case violate the requirement that redirects are followed.
    pub follows: Option<Follows>,
    /// Requirements on the access log.
    pub log: Vec<Check>,
    /// The expectation of each edition. The case does not ask an edition that has no expectation.
    pub expect: BTreeMap<Edition, Expectation>,
}

/// The expectation of an edition.
pub type Expectation = Expect<Probes>;

/// The pages that a crawler must fetch, must not fetch, or may fetch.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
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
pub struct Page {
    /// The name of the origin.
    pub origin: String,
    /// Path and query as the case writes them.
    pub target: String,
}

/// The target of a redirect, and the requirement that a crawler violates if it does not request this target.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Follows {
    /// The target of the redirect. Only a crawler that follows the redirect requests it.
    pub page: Page,
    /// The requirement that redirects are followed.
    pub requirement: String,
    /// The requirement's level in each edition, and the section that states the requirement.
    pub levels: BTreeMap<Edition, (Level, String)>,
}

/// A requirement on the access log.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Check {
    /// The property that is checked.
    pub kind: Kind,
    /// The origin whose requests are checked.
    pub origin: String,
    /// The requirement's level in each edition, and the section that states the requirement; empty for advice.
    pub levels: BTreeMap<Edition, (Level, String)>,
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
    /// `User-Agent` contains the product token.
    NamesToken,
    /// Over FTP, `/robots.txt` is retrieved after a login as `anonymous`.
    Anonymous,
}

impl Check {
    /// Returns the name of the property and of the origin: `robots-first of main`.
    #[must_use]
    pub fn name(&self) -> String {
        let kind = match self.kind {
            Kind::RobotsFirst => "robots-first".to_owned(),
            Kind::Get => "get".to_owned(),
            Kind::Unconditional => "unconditional".to_owned(),
            Kind::AtLeast(times) => format!("at-least {times}"),
            Kind::AtMost(times) => format!("at-most {times}"),
            Kind::NamesToken => "names-token".to_owned(),
            Kind::Anonymous => "anonymous".to_owned(),
        };
        format!("{kind} of {}", self.origin)
    }
}

impl Case {
    /// Makes a case from a question about a file. The origin `main` has these octets as its robots.txt, and the hub
    /// links to its pages `links`. The case has no expectations yet.
    pub(crate) fn of_file(id: &str, like: &Question, robots: &[u8], links: &[&str]) -> Self {
        let body = Some(Body::Escaped(escaped(robots)));
        let origin = Origin {
            robots: Some(Response { body, ..Response::default() }.into()),
            ..Origin::default()
        };
        Self {
            id: id.to_owned(),
            area: like.area.clone(),
            place: like.place.clone(),
            requirement: like.requirement.clone(),
            about: like.about.trim().to_owned(),
            sites: Sites([("main".to_owned(), origin)].into_iter().collect()),
            links: links.iter().map(|link| format!("{{main}}{link}")).collect(),
            controls: Vec::new(),
            follows: None,
            log: Vec::new(),
            expect: BTreeMap::new(),
        }
    }

    /// Returns whether the case needs a crawler with a product token. It does if its sites contain the token, or if the
    /// access log must show the token.
    #[must_use]
    pub fn names_the_crawler(&self) -> bool {
        let sites = serde_yaml::to_string(&self.sites).unwrap_or_default();
        sites.contains("{agent}")
            || sites.contains("{AGENT}")
            || self.log.iter().any(|check| check.kind == Kind::NamesToken)
    }

    /// Returns whether all pages, files and redirects of the case are on one origin.
    ///
    /// Such a case can test a crawler that stays on the host of a start URL.
    #[must_use]
    pub fn is_on_own_host(&self) -> bool {
        self.sites.0.len() == 1
    }

    /// Returns the name of the origin whose host an origin shares. If the origin shares no host, returns its own name.
    pub(crate) fn host<'a>(&'a self, origin: &'a str) -> &'a str {
        let shared = self.sites.0.get(origin).and_then(|site| site.host.as_deref());
        shared.unwrap_or(origin)
    }

    /// Sets an origin's robots.txt to a text in which `{agent}` means the crawler's product token.
    pub fn set_robots(&mut self, origin: &str, robots: String) {
        if let Some(origin) = self.sites.0.get_mut(origin) {
            let body = Some(Body::Text(robots));
            origin.robots = Some(Response { body, ..Response::default() }.into());
        }
    }

    /// Makes the sites for a crawl of many cases: a page that links to the hubs of the cases.
    pub(crate) fn crossroads(hubs: Vec<String>) -> Sites {
        let hub = Origin {
            robots: Some(Response::text("user-agent: *\nallow: /\n").into()),
            pages: [("/".to_owned(), Response::links(hubs).into())].into_iter().collect(),
            ..Origin::default()
        };
        Sites([(HUB.to_owned(), hub)].into_iter().collect())
    }

    /// Returns the sites as they are served: with the hub, the controls, the start pages, and a page for each probe
    /// that the case does not define.
    #[must_use]
    pub fn served(&self, agent: &str) -> Sites {
        let mut sites = self.sites.clone();
        let probes = self.expect.values().flat_map(|expectation| expectation.conforming.pages());
        for page in probes.chain(&self.controls) {
            let Some(origin) = sites.0.get_mut(&page.origin) else { continue };
            let normal = robots_test_web::normalize(&page.target);
            let there = origin.pages.keys().any(|path| robots_test_web::normalize(path) == normal);
            if !there && normal != "/robots.txt" {
                origin.pages.insert(page.target.clone(), Response::links(["#top"]).into());
            }
        }
        for (name, origin) in sites.0.iter_mut().filter(|(_, origin)| origin.scheme != Scheme::Ftp)
        {
            let links = self
                .links
                .iter()
                .filter(|link| Page::parse(link).is_some_and(|page| page.origin == *name));
            let start = Response::links(links.cloned());
            origin.pages.entry(START.to_owned()).or_insert_with(|| start.into());
        }
        let kinds = self.kinds().map(|(name, original)| {
            let like_it = original.name.clone().filter(|name| name.starts_with('['));
            (name, Origin { scheme: original.scheme, name: like_it, ..Origin::default() })
        });
        for (name, mut origin) in kinds.chain([(NEUTRAL, Origin::default())]) {
            origin.robots = Some(Response::text("user-agent: *\nallow: /\n").into());
            origin.pages.insert(CONTROL.to_owned(), Response::links(["#top"]).into());
            sites.0.insert(name.to_owned(), origin);
        }
        let control = |path: &str| (path.to_owned(), Responses::from(Response::links(["#top"])));
        let hub = Origin {
            robots: Some(Response::text("user-agent: *\nallow: /\n").into()),
            pages: [("/".to_owned(), Response::links(self.hub_links()).into())]
                .into_iter()
                .chain([BEFORE, AFTER].into_iter().chain(MORE).map(control))
                .collect(),
            ..Origin::default()
        };
        sites.0.insert(HUB.to_owned(), hub);
        sites.with_agent(agent)
    }

    /// Returns the links of the hub, with the controls.
    #[must_use]
    pub fn hub_links(&self) -> Vec<String> {
        let control = |path: &str| format!("{{{HUB}}}{path}");
        let links = self.links.iter().cloned();
        let elsewhere = [NEUTRAL].into_iter().chain(self.kinds().map(|(name, _)| name));
        let elsewhere = elsewhere.map(|name| format!("{{{name}}}{CONTROL}"));
        let last = [AFTER].into_iter().chain(MORE).map(control);
        [control(BEFORE)].into_iter().chain(elsewhere).chain(links).chain(last).collect()
    }

    /// Returns the start URLs for a crawler that stays on the host of a start URL. These are the links of the hub,
    /// without the pages that an edition forbids, and a start page of each origin under test, except over FTP.
    #[must_use]
    pub fn start_urls(&self) -> Vec<String> {
        let links = self.hub_links().into_iter();
        let links =
            links.filter(|link| Page::parse(link).is_some_and(|page| !self.is_hidden(&page)));
        let origins = self.sites.0.iter().filter(|(_, origin)| origin.scheme != Scheme::Ftp);
        let starts = origins.map(|(name, _)| format!("{{{name}}}{START}"));
        links.chain(starts).collect()
    }

    /// Returns whether a page of an origin under test is a start URL for a crawler that stays on the host of a start
    /// URL.
    pub(crate) fn is_start(&self, page: &Page) -> bool {
        let normal = robots_test_web::normalize(&page.target);
        let is_it = |link: &Page| {
            link.origin == page.origin && robots_test_web::normalize(&link.target) == normal
        };
        normal == START
            || self.links.iter().filter_map(|link| Page::parse(link)).any(|link| is_it(&link))
                && !self.is_hidden(page)
    }

    /// Returns whether an edition forbids a page.
    fn is_hidden(&self, page: &Page) -> bool {
        let normal = robots_test_web::normalize(&page.target);
        let mut forbidden =
            self.expect.values().flat_map(|expectation| &expectation.conforming.not_fetched);
        forbidden.any(|other| {
            other.origin == page.origin && robots_test_web::normalize(&other.target) == normal
        })
    }

    /// Returns the pages that every working crawler fetches. Without them, the crawl shows nothing.
    pub(crate) fn all_controls(&self) -> impl Iterator<Item = Page> + '_ {
        let control = |origin: &str, target: &str| Page {
            origin: origin.to_owned(),
            target: target.to_owned(),
        };
        let everywhere = [control(HUB, BEFORE), control(HUB, AFTER), control(NEUTRAL, CONTROL)];
        let kinds = self.kinds().map(move |(name, _)| control(name, CONTROL));
        everywhere.into_iter().chain(kinds).chain(self.controls.iter().cloned())
    }

    /// Returns the kinds of origins that the case uses, each with its first origin.
    fn kinds(&self) -> impl Iterator<Item = (&'static str, &Origin)> {
        KINDS.iter().filter_map(|(name, is_it)| {
            let origin = self.sites.0.values().find(|origin| is_it(origin))?;
            Some((*name, origin))
        })
    }
}

fn hexadecimal(octet: u8) -> [char; 4] {
    let digit = |value: u8| char::from(b"0123456789ABCDEF"[usize::from(value)]);
    ['\\', 'x', digit(octet >> 4), digit(octet & 15)]
}

/// Writes octets with the escapes of [`Body::Escaped`]. Braces are escaped too, because a name in braces would be
/// replaced.
fn escaped(octets: &[u8]) -> String {
    let mut text = String::with_capacity(octets.len());
    for octet in octets {
        match octet {
            b'\n' => text.push_str("\\n"),
            b'\\' => text.push_str("\\\\"),
            b'{' | b'}' => text.extend(hexadecimal(*octet)),
            b' '..=b'~' => text.push(char::from(*octet)),
            _ => text.extend(hexadecimal(*octet)),
        }
    }
    text
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

    /// Returns a line for each list that is not empty: `fetched: /a of main, /b of main`.
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

    /// Reads `{origin}/path`, or `/path` of the origin `main`.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let (origin, target) = match text.strip_prefix('{') {
            Some(rest) => rest.split_once('}')?,
            None => ("main", text),
        };
        let page = Self { origin: origin.to_owned(), target: target.to_owned() };
        target.starts_with('/').then_some(page)
    }

    /// Returns the page as a link of a case: `{origin}/path`.
    pub(crate) fn link(&self) -> String {
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

impl fmt::Display for Page {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {}", self.target, self.origin)
    }
}
