//! A draft of a deviations file: what failed today, with blanks for the reasons.

use robots_core::RuleKind;
use robots_core::engine::{Answer, VerdictAnswer};
use serde_yaml::{Mapping, Value};

use crate::judge::{Outcome, judge};
use crate::render;
use crate::run::{Finished, Report};

/// Writes the failures of a run as a deviations file whose every `why` is blank, to be filled in: a
/// blank one is refused when the file is read. Deviations that hold keep their reasons.
///
/// The failures of a case that all have the same answer make one entry.
///
/// # Panics
/// Never: names and answers have a YAML form.
///
/// ```
/// use std::sync::Arc;
/// use std::time::Duration;
/// use robots_conformance::draft::draft;
/// use robots_conformance::{load, run::{Report, Runner}};
/// use robots_core::engine::IsAllowed;
///
/// let always = IsAllowed { name: "always", f: |_: &[u8], _: &str, _: &str| true };
/// let runner = Runner::new(Arc::new(always));
/// let finished = runner.run(&runner.trials(&load::embedded()?), |_| {});
/// let (engine, took) = ("always".to_owned(), Duration::ZERO);
/// let report = Report { engine, finished, stale: Vec::new(), took, is_selection: false, unasked: 0 };
/// assert!(draft(&report).contains("\n  answers: allow\n  why: ''\n"));
/// # Ok::<(), robots_conformance::problem::Problems>(())
/// ```
#[must_use]
pub fn draft(report: &Report) -> String {
    let mut out = format!(
        "# What {} answers otherwise. Say why in each `why`; a blank one is refused.\n",
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
    out.push_str(&serde_yaml::to_string(&file).expect("texts and lists have a YAML form"));
}

/// Returns the name, the answer and the reason of a trial that needs an entry.
fn entry<'r>(done: &'r Finished, report: &Report) -> Option<(String, Value, &'r str)> {
    let name = done.trial.full_name(&report.engine);
    let stated = || done.answer.as_ref().and_then(value).unwrap_or_else(|| "error".into());
    match &done.outcome {
        Outcome::Deviation { why } => Some((name, stated(), why.as_str())),
        Outcome::Errored { .. } => Some((name, "error".into(), "")),
        _ if fails(done) => Some((name, stated(), "")),
        _ => None,
    }
}

/// Whether the answer itself does not conform; an entry that healed fails for another reason.
fn fails(done: &Finished) -> bool {
    let judged = |answer| judge(done.trial.kind(), done.trial.conforming(), answer);
    done.answer.as_ref().is_some_and(|answer| matches!(judged(answer), Outcome::Failed { .. }))
}

/// Returns an answer as the cases write it.
fn value(answer: &Answer) -> Option<Value> {
    let word = |allowed: bool| Value::from(if allowed { "allow" } else { "disallow" });
    Some(match answer {
        Answer::Verdict(VerdictAnswer { allowed, line: None, .. }) => word(*allowed),
        Answer::Verdict(VerdictAnswer { allowed, line: Some(line), .. }) => {
            mapping([("verdict", word(*allowed)), ("line", (*line).into())])
        }
        Answer::Groups(groups) => groups
            .iter()
            .map(|group| {
                let agents: Vec<Value> = group.agents.iter().map(|a| a.as_str().into()).collect();
                mapping([("agents", agents.into()), ("rules", rules(&group.rules))])
            })
            .collect::<Vec<_>>()
            .into(),
        Answer::Group(None) => "none".into(),
        Answer::Group(Some(group)) => mapping([("rules", rules(&group.rules))]),
        Answer::Sitemaps(urls) => {
            urls.iter().map(|url| url.as_str().into()).collect::<Vec<Value>>().into()
        }
        Answer::Scope(scope) => scope.to_string().into(),
        Answer::Access(_) => render::answer(answer).into(),
        Answer::Retry(retry) => retry.to_string().into(),
        Answer::Freshness(freshness) => freshness.to_string().into(),
        Answer::Derives(derivation) => {
            let lines: Vec<Value> = derivation.lines().iter().map(|line| (*line).into()).collect();
            mapping([("file", derivation.file().into()), ("lines", lines.into())])
        }
        _ => return None,
    })
}

fn rules(rules: &[(RuleKind, String)]) -> Value {
    let rule = |(kind, value): &(RuleKind, String)| {
        mapping([(kind.to_string().as_str(), value.as_str().into())])
    };
    rules.iter().map(rule).collect::<Vec<_>>().into()
}

fn mapping<const N: usize>(pairs: [(&str, Value); N]) -> Value {
    let pairs = pairs.map(|(key, value)| (key.into(), value));
    Value::Mapping(pairs.into_iter().collect())
}
