//! Completes the sites of a case for a crawl. For example, it adds the page where the crawl begins.
//!
//! [`served()`] adds the start page, the controls (pages that every working crawler fetches), and the pages that only an
//! expectation lists. A crawl without requests for the controls shows nothing about the case. So if a crawl begins at
//! the hub, and some crawlers cannot reach an origin of the case, for example over FTP, there is a control on an origin
//! of the same kind ([`KINDS`]).

use robots_test_web::{Certificate, Origin, Response, Scheme, Sites};

use crate::case::{Case, CrawlPlan};
use crate::probes::Page;
use crate::start::{HUB, controls};

/// The name of the origin with the neutral control, a page that every working crawler fetches. This origin is neither
/// the hub nor under test, and its robots.txt allows everything.
///
/// The hub links to the control. A crawler that does not fetch the control may visit only the hub and not know the
/// other pages. So its omissions show nothing. A crawl that begins on the host under test has no neutral control.
pub const NEUTRAL: &str = "neutral";

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

/// Returns the sites as they are served if the crawl begins at a page: with this page, the controls, and each page that
/// the case lists but does not define.
#[must_use]
pub fn served(case: &Case, agent: &str, start: &Page) -> Sites {
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
    if start.origin == HUB {
        add_hub(&mut sites, plan);
    }
    if let Some(origin) = sites.0.get_mut(&start.origin) {
        for control in controls(start) {
            origin.pages.insert(control.target, Response::links(["#top"]).into());
        }
        origin.pages.insert(start.target.clone(), Response::links(links(plan, start)).into());
    }
    sites.with_agent(agent)
}

/// Adds the hub, the neutral control, and a control of each kind.
fn add_hub(sites: &mut Sites, plan: &CrawlPlan) {
    let more = MORE.map(|path| (path.to_owned(), Response::links(["#top"]).into()));
    let hub = Origin { pages: more.into(), ..Origin::default() };
    let kinds = plan.kinds().map(|(name, original)| {
        let like_it = original.name.clone().filter(|name| name.starts_with('['));
        (name, Origin { scheme: original.scheme, name: like_it, ..Origin::default() })
    });
    let others = kinds.chain([(NEUTRAL, Origin::default())]).map(|(name, mut origin)| {
        origin.pages.insert(CONTROL.to_owned(), Response::links(["#top"]).into());
        (name, origin)
    });
    for (name, mut origin) in others.chain([(HUB, hub)]) {
        origin.robots = Some(Response::text("user-agent: *\nallow: /\n").into());
        sites.0.insert(name.to_owned(), origin);
    }
}

/// Returns the links of the start page: those of the case, between those to the controls.
fn links(plan: &CrawlPlan, start: &Page) -> Vec<String> {
    let [before, after] = controls(start).map(|control| control.link());
    let more: &[&str] = if start.origin == HUB { &MORE } else { &[] };
    let more = more.iter().map(|path| format!("{{{HUB}}}{path}"));
    let elsewhere = plan.elsewhere(start).map(|control| control.link());
    let links = [before].into_iter().chain(elsewhere).chain(plan.links.iter().cloned());
    links.chain([after]).chain(more).collect()
}

impl CrawlPlan {
    /// Returns the pages that every working crawler fetches. If the crawler did not fetch them, its omissions show
    /// nothing.
    pub(crate) fn all_controls(&self, start: &Page) -> impl Iterator<Item = Page> {
        let own = self.controls.iter().cloned();
        controls(start).into_iter().chain(self.elsewhere(start)).chain(own)
    }

    /// Returns the controls on other origins than that of the start page. Only the hub has some.
    fn elsewhere(&self, start: &Page) -> impl Iterator<Item = Page> {
        let kinds = self.kinds().map(|(name, _)| name);
        let origins = [NEUTRAL].into_iter().chain(kinds).filter(|_| start.origin == HUB);
        origins.map(|origin| Page { origin: origin.to_owned(), target: CONTROL.to_owned() })
    }

    /// Returns those of the [`KINDS`] that the case uses, each with the first origin of this kind.
    fn kinds(&self) -> impl Iterator<Item = (&'static str, &Origin)> {
        KINDS.iter().filter_map(|(name, is_it)| {
            let origin = self.sites.0.values().find(|origin| is_it(origin))?;
            Some((*name, origin))
        })
    }
}

/// Makes the sites for a crawl of many cases: a page that links to the start pages of the cases.
pub(crate) fn crossroads(starts: &[String]) -> Sites {
    let hub = Origin {
        robots: Some(Response::text("user-agent: *\nallow: /\n").into()),
        pages: [("/".to_owned(), Response::links(starts).into())].into_iter().collect(),
        ..Origin::default()
    };
    Sites([(HUB.to_owned(), hub)].into_iter().collect())
}
