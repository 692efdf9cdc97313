//! Tests two reports. The table is compared with a snapshot, and the JSON object with its schema.

#[path = "../../tests/common/mod.rs"]
mod common;

use std::sync::Arc;
use std::time::Duration;

use common::{Clockless, Fake, suite};
use robots_conformance::engine::Profile;
use robots_conformance::engine::{Engine, IsAllowed, Question};
use robots_conformance::kind::{AccessQuestion, Answer, Ask, Role, VerdictQuestion};
use robots_conformance::report::Cases;
use robots_conformance::report::EditionRecord;
use robots_conformance::report::record::{RunRecord, SCHEMA};
use robots_conformance::report::{self, ReportFormat, terminal};
use robots_conformance::run::deviations::Deviations;
use robots_conformance::run::outcome::Outcome;
use robots_conformance::run::{Report, Runner};
use robots_conformance::suite::load;
use robots_core::Edition;
use robots_core::fetch::{Access, FetchEnd};

/// A report with every outcome of questions except *not asked*.
fn report() -> Report {
    let engine = Fake(Profile::ALL, |question: &Question| match &question.ask {
        Ask::Verdict(VerdictQuestion { url, .. }) if url.ends_with("/fishheads") => {
            panic!("it cannot swim")
        }
        Ask::Verdict(_) => Answer::verdict(true),
        Ask::Access(AccessQuestion { fetch, .. }) if matches!(fetch.end, FetchEnd::Failure(_)) => {
            Answer::Access(Access::FullDisallow)
        }
        Ask::Access(_) => Answer::Access(Access::UseCachedCopy),
        _ => Answer::unsupported("verdicts and fetch results only"),
    });
    let deviations = "fake::paths::fish-prefix::google-2022::/fish:
  answers: allow
  why: It knows no patterns.
fake::gone:
  answers: allow
  why: It went.
";
    let deviations = Deviations::parse("fake.yaml", deviations).unwrap();
    let runner = Runner::new(Arc::new(engine)).deviations(deviations);
    let trials = runner.trials(&suite());
    let mut report = runner.report(runner.run(&trials, |_| {}));
    report.took = Duration::from_millis(1230);
    report
}

/// Returns the report of an engine, without a deviations file.
fn of(engine: impl Engine + 'static) -> Report {
    let runner = Runner::new(Arc::new(engine));
    runner.report(runner.run(&runner.trials(&suite()), |_| {}))
}

fn editions(report: &Report) -> Vec<EditionRecord> {
    RunRecord::of(report).editions
}

#[test]
fn an_edition_conforms_by_the_roles_that_were_asked() {
    let parser = IsAllowed { name: "fake", f: |_: &[u8], _: &str, _: &str| true };
    let editions = editions(&of(parser));
    let roles: Vec<&str> = editions.iter().map(|line| line.role.as_str()).collect();
    assert_eq!(roles, ["parser"]);
}

#[test]
fn an_error_on_an_open_question_breaks_no_edition() {
    let engine =
        Fake(&[Profile::Edition(Edition::Google2022)], |question: &Question| match &question.ask {
            Ask::Verdict(VerdictQuestion { url, .. }) if url.ends_with("/x") => {
                Answer::Error("broken".into())
            }
            Ask::Verdict(VerdictQuestion { url, .. }) => Answer::verdict(!url.contains("/fish")),
            _ => Answer::unsupported("verdicts only"),
        });
    let report = of(engine);
    let errors: Vec<&str> = report.failures().map(|done| done.outcome.name()).collect();
    assert_eq!(errors, ["errored"]);
    let editions = editions(&report);
    assert_eq!(editions.len(), 1);
    assert!(editions[0].conforms, "{:?}", editions[0]);
}

/// A retriever that is not asked every timeline does not conform, even if no timeline failed. Every report gives the
/// number of these timelines and the reason. Questions for other roles are not in this number.
#[test]
fn a_retriever_without_the_clock_does_not_conform() {
    let suite = load::embedded().unwrap();
    let editions = &[Profile::Edition(Edition::Rfc9309)];
    let answer = |_: &Question| Answer::Timeline(Vec::new());
    let runner = Runner::new(Arc::new(Clockless(editions, answer)));
    let mut finished = runner.run(&runner.trials(&suite), |_| {});
    let timelines = finished.iter().filter(|done| done.trial.role() == Role::Retriever);
    let all = timelines.clone().count();
    let clock = timelines.filter(|done| done.trial.member().ask.passes_time()).count();
    assert!(clock > 0 && clock < all, "{clock} of {all}");
    for done in finished.iter_mut().filter(|done| done.outcome.is_failure()) {
        done.outcome = Outcome::Passed;
    }
    let record = RunRecord::of(&Report::new("clockless", finished));
    let [line] = record.editions.as_slice() else { panic!("{:?}", record.editions) };
    assert_eq!((line.conforms, line.is_right(), line.not_asked), (false, true, clock));
    // The exit status is still 0, as it is if a subject does not answer some questions.
    assert!(record.clean);
    let object = serde_json::to_value(&record).unwrap();
    let schema: serde_json::Value = serde_json::from_str(SCHEMA).unwrap();
    assert!(jsonschema::validator_for(&schema).unwrap().is_valid(&object));
    assert_eq!(object["editions"][0]["not-asked"], clock);
    let written = |format| {
        let mut out = Vec::new();
        let records = std::slice::from_ref(&record);
        report::write(format, records, &Cases::of(&suite), None, &mut out).unwrap();
        String::from_utf8(out).unwrap().replace("&apos;", "'").replace("&#x27;", "'")
    };
    let result = format!("conforms where it was asked, {clock} of {all} not asked");
    let reason = "the subject does not take the runner's clock";
    for (format, texts) in [
        (
            ReportFormat::Terminal,
            [format!("retriever {result}; "), format!("\n{clock} not-asked: {reason}\n")],
        ),
        (
            ReportFormat::Markdown,
            [format!("| – {result}; "), format!("Not asked:\n\n- {clock}: `{reason}`\n")],
        ),
        (
            ReportFormat::Html,
            [
                format!("– {clock} not asked"),
                format!("</strong>: {clock} of {all} questions, because {reason}</li>"),
            ],
        ),
        (
            ReportFormat::Junit,
            [
                format!("<skipped message=\"not asked: {reason}\"/>"),
                "<skipped message=\"not asked: the subject is not a parser\"/>".to_owned(),
            ],
        ),
    ] {
        let text = written(format);
        for part in texts {
            assert!(text.contains(&part), "{part} is missing in {text}");
        }
    }
    assert_eq!(written(ReportFormat::Junit).matches(reason).count(), clock);
}

#[test]
fn the_table() {
    insta::assert_snapshot!(terminal::table(&RunRecord::of(&report())));
}

#[test]
fn the_json_object_is_what_the_schema_says() {
    let report = report();
    let record = RunRecord::of(&report);
    let object = serde_json::to_value(&record).unwrap();
    let schema: serde_json::Value = serde_json::from_str(SCHEMA).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let errors: Vec<String> = validator
        .iter_errors(&object)
        .map(|error| format!("{}: {error}", error.instance_path()))
        .collect();
    assert!(errors.is_empty(), "{}", errors.join("\n"));
    for (kind, count) in record.totals.all() {
        let name = kind.id();
        assert_eq!(object["totals"][name], count, "{name}");
        // The engine is a parser and a crawler, so it is asked every question of this suite. Its report has no outcomes
        // of crawls.
        let occurs =
            count > 0 || ["not-asked", "inconclusive", "waited", "not-run"].contains(&name);
        assert!(occurs, "no trial is {name}; the fixture is to have every outcome");
    }
    assert_eq!(object["trials"].as_array().unwrap().len(), record.totals.trials());
    assert_eq!(object["clean"], false);
    assert_eq!(object["stale-deviations"].as_array().unwrap().len(), 1);
    let roles: Vec<&str> = Role::ALL.iter().map(|role| role.id()).collect();
    assert_eq!(schema["$defs"]["role"]["enum"], serde_json::json!(roles));
    let mut broken = object;
    broken["totals"]["lost"] = 1.into();
    assert!(!validator.is_valid(&broken), "the schema lets unknown keys through");
}
