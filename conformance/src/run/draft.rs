//! Drafts a deviations file: today's failures, with blank reasons.

use serde_yaml::{Mapping, Value};

use crate::kind;
use crate::run::outcome::{Outcome, judge};
use crate::run::{Finished, Report};

/// Writes the failures of a run as a deviations file. Every `why` is blank and must be filled in, because a file with a
/// blank one is refused. Deviations that still apply keep their reasons.
///
/// If all failures of a case have the same answer, they become one entry.
///
/// # Panics
/// Never, because names and answers can be written as YAML.
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
    let mut out = format!(
        "# What {} answers differently. Give the reason in each `why`; a blank one is refused.\n",
        report.engine
    );
    let of_one_case = |one: &Finished, next: &Finished| one.trial.case().id == next.trial.case().id;
    for trials in report.finished.chunk_by(of_one_case) {
        let wrong: Vec<(String, Value, &str)> =
            trials.iter().filter_map(|done| entry(done, report)).collect();
        let (case, [(_, answers, why), rest @ ..]) = (trials[0].trial.case(), &wrong[..]) else {
            continue;
        };
        let is_one = rest.iter().all(|(_, other, reason)| other == answers && reason == why);
        if is_one && !rest.is_empty() {
            let name = format!("{}::{}::{}", report.engine, case.area, case.id);
            write(&mut out, name, answers.clone(), why);
        } else {
            for (name, answers, why) in wrong {
                write(&mut out, name, answers, why);
            }
        }
    }
    out
}

fn write(out: &mut String, name: String, answers: Value, why: &str) {
    let entry = mapping([("answers", answers), ("why", why.into())]);
    let file = Mapping::from_iter([(name.into(), entry)]);
    out.push_str(&serde_yaml::to_string(&file).expect("texts and lists can be written as YAML"));
}

/// Returns the name, the answer and the reason of a trial that needs an entry.
fn entry<'r>(done: &'r Finished, report: &Report) -> Option<(String, Value, &'r str)> {
    let name = done.trial.full_name(&report.engine);
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

/// Returns whether the answer itself does not conform. An entry that healed fails for another reason.
fn fails(done: &Finished) -> bool {
    let judged = |answer| judge(done.trial.kind(), done.trial.conforming(), answer);
    done.answer.as_ref().is_some_and(|answer| matches!(judged(answer), Outcome::Failed { .. }))
}

fn mapping<const N: usize>(pairs: [(&str, Value); N]) -> Value {
    let pairs = pairs.map(|(key, value)| (key.into(), value));
    Value::Mapping(pairs.into_iter().collect())
}
