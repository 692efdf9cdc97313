//! Compares lines, groups and verdicts of a file that are computed in several ways: by both parsers, with and without
//! compiled rules, and by a matcher that follows the documents word by word.
//!
//! The first line of the input is a product token, the second a path; the rest is the file.

#![no_main]

use libfuzzer_sys::fuzz_target;
use robots_conformance::kind::Agents;
use robots_core::fetch::RobotsUrl;
use robots_core::syntax::{LineKind, lines};
use robots_core::{Crawler, Edition, Options, ProductToken, RobotsTxt};
use robots_nom_parser::{NomParser, ScanParser};

#[path = "../../robots-nom-parser/tests/naive/mod.rs"]
mod naive;

fuzz_target!(|octets: &[u8]| {
    let mut parts = octets.splitn(3, |octet| *octet == b'\n');
    let [token, path] = [parts.next(), parts.next()]
        .map(|part| String::from_utf8_lossy(part.unwrap_or_default()).into_owned());
    let file = parts.next().unwrap_or_default();

    let [scan, nom] = [lines(&ScanParser, file), lines(&NomParser, file)];
    assert_eq!(scan, nom);
    assert_eq!(scan.iter().map(|line| line.span.len()).sum::<usize>(), file.len());

    for &edition in Edition::ALL {
        for limit in [None, Some(file.len() / 2)] {
            let options = Options::from(edition);
            let options = limit.map_or(options, |limit| options.with_limit(limit));
            let [scan, nom] = [
                RobotsTxt::parse(&ScanParser, file, options),
                RobotsTxt::parse(&NomParser, file, options),
            ];
            let content = |robots: &RobotsTxt<&[u8]>| {
                let lines: Vec<(_, LineKind)> = robots.lines().collect();
                let groups: Vec<String> =
                    robots.groups().map(|group| format!("{group:?}")).collect();
                (lines, groups, robots.sitemaps().count(), robots.truncated_at())
            };
            assert_eq!(content(&scan), content(&nom));
            let crawlers = [Crawler::new([token.as_str()]), Crawler::from_header(&token)];
            for crawler in crawlers.iter().flatten() {
                let once = scan.verdict(crawler, &path);
                let shown = once.to_string();
                assert!(shown.len() < 4096, "{}", shown.len());
                assert_eq!(shown, nom.verdict(crawler, &path).to_string());
                let (compiled, by_nom) = (scan.rules_for(crawler), nom.rules_for(crawler));
                assert_eq!(shown, compiled.verdict(&path).to_string());
                assert_eq!(shown, by_nom.verdict(&path).to_string());
            }
        }
    }

    if let Ok(agents) = Agents::new([token.as_str()]) {
        let verdict = robots_google_cpp::verdict(file, &agents, &path).to_string();
        assert!(verdict.len() < 4096, "{}", verdict.len());
    }

    if ProductToken::new(&*token).is_ok()
        && path.starts_with('/')
        && file.len() < 4096
        && path.len() < 1024
    {
        for &edition in Edition::ALL {
            let robots = RobotsTxt::parse(&ScanParser, file, Options::from(edition));
            let expected = naive::allows(edition, file, &token, &path, None);
            assert_eq!(robots.verdict(&*token, &path).is_allowed(), expected, "{edition}");
        }
    }

    if let Some(robots) = RobotsUrl::governing(&path) {
        assert_eq!(RobotsUrl::parse(&robots.to_string()), Ok(robots));
    }
});
