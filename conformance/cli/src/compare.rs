//! The verb `compare`: what changed between the JSON reports of two runs. Start at [`Comparison::of`].
//!
//! A question is the same in both reports if its edition, its role and its id are the same. So the reports may be of
//! different versions of the suite or of the subject. Questions of an edition that only one run asked about are neither
//! new nor gone.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use robots_conformance::report::TrialRecord;
use robots_conformance::report::record::RunRecord;
use robots_conformance::run::outcome::OutcomeKind;
use robots_console::error::Error;
use robots_console::render::counted;

use crate::run::failures::short;

/// The differences between two reports.
#[derive(Debug, Default)]
pub(crate) struct Comparison {
    /// Sentences about the reports: what was compared, and what could not be.
    notes: Vec<String>,
    /// The questions in both reports.
    common: usize,
    /// For each kind of difference, a line for each question.
    lines: BTreeMap<Difference, Vec<String>>,
}

/// A difference, in the order of the output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Difference {
    Broken,
    Fixed,
    Changed,
    New,
    Gone,
}

impl Comparison {
    /// Compares two reports. Subjects with the same name are compared. If each report has one subject, their names may
    /// differ.
    ///
    /// # Errors
    /// Returns a message if the reports have no question in common.
    pub(crate) fn of(old: &[RunRecord], new: &[RunRecord]) -> Result<Self, Error> {
        let mut comparison = Self::default();
        for record in new {
            let same = old.iter().find(|other| other.subject == record.subject);
            let only = || old.first().filter(|_| (old.len(), new.len()) == (1, 1));
            match same.or_else(only) {
                Some(other) => comparison.add(other, record),
                None => {
                    comparison.notes.push(format!("{} is only in the new report", record.subject));
                }
            }
        }
        let is_gone = |record: &&RunRecord| {
            (old.len(), new.len()) != (1, 1) && new.iter().all(|it| it.subject != record.subject)
        };
        for record in old.iter().filter(is_gone) {
            comparison.notes.push(format!("{} is only in the old report", record.subject));
        }
        if comparison.common == 0 {
            let notes = comparison.notes.join("; ");
            return Err(Error::new(format!("the reports have no question in common: {notes}")));
        }
        Ok(comparison)
    }

    /// Returns whether a question has no right answer any more.
    pub(crate) fn is_broken(&self) -> bool {
        self.lines.contains_key(&Difference::Broken)
    }

    /// Renders the differences, with one line for each question.
    pub(crate) fn text(&self) -> String {
        let mut out = self.notes.iter().map(|note| format!("{note}\n")).collect::<String>();
        for (difference, lines) in &self.lines {
            let _ = writeln!(out, "\n{}: {}", difference.heading(), lines.len());
            for line in lines {
                let _ = writeln!(out, "  {line}");
            }
        }
        let of_common = [Difference::Broken, Difference::Fixed, Difference::Changed];
        let differ = of_common.iter().filter_map(|it| self.lines.get(it)).map(Vec::len).sum();
        let same = self.common.saturating_sub(differ);
        let _ = writeln!(out, "\n{same} of {} unchanged", counted(self.common, "common question"));
        out
    }

    /// Adds the differences between two runs.
    fn add(&mut self, old: &RunRecord, new: &RunRecord) {
        let [of_old, of_new] = [old, new].map(|it| format!("{} (suite {})", it.subject, it.suite));
        self.notes.push(format!("from {of_old} to {of_new}"));
        for (record, which) in [(old, "old"), (new, "new")] {
            let selection = || "of selected questions only".to_owned();
            let part = record.partial().or_else(|| record.selection.then(selection));
            if let Some(part) = part {
                self.notes
                    .push(format!("the {which} report is {}", part.replace("PARTIAL", "partial")));
            }
        }
        let [in_old, in_new] = [old, new]
            .map(|it| it.trials.iter().map(|trial| &*trial.edition).collect::<BTreeSet<_>>());
        for edition in in_old.symmetric_difference(&in_new) {
            let which = if in_old.contains(edition) { "old" } else { "new" };
            self.notes.push(format!("only the {which} report is about {edition}"));
        }
        let is_in_both = |trial: &&TrialRecord| {
            in_old.contains(&*trial.edition) && in_new.contains(&*trial.edition)
        };
        let [mut before, after] = [old, new].map(|it| {
            let trials = it.trials.iter().filter(is_in_both);
            trials
                .map(|it| ((&*it.edition, &*it.role, it.question()), it))
                .collect::<BTreeMap<_, _>>()
        });
        let is_asked = |trial: &&TrialRecord| trial.outcome != OutcomeKind::NotAsked;
        for (key, trial) in after {
            match before.remove(&key) {
                Some(known) if is_asked(&known) || is_asked(&trial) => {
                    self.common += 1;
                    if let Some(difference) = Difference::between(known, trial) {
                        self.lines.entry(difference).or_default().push(line(known, trial));
                    }
                }
                None if is_asked(&trial) => {
                    let line = format!("{}: {}", name(trial), trial.outcome);
                    self.lines.entry(Difference::New).or_default().push(line);
                }
                _ => {}
            }
        }
        for trial in before.into_values().filter(is_asked) {
            self.lines.entry(Difference::Gone).or_default().push(name(trial));
        }
    }
}

impl Difference {
    /// Decides how two answers to the same question differ.
    fn between(old: &TrialRecord, new: &TrialRecord) -> Option<Self> {
        let [is_right, was_right] =
            [new, old].map(|it| it.outcome.is_decided() && !it.outcome.is_wrong());
        match (was_right, is_right) {
            (true, true) => None,
            (true, false) => Some(Self::Broken),
            (false, true) => Some(Self::Fixed),
            // No answer is not worse than a wrong answer, but a wrong answer is worse than none.
            (false, false) if new.outcome.is_wrong() && !old.outcome.is_wrong() => {
                Some(Self::Broken)
            }
            (false, false) => (answer(old) != answer(new)).then_some(Self::Changed),
        }
    }

    const fn heading(self) -> &'static str {
        match self {
            Self::Broken => "broken",
            Self::Fixed => "fixed",
            Self::Changed => "wrong in another way",
            Self::New => "new questions",
            Self::Gone => "gone questions",
        }
    }
}

/// Returns the line of a question that both reports have.
fn line(old: &TrialRecord, new: &TrialRecord) -> String {
    let mut line = format!(
        "{} ({}, {}): expected {}, got {}, before {}",
        name(new),
        new.level,
        new.source,
        short(&new.expected),
        short(&answer(new)),
        short(&answer(old)),
    );
    if new.outcome == OutcomeKind::Deviation {
        line += "; a known deviation";
    }
    if old.expected != new.expected {
        let _ = write!(line, "; the old suite expected {}", short(&old.expected));
    }
    line
}

fn name(trial: &TrialRecord) -> String {
    format!("{} {}", trial.edition, trial.question())
}

/// Returns the answer, in words that are the same in every run with this answer.
fn answer(trial: &TrialRecord) -> String {
    if !trial.findings.is_empty() {
        return trial.findings.iter().map(|it| &*it.what).collect::<Vec<_>>().join(", ");
    }
    match (&trial.got, trial.outcome) {
        (_, OutcomeKind::Errored) => "an error".to_owned(),
        (Some(got), _) => got.clone(),
        (None, outcome) => format!("no answer ({outcome})"),
    }
}

#[cfg(test)]
mod tests {
    use robots_conformance::report::TrialRecord;
    use robots_conformance::report::record::RunRecord;
    use robots_conformance::run::Report;
    use robots_conformance::run::outcome::OutcomeKind::{self, *};

    use super::Comparison;

    /// Makes the report of a run with one edition: the member, the outcome and the answer of each trial.
    fn run(subject: &str, edition: &str, trials: &[(&str, OutcomeKind, &str)]) -> RunRecord {
        let trial = |(member, outcome, got): &(&str, OutcomeKind, &str)| {
            let mut trial = TrialRecord::new(format!("{subject}::a::case::{member}"), *outcome);
            (trial.case, trial.member) = ("case".to_owned(), Some((*member).to_owned()));
            (trial.edition, trial.source) = (edition.to_owned(), "2.2.2".to_owned());
            "disallow".clone_into(&mut trial.expected);
            trial.got = Some((*got).to_owned()).filter(|got| !got.is_empty());
            trial
        };
        Report::new(subject, trials.iter().map(trial).collect()).into()
    }

    #[test]
    fn every_difference_has_a_line() {
        let old = [
            ("/right", Passed, "disallow"),
            ("/broken", Passed, "disallow"),
            ("/silent", Passed, "disallow"),
            ("/fixed", Failed, "allow"),
            ("/crashes", Failed, "allow"),
            ("/listed", Failed, "allow"),
            ("/was-silent", Unanswered, ""),
            ("/gone", Passed, "disallow"),
            ("/other-role", NotAsked, ""),
        ];
        let new = [
            ("/right", Passed, "disallow"),
            ("/broken", Deviation, "allow"),
            ("/silent", Unanswered, ""),
            ("/fixed", Passed, "disallow"),
            ("/crashes", Errored, ""),
            ("/listed", Deviation, "allow"),
            ("/was-silent", Failed, "allow"),
            ("/new", Failed, "allow"),
            ("/other-role", NotAsked, ""),
        ];
        let (old, mut new) = (run("me", "rfc9309", &old), run("me-2", "rfc9309", &new));
        "allow or disallow".clone_into(&mut new.trials[3].expected);
        new.selection = true;
        let differences = Comparison::of(&[old], &[new]).unwrap();
        assert!(differences.is_broken());
        insta::assert_snapshot!(differences.text());
    }

    #[test]
    fn other_editions_and_subjects_are_sentences() {
        let passed = [("/a", Passed, "disallow")];
        let of = |subject, edition| run(subject, edition, &passed);
        let mut old = of("me", "rfc9309");
        old.trials.extend(of("me", "google-2018").trials);
        let differences = Comparison::of(
            &[old.clone(), of("x", "rfc9309")],
            &[of("me", "rfc9309"), of("y", "rfc9309")],
        );
        let differences = differences.unwrap();
        assert!(!differences.is_broken());
        insta::assert_snapshot!(differences.text());
        let error = Comparison::of(&[of("me", "google-2018")], &[of("me", "rfc9309")]).unwrap_err();
        insta::assert_snapshot!(error);
    }
}
