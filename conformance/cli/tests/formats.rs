//! Tests the formats that other programs read: JSON lines, `JUnit`'s XML, Markdown, and the structure of the HTML page.

#[path = "../../tests/common/mod.rs"]
mod common;

use std::io::{self, Write};
use std::sync::Arc;
use std::time::Duration;

use common::{Fake, suite};
use robots_conformance::engine::Profile;
use robots_conformance::engine::Question;
use robots_conformance::kind::{AccessQuestion, Answer, Ask, VerdictAnswer, VerdictQuestion};
use robots_conformance::report::html;
use robots_conformance::report::record::RunRecord;
use robots_conformance::report::{self, ReportFormat, Sources, jsonl, markdown};
use robots_conformance::report::{Cases, TrialRecord};
use robots_conformance::run::deviations::Deviations;
use robots_conformance::run::outcome::OutcomeKind;
use robots_conformance::run::{Report, Runner};
use robots_conformance::suite::{Suite, load};
use robots_core::Edition;
use robots_core::fetch::{Access, FetchEnd};
use rstest::rstest;

/// A report with every outcome of questions except *not asked*. All trials took the same time.
fn every_outcome() -> Report {
    let engine = Fake(Profile::ALL, |question: &Question| match &question.ask {
        Ask::Verdict(VerdictQuestion { url, .. }) if url.ends_with("/fishheads") => {
            Answer::Error("it `cannot` swim\u{7} <|>".to_owned())
        }
        Ask::Verdict(_) => Answer::Verdict(VerdictAnswer {
            allowed: true,
            line: None,
            evidence: Some("all fish may".to_owned()),
        }),
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
    report(engine, &suite(), Deviations::parse("fake.yaml", deviations).unwrap())
}

fn report<F>(engine: Fake<F>, suite: &Suite, deviations: Deviations) -> Report
where
    F: Fn(&Question) -> Answer + Send + Sync + 'static,
{
    let runner = Runner::new(Arc::new(engine)).deviations(deviations);
    let trials = runner.trials(suite);
    let mut finished = runner.run(&trials, |_| {});
    for done in &mut finished {
        done.took = Duration::from_micros(250);
    }
    let mut report = runner.report(finished);
    report.took = Duration::from_millis(1230);
    report
}

fn written(format: ReportFormat, report: &Report) -> String {
    let mut out = Vec::new();
    report::write(format, &[RunRecord::of(report)], &Cases::of(&suite()), None, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

#[test]
fn junit() {
    insta::assert_snapshot!(written(ReportFormat::Junit, &every_outcome()));
}

#[test]
fn markdown() {
    insta::assert_snapshot!(written(ReportFormat::Markdown, &every_outcome()));
}

/// The badge counts the requirements of RFC 9309, although the run has other editions too.
#[test]
fn badge() {
    let report = every_outcome();
    let svg = written(ReportFormat::BadgeSvg, &report);
    roxmltree::Document::parse(&svg).unwrap();
    insta::assert_snapshot!(written(ReportFormat::Badge, &report) + &svg);
}

#[rstest]
#[trace]
#[case::all_kept(&[], "1 of 1 requirements", "brightgreen")]
#[case::a_part(&["part"], "only a part was run", "lightgrey")]
#[case::another_subject_breaks_it(&["wrong"], "0 of 1 requirements", "orange")]
fn a_badge_is_about_every_subject(
    #[case] others: &[&str],
    #[case] message: &str,
    #[case] color: &str,
) {
    let record = |what: &&str| {
        let outcome = if *what == "wrong" { OutcomeKind::Deviation } else { OutcomeKind::Passed };
        let mut trial = TrialRecord::new("me::area::one::rfc9309".to_owned(), outcome);
        "rfc9309".clone_into(&mut trial.edition);
        let mut report = Report::new("me", vec![trial]);
        report.is_selection = *what == "part";
        RunRecord::from(report)
    };
    let records: Vec<RunRecord> = ["right"].iter().chain(others).map(record).collect();
    let mut out = Vec::new();
    report::write(ReportFormat::Badge, &records, &Cases::default(), None, &mut out).unwrap();
    let badge: serde_json::Value = serde_json::from_slice(&out).unwrap();
    assert_eq!((&badge["message"], &badge["color"]), (&message.into(), &color.into()));
}

/// After an upgrade of the suite, a failure may be one of a question that was not asked before.
#[rstest]
#[case(ReportFormat::Junit, "new case  the suite has it since version 0.2.0")]
#[case(ReportFormat::Markdown, "new case  the suite has it since version 0.2.0")]
#[case(ReportFormat::Html, "new case: the suite has it since version 0.2.0")]
#[case(ReportFormat::Json, "\"since\": \"0.2.0\"")]
fn a_failure_of_a_new_question_says_new_case(#[case] format: ReportFormat, #[case] says: &str) {
    let mut record = RunRecord::of(&every_outcome());
    let mut count = || {
        let mut out = Vec::new();
        report::write(format, &[record.clone()], &Cases::of(&suite()), None, &mut out).unwrap();
        let count = String::from_utf8(out).unwrap().matches(says).count();
        record.trials.iter_mut().find(|trial| trial.outcome.is_failure()).unwrap().since =
            Some("0.2.0".to_owned());
        count
    };
    assert_eq!((count(), count()), (0, 1));
}

/// A known deviation is no failure, so a run that has only deviations shows no cross and fails nothing.
#[rstest]
#[case(ReportFormat::Junit, &["<failure", "<error"])]
#[case(ReportFormat::Markdown, &["✗", "## Failed"])]
#[case(ReportFormat::Html, &["<span aria-hidden=\"true\">✗</span>", "✗ parser", "class=\"bad\""])]
#[case(ReportFormat::Terminal, &["failure"])]
fn a_row_of_deviations_is_no_failure(#[case] format: ReportFormat, #[case] of_failures: &[&str]) {
    let engine = || Fake(Profile::ALL, |_: &Question| Answer::verdict(true));
    let wrong = report(engine(), &suite(), Deviations::default());
    let entries = robots_conformance::run::draft::draft(&wrong, "It is known.");
    let known = report(engine(), &suite(), Deviations::parse("d.yaml", &entries).unwrap());
    let deviations = RunRecord::of(&known).totals.get(OutcomeKind::Deviation);
    assert!(deviations > 0 && known.failures().count() == 0, "{entries}");
    let shows = |report: &Report| {
        let page = written(format, report);
        // The script of the page has the mark of every outcome.
        let shown = page.split("<script").next().unwrap();
        of_failures.iter().filter(|mark| shown.contains(**mark)).count()
    };
    assert!(shows(&wrong) > 0);
    assert_eq!(shows(&known), 0, "{}", written(format, &known));
}

#[test]
fn places_link_where_an_address_is_given() {
    let sources: Sources = "https://example.com/v1/spec-cases/".parse().unwrap();
    let written = |format| {
        let mut out = Vec::new();
        let records = [RunRecord::of(&every_outcome())];
        report::write(format, &records, &Cases::of(&suite()), Some(&sources), &mut out).unwrap();
        String::from_utf8(out).unwrap()
    };
    let page = written(ReportFormat::Markdown);
    assert!(page.contains("](https://example.com/v1/spec-cases/paths.yaml#L"), "{page}");
    let page = written(ReportFormat::Html);
    assert!(page.contains("\"sources\":\"https://example.com/v1/spec-cases\""));
}

#[test]
fn a_markdown_page_of_many_failures_fits_a_job_summary() {
    let suite = load::embedded().unwrap();
    let engine = Fake(Profile::ALL, |_: &Question| Answer::Error("always".to_owned()));
    let report = report(engine, &suite, Deviations::default());
    let page = markdown::page(&RunRecord::of(&report), &Cases::of(&suite), None);
    assert!(report.trials.len() > 5000 && page.len() < 1 << 20, "{} octets", page.len());
    let named = page.matches("errored `").count() + page.matches("errored <code>").count();
    assert_eq!(named, report.failures().count(), "every failure is named");
    assert_eq!(page.matches("```text").count(), markdown::IN_FULL);
}

#[test]
fn json_and_its_lines_are_the_same_record() {
    let report = every_outcome();
    let record = RunRecord::of(&report);
    assert_eq!(
        serde_json::from_value::<RunRecord>(serde_json::to_value(&record).unwrap()).unwrap(),
        record
    );
    let lines = written(ReportFormat::Jsonl, &report);
    assert_eq!(lines.lines().count(), report.trials.len() + 2);
    assert_eq!(jsonl::read(lines.as_bytes()).unwrap(), record);
}

#[test]
fn lines_are_written_as_trials_end() {
    let engine = Fake(&[Profile::Edition(Edition::Rfc9309)], |_: &Question| Answer::verdict(true));
    let runner = Runner::new(Arc::new(engine)).jobs(2);
    let trials = runner.trials(&suite());
    let mut writer = jsonl::Writer::new(Vec::new());
    writer.begin("fake", None, trials.len());
    let finished = runner.run(&trials, |done| writer.trial(&TrialRecord::of(done, "fake")));
    let mut report = Report::new("fake", finished);
    report.took = Duration::from_millis(7);
    writer.end(&RunRecord::of(&report));
    let lines = writer.close().unwrap();
    let mut read = jsonl::read(lines.as_slice()).unwrap();
    let order =
        |name: &str| report.trials.iter().position(|done| done.trial.full_name("fake") == name);
    read.trials.sort_by_key(|trial| order(&trial.name));
    assert_eq!(read, RunRecord::of(&report));
}

#[test]
fn the_first_error_of_writing_is_told() {
    struct Full(usize);
    impl Write for Full {
        fn write(&mut self, octets: &[u8]) -> io::Result<usize> {
            self.0 = self.0.checked_sub(1).ok_or_else(|| io::Error::other("the disk is full"))?;
            Ok(octets.len())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let error = jsonl::write(&RunRecord::of(&every_outcome()), Full(3)).unwrap_err();
    assert_eq!(error.to_string(), "the disk is full");
    assert!(jsonl::write(&RunRecord::of(&every_outcome()), Full(100)).is_ok());
}

type Lines = Vec<String>;

#[rstest]
#[trace]
#[case::no_footer(|lines: &mut Lines| drop(lines.pop()), "line 16: the footer is missing: the run was cut")]
#[case::cut_in_a_line(|lines: &mut Lines| lines[4].truncate(30), "line 5: is not a complete line of a report (EOF")]
#[case::a_line_lost(|lines: &mut Lines| drop(lines.remove(4)), "line 16: there are 13 trials")]
#[case::no_header(|lines: &mut Lines| drop(lines.remove(0)), "line 1: the header must come first")]
#[case::two_headers(|lines: &mut Lines| lines.insert(1, lines[0].clone()), "line 2: is a second header")]
#[case::more(|lines: &mut Lines| lines.push(lines[1].clone()), "line 17: nothing may follow the footer")]
#[case::another_version(|lines: &mut Lines| lines[0] = lines[0].replace(":2,", ":9,"), "version 9;")]
#[case::empty(|lines: &mut Lines| lines.clear(), "line 1: the header is missing")]
fn what_is_no_whole_report_is_refused(
    #[case]
    #[notrace]
    break_it: fn(&mut Lines),
    #[case] message: &str,
) {
    let text = written(ReportFormat::Jsonl, &every_outcome());
    let mut lines: Lines = text.lines().map(str::to_owned).collect();
    break_it(&mut lines);
    let problem = jsonl::read(lines.join("\n").as_bytes()).unwrap_err().to_string();
    assert!(problem.contains(message), "{problem}");
}

#[test]
fn the_page_is_whole_without_script_and_loads_nothing() {
    let page = written(ReportFormat::Html, &every_outcome());
    let (body, scripts) = page.split_once("<script").unwrap();
    for part in [
        "<title>robots.txt conformance of fake</title>",
        "✗ parser: 2 must · 1 unanswered; crawler: 1 may",
        "<span aria-hidden=\"true\">◑</span> 60.0 %",
        "scope=\"row\"",
        "scope=\"col\"",
        "<caption",
        "<html lang=\"en\">",
        "stale: there is no such trial",
    ] {
        assert!(body.contains(part), "{part} is missing in {body}");
    }
    // With `src`, `href`, `url()` or `import`, the page could load other files.
    for link in ["src=", "url(", "@import", "import(", "fetch(", "http://", "https://"] {
        assert!(!body.contains(link), "{link} in the page");
    }
    let data = scripts.split_once('>').unwrap().1.split_once("</script>").unwrap().0;
    let data: serde_json::Value = serde_json::from_str(data).unwrap();
    let outcomes = data["subjects"][0]["outcomes"].as_str().unwrap();
    let report = every_outcome();
    for (kind, count) in RunRecord::of(&report).totals.all() {
        let (digit, name) = (char::from_digit(kind as u32, 36).unwrap(), kind.id());
        assert_eq!(outcomes.matches(digit).count(), count, "{name}");
    }
}

#[test]
fn a_page_of_wrong_records_is_refused() {
    let record = RunRecord::of(&every_outcome());
    let render = |records: &[&RunRecord]| {
        let records: Vec<RunRecord> = records.iter().map(|record| (*record).clone()).collect();
        html::page(&records, &Cases::of(&suite()), None)
    };
    assert!(render(&[&record]).is_ok());
    assert!(render(&[]).unwrap_err().to_string().contains("at least one subject"));
    assert!(render(&[&record, &record]).unwrap_err().to_string().contains("are named \"fake\""));
    let refused = |change: fn(&mut RunRecord), message: &str| {
        let mut changed = record.clone();
        change(&mut changed);
        let problem = render(&[&changed]).unwrap_err().to_string();
        assert!(problem.contains(message), "{problem}");
    };
    refused(|record| record.trials[0].expected = "else".to_owned(), "differently from this suite");
    refused(
        |record| record.trials[0].name = "fake::gone".to_owned(),
        "differently from this suite",
    );
}

#[test]
fn totals_count_known_outcomes_only() {
    let mut object = serde_json::to_value(RunRecord::of(&every_outcome())).unwrap();
    object["totals"]["lost"] = 1.into();
    let problem = serde_json::from_value::<RunRecord>(object.clone()).unwrap_err().to_string();
    assert!(problem.contains("\"lost\", which is not an outcome"), "{problem}");
    // An older report lists fewer outcomes. The missing outcomes count as 0.
    object["totals"].as_object_mut().unwrap().retain(|name, _| name == "passed");
    let read = serde_json::from_value::<RunRecord>(object).unwrap();
    assert_eq!(
        (read.totals.get(OutcomeKind::Passed) > 0, read.totals.get(OutcomeKind::Waited)),
        (true, 0)
    );
}

#[test]
fn an_engine_that_answers_nothing_is_not_clean() {
    let silent = Fake(Profile::ALL, |_: &Question| Answer::unsupported("nothing"));
    let report = report(silent, &suite(), Deviations::default());
    assert_eq!(
        (report.failures().count(), report.is_answered(), RunRecord::of(&report).clean),
        (0, false, false)
    );
}
