//! A failed crawl as text: the sites of its case, what is expected, the access log.

use robots_conformance::case::Suite;
use robots_conformance::deviation::Deviations;
use robots_conformance::failure::render;
use robots_conformance::report::{CaseRecord, ExpectRecord, FileRecord, MemberRecord};
use robots_core::{Edition, Profile};

use crate::case::Case;
use crate::crawl::Crawl;
use crate::run::Record;
use crate::text::expected;
use crate::trial::Trial;

/// The most characters of a line of the sites that are shown; bodies can be long.
const WIDEST: usize = 1_000;

/// The most characters of the sites that are shown.
const LONGEST: usize = 20_000;

/// Writes out what a judgement rests on: the sites, what is expected, a sentence for each finding, and the access log.
#[must_use]
pub fn failure(case: &Case, edition: Edition, record: &Record) -> String {
    let crawl =
        Crawl { case: case.clone(), edition: None, record: Ok(record.clone()), last_words: None };
    let trial = Trial::judge(&crawl, 0, edition, &record.agent, &Deviations::default());
    let rerun = format!("robots-conformance live --agent {} --filter {}", record.agent, case.id);
    render(&trial.record(&crawl), &case_record(case, None), &rerun)
}

/// Returns a case as reports show it; a suite gives the requirement's text.
#[must_use]
pub fn case_record(case: &Case, suite: Option<&Suite>) -> CaseRecord {
    let requirement = suite.and_then(|suite| suite.requirement(&case.requirement));
    let text = sites(case);
    let title = "the sites".to_owned();
    let question = format!("a crawl from a page that links {}", case.links.join(", "));
    let expect = case.expect.iter().map(|(edition, expectation)| ExpectRecord {
        profile: Profile::Edition(*edition),
        level: expectation.level.to_string(),
        source: expectation.source.clone(),
        row: None,
        why: expectation.why.as_deref().map(|why| why.trim().to_owned()),
        expected: vec![expected(case, *edition, expectation)],
        settled: vec![true],
    });
    CaseRecord {
        id: case.id.clone(),
        area: case.area.clone(),
        requirement: case.requirement.clone(),
        says: requirement
            .map_or_else(String::new, |requirement| requirement.says.trim().to_owned()),
        about: case.about.trim().to_owned(),
        place: case.place.to_string(),
        files: vec![FileRecord { title, text }],
        members: vec![MemberRecord { name: None, question, file: Some(0) }],
        expect: expect.collect(),
    }
}

fn sites(case: &Case) -> String {
    let sites = serde_yaml::to_string(&case.sites).unwrap_or_else(|error| error.to_string());
    let text = sites.lines().map(folded).collect::<Vec<_>>().join("\n");
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

/// Leaves out the middle of a long line.
fn folded(line: &str) -> String {
    let length = line.chars().count();
    if length <= WIDEST {
        return line.to_owned();
    }
    let head: String = line.chars().take(WIDEST / 2).collect();
    let tail: String = line.chars().skip(length - WIDEST / 2).collect();
    format!("{head} … {} characters … {tail}", length - WIDEST / 2 * 2)
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_long_line_keeps_both_ends() {
        let line = format!("a{}z", "-".repeat(5_000));
        let folded = super::folded(&line);
        assert!(folded.starts_with("a-") && folded.ends_with("-z"), "{folded}");
        assert!(folded.contains(" … 4002 characters … "), "{folded}");
        assert_eq!(super::folded("short"), "short");
    }
}
