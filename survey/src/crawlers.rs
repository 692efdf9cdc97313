//! The table of crawlers: the manifest `crawlers/crawlers.toml`, the row of a crawler, and its measurement.
//!
//! A crawler crawls the live cases, which `robots-conformance live` serves and judges.

use std::collections::BTreeSet;

use serde::Deserialize;

use crate::claims::Claim;
use crate::manifests::{Listed, Newest, listed};
use crate::measure::{Answers, Measure, Setting};
use crate::results::{Failing, Tried};
use crate::row::{Failure, Row, Survey, Table};
use crate::suite::{Question, Questions, Suite, VERDICT};
use crate::table::charged_by_faults;

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
    /// All settings of the command that are not defaults, except the switch and the token.
    settings: String,
    obeys: bool,
    #[serde(default)]
    together: bool,
    /// Whether the crawler stays on the host of its start URL by default. Such a crawler is tested only with the cases
    /// that have one origin.
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
    /// The newest release in the registries; missing for software of this project.
    newest: Option<Newest>,
    /// The reason why an older release is measured, if this is not the newest one.
    #[serde(default)]
    older: Option<String>,
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

impl Table for Crawler {
    const HEAD: &str = HEAD;

    fn questions(suite: &Suite) -> &Questions {
        &suite.crawls
    }

    fn is_asked(_: &Question) -> bool {
        true
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
            if is_own && tried.question.level != "must" {
                *charged = vec![tried.question.requirement.clone()];
            }
        }
        charged
    }

    fn claim(&self) -> &Claim {
        &self.claims
    }

    fn usage(&self) -> String {
        let Self { exec, token, switch, settings, .. } = self;
        let obeys = if self.obeys { "obeys" } else { "does not obey" };
        let note = self.note.as_deref().unwrap_or_default();
        format!(
            "Its token is `{token}`. It {obeys} robots.txt by default. Option to obey robots.txt: {switch}. \
             Other settings that are not defaults: {settings}. Command: `{exec}`. {note} {}",
            self.release()
        )
    }
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

/// Returns whether a failed verdict case, as `area::case`, shows how a crawler reads the file. A crawler that stays on its
/// host may begin at a page that the case forbids, and then it fetches nothing. So the pages that it did not fetch show
/// nothing.
pub(crate) fn is_evidence(row: &Row<'_, Crawler>, case: &str) -> bool {
    let case = case.rsplit("::").next().unwrap_or(case);
    let mut failures =
        row.failures().filter(|it| it.tried.name.strip_prefix(VERDICT) == Some(case));
    let has_fetched = |failing: &Failing| {
        let answer = failing.answer.as_deref().unwrap_or_default();
        answer.split("; ").any(|did| did.starts_with("fetched "))
    };
    !row.listed.own_host || failures.any(|failure| has_fetched(failure.failing))
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
for obeying robots.txt, this option is set. Each crawler crawls a test server on the same machine.

The cases are those of `spec-cases/live/crawling.yaml` and the suite's verdict cases, which the test server serves as a
robots.txt file and pages. A crawl has no decision if the crawler was still running at the time limit, if it did not fetch
a control page (an allowed page that the case is not about), or if it requested, instead of a page of the case, a URL in
another spelling than the link has. Such a crawl is repeated once, alone. A case is not asked if the crawler cannot be
given the product token that the case needs, if it needs host names, or if the crawler stays on one host and the case
needs several.

If a crawler fetches a page before it requests the robots.txt of the page's origin, or fetches the page that the simplest
case (`wire-asks-first`) forbids, it violates APPLY-CRAWLERS and not the requirement of the case. If it knew only the
robots.txt of another port or scheme of the host, it violates LOC-SCOPE.

![The crawlers: requirements kept, open and broken](crawlers.svg)

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
