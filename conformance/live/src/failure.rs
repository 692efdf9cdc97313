//! Renders a failed crawl for readers.
//!
//! [`failure()`] returns a text with the sites of the case, the expectation, a sentence for each finding, and the
//! access log. [`case_record()`] returns a case as reports show it.

use robots_conformance::engine::Profile;
use robots_conformance::report::failure::render;
use robots_conformance::report::{CaseRecord, ExpectRecord, FileRecord, MemberRecord};
use robots_conformance::run::deviations::Deviations;
use robots_conformance::suite::Suite;
use robots_console::render::cut;
use robots_console::render::quoted;
use robots_core::Edition;

use crate::case::Case;
use crate::crawl::Crawl;
use crate::run::CrawlRecord;
use crate::text::expected;
use crate::trial::{Trial, judged};

/// If a line in the text of the sites has more characters than this number, the middle of the line is omitted. The body
/// of an answer can be such a line.
const WIDEST: usize = 1_000;

/// The text of the sites is cut after this number of characters.
const LONGEST: usize = 20_000;

/// Renders what a judgement depends on: the sites, the expectation, a sentence for each finding, and the access log.
/// The text ends with a command that serves the sites, so that the crawl can be repeated.
#[must_use]
pub fn failure(case: &Case, edition: Edition, record: &CrawlRecord) -> String {
    let crawl =
        Crawl { case: case.clone(), edition: None, record: Ok(record.clone()), last_words: None };
    let crawls = [crawl];
    let trials = judged(&crawls, |_| vec![edition], &record.agent, &Deviations::default());
    of_trial(&trials[0], &crawls[0], &record.agent)
}

/// Renders a failed trial, given its crawl and the product token of the crawler.
pub(crate) fn of_trial(trial: &Trial, crawl: &Crawl, agent: &str) -> String {
    let (case, agent) = (&crawl.case, quoted(agent));
    let serve = format!("robots-conformance serve-web {} --agent {agent}", case.id);
    render(&trial.record(crawl), &case_record(case, None), &serve)
}

/// Returns a case as reports show it. The text of the requirement comes from `suite`.
#[must_use]
pub fn case_record(case: &Case, suite: Option<&Suite>) -> CaseRecord {
    let question = format!("a crawl from a page that links to {}", case.form.links.join(", "));
    let mut member = MemberRecord::new(question);
    member.file = Some(0);
    let mut record = CaseRecord::head(case, suite);
    record.files = vec![FileRecord::new("the sites", sites(case))];
    record.members = vec![member];
    for (edition, expectation) in &case.expect {
        let mut expect = ExpectRecord::head(Profile::Edition(*edition), expectation);
        expect.expected = vec![expected(case, *edition, expectation)];
        expect.settled = vec![true];
        expect.is_repeated = case.is_repeated(*edition);
        record.expect.push(expect);
    }
    record
}

fn sites(case: &Case) -> String {
    let sites = serde_yaml::to_string(&case.form.sites).unwrap_or_else(|error| error.to_string());
    let text = sites.lines().map(folded).collect::<Vec<_>>().join("\n");
    cut(&text, LONGEST)
}

/// Omits the middle of a long line.
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
    use std::collections::BTreeMap;

    use robots_conformance::suite::load::embedded;
    use robots_core::Edition;

    use crate::probes::Page;
    use crate::run::{CrawlRecord, Ended};

    #[test]
    fn a_failure_ends_with_a_command_that_serves_its_sites() {
        let case = &crate::load(&embedded().unwrap()).unwrap()[0];
        let record = CrawlRecord {
            case: case.id.clone(),
            agent: "my bot".to_owned(),
            ended: Ended::ByItself,
            origins: BTreeMap::new(),
            start: Page::of_main("/"),
            is_cut: false,
            log: Vec::new(),
        };
        let text = super::failure(case, Edition::Rfc9309, &record);
        let command =
            format!("  rerun     robots-conformance serve-web {} --agent 'my bot'\n", case.id);
        assert!(text.ends_with(&command), "{text}");
    }

    #[test]
    fn a_long_line_keeps_both_ends() {
        let line = format!("a{}z", "-".repeat(5_000));
        let folded = super::folded(&line);
        assert!(folded.starts_with("a-") && folded.ends_with("-z"), "{folded}");
        assert!(folded.contains(" … 4002 characters … "), "{folded}");
        assert_eq!(super::folded("short"), "short");
    }
}
