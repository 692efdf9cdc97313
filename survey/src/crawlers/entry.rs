//! A crawler as it was measured: an entry of survey/crawlers.json, a row of the table and a section of survey/crawlers.md.
//!
//! `Entry::of` makes an entry from the report of a run. An entry is kept until the next measurement, but the cases
//! change in the meantime. So [`revise`](measured::Entry::revise) removes the failures of cases that an edition no
//! longer has, and updates the numbers. If a fault explains why a verdict case failed at *must*, the failure counts
//! under the requirement of that fault. The row and the section show one edition ([`SHOWN`]). [`Entry::is_outside`]
//! decides which failures are outside the crawler's claims.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::mem;

use crate::constructs::Portability;
#[cfg(feature = "measure")]
use crate::constructs::{Measured, Shown};
use robots_conformance::report::Totals;
use robots_conformance::report::TrialRecord;
use robots_conformance::run::outcome::OutcomeKind;
use robots_conformance::suite::requirement::Level;
use robots_conformance_live::CrawlReport;
use robots_conformance_live::verdicts::OnTheWire;
use serde::{Deserialize, Serialize};

use super::manifest::Crawler;
use crate::claims::Claim;
use crate::documents::Documents;
use crate::manifests::Folders;
use crate::measured::{self, Column, SHOWN, Subject, folded, millionths};
use crate::offences::{Faults, Offences};

#[derive(Clone, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) struct Entry {
    #[serde(flatten)]
    pub(super) subject: Subject,
    command: String,
    token: String,
    switch: String,
    obeys: bool,
    /// The claim of the crawler about itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    claim: Option<Claim>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    note: Option<String>,
    /// For each edition, the number of fetching cases with each outcome.
    pub(super) wire: BTreeMap<String, Totals>,
    /// The same numbers as `wire`, only for the cases that are on one origin.
    #[serde(default)]
    own_host: BTreeMap<String, Totals>,
    /// For each edition, the number of the suite's verdict cases with each outcome, as crawled.
    pub(super) verdicts: BTreeMap<String, Totals>,
    /// The number of deviations from good practice that were found under the edition that is shown.
    advice: usize,
    /// For each edition, the cases that failed at the level *must*, by requirement.
    must: BTreeMap<String, BTreeMap<String, Vec<String>>>,
    /// For each edition, the cases that failed at the level *should*, by requirement.
    should: BTreeMap<String, BTreeMap<String, Vec<String>>>,
    /// The crawler's actions in the cases that failed under the edition that is shown.
    did: BTreeMap<String, String>,
    /// The cases without a decision under the edition that is shown, by outcome: inconclusive, waited for too long, and
    /// fetching cases that were not run.
    undecided: BTreeMap<String, Vec<String>>,
    /// The constructs that the crawler reads differently, according to the verdict cases.
    #[serde(default)]
    pub(super) claims: Portability,
}

/// A function that returns whether a case can test a crawler. The arguments of the function are the case, the crawler's
/// product token, and whether the token can be set.
pub(super) type Suits = Box<dyn Fn(&str, &str, bool) -> bool + Sync>;

/// The current cases, and the faults that explain failures.
#[derive(Default)]
pub(crate) struct Known {
    /// Whether all pages of a case are on one host, by the id of the case.
    pub(super) on_own_host: BTreeMap<String, bool>,
    /// The requirement of each case.
    pub(super) about: BTreeMap<String, String>,
    /// Decides whether a verdict case can test a crawler. The token can be set if the crawler's command contains
    /// `{agent}`.
    pub(super) suits: Option<Suits>,
    /// The editions that have an expectation for a case, by the id of the case. The value is true if the edition
    /// requires or forbids that a page is fetched.
    pub(super) asked: BTreeMap<String, BTreeMap<String, bool>>,
    /// The editions that have a requirement, by the id of the requirement.
    pub(super) required: BTreeMap<String, BTreeSet<String>>,
    pub(super) faults: Faults,
}

impl Known {
    /// Returns whether an edition has an expectation for a case.
    fn asks(&self, edition: &str, case: &str) -> bool {
        self.asked.get(case).is_some_and(|editions| editions.contains_key(edition))
    }

    /// Returns whether an edition requires or forbids that a page of a case is fetched.
    fn binds(&self, edition: &str, case: &str) -> bool {
        self.asked.get(case).and_then(|editions| editions.get(edition)).is_some_and(|binds| *binds)
    }
}

impl measured::Entry for Entry {
    type Listed = Crawler;
    type Cases = Known;

    const FILES: Documents = Documents { verb: "crawlers" };
    const HEAD: &str = HEAD;
    const COLUMNS: &[Column] = &[
        Column::Words("claims"),
        Column::Numbers("own host: passed"),
        Column::Numbers("failed"),
        Column::Numbers("undecided"),
        Column::Numbers("further hosts: passed"),
        Column::Numbers("failed"),
        Column::Numbers("undecided"),
        Column::Numbers("verdicts: passed"),
        Column::Numbers("failed"),
        Column::Numbers("undecided"),
        Column::Numbers("not asked"),
        Column::Numbers("outside its claims"),
    ];
    const ORDER: &str = "The table is sorted by the share of failed cases, which leaves out \
        undecided cases. The smallest share comes first.";

    fn subject(&self) -> &Subject {
        &self.subject
    }

    fn subject_mut(&mut self) -> &mut Subject {
        &mut self.subject
    }

    fn follow(&mut self, listed: &Crawler) {
        self.claim = Some(listed.claims.clone());
        self.note.clone_from(&listed.note);
    }

    fn revise(&mut self, known: &Known) {
        let cases = &known.on_own_host;
        for editions in [&mut self.must, &mut self.should] {
            for (edition, requirements) in editions {
                for failed in requirements.values_mut() {
                    failed.retain(|case| known.asks(edition, case));
                }
                requirements.retain(|_, failed| !failed.is_empty());
            }
        }
        self.did.retain(|case, _| known.asks(SHOWN, case));
        // Undecided cases are known only for the edition that is shown.
        for (outcome, undecided) in &mut self.undecided {
            let (kept, withdrawn): (Vec<_>, Vec<_>) =
                undecided.drain(..).partition(|case| known.asks(SHOWN, case));
            *undecided = kept;
            let Ok(outcome) = outcome.parse() else { continue };
            for case in &withdrawn {
                let is_on_own_host = cases.get(case).is_some_and(|is_on_one| *is_on_one);
                let counted = if is_verdict(case) {
                    [Some(&mut self.verdicts), None]
                } else {
                    [Some(&mut self.wire), is_on_own_host.then_some(&mut self.own_host)]
                };
                for totals in counted.into_iter().flatten().filter_map(|all| all.get_mut(SHOWN)) {
                    totals.set(outcome, totals.get(outcome).saturating_sub(1));
                }
            }
        }
        self.undecided.retain(|_, undecided| !undecided.is_empty());
        self.count_failed(cases);
        self.charge_faults(known);
    }

    fn rank(&self) -> usize {
        let of = |kind| Self::count(&self.wire, kind) + Self::count(&self.verdicts, kind);
        let failed = of(OutcomeKind::Failed);
        millionths(failed, failed + of(OutcomeKind::Passed))
    }

    fn cells(&self) -> Vec<String> {
        let claim = self.claim.as_ref().map_or("–", Claim::title);
        let mut cells = vec![claim.to_owned()];
        cells.extend(self.numbers());
        cells
    }

    fn facts(&self) -> String {
        let Self { command, token, switch, .. } = self;
        let without = if self.obeys {
            "It obeys robots.txt by default."
        } else {
            "It does not obey robots.txt by default."
        };
        let claim = self.claim.as_ref().map(Claim::sentence);
        let paragraphs = claim.iter().chain(&self.note).map(|text| format!("\n\n{text}"));
        let paragraphs: String = paragraphs.collect();
        format!(
            ". Its token is `{token}`. Option to obey robots.txt: {switch}. {without}\n\n```text\n{command}\n```{paragraphs}"
        )
    }

    fn section(&self, text: &mut String) {
        for (level, editions) in [("must", &self.must), ("should", &self.should)] {
            let Some(requirements) = editions.get(SHOWN) else { continue };
            // A failed case can violate more than one requirement.
            let count = requirements.values().flatten().collect::<BTreeSet<_>>().len();
            let mut list = String::new();
            for is_outside in [false, true] {
                let mut lines = String::new();
                for (requirement, cases) in requirements {
                    let listed = cases
                        .iter()
                        .filter(|case| self.is_outside(requirement, case) == is_outside);
                    let cases: Vec<String> = listed.map(|case| format!("`{case}`")).collect();
                    if !cases.is_empty() {
                        let _ = writeln!(lines, "- {requirement}: {}", cases.join(", "));
                    }
                }
                if is_outside && !lines.is_empty() {
                    list.push_str("\nOutside its claims:\n\n");
                }
                list.push_str(&lines);
            }
            folded(text, &format!("{count} cases failed at <em>{level}</em>"), &list);
        }
        for (outcome, cases) in &self.undecided {
            let shown: Vec<String> =
                cases.iter().take(20).map(|case| format!("`{case}`")).collect();
            let more = if cases.len() > 20 { ", …" } else { "" };
            let _ = writeln!(text, "\n{} {outcome}: {}{more}", cases.len(), shown.join(", "));
        }
    }
}

impl Entry {
    pub(super) fn of(
        crawler: &Crawler,
        exec: &str,
        version: String,
        report: &CrawlReport,
        folders: &Folders,
        constructs: &Shown,
        wire: &OnTheWire,
    ) -> Self {
        let trials: Vec<TrialRecord> = report.records().trials;
        let on_own_host: BTreeSet<&str> = report
            .crawls
            .iter()
            .filter(|crawl| crawl.case.form.is_on_own_host())
            .map(|crawl| crawl.case.id.as_str())
            .collect();
        let totals = |is_counted: &dyn Fn(&str) -> bool| {
            measured::by_edition(trials.iter().filter(|trial| is_counted(&trial.case)))
        };
        let failed = || trials.iter().filter(|trial| trial.outcome.is_failure());
        let failures = |level: Level| {
            let mut editions: BTreeMap<String, BTreeMap<String, Vec<String>>> = BTreeMap::new();
            for trial in failed().filter(|trial| trial.level == level.id()) {
                let edition = editions.entry(trial.edition.clone()).or_default();
                // The requirement that was violated, which may not be the requirement of the case.
                let offended = trial.findings.iter().filter(|finding| finding.level == Some(level));
                let offended: BTreeSet<_> = offended.map(|it| it.requirement.clone()).collect();
                for requirement in offended {
                    edition.entry(requirement).or_default().push(trial.case.clone());
                }
            }
            editions
        };
        let shown = || trials.iter().filter(|trial| trial.edition == SHOWN);
        let mut undecided: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for trial in shown() {
            let counts = match trial.outcome {
                OutcomeKind::Inconclusive | OutcomeKind::Waited => true,
                OutcomeKind::NotRun => !is_verdict(&trial.case),
                _ => false,
            };
            if counts {
                let cases = undecided.entry(trial.outcome.id().to_owned()).or_default();
                cases.push(trial.case.clone());
            }
        }
        let did = shown().filter(|trial| trial.outcome.is_failure()).map(|trial| {
            let found = trial.findings.iter().map(|finding| finding.what.as_str());
            // Times are omitted, so that two measurements with the same result have the same text.
            (trial.case.clone(), found.collect::<Vec<_>>().join("; "))
        });
        let mut failing = Vec::new();
        for trial in report.run.failures() {
            let case = &report.crawls[trial.crawl].case;
            failing.extend(wire.failed(case, trial.edition, &trial.judgement));
        }
        let measured = Measured {
            name: crawler.name.clone(),
            version: version.clone(),
            failing: failing.into_iter().map(str::to_owned).collect(),
            late: Vec::new(),
        };
        Self {
            subject: Subject::of(crawler, version),
            command: exec
                .replace(&*folders.manifest.to_string_lossy(), "…")
                .replace(&*folders.install.to_string_lossy(), "…"),
            token: crawler.token.clone(),
            switch: crawler.switch.clone(),
            obeys: crawler.obeys,
            claim: Some(crawler.claims.clone()),
            note: crawler.note.clone(),
            wire: totals(&|case| !is_verdict(case)),
            own_host: totals(&|case| !is_verdict(case) && on_own_host.contains(case)),
            verdicts: totals(&is_verdict),
            advice: shown().map(TrialRecord::advice).sum(),
            must: failures(Level::Must),
            should: failures(Level::Should),
            did: did.collect(),
            undecided,
            claims: Portability::measured(constructs, &[measured]),
        }
    }

    /// Moves each failed verdict case to the requirement of the crawler's fault that explains the failure.
    fn charge_faults(&mut self, known: &Known) {
        let undecided: BTreeSet<String> = self.undecided.values().flatten().cloned().collect();
        for (edition, requirements) in &mut self.must {
            let before = mem::take(requirements);
            let should = self.should.get(edition).into_iter().flat_map(BTreeMap::values);
            let failed = before.values().chain(should).flatten();
            let failed = failed.filter_map(|case| case.strip_prefix(VERDICT)).collect();
            let takes_agent = self.command.contains("{agent}");
            let is_answered = |case: &str| {
                let id = format!("{VERDICT}{case}");
                let suits = known.suits.as_ref();
                let was_run = suits.is_none_or(|suits| suits(&id, &self.token, takes_agent));
                known.binds(edition, &id) && was_run && !undecided.contains(&id)
            };
            let offences = Offences::of(&failed, is_answered, &known.faults);
            let is_required = |id: &str| {
                known.required.get(id).is_some_and(|editions| editions.contains(edition))
            };
            for (requirement, cases) in &before {
                for case in cases {
                    let id = case.strip_prefix(VERDICT);
                    // An earlier measurement may have moved the case to the requirement of another fault.
                    let about = known.about.get(case).filter(|about| {
                        id.is_some_and(|id| known.faults.may_move(about, requirement, id))
                    });
                    let about = about.unwrap_or(requirement);
                    let charged =
                        id.map_or(&**about, |id| offences.requirement(about, id, is_required));
                    requirements.entry(charged.to_owned()).or_default().push(case.clone());
                }
            }
        }
    }

    /// Sets the numbers of failed cases to the lengths of the lists of failures.
    fn count_failed(&mut self, cases: &BTreeMap<String, bool>) {
        let lists = [&self.must, &self.should];
        let failed = |edition: &str, counts: &dyn Fn(&str) -> bool| {
            let cases = lists.iter().filter_map(|editions| editions.get(edition));
            let cases: BTreeSet<&String> =
                cases.flat_map(BTreeMap::values).flatten().filter(|case| counts(case)).collect();
            cases.len()
        };
        let is_on_own_host = |case: &str| cases.get(case).is_some_and(|is_on_one| *is_on_one);
        let wire = |case: &str| !is_verdict(case);
        let own_host = |case: &str| wire(case) && is_on_own_host(case);
        let count = |totals: &mut BTreeMap<String, Totals>, is_counted: &dyn Fn(&str) -> bool| {
            for (edition, totals) in totals {
                totals.set(OutcomeKind::Failed, failed(edition, is_counted));
            }
        };
        count(&mut self.wire, &wire);
        count(&mut self.own_host, &own_host);
        count(&mut self.verdicts, &is_verdict);
    }

    /// Returns the count of an outcome under the edition that is shown.
    pub(super) fn count(totals: &BTreeMap<String, Totals>, kind: OutcomeKind) -> usize {
        totals.get(SHOWN).map_or(0, |totals| totals.get(kind))
    }

    /// Returns how many cases passed under the edition that is shown.
    pub(super) fn passed(&self) -> usize {
        let passed = |totals| Self::count(totals, OutcomeKind::Passed);
        passed(&self.wire) + passed(&self.verdicts)
    }

    /// Returns the cells of a row. The first nine cells are the numbers of passed, failed and undecided cases: three
    /// cells for cases with one origin, three for cases with several origins, and three for verdicts. The last two
    /// cells are the number of verdict cases that were not run, and the number of failed cases that are outside the
    /// claims.
    fn numbers(&self) -> Vec<String> {
        let undecided = &[OutcomeKind::Inconclusive, OutcomeKind::Waited][..];
        let kinds = [&[OutcomeKind::Passed][..], &[OutcomeKind::Failed], undecided];
        let of = |totals: &BTreeMap<String, Totals>| {
            let totals = totals.get(SHOWN).copied().unwrap_or_default();
            kinds.map(|kinds| totals.sum(kinds))
        };
        let (own_host, all, verdicts) = (of(&self.own_host), of(&self.wire), of(&self.verdicts));
        let further = [0, 1, 2].map(|index| all[index].saturating_sub(own_host[index]));
        // If the measurement is older than these columns, there are no numbers. A crawler that stays on one host has no
        // numbers for further hosts.
        let cell = |is_asked: bool| {
            move |number: usize| if is_asked { number.to_string() } else { "–".to_owned() }
        };
        let has_columns = !self.own_host.is_empty();
        let own_host = own_host.map(cell(has_columns));
        let further = further.map(cell(has_columns && further.iter().sum::<usize>() > 0));
        let fetching = own_host.into_iter().chain(further);
        let not_asked = Self::count(&self.verdicts, OutcomeKind::NotRun);
        let others = verdicts.into_iter().chain([not_asked, self.outside().len()]);
        fetching.chain(others.map(|number| number.to_string())).collect()
    }

    /// Returns the cases that failed at *must* under the edition that is shown, if all requirements that they violate
    /// are outside the crawler's claims.
    fn outside(&self) -> BTreeSet<&str> {
        let (outside, inside): (Vec<_>, Vec<_>) =
            self.failed().partition(|(requirement, case)| self.is_outside(requirement, case));
        let inside: BTreeSet<&String> = inside.into_iter().map(|(_, case)| case).collect();
        let outside = outside.into_iter().map(|(_, case)| case);
        outside.filter(|case| !inside.contains(case)).map(String::as_str).collect()
    }

    /// Returns whether a failed case is outside the crawler's claims. If the claim names Google's page, a case that the
    /// crawler passes under that edition of the page is outside the claims too.
    fn is_outside(&self, requirement: &str, case: &str) -> bool {
        let Some(claim) = &self.claim else { return false };
        let is_right_by_google = |google: &str| {
            let editions = [&self.must, &self.should].into_iter();
            let mut failed = editions.filter_map(|editions| editions.get(google));
            !failed.any(|lists| lists.values().flatten().any(|it| it == case))
        };
        let is_by_the_rfc_alone = claim.edition_of_google().is_some_and(is_right_by_google);
        is_by_the_rfc_alone || claim.excludes(requirement, case)
    }

    /// Returns the cases that failed at *must* under the edition that is shown, with their requirements.
    pub(super) fn failed(&self) -> impl Iterator<Item = (&String, &String)> {
        let shown = self.must.get(SHOWN).into_iter().flatten();
        shown.flat_map(|(requirement, cases)| cases.iter().map(move |case| (requirement, case)))
    }

    /// Returns whether the crawler failed a case under the edition that is shown.
    pub(super) fn fails(&self, case: &str) -> bool {
        [Level::Must, Level::Should].into_iter().any(|level| self.failed_at(case, level))
    }

    /// Returns whether the crawler failed a case at a level under the edition that is shown.
    pub(super) fn failed_at(&self, case: &str, level: Level) -> bool {
        let editions = if level == Level::Must { &self.must } else { &self.should };
        let mut requirements = editions.get(SHOWN).into_iter().flat_map(BTreeMap::values);
        requirements.any(|cases| cases.iter().any(|failed| failed == case))
    }

    /// Returns whether a case was not decided and has this outcome, such as *inconclusive*.
    pub(super) fn is_undecided(&self, case: &str, outcome: &str) -> bool {
        let mut cases = self.undecided.get(outcome).into_iter().flatten();
        cases.any(|undecided| undecided == case)
    }

    /// Returns the actions of the crawler in a failed case.
    pub(super) fn did(&self, case: &str) -> Option<&String> {
        self.did.get(case)
    }
}

/// The beginning of the id of a case that is one of the suite's verdicts.
const VERDICT: &str = "verdict-";

/// Returns whether a case is one of the suite's verdicts.
pub(super) fn is_verdict(id: &str) -> bool {
    id.starts_with(VERDICT)
}

const HEAD: &str = "\
# The crawlers, measured

`cargo survey crawlers` writes this page; do not edit it by hand. Each crawler comes from its registry, in the version
that the table shows. Some crawlers are started with their own command, and the others by a small program of this
project; [`survey/crawlers`](crawlers/README.md) lists the commands. If the documentation of a
crawler names an option for obeying robots.txt, this option is set. Each crawler crawls a test server on the same
machine. The tables show the results under RFC 9309. `crawlers.json` has the results for every edition, and
`crawlers.html` shows every case that a crawler fails.

- *Own host* and *further hosts* count the fetching cases: the cases of `spec-cases/live/crawling.yaml`, about
  redirects, failures, file sizes, origins, and the file format as a crawler receives it over HTTP. *Own host* counts
  the cases with a single origin (scheme, host and port), and *further hosts* counts the other cases. A crawler that
  stays on the host of a start URL gets one start URL on each host. Such a crawler gets no cases about further hosts, so
  its columns *further hosts* have dashes.
- The section of a crawler gives the day of its measurement. Cases that were added after that day are not in its counts.
  If a case was withdrawn from an edition after that day, the counts no longer contain a failure of this case, but still
  contain a pass.
- *Verdicts* counts the suite's verdict cases. The test server serves each of them as a robots.txt file and pages. If
  the edition allows a crawler to fetch the pages and also not to fetch them, the case does not count.
- *Undecided* counts the cases that neither passed nor failed. The outcome *waited* means that the crawler was still
  running at the time limit. The outcome *inconclusive* means that the crawler did not fetch a control page, or
  requested a URL in another spelling than the link has. A control page is an allowed page that the case is not about.
  An undecided case is crawled a second time, alone, and only the second crawl counts.
- *Not asked* counts the verdict cases that cannot test the crawler. The robots.txt of such a case needs a product token
  that cannot be set in the crawler. If a crawler does not follow the group with its own name alone, the cases that need
  this group are also not asked, and the section of the crawler gives the reason. Four fetching cases need host names,
  which the test server on loopback does not have.

Some failures do not count under the requirement of their case:

- If a crawler fetches a page before it requests the robots.txt of the page's origin, the failure counts under
  APPLY-CRAWLERS. If the crawler knew the robots.txt of another port or scheme of the host, and never requests the
  robots.txt of this origin, the failure counts under LOC-SCOPE.
- If a crawler fetches the page that the simplest case (`wire-asks-first`) forbids, it applies no rules. So every
  forbidden page that this crawler fetches counts under APPLY-CRAWLERS.
- If a crawler fails every verdict case (at least three) about the fault of a [reader with one fault](../conformance/faults/src/fault.rs), its
  failures in other verdict cases that this reader also fails count under the requirement of the fault. For a crawler
  that does not know allow lines, this is PREC-LENGTH.
- If a crawler does not follow a redirect of robots.txt, the failure counts under FETCH-3XX, whose level is *should*.

If the time-out of a crawler can be set, it is three seconds. A crawl of one case has a time limit of 60 seconds, and a
crawl of many cases has a limit of ten minutes. This is enough time even on a busy machine, because no case needs a
response that the test server delays for more than two seconds.

*Claims* shows the document that the crawler's manual or README names. The section of the crawler gives the statement
itself, quoted or shortened. *Outside its claims* counts the cases that failed at *must* under a requirement that the
named document contradicts or does not contain. For example, the documents of 1994 and 1996 have no wildcards. If a
crawler names Google's page, this column also counts the cases that the crawler fails under RFC 9309 and passes under
the edition of that page that it names. All these cases are a part of *failed*, and the section of the crawler lists
them separately. If a crawler names no document, no case is outside its claims.

";

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use serde_json::json;

    use super::{Entry, Known, OutcomeKind, SHOWN};
    use crate::measured::Entry as _;

    /// Two cases of three were withdrawn: one that failed, and one that was inconclusive.
    const MEASURED: &str = r#"{
        "name": "a", "version": "1", "language": "C", "registry": "debian", "command": "a", "token": "a", "switch": "-r",
        "obeys": true, "advice": 0, "should": {}, "verdicts": { "rfc9309": { "failed": 1 } },
        "wire": { "rfc9309": { "failed": 2, "inconclusive": 1, "passed": 7 } },
        "own-host": { "rfc9309": { "failed": 2, "passed": 6 } },
        "must": {
            "google-2018": { "FETCH-2XX": ["wire-here"] },
            "rfc9309": { "LOC-ROOT": ["wire-gone"], "FETCH-2XX": ["wire-gone", "wire-here", "verdict-here"] }
        },
        "did": { "wire-gone": "x", "wire-here": "y", "verdict-here": "z" },
        "undecided": { "inconclusive": ["wire-gone-too"] }
    }"#;

    #[test]
    fn withdrawn_cases_are_neither_listed_nor_counted() {
        let mut entry: Entry = serde_json::from_str(MEASURED).unwrap();
        let here = ["wire-here", "verdict-here"].map(|case| (case.to_owned(), true));
        let asked =
            here.clone().map(|(case, _)| (case, BTreeMap::from([(SHOWN.to_owned(), true)])));
        let (on_own_host, asked) = (BTreeMap::from(here), BTreeMap::from(asked));
        let known = Known { on_own_host, asked, ..Known::default() };
        entry.revise(&known);
        let failed: Vec<_> =
            entry.failed().map(|(requirement, case)| format!("{requirement} {case}")).collect();
        assert_eq!(failed, ["FETCH-2XX wire-here", "FETCH-2XX verdict-here"]);
        // The edition google-2018 no longer has this case.
        assert!(entry.must["google-2018"].is_empty());
        assert!(entry.did("wire-gone").is_none() && entry.did("wire-here").is_some());
        assert!(!entry.is_undecided("wire-gone-too", "inconclusive"));
        let counts = |kind| {
            [&entry.wire, &entry.own_host, &entry.verdicts].map(|totals| Entry::count(totals, kind))
        };
        let counts = (counts(OutcomeKind::Failed), counts(OutcomeKind::Inconclusive));
        assert_eq!(counts, ([1, 1, 1], [0, 0, 0]));
        assert_eq!(Entry::count(&entry.wire, OutcomeKind::Passed), 7);
        // On its own host, one case failed. On further hosts, one case passed, and this result is kept.
        assert_eq!(entry.numbers(), ["6", "1", "0", "1", "0", "0", "0", "1", "0", "0", "0"]);
        entry.wire.clone_from(&entry.own_host);
        assert_eq!(entry.numbers()[3..6], ["–", "–", "–"]);
    }

    #[test]
    fn the_rfc_alone_is_outside_of_a_claim_about_google() {
        let mut entry: Entry = serde_json::from_str(MEASURED).unwrap();
        let claim = |document: &str| {
            serde_json::from_value(json!({ "says": "x", "source": "y", "document": document }))
                .unwrap()
        };
        let failed = BTreeMap::from([("FETCH-2XX".to_owned(), vec!["wire-here".to_owned()])]);
        entry.must.insert("google-2022".to_owned(), failed);
        entry.claim = claim("google");
        assert_eq!(entry.outside().into_iter().collect::<Vec<_>>(), ["verdict-here", "wire-gone"]);
        entry.claim = claim("rfc9309");
        assert!(entry.outside().is_empty());
    }
}
