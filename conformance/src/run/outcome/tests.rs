//! Tests the judge with a table: an answer, the conforming answers, and the outcome. Then tests how an entry of a
//! deviations file changes each outcome.
//!
//! Freshness and verdicts have two answers, so an expectation can include every answer. Access has more answers than
//! the two readings of the tests. The entries are applied to a trial of the embedded suite.

use crate::kind::{Answer, QuestionKind, VerdictAnswer};
use robots_core::fetch::{Access, Freshness};
use rstest::rstest;

use super::{Missing, Outcome, OutcomeKind, judge};
use crate::kind::Expected;
use crate::run::deviations::{Behaviour, Deviations};
use crate::run::trial;
use crate::suite::case::{Conforming, Reading};
use crate::suite::load;

/// Returns the expected answers for freshness values.
fn freshness(answers: &[Freshness]) -> Vec<Expected> {
    answers.iter().map(|answer| Expected::Freshness(*answer)).collect()
}

fn one() -> Conforming {
    Conforming::One(Expected::Freshness(Freshness::Fresh))
}

fn any_of(answers: &[Freshness]) -> Conforming {
    Conforming::AnyOf(freshness(answers))
}

fn readings<const N: usize>(answers: [(Access, &str); N]) -> Conforming {
    let reading = |(access, passage): (Access, &str)| Reading {
        answer: Expected::Access(access),
        passage: passage.to_owned(),
    };
    Conforming::Readings(answers.map(reading).into())
}

/// Returns two readings, which do not include every answer.
fn contested() -> Conforming {
    readings([(Access::FullAllow, "one"), (Access::FullDisallow, "other")])
}

/// Returns two readings, one for each verdict, so that no answer is wrong.
fn contested_and_open() -> Conforming {
    let side = |word: &str| crate::kind::expected(QuestionKind::Verdict, &word.into()).unwrap();
    let reading = |word: &str| Reading { answer: side(word), passage: format!("on {word}") };
    Conforming::Readings(vec![reading("allow"), reading("disallow")])
}

const FRESH: Answer = Answer::Freshness(Freshness::Fresh);
const STALE: Answer = Answer::Freshness(Freshness::Stale);

fn allow(allowed: bool) -> Answer {
    Answer::Verdict(VerdictAnswer { allowed, line: None, evidence: None })
}

fn failed() -> Outcome {
    Outcome::Failed { note: None }
}

fn open(passage: Option<&str>) -> Outcome {
    Outcome::Open { passage: passage.map(str::to_owned) }
}

fn held(reading: usize, passage: &str) -> Outcome {
    Outcome::Contested { reading, passage: passage.to_owned() }
}

#[rstest]
#[trace]
#[case::one(one(), FRESH, Outcome::Passed)]
#[case::not_the_one(one(), STALE, failed())]
#[case::the_only_one(any_of(&[Freshness::Fresh]), FRESH, Outcome::Passed)]
#[case::not_the_only_one(any_of(&[Freshness::Fresh]), STALE, failed())]
#[case::none(any_of(&[]), FRESH, failed())]
#[case::every_answer(any_of(&[Freshness::Fresh, Freshness::Stale]), STALE, open(None))]
#[case::undefined(Conforming::Undefined, STALE, open(None))]
#[case::the_first_reading(contested(), Answer::Access(Access::FullAllow), held(1, "one"))]
#[case::the_second_reading(contested(), Answer::Access(Access::FullDisallow), held(2, "other"))]
#[case::no_reading(contested(), Answer::Access(Access::FollowRedirect), failed())]
#[case::open_and_the_first_reading(contested_and_open(), allow(true), open(Some("on allow")))]
#[case::open_and_the_second_reading(contested_and_open(), allow(false), open(Some("on disallow")))]
fn an_answer_is_compared_with_what_conforms(
    #[case] conforming: Conforming,
    #[case] answer: Answer,
    #[case] outcome: Outcome,
) {
    assert_eq!(judge(answer.kind().unwrap(), &conforming, &answer), outcome);
}

/// A missing answer never conforms, even if every well-formed answer conforms.
#[rstest]
#[trace]
fn what_is_no_answer_is_not_compared(
    #[values(one(), any_of(&[Freshness::Fresh]), contested(), contested_and_open(), Conforming::Undefined)]
    conforming: Conforming,
    #[values(QuestionKind::Freshness, QuestionKind::Access, QuestionKind::Verdict)]
    asked: QuestionKind,
) {
    let text = || "why".to_owned();
    let errored = |is_late| Outcome::Errored { message: text(), is_late, id: None };
    let judged = |answer| judge(asked, &conforming, &answer);
    assert_eq!(judged(Answer::Unsupported(text())), Outcome::Unanswered { reason: text() });
    assert_eq!(judged(Answer::Error(text())), errored(false));
    assert_eq!(judged(Answer::TimedOut(text())), errored(true));
}

/// An answer of another kind is an error, even if every well-formed answer conforms.
#[rstest]
#[trace]
fn an_answer_of_another_kind_is_an_error(
    #[values(one(), any_of(&[Freshness::Fresh]), contested(), Conforming::Undefined)]
    conforming: Conforming,
) {
    let judged = judge(QuestionKind::Access, &conforming, &FRESH);
    let message = "the question was of kind access, the answer is of kind freshness".to_owned();
    assert_eq!(judged, Outcome::Errored { message, is_late: false, id: None });
}

/// An error of question 7.
fn late(is_late: bool) -> Outcome {
    Outcome::Errored { message: "x".to_owned(), is_late, id: Some(7) }
}

const NOT_ASKED: Outcome = Outcome::NotAsked { missing: Missing::Clock };

/// The beginning of the note about an entry for a question that needs a clock.
const NO_CLOCK: &str =
    "stale: the question is not asked, because the subject does not take the runner's clock, but ";

/// Each outcome is decided, undecided, or not asked.
#[test]
fn an_outcome_is_decided_undecided_or_not_asked() {
    let of = |is_such: fn(OutcomeKind) -> bool| -> Vec<&str> {
        OutcomeKind::ALL.into_iter().filter(|kind| is_such(*kind)).map(OutcomeKind::id).collect()
    };
    let undecided = ["unanswered", "inconclusive", "waited", "not-run"];
    assert_eq!(of(OutcomeKind::is_undecided), undecided);
    let decided = ["passed", "failed", "errored", "deviation", "contested", "open"];
    assert_eq!(of(OutcomeKind::is_decided), decided);
}

/// Checks every outcome: its name, the text that a report shows, and whether it is a failure.
#[rstest]
#[trace]
#[case(Outcome::Passed, "passed", None, false)]
#[case(Outcome::Failed { note: None }, "failed", None, true)]
#[case(Outcome::Failed { note: Some("x".to_owned()) }, "failed", Some("x"), true)]
#[case(late(false), "errored", Some("x"), true)]
#[case(Outcome::Deviation { why: "x".to_owned() }, "deviation", Some("x"), false)]
#[case(held(1, "x"), "contested", Some("x"), false)]
#[case(open(None), "open", None, false)]
#[case(open(Some("x")), "open", Some("x"), false)]
#[case(Outcome::Unanswered { reason: "x".to_owned() }, "unanswered", Some("x"), false)]
#[case(NOT_ASKED, "not-asked", Some("the subject does not take the runner's clock"), false)]
#[case(Outcome::Inconclusive, "inconclusive", None, false)]
#[case(Outcome::Waited, "waited", None, false)]
#[case(Outcome::NotRun { why: "x".to_owned() }, "not-run", Some("x"), false)]
fn an_outcome_has_its_name_and_text(
    #[case] outcome: Outcome,
    #[case] name: &str,
    #[case] detail: Option<&str>,
    #[case] is_failure: bool,
) {
    assert_eq!((outcome.name(), outcome.detail()), (name, detail));
    assert_eq!((outcome.is_failure(), outcome.kind().is_failure()), (is_failure, is_failure));
    assert_eq!(format!("{:>14}|", outcome.kind()), format!("{name:>14}|"));
    assert!(OutcomeKind::ALL.contains(&outcome.kind()));
}

/// Applies a deviations entry to an outcome: first an entry that states an answer, then an entry that states an error.
#[rstest]
#[trace]
#[case::passed(Outcome::Passed, Some(FRESH), "healed: ", "healed: ")]
#[case::open(open(None), Some(STALE), "healed: ", "healed: ")]
#[case::contested(held(1, "x"), Some(FRESH), "healed: ", "healed: ")]
#[case::as_stated(failed(), Some(STALE), "deviation", "drifted: ")]
#[case::not_as_stated(failed(), Some(FRESH), "drifted: ", "drifted: ")]
#[case::errored(late(false), None, "errored", "deviation")]
#[case::late(late(true), None, "late", "deviation")]
#[case::unanswered(Outcome::Unanswered { reason: "x".to_owned() }, None, "drifted: ", "drifted: ")]
#[case::not_asked(NOT_ASKED, None, NO_CLOCK, NO_CLOCK)]
fn an_entry_is_held_to_its_outcome(
    #[case] outcome: Outcome,
    #[case] answer: Option<Answer>,
    #[case] by_answer: &str,
    #[case] by_error: &str,
) {
    let suite = load::embedded().unwrap();
    let trials = trial::trials(&suite);
    let trial = trials.iter().find(|trial| trial.kind() == QuestionKind::Freshness).unwrap();
    for (answers, found) in [("stale", by_answer), ("error", by_error)] {
        let name = trial.full_name("e");
        let text = format!("{name}: {{ answers: {answers}, why: It is so. }}");
        let known = Deviations::parse("mine.yaml", &text).unwrap();
        let behaviour = Behaviour::Answer(trial, answer.as_ref());
        let applied = known.apply(&name, outcome.clone(), behaviour);
        match (&applied, found) {
            (Outcome::Deviation { why }, "deviation") => assert_eq!(why, "It is so."),
            (Outcome::Errored { message, is_late, id }, "errored" | "late") => {
                assert_eq!(message, "x (the entry at mine.yaml:1 states an answer instead)");
                assert_eq!((*is_late, *id), (found == "late", Some(7)));
            }
            (Outcome::Failed { note: Some(note) }, found) => {
                assert!(note.starts_with(found), "{note}, not {found}");
            }
            other => panic!("{other:?}"),
        }
        let other = known.apply(&trial.full_name("f"), outcome.clone(), behaviour);
        assert_eq!(other, outcome, "the entry is of another engine");
    }
}
