//! The table of crawlers: the manifest `crawlers/crawlers.toml`, the row of a crawler, and its measurement.
//!
//! A crawler crawls the live cases, which `robots-conformance live` serves and judges. The row shows one edition
//! ([`SHOWN`]). [`Crawler::is_outside`] decides which failures are outside the crawler's claims.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use serde::Deserialize;

use crate::claims::Claim;
use crate::manifests::{Listed, listed};
use crate::measure::{Answers, Measure, Setting};
use crate::reports::ReportPage;
use crate::results::{Outcome, Tried};
use crate::suite::{Questions, SHOWN, Suite, VERDICT};
use crate::table::{Failure, NOT_ASKED, Row, Survey, Table, charged_by_faults, folded, millionths};

/// A case is in the table of hard cases if at least this number of crawlers fail it.
const MANY: usize = 3;

/// The time limit in seconds for the crawl of a case. The manifest sets the crawlers' time-outs far below this limit.
const LIMIT: &str = "60";

/// The time limit in seconds for a crawl of many cases.
const LIMIT_TOGETHER: &str = "600";

/// The requirement that a crawler violates if it applies no rules.
const ASKED: &str = "APPLY-CRAWLERS";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Crawler {
    name: String,
    language: String,
    registry: String,
    packages: Vec<String>,
    exec: String,
    token: String,
    switch: String,
    obeys: bool,
    #[serde(default)]
    together: bool,
    /// Whether the crawler stays on the host of its start URL. Such a crawler is tested only with the cases that have
    /// one origin.
    #[serde(default)]
    own_host: bool,
    /// Whether the crawler follows only links without a port. Such a crawler is measured in a network namespace, which
    /// has host names and default ports.
    #[serde(default)]
    names: bool,
    /// Whether this project wrote the crawler.
    #[serde(default)]
    ours: bool,
    claims: Claim,
    /// An explanation of many failures of the crawler, or of its time-out.
    note: Option<String>,
    /// The reason why the crawler counts as old, with the source; missing if it is in current use.
    #[serde(default)]
    old: Option<String>,
    /// The reports for the crawler's maintainers.
    #[serde(default)]
    reports: Vec<ReportPage>,
}

impl Listed for Crawler {
    listed!("crawler");

    fn old(&self) -> Option<&str> {
        self.old.as_deref()
    }

    fn packages(&self) -> Vec<String> {
        self.packages.clone()
    }
}

/// A column of numbers: the fetching cases on one host, those on several, and the verdict cases.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Column {
    OwnHost,
    FurtherHosts,
    Verdicts,
}

fn column(tried: &Tried<'_>) -> Column {
    match tried.question.is_on_own_host {
        _ if tried.name.starts_with(VERDICT) => Column::Verdicts,
        true => Column::OwnHost,
        false => Column::FurtherHosts,
    }
}

impl Crawler {
    /// Returns whether a failed case is outside the crawler's claims. If the claim names Google's page, a case that the
    /// crawler does not fail under that edition of the page is outside the claims too.
    fn is_outside(row: &Row<'_, Self>, failure: Failure<'_>, survey: &Survey) -> bool {
        let Failure { tried, charged, .. } = failure;
        let claims = &row.listed.claims;
        let is_by_the_rfc_alone =
            claims.edition_of_google().is_some_and(|google| !row.fails(tried.name, google));
        is_must(tried, survey)
            && (is_by_the_rfc_alone || charged.iter().all(|id| claims.excludes(id, tried.name)))
    }
}

/// Returns whether a failure is one at the level *must*: by the level of the case, or by that of another requirement
/// that the crawler violated.
fn is_must(tried: &Tried<'_>, survey: &Survey) -> bool {
    let violated = tried.failing().and_then(|failing| failing.violates.first());
    match violated {
        Some(requirement) => survey.suite.level(requirement, tried.edition) == Some("must"),
        None => tried.question.level == "must",
    }
}

/// Returns the failures at *must* under the edition that is shown, each with its requirements.
fn musts<'r>(
    row: &'r Row<'_, Crawler>,
    survey: &'r Survey,
) -> impl Iterator<Item = (&'r Tried<'r>, &'r String)> {
    let musts = row.failures_under(SHOWN).filter(|failure| is_must(failure.tried, survey));
    musts.flat_map(|Failure { tried, charged, .. }| charged.iter().map(move |id| (tried, id)))
}

impl Table for Crawler {
    const HEAD: &str = HEAD;
    const COLUMNS: &[&str] = &[
        "claims ",
        "own host: passed",
        "failed",
        "undecided",
        "further hosts: passed",
        "failed",
        "undecided",
        "verdicts: passed",
        "failed",
        "undecided",
        "not asked",
        "outside its claims",
    ];
    const ORDER: &str = "The table is sorted by the share of failed cases, which leaves out undecided cases. The \
        smallest share comes first.";

    fn questions(suite: &Suite) -> &Questions {
        &suite.crawls
    }

    fn charged(tried: &[Tried<'_>], survey: &Survey) -> Vec<Vec<String>> {
        let id = |tried: &Tried<'_>| tried.name.strip_prefix(VERDICT).map(str::to_owned);
        let mut charged = charged_by_faults(tried, survey, id, |tried, failing| {
            if failing.violates.is_empty() {
                vec![tried.question.requirement.clone()]
            } else {
                failing.violates.clone()
            }
        });
        // Faults explain only failures at *must*.
        for (tried, charged) in tried.iter().zip(&mut charged) {
            let is_own = tried.failing().is_some_and(|it| it.violates.is_empty());
            if is_own && !is_must(tried, survey) {
                *charged = vec![tried.question.requirement.clone()];
            }
        }
        charged
    }

    fn claim(&self) -> Option<&Claim> {
        Some(&self.claims)
    }

    fn rank(row: &Row<'_, Self>) -> usize {
        let [passed, all] = row.passed(|tried| tried.edition == SHOWN);
        millionths(all - passed, all)
    }

    fn cells(row: &Row<'_, Self>, survey: &Survey) -> Vec<String> {
        let shown = || row.tried.iter().filter(|tried| tried.edition == SHOWN);
        let mut cells = vec![row.listed.claims.title().to_owned()];
        for of in [Column::OwnHost, Column::FurtherHosts, Column::Verdicts] {
            let count = |is_counted: &dyn Fn(&Tried<'_>) -> bool| {
                shown().filter(|tried| column(tried) == of && is_counted(tried)).count()
            };
            let numbers = [
                count(&|tried| tried.is_passed()),
                count(&|tried| tried.failing().is_some()),
                count(&|tried| {
                    matches!(tried.outcome, Outcome::Undecided("inconclusive" | "waited"))
                }),
            ];
            let is_asked = of != Column::FurtherHosts || numbers.iter().any(|number| *number > 0);
            cells.extend(
                numbers.map(
                    |number| {
                        if is_asked { number.to_string() } else { NOT_ASKED.to_owned() }
                    },
                ),
            );
        }
        let is_left_out = |tried: &&Tried<'_>| {
            column(tried) == Column::Verdicts
                && matches!(tried.outcome, Outcome::Undecided("not-run" | "not-asked"))
        };
        let outside = row.failures_under(SHOWN).filter(|it| Self::is_outside(row, *it, survey));
        let others = [shown().filter(is_left_out).count(), outside.count()];
        cells.extend(others.map(|number| number.to_string()));
        cells
    }

    fn excuse(row: &Row<'_, Self>, failure: Failure<'_>, survey: &Survey) -> Option<&'static str> {
        Self::is_outside(row, failure, survey).then_some("outside its claims")
    }

    fn usage(&self) -> String {
        let Self { exec, token, switch, .. } = self;
        let obeys = if self.obeys { "obeys" } else { "does not obey" };
        let note = self.note.as_deref().unwrap_or_default();
        format!(
            "Its token is `{token}`. It {obeys} robots.txt by default. Option to obey robots.txt: {switch}. Command: \
             `{exec}`. {note}"
        )
    }

    fn summary(rows: &[Row<'_, Self>], survey: &Survey) -> String {
        let mut text = format!(
            "\n## Failures by requirement\n\nThe table lists the requirements at the level *must* that crawlers \
             violate, with the number and the names of these crawlers.\n\n{}",
            requirements(rows, survey)
        );
        folded(
            &mut text,
            "The cases that three or more fail at <em>must</em>",
            &hardest(rows, survey),
        );
        text
    }
}

/// Returns a table of the requirements at *must*. Each row has the numbers of crawlers that violate the requirement in
/// cases of fetching and in verdicts, and the names of these crawlers.
fn requirements(rows: &[Row<'_, Crawler>], survey: &Survey) -> String {
    let mut failed: BTreeMap<&str, [BTreeSet<&str>; 2]> = BTreeMap::new();
    for row in rows {
        for (tried, requirement) in musts(row, survey) {
            let crawlers = failed.entry(requirement).or_default();
            crawlers[usize::from(column(tried) == Column::Verdicts)].insert(&row.head.software);
        }
    }
    let mut lines: Vec<_> = failed
        .into_iter()
        .map(|(requirement, [fetching, verdicts])| {
            let names: Vec<&str> = fetching.union(&verdicts).copied().collect();
            (names, requirement, fetching.len(), verdicts.len())
        })
        .collect();
    lines.sort_by_key(|(names, requirement, ..)| (Reverse(names.len()), *requirement));
    let mut text = String::from(
        "| requirement | crawlers that violate it | in fetching | in verdicts | |\n|---|--:|--:|--:|---|\n",
    );
    for (names, requirement, fetching, verdicts) in lines {
        let (count, names) = (names.len(), names.join(", "));
        let _ = writeln!(text, "| {requirement} | {count} | {fetching} | {verdicts} | {names} |");
    }
    text
}

/// Returns a table of the cases at *must* that many crawlers fail, sorted by the number of these crawlers.
fn hardest(rows: &[Row<'_, Crawler>], survey: &Survey) -> String {
    let mut cases: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for row in rows {
        for (tried, _) in musts(row, survey) {
            cases.entry(tried.name).or_default().insert(&row.head.software);
        }
    }
    let mut cases: Vec<_> =
        cases.into_iter().filter(|(_, crawlers)| crawlers.len() >= MANY).collect();
    cases.sort_by_key(|(case, crawlers)| (Reverse(crawlers.len()), *case));
    let mut text = String::from("| case | crawlers that fail it | |\n|---|--:|---|\n");
    for (case, crawlers) in cases {
        let names: Vec<&str> = crawlers.iter().copied().collect();
        let _ = writeln!(text, "| `{case}` | {} | {} |", names.len(), names.join(", "));
    }
    text
}

impl Measure for Crawler {
    /// Crawls the cases and stores the whole report with its access logs, so that a judgement can be checked. With
    /// `--judge`, starts no crawl and judges the stored logs again.
    fn measure(&self, setting: &Setting<'_, Self>) -> Result<Answers, String> {
        let version = setting.manifest.version(self, setting.folders)?;
        let exec = setting.folders.fill::<Self>(&self.exec);
        let plain = |c: char| if c.is_ascii_alphanumeric() || ".-".contains(c) { c } else { '-' };
        let name: String = self.name.chars().map(plain).collect();
        let records = setting.folders.install.join("records");
        let [stored, judged] =
            ["json", "judged.json"].map(|end| records.join(format!("{name}.{end}")));
        let jobs = setting.jobs.to_string();
        let mut words: Vec<&dyn AsRef<std::ffi::OsStr>> = vec![&"live"];
        if setting.judge {
            words.extend([&"--judge" as &dyn AsRef<_>, &stored]);
        } else {
            words.extend([&"--again" as &dyn AsRef<_>, &"--exec", &exec, &"--jobs", &jobs]);
            words.extend([&"--limit" as &dyn AsRef<_>, &LIMIT]);
            words.extend([&"--limit-together" as &dyn AsRef<_>, &LIMIT_TOGETHER]);
            words.extend(self.together.then_some(&"--together" as &dyn AsRef<_>));
            if self.names {
                words.extend([&"--net" as &dyn AsRef<_>, &"namespace"]);
            }
        }
        words.extend([&"--agent" as &dyn AsRef<_>, &self.token]);
        words.extend(self.own_host.then_some(&"--own-host" as &dyn AsRef<_>));
        for edition in &crate::suite::EDITIONS {
            words.extend([&"--edition" as &dyn AsRef<_>, edition]);
        }
        let file = if setting.judge { &judged } else { &stored };
        let trials = setting.command.report(&words, file)?;
        if trials.iter().all(|trial| trial.outcome != "passed") {
            return Err(format!("no case passed; check its command: {exec}"));
        }
        let mut answers = Answers { version, ..Answers::default() };
        for trial in trials.iter().filter(|trial| !trial.open) {
            let requirement = setting.survey.suite.crawls.get(&trial.case);
            let requirement = requirement.and_then(|it| it.get(&trial.edition));
            let requirement = requirement.map(|question| question.requirement.as_str());
            // The requirements that were violated, which may not be the requirement of the case.
            let found = trial.findings.iter().filter(|it| it.level.as_ref() == Some(&trial.level));
            let found: BTreeSet<&str> = found.map(|it| it.requirement.as_str()).collect();
            let is_own = found.iter().copied().eq(requirement);
            let violates = found.into_iter().filter(|_| !is_own).map(str::to_owned).collect();
            if ["inconclusive", "waited", "not-run"].contains(&&*trial.outcome) {
                let names = answers.undecided.entry(trial.outcome.clone()).or_default();
                names.insert(trial.case.clone());
            }
            answers.add_failure(trial, violates);
        }
        Ok(answers)
    }
}

/// Returns the questions of the suite that a crawler answered wrongly, as edition and question: the members of the
/// verdict cases whose pages it fetched or did not fetch against the rules. A page that was fetched because the crawler
/// applies no rules does not count as an answer.
pub(crate) fn failed<'s>(row: &Row<'_, Crawler>, suite: &'s Suite) -> BTreeSet<(&'s str, &'s str)> {
    let mut failed = BTreeSet::new();
    for Failure { tried, failing, .. } in row.failures() {
        if !tried.name.starts_with(VERDICT) || failing.violates.iter().any(|id| id == ASKED) {
            continue;
        }
        let answer = failing.answer.as_deref();
        let is_page = |url: &str| {
            let page = target(url);
            let is_it = |did: &str| {
                let page_of = did.split_once("fetched ").or_else(|| did.split_once("fetch "));
                page_of
                    .and_then(|(_, rest)| rest.rsplit_once(" of "))
                    .is_some_and(|it| it.0 == page)
            };
            answer.is_some_and(|answer| answer.split("; ").any(is_it))
        };
        for (name, editions) in &suite.questions {
            let Some((edition, question)) = editions.get_key_value(tried.edition) else { continue };
            if question.case == tried.question.case && is_page(&question.url) {
                failed.insert((edition.as_str(), name.as_str()));
            }
        }
    }
    failed
}

/// Returns the path and the query of a URL.
fn target(url: &str) -> &str {
    match url.split_once("://") {
        Some((_, rest)) => rest.find('/').map_or("/", |at| &rest[at..]),
        None => url,
    }
}

const HEAD: &str = "\
# The crawlers, measured

`cargo survey crawlers` writes this page; do not edit it by hand. Each crawler comes from its registry, in the version
that the table shows. Some crawlers are started with their own command, and the others by a small program of this
project; [`survey/crawlers`](crawlers/README.md) lists the commands. If the documentation of a crawler names an option
for obeying robots.txt, this option is set. Each crawler crawls a test server on the same machine. The tables show the
results under RFC 9309. The site (`cargo survey site`) lists every case that a crawler fails.

- *Own host* and *further hosts* count the fetching cases: the cases of `spec-cases/live/crawling.yaml`, about
  redirects, failures, file sizes, origins, and the file format as a crawler receives it over HTTP. *Own host* counts
  the cases with a single origin (scheme, host and port), and *further hosts* counts the other cases. A crawler that
  stays on the host of a start URL gets one start URL on each host. Such a crawler gets no cases about further hosts, so
  its columns *further hosts* have dashes.
- *Verdicts* counts the suite's verdict cases. The test server serves each of them as a robots.txt file and pages. If
  the edition allows a crawler to fetch the pages and also not to fetch them, the case does not count.
- *Undecided* counts the cases that neither passed nor failed. The outcome *waited* means that the crawler was still
  running at the time limit. The outcome *inconclusive* means that the crawler did not fetch a control page, or
  requested a URL in another spelling than the link has. A control page is an allowed page that the case is not about.
  An undecided case is crawled a second time, alone, and only the second crawl counts.
- *Not asked* counts the verdict cases that cannot test the crawler, and those that were added after the day of the
  measurement. The robots.txt of a case that cannot test the crawler needs a product token that cannot be set in the
  crawler. If a crawler does not follow the group with its own name alone, the cases that need this group are also not
  asked. Four fetching cases need host names, which the test server on loopback does not have. A case that was withdrawn
  or changed after the day of the measurement does not count.

Some failures do not count under the requirement of their case:

- If a crawler fetches a page before it requests the robots.txt of the page's origin, the failure counts under
  APPLY-CRAWLERS. If the crawler knew the robots.txt of another port or scheme of the host, and never requests the
  robots.txt of this origin, the failure counts under LOC-SCOPE.
- If a crawler fetches the page that the simplest case (`wire-asks-first`) forbids, it applies no rules. So every
  forbidden page that this crawler fetches counts under APPLY-CRAWLERS.
- If a crawler fails every verdict case (at least three) about the fault of a
  [reader with one fault](../conformance/faults/src/fault.rs), its failures in other verdict cases that this reader also
  fails count under the requirement of the fault. For a crawler that does not know allow lines, this is PREC-LENGTH.
- If a crawler does not follow a redirect of robots.txt, the failure counts under FETCH-3XX, whose level is *should*.

If the time-out of a crawler can be set, it is three seconds. A crawl of one case has a time limit of 60 seconds, and a
crawl of many cases has a limit of ten minutes. This is enough time even on a busy machine, because no case needs a
response that the test server delays for more than two seconds.

*Claims* shows the document that the crawler's manual or README names. *Outside its claims* counts the cases that failed
at *must* under a requirement that the named document contradicts or does not contain. For example, the documents of 1994
and 1996 have no wildcards. If a crawler names Google's page, this column also counts the cases that the crawler fails
under RFC 9309 and not under the edition of that page that it names. All these cases are a part of *failed*. If a crawler
names no document, no case is outside its claims.

";

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fs;

    use super::target;
    use crate::files::workspace;
    use crate::results::{Lists, Results};
    use crate::suite::{SHOWN, Suite};

    /// docs/python.md has two tables about the crawlers with our adapters: the failed cases (three columns), and the
    /// inconclusive ones (four).
    #[test]
    fn the_guide_names_each_failure_of_the_crawlers_with_an_adapter() {
        let page = fs::read_to_string(workspace().join("docs/python.md")).unwrap();
        let mut named = [BTreeSet::new(), BTreeSet::new()];
        for line in page.lines().filter(|line| line.starts_with("| `wire-")) {
            let cells: Vec<&str> = line.trim_matches(['|', ' ']).split(" | ").collect();
            for case in cells[0].split(", ").map(|case| case.trim_matches('`')) {
                for name in cells[1].split(", ") {
                    for edition in cells[2].split(", ") {
                        named[cells.len() - 3].insert(format!("{name} {case} {edition}"));
                    }
                }
            }
        }
        let (suite, lists) = (Suite::of_the_checkout(), Lists::read().unwrap());
        let mut found = [BTreeSet::new(), BTreeSet::new()];
        for measured in Results::read("crawlers").unwrap().measured {
            let head = &measured.head;
            let Some(name) = head.software.strip_suffix(" with robots-verdicts") else { continue };
            let name = name.split(' ').next().unwrap();
            for tried in measured.tried(&lists, &suite.crawls) {
                if tried.failing().is_some() {
                    found[0].insert(format!("{name} {} {}", tried.name, tried.edition));
                }
            }
            // Cases without a decision are the same in every edition that asks them.
            let inconclusive = head.undecided.get("inconclusive").into_iter().flatten();
            found[1].extend(inconclusive.map(|case| format!("{name} {case} {SHOWN}")));
        }
        named[1].retain(|line| line.ends_with(SHOWN));
        assert_eq!(named, found);
    }

    #[test]
    fn a_target_is_path_and_query() {
        assert_eq!(target("https://example.com/a?b"), "/a?b");
        assert_eq!((target("https://example.com"), target("/a")), ("/", "/a"));
    }
}
