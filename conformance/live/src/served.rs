//! Completes the sites of a case for a crawl. For example, it adds the page where the crawl begins.
//!
//! [`served()`] adds the hub, where the crawl begins, the controls (pages that every working crawler fetches), the
//! start pages, and the pages that only an expectation lists. A crawl without requests for the controls shows nothing
//! about the case. So if some crawlers cannot reach an origin, for example over FTP, the case has a control on an
//! origin of the same kind ([`KINDS`]).

use robots_test_web::{Certificate, Origin, Response, Responses, Scheme, Sites};

use crate::case::{Case, CrawlPlan};
use crate::probes::Page;

/// The name of the origin at which a crawl begins. Its robots.txt allows everything, and its page `/` links to the
/// pages of the case.
pub const HUB: &str = "hub";

/// The name of the origin with the neutral control, a page that every working crawler fetches. This origin is neither
/// the hub nor under test, and its robots.txt allows everything.
///
/// The hub links to the control, which is also a start URL. A crawler that does not fetch the control may visit only
/// the hub and not know the other pages. So its omissions show nothing.
pub const NEUTRAL: &str = "neutral";

/// The control to which the hub links before the links of the case.
pub const BEFORE: &str = "/control-before";

/// The control to which the hub links after the links of the case.
pub const AFTER: &str = "/control-after";

/// The start page of an origin under test, for a crawler that stays on the host of a start URL. This page links to the
/// pages of the case on its origin. No page links to the start page; only the list of start URLs contains it. A request
/// for the start page does not violate `robots-first`, because the user names each start URL.
pub(crate) const START: &str = "/start";

/// Further pages of the hub, which no expectation mentions. The hub needs links to them, because a link checker may
/// ignore the links of a page that has fewer links to its own host than to other hosts.
const MORE: [&str; 3] = ["/more-1", "/more-2", "/more-3"];

/// The path of a control on an origin that has no other page, such as [`NEUTRAL`].
const CONTROL: &str = "/control";

/// A function that returns whether an origin belongs to a kind.
type IsOfKind = fn(&Origin) -> bool;

/// The kinds of origins that some crawlers cannot reach, because of the scheme or the kind of address.
///
/// A case that uses such an origin has a control on another origin of the same kind. The robots.txt of this other
/// origin allows everything.
const KINDS: [(&str, IsOfKind); 3] = [
    ("hub-https", |origin| {
        origin.scheme == Scheme::Https && origin.certificate == Certificate::Trusted
    }),
    ("hub-ftp", |origin| origin.scheme == Scheme::Ftp),
    ("hub-ipv6", |origin| origin.name.as_ref().is_some_and(|name| name.starts_with('['))),
];

/// Returns the sites as they are served: with the hub, the controls, the start pages, and each page that the case lists
/// but does not define.
#[must_use]
pub fn served(case: &Case, agent: &str) -> Sites {
    let plan = &case.form;
    let mut sites = plan.sites.clone();
    let probes = case.expect.values().flat_map(|expectation| expectation.conforming.pages());
    for page in probes.chain(&plan.controls) {
        let Some(origin) = sites.0.get_mut(&page.origin) else { continue };
        let normal = robots_test_web::normalize(&page.target);
        let there = origin.pages.keys().any(|path| robots_test_web::normalize(path) == normal);
        if !there && normal != "/robots.txt" {
            origin.pages.insert(page.target.clone(), Response::links(["#top"]).into());
        }
    }
    for (name, origin) in sites.0.iter_mut().filter(|(_, origin)| origin.scheme != Scheme::Ftp) {
        let links = plan
            .links
            .iter()
            .filter(|link| Page::parse(link).is_some_and(|page| page.origin == *name));
        let start = Response::links(links.cloned());
        origin.pages.entry(START.to_owned()).or_insert_with(|| start.into());
    }
    let kinds = plan.kinds().map(|(name, original)| {
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
        pages: [("/".to_owned(), Response::links(plan.hub_links()).into())]
            .into_iter()
            .chain([BEFORE, AFTER].into_iter().chain(MORE).map(control))
            .collect(),
        ..Origin::default()
    };
    sites.0.insert(HUB.to_owned(), hub);
    sites.with_agent(agent)
}

/// Returns the start URLs for a crawler that stays on the host of a start URL. The start URLs are the links of the hub,
/// without the pages that an edition forbids, and a start page of each origin under test, except over FTP.
#[must_use]
pub fn start_urls(case: &Case) -> Vec<String> {
    let plan = &case.form;
    let links = plan.hub_links().into_iter();
    let links = links.filter(|link| Page::parse(link).is_some_and(|page| !is_hidden(case, &page)));
    let origins = plan.sites.0.iter().filter(|(_, origin)| origin.scheme != Scheme::Ftp);
    let starts = origins.map(|(name, _)| format!("{{{name}}}{START}"));
    links.chain(starts).collect()
}

impl CrawlPlan {
    /// Returns all links of the hub as it is served: the links of the case, the controls, and the further pages of the
    /// hub.
    #[must_use]
    pub fn hub_links(&self) -> Vec<String> {
        let control = |path: &str| format!("{{{HUB}}}{path}");
        let links = self.links.iter().cloned();
        let elsewhere = [NEUTRAL].into_iter().chain(self.kinds().map(|(name, _)| name));
        let elsewhere = elsewhere.map(|name| format!("{{{name}}}{CONTROL}"));
        let last = [AFTER].into_iter().chain(MORE).map(control);
        [control(BEFORE)].into_iter().chain(elsewhere).chain(links).chain(last).collect()
    }

    /// Returns the pages that every working crawler fetches. If the crawler did not fetch them, its omissions show
    /// nothing.
    pub(crate) fn all_controls(&self) -> impl Iterator<Item = Page> + '_ {
        let control = |origin: &str, target: &str| Page {
            origin: origin.to_owned(),
            target: target.to_owned(),
        };
        let everywhere = [control(HUB, BEFORE), control(HUB, AFTER), control(NEUTRAL, CONTROL)];
        let kinds = self.kinds().map(move |(name, _)| control(name, CONTROL));
        everywhere.into_iter().chain(kinds).chain(self.controls.iter().cloned())
    }

    /// Returns those of the [`KINDS`] that the case uses, each with the first origin of this kind.
    fn kinds(&self) -> impl Iterator<Item = (&'static str, &Origin)> {
        KINDS.iter().filter_map(|(name, is_it)| {
            let origin = self.sites.0.values().find(|origin| is_it(origin))?;
            Some((*name, origin))
        })
    }
}

/// Returns whether a page of an origin under test is a start URL for a crawler that stays on the host of a start
/// URL.
pub(crate) fn is_start(case: &Case, page: &Page) -> bool {
    let plan = &case.form;
    let normal = robots_test_web::normalize(&page.target);
    let is_it = |link: &Page| {
        link.origin == page.origin && robots_test_web::normalize(&link.target) == normal
    };
    normal == START
        || plan.links.iter().filter_map(|link| Page::parse(link)).any(|link| is_it(&link))
            && !is_hidden(case, page)
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

/// Returns whether an edition forbids a page.
fn is_hidden(case: &Case, page: &Page) -> bool {
    let normal = robots_test_web::normalize(&page.target);
    let mut forbidden =
        case.expect.values().flat_map(|expectation| &expectation.conforming.not_fetched);
    forbidden.any(|other| {
        other.origin == page.origin && robots_test_web::normalize(&other.target) == normal
    })
}
