//! Makes the index of the search: a title, an id and a link for everything that has a page or a section.

use serde::Serialize;

use super::requirements::Area;
use crate::crawlers::cases::fetching;
use crate::{crawlers, measured, peers};
use robots_conformance::report::CaseRecord;
use robots_conformance::suite::Suite;

/// One entry of the index.
#[derive(Serialize)]
pub(super) struct Found {
    kind: &'static str,
    title: String,
    #[serde(skip_serializing_if = "str::is_empty")]
    id: String,
    link: String,
}

/// Returns all entries: pages, parsers, crawlers, requirements by area, the suite's cases, and the crawlers' cases
/// about fetching.
pub(super) fn index(
    pages: &[(&'static str, &'static str)],
    suite: &Suite,
    areas: &[Area],
    peers: &peers::Document,
    crawlers: &crawlers::Document,
    crawled: &[CaseRecord],
) -> Vec<Found> {
    let found = |kind, title: &str, id: &str, link: String| Found {
        kind,
        title: title.to_owned(),
        id: id.to_owned(),
        link,
    };
    let mut all: Vec<Found> =
        pages.iter().map(|(file, name)| found("page", name, "", (*file).to_owned())).collect();
    all.extend(peers.measured.iter().map(|peer| {
        let name = peer.subject.marked();
        found(
            "parser",
            &name,
            &peer.subject.language,
            format!("parsers.html#subject={}", part(&name)),
        )
    }));
    all.extend(crawlers.measured.iter().map(|crawler| {
        let subject = measured::Entry::subject(crawler);
        let name = subject.marked();
        found("crawler", &name, &subject.language, format!("crawlers.html#subject={}", part(&name)))
    }));
    for area in areas {
        let title = area.id.replace('-', " ");
        all.push(found("area", &title, &area.id, format!("requirements.html#{}", area.id)));
        all.extend(area.requirements.iter().map(|one| {
            found("requirement", &one.says, &one.id, format!("requirements.html#{}", one.id))
        }));
    }
    all.extend(suite.cases.iter().map(|case| {
        found("case", case.about.trim(), &case.id, format!("parsers.html#case={}", case.id))
    }));
    all.extend(fetching(crawled).map(|case| {
        found("crawl", &case.about, &case.id, format!("crawlers.html#case={}", case.id))
    }));
    all
}

/// Encodes a name as a part of a URL's fragment.
fn part(name: &str) -> String {
    let plain = |octet: u8| octet.is_ascii_alphanumeric() || b"-._~".contains(&octet);
    name.bytes()
        .map(
            |octet| {
                if plain(octet) { char::from(octet).to_string() } else { format!("%{octet:02X}") }
            },
        )
        .collect()
}
