//! The page of the parsers: the HTML report of a run, made from survey/peers.json.
//!
//! The document has the counts of every area, and the name and the answer of each trial that failed, is contested or is
//! open. A trial that the document does not name passed, was not answered, or was not asked. If the counts show which
//! of the three is true, the page reports this outcome. If the counts do not show the outcome, the page does not name
//! the parser at that trial.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use robots_conformance::report::{Cases, Totals, TrialRecord};
use robots_conformance::robots_core::engine::{Ask, QuestionKind, Role, VerdictQuestion};
use robots_conformance::run::Report;
use robots_conformance::run::outcome::OutcomeKind;
use robots_conformance::run::trial::{self, Trial};
use robots_conformance::suite::Suite;
use robots_conformance_cli::report::html::{Page, Subject, Words};
use robots_conformance_cli::report::record::RunRecord;

use crate::peers::{Document, Entry};

const LEAD: &str = "What each parser answers to the questions of four editions: may this crawler fetch this URL under \
    this file? A parser that a question does not name was not asked, or gave no answer.";

/// Makes the page.
pub(super) fn page(peers: &Document, suite: &Suite) -> Page {
    let trials = trial::published(suite);
    let mut subjects: Vec<Subject> =
        peers.measured.iter().map(|peer| subject(peer, &trials)).collect();
    // The page omits areas in which no parser was judged.
    let records = || subjects.iter().flat_map(|subject| &subject.record.areas);
    let judged: BTreeSet<String> =
        records().filter(|it| it.totals.closed() > 0).map(|it| it.area.clone()).collect();
    for subject in &mut subjects {
        subject.record.areas.retain(|area| judged.contains(&area.area));
    }
    Page {
        title: "The parsers, measured".to_owned(),
        subjects,
        unmeasured: peers.without_result(),
        lead: Some(LEAD.to_owned()),
        words: Words::PARSERS,
        requirements: Some("requirements.html".to_owned()),
        ..Page::default()
    }
}

fn subject(peer: &Entry, trials: &[Arc<Trial>]) -> Subject {
    let name = peer.subject.marked();
    let failing: BTreeSet<&str> = peer.failing().map(String::as_str).collect();
    let late: BTreeSet<&str> = peer.late.iter().map(String::as_str).collect();
    let unnamed = Unnamed::of(peer, trials, &failing);
    let records = trials.iter().filter_map(|trial| {
        let answer = peer.answers.get(trial.name());
        let outcome = if failing.contains(trial.name()) {
            let is_late = late.contains(trial.name());
            if is_late { OutcomeKind::Errored } else { OutcomeKind::Failed }
        } else if answer.is_some() {
            if trial.is_open() { OutcomeKind::Open } else { OutcomeKind::Contested }
        } else {
            unnamed.outcome(trial)?
        };
        Some(record(&name, trial, outcome, answer))
    });
    let trials = records.collect();
    let mut record = RunRecord::from(Report::new(name, trials));
    // The counts come from the measurement.
    record.areas.clone_from(&peer.areas);
    record.totals = sum(peer, |_| true);
    let mut counted = BTreeSet::new();
    for line in &mut record.editions {
        // The counts of an edition include all roles, so only the first line of the edition gets them.
        let is_first = counted.insert(line.edition.clone());
        line.totals = sum(peer, |edition| is_first && edition == line.edition);
        line.conforms = line.is_right() && line.is_complete();
    }
    peer.subject.of_page(record)
}

fn sum(peer: &Entry, is_wanted: impl Fn(&str) -> bool) -> Totals {
    let areas = peer.areas.iter().filter(|area| is_wanted(&area.edition));
    areas.fold(Totals::default(), |sum, area| sum.and(area.totals))
}

fn record(name: &str, trial: &Trial, outcome: OutcomeKind, answer: Option<&String>) -> TrialRecord {
    let mut record = TrialRecord::of_question(trial, name, outcome);
    match outcome {
        OutcomeKind::Errored => record.detail = Some("no answer within a minute".to_owned()),
        _ => record.got = answer.cloned(),
    }
    record
}

/// For each area and edition, the trials that a peer's entry does not name, counted by kind of question.
struct Unnamed<'e> {
    cells: BTreeMap<(&'e str, &'e str), Cell>,
}

/// The kind of a question, and whether it names several product tokens, which not every parser accepts.
type Asked = (QuestionKind, bool);

#[derive(Default)]
struct Cell {
    totals: Totals,
    asked: BTreeMap<Asked, usize>,
    /// The kinds of question that the parser answered according to the counts; `None` if the counts do not show this.
    answered: Option<BTreeSet<Asked>>,
}

impl<'e> Unnamed<'e> {
    fn of(peer: &'e Entry, trials: &'e [Arc<Trial>], failing: &BTreeSet<&str>) -> Self {
        let mut cells: BTreeMap<(&str, &str), Cell> = BTreeMap::new();
        for area in &peer.areas {
            let cell = cells.entry((&area.area, &area.edition)).or_default();
            cell.totals = area.totals;
        }
        for trial in trials {
            let is_named =
                failing.contains(trial.name()) || peer.answers.contains_key(trial.name());
            let key = (trial.case().area.as_str(), trial.profile().id());
            if let Some(cell) = cells.get_mut(&key).filter(|cell| !is_named && cell.has(trial)) {
                *cell.asked.entry(asked(trial)).or_default() += 1;
            }
        }
        cells.values_mut().for_each(Cell::settle);
        Self { cells }
    }

    /// Returns the outcome of a trial that the entry does not name, or `None` if the counts do not show the outcome.
    fn outcome(&self, trial: &Trial) -> Option<OutcomeKind> {
        let key = (trial.case().area.as_str(), trial.profile().id());
        let Some(cell) = self.cells.get(&key).filter(|cell| cell.has(trial)) else {
            return Some(OutcomeKind::NotAsked);
        };
        let is_answered = cell.answered.as_ref()?.contains(&asked(trial));
        Some(if is_answered { OutcomeKind::Passed } else { OutcomeKind::Unanswered })
    }
}

impl Cell {
    /// Returns whether a trial was asked. A parser is asked either all questions for crawlers or no such question.
    fn has(&self, trial: &Trial) -> bool {
        trial.role() == Role::Parser || self.totals.get(OutcomeKind::NotAsked) == 0
    }

    /// Finds the kinds of question that the parser answered: the combination of kinds whose number of trials is the
    /// number of passed trials. If several combinations fit, the kinds stay unknown.
    fn settle(&mut self) {
        let passed = self.totals.get(OutcomeKind::Passed);
        let asked: Vec<(Asked, usize)> = self.asked.clone().into_iter().collect();
        // A parser that answers one question of a kind answers all questions of this kind, so there are few
        // combinations.
        let choices = (0..(1_usize << asked.len().min(12))).map(|choice| {
            asked.iter().enumerate().filter(move |(index, _)| (choice >> index) & 1 == 1)
        });
        let mut fitting = choices
            .filter(|choice| choice.clone().map(|(_, (_, count))| count).sum::<usize>() == passed)
            .map(|choice| choice.map(|(_, (asked, _))| *asked).collect::<BTreeSet<Asked>>());
        self.answered = fitting.next().filter(|_| fitting.next().is_none());
    }
}

fn asked(trial: &Trial) -> Asked {
    let several = match &trial.member().ask {
        Ask::Verdict(VerdictQuestion { agents, .. }) => agents.texts().len() > 1,
        _ => false,
    };
    (trial.kind(), several)
}

/// Returns the cases that the page shows.
pub(super) fn cases(suite: &Suite) -> Cases {
    Cases::of(suite)
}
