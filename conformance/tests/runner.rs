//! Tests the runner with deviations, and with engines that answer wrongly, panic, hang, or do not answer.

mod common;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use common::{Fake, suite};
use robots_conformance::engine::Profile;
use robots_conformance::engine::{IsAllowed, Question};
use robots_conformance::kind::{Answer, Ask, Role, VerdictAnswer, VerdictQuestion};
use robots_conformance::problem::Problem;
use robots_conformance::report::failure;
use robots_conformance::run::deviations::Deviations;
use robots_conformance::run::outcome::{Missing, Outcome};
use robots_conformance::run::{Finished, Runner};
use robots_core::Edition;
use robots_core::fetch::Access;

const BOTH: &[Profile] =
    &[Profile::Edition(Edition::Google2022), Profile::Edition(Edition::Rfc9309)];

fn run(runner: &Runner) -> BTreeMap<String, Finished> {
    let trials = runner.trials(&suite());
    let finished = runner.run(&trials, |_| {});
    let order: Vec<&str> = finished.iter().map(|done| done.trial.name()).collect();
    assert_eq!(order, trials.iter().map(|trial| trial.name()).collect::<Vec<_>>());
    finished.into_iter().map(|done| (done.trial.name().to_owned(), done)).collect()
}

/// Returns the stale and the healed entries after a complete run.
fn stale(runner: &Runner) -> Vec<Problem> {
    runner.report(run(runner).into_values().collect()).stale
}

/// Answers that every URL is allowed, and does not answer questions of other kinds.
fn allows(question: &Question) -> Answer {
    match &question.ask {
        Ask::Verdict(_) => Answer::verdict(true),
        _ => Answer::unsupported("verdicts only"),
    }
}

fn allowing() -> Runner {
    Runner::new(Arc::new(Fake(BOTH, allows)))
}

#[test]
fn outcomes_are_told_apart() {
    let done = run(&allowing());
    let outcome = |name: &str| done[name].outcome.name();
    assert_eq!(outcome("paths::fish-prefix::rfc9309::/fish"), "failed");
    assert_eq!(outcome("paths::fish-prefix::rfc9309::/catfish"), "passed");
    assert_eq!(outcome("paths::fowl-line::rfc9309"), "passed");
    assert_eq!(outcome("paths::empty-pattern::google-2022"), "open");
    assert_eq!(outcome("shapes::two-agents::rfc9309"), "unanswered");
    let unanswered = Outcome::Unanswered { reason: "verdicts only".to_owned() };
    assert_eq!(done["shapes::missing-file::rfc9309"].outcome, unanswered);
}

#[test]
fn only_declared_editions_are_asked_unless_insisted_on() {
    let undeclared = "shapes::missing-file::google-2018";
    assert!(!run(&allowing()).contains_key(undeclared));
    assert!(run(&allowing().every_edition()).contains_key(undeclared));
}

#[test]
fn an_open_question_takes_any_answer_of_its_kind() {
    let answering = |answer: fn() -> Answer| {
        let engine = Fake(&[Profile::Edition(Edition::Google2018)], move |_: &Question| answer());
        let done = run(&Runner::new(Arc::new(engine)));
        done["shapes::broken-connection::google-2018"].outcome.clone()
    };
    let open = Outcome::Open { passage: None };
    assert_eq!(answering(|| Answer::Access(Access::FullAllow)), open);
    let undefined = || Answer::Access(Access::Undefined { safe: &Access::FullDisallow });
    assert_eq!(answering(undefined), open);
    assert_eq!(answering(|| Answer::verdict(true)).name(), "errored");
    assert_eq!(answering(|| Answer::Error("broken".to_owned())).name(), "errored");
}

#[test]
fn what_is_for_another_role_is_not_asked() {
    let parser = IsAllowed { name: "fake", f: |_: &[u8], _: &str, _: &str| true };
    let done = run(&Runner::new(Arc::new(parser)));
    let missing = Missing::Role(Role::Crawler);
    assert_eq!(done["shapes::missing-file::rfc9309"].outcome, Outcome::NotAsked { missing });
    assert_eq!(done["shapes::two-agents::rfc9309"].outcome.name(), "unanswered");
}

#[test]
fn a_panic_is_that_trials_error() {
    let engine = Fake(BOTH, |question: &Question| match &question.ask {
        Ask::Verdict(VerdictQuestion { url, .. }) if url.ends_with("/catfish") => {
            panic!("no cats: {url}")
        }
        _ => allows(question),
    });
    let done = run(&Runner::new(Arc::new(engine)));
    let Outcome::Errored { message, .. } = &done["paths::fish-prefix::rfc9309::/catfish"].outcome
    else {
        panic!("it panicked");
    };
    let expected =
        "the engine panicked: no cats: https://example.com/catfish (conformance/tests/runner.rs:";
    assert!(message.starts_with(expected), "{message}");
    assert_eq!(done["paths::fowl-line::rfc9309"].outcome, Outcome::Passed);
}

#[test]
fn a_hang_is_that_trials_error_and_the_run_goes_on() {
    let engine = Fake(BOTH, |question: &Question| match &question.ask {
        Ask::Verdict(VerdictQuestion { url, .. }) if url.ends_with("/catfish") => loop {
            thread::park();
        },
        _ => allows(question),
    });
    let runner = Runner::new(Arc::new(engine)).timeout(Duration::from_millis(300)).jobs(2);
    let done = run(&runner);
    let errored = done.values().filter(|done| done.outcome.name() == "errored").count();
    assert_eq!(errored, 2, "one an edition");
    let hung = &done["paths::fish-prefix::rfc9309::/catfish"];
    let text = rendered(hung);
    assert!(text.contains("no answer within 0.3 s"), "{text}");
    assert_eq!(done["paths::fowl-line::rfc9309"].outcome, Outcome::Passed);
}

#[test]
fn a_failure_with_evidence_and_a_wrong_line() {
    let engine = Fake(BOTH, |question: &Question| match &question.ask {
        Ask::Verdict(VerdictQuestion { url, .. }) => Answer::Verdict(VerdictAnswer {
            allowed: true,
            line: Some(3),
            evidence: Some(format!("line 3 of many,\nfor {url}")),
        }),
        Ask::Groups(_) => Answer::Groups(vec![]),
        _ => allows(question),
    });
    let done = run(&Runner::new(Arc::new(engine)));
    let shown = ["paths::fowl-line::rfc9309", "shapes::two-agents::rfc9309"];
    let text = shown.map(|name| rendered(&done[name]));
    insta::assert_snapshot!(text.join("\n"));
}

fn rendered(done: &Finished) -> String {
    failure::of(done, "fake", &suite(), "again")
}

fn with_deviations(text: &str) -> Runner {
    allowing().deviations(Deviations::parse("fake.yaml", text).unwrap())
}

#[test]
fn a_deviation_passes_while_the_answer_is_exactly_that() {
    let runner = with_deviations(
        "fake::paths::fish-prefix::rfc9309::/fish:\n  answers: allow\n  why: It knows no patterns.\n",
    );
    let done = run(&runner);
    let deviation = Outcome::Deviation { why: "It knows no patterns.".to_owned() };
    assert_eq!(done["paths::fish-prefix::rfc9309::/fish"].outcome, deviation);
    assert!(done["paths::fish-prefix::rfc9309::/fishheads"].outcome.is_failure());
    assert!(stale(&runner).is_empty());
}

#[test]
fn healed_drifted_and_stale_entries_fail() {
    let runner = with_deviations(
        "fake::paths::fish-prefix::rfc9309::/catfish:
  answers: disallow
  why: It was so.
fake::paths::fish-prefix::rfc9309::/fish:
  answers: { verdict: allow, line: 7 }
  why: It was so.
fake::paths::empty-pattern::google-2022:
  answers: disallow
  why: It was so.
fake::shapes::two-agents::rfc9309:
  answers: []
  why: It was so.
fake::paths::fish-prefix::rfc9309::/fishheads:
  answers: disallow
  why: It answers otherwise.
# No trial has these names.
fake::paths::fish-prefix::rfc9309::/shark:
  answers: allow
  why: It was so.
other::paths::fish-prefix::rfc9309::/fish:
  answers: allow
  why: Another engine's.
",
    );
    let done = run(&runner);
    let mut lines: Vec<String> = done
        .values()
        .filter_map(|done| match &done.outcome {
            Outcome::Failed { note: Some(note) } => Some(format!("{}\n{note}", done.trial.name())),
            _ => None,
        })
        .collect();
    lines.extend(stale(&runner).iter().map(ToString::to_string));
    insta::assert_snapshot!(lines.join("\n\n"));
}

#[test]
fn one_entry_for_a_case_for_an_edition_or_for_a_list() {
    for entry in [
        "fake::paths::fish-prefix:",
        "fake::paths::fish-prefix::rfc9309:",
        "no patterns:\n  trials: [\"fake::paths::fish-prefix::rfc9309::/fish\"]",
    ] {
        let runner =
            with_deviations(&format!("{entry}\n  answers: allow\n  why: It knows no patterns.\n"));
        let done = run(&runner);
        let outcome = |name: &str| done[name].outcome.name();
        assert_eq!(outcome("paths::fish-prefix::rfc9309::/fish"), "deviation", "{entry}");
        assert_eq!(outcome("paths::fish-prefix::rfc9309::/catfish"), "passed", "{entry}");
        assert_eq!(stale(&runner), [], "{entry}");
    }
    // If a trial that an entry names passes, the entry is reported as healed. An entry that names a case is healed only
    // if no trial of the case fails.
    let listed = with_deviations(
        "it:\n  trials: [\"fake::paths::fish-prefix::rfc9309::/catfish\"]\n  answers: allow\n  why: It.\n",
    );
    assert_eq!(run(&listed)["paths::fish-prefix::rfc9309::/catfish"].outcome.name(), "failed");
    let case = "fake::paths::fowl-line:\n  answers: disallow\n  why: It.\n";
    let runner = with_deviations(case);
    let [healed] = &stale(&runner)[..] else { panic!("one entry healed") };
    assert!(healed.message.contains("healed: no trial of it fails"), "{healed}");
    // An entry may name a case, but not an area.
    let wide = with_deviations("fake::paths:\n  answers: allow\n  why: It.\n");
    assert_eq!(stale(&wide).len(), 1);
    assert_eq!(run(&wide)["paths::fish-prefix::rfc9309::/fish"].outcome.name(), "failed");
}

#[test]
fn an_error_may_be_a_deviation_while_it_lasts() {
    let entry =
        "fake::paths::fish-prefix::rfc9309::/fish:\n  answers: error\n  why: It cannot swim.\n";
    let outcome = |answer: fn() -> Answer| {
        let engine = Fake(BOTH, move |_: &Question| answer());
        let deviations = Deviations::parse("fake.yaml", entry).unwrap();
        let runner = Runner::new(Arc::new(engine)).deviations(deviations);
        assert_eq!(stale(&runner), []);
        run(&runner)["paths::fish-prefix::rfc9309::/fish"].outcome.clone()
    };
    let why = "It cannot swim.".to_owned();
    assert_eq!(
        outcome(|| Answer::Error("sunk".to_owned())),
        Outcome::Deviation { why: why.clone() }
    );
    assert_eq!(outcome(|| panic!("sunk")), Outcome::Deviation { why });
    let drifted = outcome(|| Answer::verdict(true));
    let healed = outcome(|| Answer::verdict(false));
    for (outcome, lines) in [(drifted, "drifted: "), (healed, "healed: ")] {
        let Outcome::Failed { note: Some(note) } = outcome else { panic!("{lines}{outcome:?}") };
        assert!(note.starts_with(lines), "{note}");
    }
}

/// A trial that ends with an error is still errored if its entry in the deviations file states an answer.
#[test]
fn an_error_is_no_deviation_where_an_answer_is_stated() {
    let entry =
        "fake::paths::fish-prefix::rfc9309::/fish:\n  answers: disallow\n  why: It cannot swim.\n";
    let engine = Fake(BOTH, |_: &Question| Answer::Error("sunk".to_owned()));
    let deviations = Deviations::parse("fake.yaml", entry).unwrap();
    let done = run(&Runner::new(Arc::new(engine)).deviations(deviations));
    let outcome = &done["paths::fish-prefix::rfc9309::/fish"].outcome;
    let Outcome::Errored { message, .. } = outcome else { panic!("{outcome:?}") };
    assert!(
        message.starts_with("sunk (the entry at fake.yaml:1 states an answer instead"),
        "{message}"
    );
}

#[test]
fn a_broken_deviations_file_is_refused_with_its_lines() {
    let problems = Deviations::parse(
        "fake.yaml",
        "# a comment
a::b::c::rfc9309:
  answers: allow
  because: of that
'a::b::d::rfc9309':
  why: ''
a::b::e::rfc9309: allow
",
    );
    insta::assert_snapshot!(problems.unwrap_err().to_string(), @r"
    fake.yaml:2: a::b::c::rfc9309: unknown key `because`; known here: `trials`, `answers`, `found`, `why`
    fake.yaml:2: a::b::c::rfc9309: `why` is missing; give the reason for the engine's answer
    fake.yaml:5: a::b::d::rfc9309: `answers` is missing: the wrong answer of the engine
    fake.yaml:5: a::b::d::rfc9309: `why` is blank; give the reason for the engine's answer
    fake.yaml:7: a::b::e::rfc9309: an entry is a mapping of `answers`, `why` and maybe `trials`
    ");
    let missing = Deviations::read(std::path::Path::new("no/such/file.yaml")).unwrap_err();
    assert!(missing.to_string().starts_with("no/such/file.yaml:1: cannot read"), "{missing}");
    let wrong_kind = "fake::shapes::two-agents::rfc9309:\n  answers: allow\n  why: It is odd.\n";
    let runner = with_deviations(wrong_kind);
    let found = stale(&runner);
    assert!(found[0].message.contains("not an answer to `ask: groups`"), "{}", found[0]);
}
