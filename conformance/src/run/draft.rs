//! Drafts a deviations file from the failures of a run, with blank reasons. Start at [`draft`]. [`file()`] writes the
//! entries, also for the crate for live cases.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_yaml::Value;

use crate::kind;
use crate::run::outcome::{Outcome, judge};
use crate::run::{Finished, Report};

/// Writes the failures of a run as a deviations file. Every new `why` is blank and must be filled in, because a file
/// with a blank `why` is refused. Deviations that still apply keep their reasons.
///
/// If all failures of a case have the same answer, they become one entry.
///
/// # Panics
/// Never panics, because names and answers can be written as YAML.
///
/// ```
/// use std::sync::Arc;
/// use robots_conformance::run::draft::draft;
/// use robots_conformance::run::{Report, Runner};
/// use robots_conformance::suite::load;
/// use robots_core::engine::IsAllowed;
///
/// let always = IsAllowed { name: "always", f: |_: &[u8], _: &str, _: &str| true };
/// let runner = Runner::new(Arc::new(always));
/// let finished = runner.run(&runner.trials(&load::embedded()?), |_| {});
/// let report = Report::new("always", finished);
/// assert!(draft(&report).contains("\n  answers: allow\n  why: ''\n"));
/// # Ok::<(), robots_conformance::problem::Problems>(())
/// ```
#[must_use]
pub fn draft(report: &Report) -> String {
    let mut entries = Vec::new();
    let of_one_case = |one: &Finished, next: &Finished| one.trial.case().id == next.trial.case().id;
    for trials in report.trials.chunk_by(of_one_case) {
        let wrong: Vec<(String, Value, &str)> =
            trials.iter().filter_map(|done| entry(done, report)).collect();
        let (case, [(_, answers, why), rest @ ..]) = (trials[0].trial.case(), &wrong[..]) else {
            continue;
        };
        let is_one = rest.iter().all(|(_, other, reason)| other == answers && reason == why);
        if is_one && !rest.is_empty() {
            let name = format!("{}::{}::{}", report.subject, case.area, case.id);
            entries.push((name, Entry { answers: answers.clone(), why }));
        } else {
            let each = |(name, answers, why)| (name, Entry { answers, why });
            entries.extend(wrong.into_iter().map(each));
        }
    }
    file(&report.subject, entries)
}

/// Writes a deviations file of a subject from names of trials and their entries.
///
/// # Panics
/// Panics if an entry cannot be written as YAML.
///
/// ```
/// let text = robots_conformance::run::draft::file("mine", [("mine::a::b", "c")]);
/// assert!(text.ends_with("refused.\nmine::a::b: c\n"));
/// ```
pub fn file<N: Serialize + Ord, T: Serialize>(
    subject: &str,
    entries: impl IntoIterator<Item = (N, T)>,
) -> String {
    let head = format!(
        "# What {subject} does differently. Give the reason in each `why`; a blank one is refused.\n"
    );
    entries.into_iter().fold(head, |text, entry| {
        let entry = BTreeMap::from([entry]);
        text + &serde_yaml::to_string(&entry).expect("texts and lists can be written as YAML")
    })
}

#[derive(Serialize)]
struct Entry<'r> {
    answers: Value,
    why: &'r str,
}

/// Returns the name, the answer and the reason of a trial that needs an entry.
fn entry<'r>(done: &'r Finished, report: &Report) -> Option<(String, Value, &'r str)> {
    let name = done.trial.full_name(&report.subject);
    let stated = || {
        let stated = done.answer.as_ref().and_then(kind::stated);
        stated.map_or_else(|| "error".into(), |stated| kind::yaml(&stated))
    };
    match &done.outcome {
        Outcome::Deviation { why } => Some((name, stated(), why.as_str())),
        Outcome::Errored { .. } => Some((name, "error".into(), "")),
        _ if fails(done) => Some((name, stated(), "")),
        _ => None,
    }
}

/// Returns whether the answer itself does not conform. A trial with a healed entry fails although its answer conforms.
fn fails(done: &Finished) -> bool {
    let judged = |answer| judge(done.trial.kind(), done.trial.conforming(), answer);
    done.answer.as_ref().is_some_and(|answer| matches!(judged(answer), Outcome::Failed { .. }))
}
