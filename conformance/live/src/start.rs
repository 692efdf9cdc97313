//! Chooses the page where the crawl of a case begins.
//!
//! People start a crawl on the site that they want. So [`start()`] prefers a page of the host under test that every
//! edition of the case allows, together with two control pages beside it. If there is no such page, or if the case
//! needs several hosts, the crawl begins at the hub, an origin whose robots.txt allows everything. A crawler that stays
//! on its host cannot leave the hub, so it begins on the host under test also if the case allows nothing there.
//!
//! The choice uses the parser of this project. If this parser were wrong, a crawler would find its start page forbidden,
//! and the crawl would be inconclusive. So a fault of the parser is never a failure of a crawler.

use robots_core::{Crawler, Edition};
use robots_nom_parser::parse_with;
use robots_spec_cases::unescape;
use robots_test_web::{Body, Origin, Response, normalize};

use crate::case::{Case, Expectation};
use crate::probes::Page;

/// The name of the origin at which a crawl begins if it cannot begin on the host under test. Its robots.txt allows
/// everything, and its page `/` links to the pages of the case.
pub const HUB: &str = "hub";

/// The control to which the start page links before the links of the case.
pub const BEFORE: &str = "/control-before";

/// The control to which the start page links after the links of the case.
pub const AFTER: &str = "/control-after";

/// The paths of start pages: the second one if a case is about the first one.
const STARTS: [&str; 2] = ["/", "/start"];

/// Returns the page where the crawl of a case begins. It links to the pages of the case, with a control before and
/// after them.
///
/// `agent` is the crawler's product token. `own_host` is true if the crawler stays on the host of its start URL.
#[must_use]
pub fn start(case: &Case, agent: &str, own_host: bool) -> Page {
    let there = case.form.is_on_own_host().then(|| on_host(case)).flatten();
    let there = there.filter(|start| own_host || allows(case, agent, start));
    there.unwrap_or_else(|| page(HUB, STARTS[0]))
}

/// Returns the controls beside the start page.
pub(crate) fn controls(start: &Page) -> [Page; 2] {
    [BEFORE, AFTER].map(|target| page(&start.origin, target))
}

/// Returns whether every edition of a case allows the start page and the controls beside it.
pub(crate) fn allows(case: &Case, agent: &str, start: &Page) -> bool {
    if start.origin == HUB {
        return true;
    }
    let sites = case.form.sites.clone().with_agent(agent);
    let Some(origin) = sites.0.get(&start.origin) else { return false };
    let crawler = agent.parse().unwrap_or_else(|_| Crawler::unnamed());
    let texts: Vec<Vec<u8>> = bodies(origin).map(octets).collect();
    case.expect.iter().all(|(edition, expectation)| {
        let permits = |text: &Vec<u8>| permits(text, *edition, &crawler, start);
        is_open_somewhere(case, origin, expectation) && texts.iter().all(permits)
    })
}

/// Returns the start page of a case on its only host, unless the case is about each path that a start page can have.
fn on_host(case: &Case) -> Option<Page> {
    let (name, origin) = case.form.sites.0.first()?;
    let listed = case.expect.values().flat_map(|expectation| expectation.conforming.pages());
    let listed = listed.chain(&case.form.controls).map(|page| normalize(&page.target));
    let taken: Vec<String> =
        listed.chain(origin.pages.keys().map(|path| normalize(path))).collect();
    let free = STARTS.into_iter().find(|path| !taken.iter().any(|other| other == path))?;
    Some(page(name, free))
}

/// Returns whether an edition allows some page of the only origin of a case, whatever the rules in its file are. It does
/// if it allows a page that the case lists, if it forbids no page, or if the file is delivered without a fault.
fn is_open_somewhere(case: &Case, origin: &Origin, expectation: &Expectation) -> bool {
    let probes = &expectation.conforming;
    let is_plain =
        |response: &Response| (200..300).contains(&response.status()) && response.fault.is_none();
    let mut files = origin.robots.iter().flat_map(|responses| &responses.0);
    !probes.fetched.is_empty()
        || !case.form.controls.is_empty()
        || probes.not_fetched.is_empty()
        || files.all(is_plain)
}

/// Returns whether a text, read as a robots.txt, allows the start page and its controls.
fn permits(text: &[u8], edition: Edition, crawler: &Crawler, start: &Page) -> bool {
    let robots = parse_with(text, edition);
    let is_allowed = |page: &Page| robots.verdict(crawler, &page.target).is_allowed();
    is_allowed(start) && controls(start).iter().all(is_allowed)
}

/// Returns every body of an origin that can be a file with rules, also one that only a wrong crawler reads: a redirect can
/// lead to any page, and some crawlers request a file in each directory.
fn bodies(origin: &Origin) -> impl Iterator<Item = &Body> {
    let all = origin.robots.iter().chain(origin.pages.values());
    let all = all.flat_map(|responses| &responses.0).filter(|response| is_success(response));
    all.filter_map(|response| response.body.as_ref())
}

fn is_success(response: &Response) -> bool {
    (200..300).contains(&response.status())
}

/// Returns the octets of a body. A part that is repeated is returned once, because a rule means the same as its copies.
fn octets(body: &Body) -> Vec<u8> {
    let escaped = |text: &str| unescape(text).unwrap_or_default();
    match body {
        Body::Text(text) => text.clone().into_bytes(),
        Body::Escaped(text) => escaped(text),
        Body::Parts(parts) => {
            let part = |part: &robots_test_web::Part| {
                let text = part.text.clone().map(String::into_bytes);
                text.or_else(|| part.escaped.as_deref().map(escaped)).unwrap_or_default()
            };
            parts.iter().flat_map(part).collect()
        }
        _ => Vec::new(),
    }
}

fn page(origin: &str, target: &str) -> Page {
    Page { origin: origin.to_owned(), target: target.to_owned() }
}

#[cfg(test)]
mod tests {
    use robots_conformance::suite::load::embedded;
    use rstest::rstest;

    use super::start;
    use crate::case::Case;
    use crate::load::load;
    use crate::verdicts::on_the_wire;

    fn case(id: &str) -> Case {
        let suite = embedded().unwrap();
        let verdicts = on_the_wire(&suite).cases.into_values().flatten();
        load(&suite).unwrap().into_iter().chain(verdicts).find(|case| case.id == id).unwrap()
    }

    #[rstest]
    #[trace]
    #[case::some_pages_are_allowed("wire-asks-first", "/ of main", "/ of main")]
    #[case::a_rule_of_the_own_group("wire-own-group", "/ of main", "/ of main")]
    #[case::the_rules_are_elsewhere("wire-redirect-301", "/ of main", "/ of main")]
    #[case::there_is_no_file("wire-status-404", "/ of main", "/ of main")]
    #[case::the_root_is_a_page_of_the_case(
        "verdict-merging-figure",
        "/start of main",
        "/start of main"
    )]
    #[case::everything_is_disallowed("wire-all-disallowed", "/ of hub", "/start of main")]
    #[case::the_file_is_unreachable("wire-status-503", "/ of hub", "/ of main")]
    #[case::the_file_is_cut_off("wire-failure-reset-in-body", "/ of hub", "/ of main")]
    #[case::another_file_forbids_all(
        "wire-subdirectory-counts-for-nothing",
        "/ of hub",
        "/ of main"
    )]
    #[case::several_hosts("wire-asks-first-on-each-host", "/ of hub", "/ of hub")]
    #[case::over_ftp("wire-ftp", "/ of hub", "/ of hub")]
    fn a_crawl_begins_at_a_page_that_the_case_allows(
        #[case] id: &str,
        #[case] begins: &str,
        #[case] on_own_host: &str,
    ) {
        let case = case(id);
        assert_eq!(start(&case, "examplebot", false).to_string(), begins);
        assert_eq!(start(&case, "examplebot", true).to_string(), on_own_host);
    }

    /// The rules of a file that names the crawler are those for the crawler's own token.
    #[test]
    fn the_crawler_decides_which_rules_apply() {
        let mut case = case("wire-asks-first");
        let robots = "user-agent: examplebot\ndisallow: /\nuser-agent: *\nallow: /\n";
        case.form.set_robots("main", robots.to_owned());
        assert_eq!(start(&case, "otherbot", false).to_string(), "/ of main");
        assert_eq!(start(&case, "*", false).to_string(), "/ of main");
        assert_eq!(start(&case, "examplebot", false).to_string(), "/ of hub");
    }
}
