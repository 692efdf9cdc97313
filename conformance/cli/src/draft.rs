//! A draft of a deviations file: what failed today, with blanks for the reasons.

use std::fmt::Write as _;

use robots_core::RuleKind;
use robots_core::engine::Answer;
use serde_yaml::{Mapping, Value};

use robots_conformance::judge::{Outcome, judge};
use robots_conformance::render;
use robots_conformance::run::{Finished, Report};

/// Writes the failures of a run as a deviations file whose every `why` is blank, to be filled in: a
/// blank one is refused when the file is read. Deviations that hold keep their reasons.
///
/// A trial that errored has no answer to state; such trials are named in comments.
///
/// # Panics
/// Never: names and answers have a YAML form.
#[must_use]
pub fn draft(report: &Report) -> String {
    let mut out = format!(
        "# What {} answers otherwise. Say why in each `why`; a blank one is refused.\n",
        report.engine
    );
    for done in &report.finished {
        let name = done.trial.full_name(&report.engine);
        let why = match &done.outcome {
            Outcome::Deviation { why } => why.as_str(),
            Outcome::Errored { .. } => {
                let _ = writeln!(out, "# errored, so that there is no answer to state: {name}");
                continue;
            }
            _ if fails(done) => "",
            _ => continue,
        };
        let Some(answers) = done.answer.as_ref().and_then(value) else { continue };
        let entry = mapping([("answers", answers), ("why", why.into())]);
        let file = Mapping::from_iter([(name.into(), entry)]);
        out.push_str(&serde_yaml::to_string(&file).expect("texts and lists have a YAML form"));
    }
    out
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
        Answer::Verdict { allowed, line: None, .. } => word(*allowed),
        Answer::Verdict { allowed, line: Some(line), .. } => {
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
