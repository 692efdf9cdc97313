//! Tests the command as a whole: exit statuses, messages about wrong usage, and whether output goes to standard output
//! or standard error.
//!
//! The tests start the command with `run`. Each of the larger verbs has its own test file, which is named after the
//! verb.

#[path = "shared/command_line.rs"]
mod command_line;
#[path = "this/command.rs"]
mod this;
#[path = "../../tests/common/mod.rs"]
mod common;

use std::process::{Command, Stdio};
use std::sync::Arc;

use robots_conformance::engine::Profile;
use robots_conformance::engine::Question;
use robots_conformance::kind::{Answer, Ask, VerdictAnswer};
use robots_conformance::report::record::RunRecord;
use robots_conformance::run::{Report, Runner};
use rstest::rstest;

use self::command_line::{is_wrong_usage, run, text};
use self::this::COMMAND;

#[rstest]
#[trace]
#[case::unknown_edition(&["run", "--edition", "rfc9310"], "the profiles are google-2018, google-2019,")]
#[case::unknown_area(&["run", "--area", "paths"], "the areas are caching, file-format,")]
#[case::filter_matches_nothing(&["run", "--filter", "no such trial"], "contains \"no such trial\"")]
#[case::missing_deviations(&["run", "--deviations", "no.yaml"], "no.yaml:1: cannot read")]
#[case::unknown_format(&["run", "--report", "xml=-"], "unknown format \"xml\"")]
#[case::unwritable_output(&["run", "--area", "caching", "--report", "json=no/such/folder/x"], "no/such/folder/x")]
#[case::unknown_report(&["run", "--report", "pdf"], "the formats are terminal, json, jsonl,")]
#[case::report_without_file(&["run", "--report", "html="], "no file is named after `=`")]
#[case::two_to_stdout(&["run", "--area", "caching", "--report", "json", "--report", "junit"], "--report junit=FILE")]
#[case::two_to_a_file(
    &["run", "--area", "caching", "--report", "json=same.txt", "--report", "junit=same.txt"],
    "the reports json and junit both go to same.txt"
)]
#[case::no_time(&["run", "--timeout", "0"], "a number of seconds above 0")]
#[case::no_subject(&["run", "--subject", "no-such-adapter"], "cannot start \"no-such-adapter\"")]
#[case::silent_subject(&["run", "--subject", "true"], "the subject ended (exit status: 0) at once")]
#[case::noisy_subject(&["run", "--subject", "echo Loading"], "it printed \"Loading\" before its hello")]
#[case::two_subjects(&["run", "--subject", "a", "--exec", "b"], "cannot be used with")]
#[case::no_placeholder(&["run", "--exec", "mytool {robots} {url}"], "does not use {agent}")]
#[case::same_exit(&["run", "--exec", "true {robots} {url} {agent}", "--allow-exit", "1"], "exit status 1 cannot both")]
#[case::a_reason_for_nothing(&["run", "--why", "x"], "--write-deviations <FILE>|--write-known <FILE>")]
#[case::half_a_match(&["run", "--exec", "x", "--allow-match", "yes"], "--disallow-match <RE>")]
#[case::exit_without_exec(&["run", "--allow-exit", "3"], "--exec <TEMPLATE>")]
#[case::mistyped_verb(&["shw", "x"], "'show'")]
#[case::mistyped_option(&["list", "--are", "x"], "'--area'")]
#[case::no_page(&["man", "rn"], "did you mean \"run\"?")]
#[case::no_shell(&["completions", "tcsh"], "[possible values: bash,")]
#[case::full_folder(&["copy", "src"], "src is not empty")]
#[case::unknown_parser(&["run", "--parser", "scam"], "did you mean \"scan\"?")]
#[case::unknown_case(&["show", "no-such-case"], "robots-conformance list")]
#[case::mistyped_case(&["show", "path-fish-prefx"], "did you mean \"path-fish-prefix\"?")]
#[case::mistyped_trial(
    &["show", "path-matching::path-fish-prefx::rfc9309"],
    "did you mean \"path-fish-prefix\"?"
)]
#[case::mistyped_live_case(&["show", "wire-token-in-capitls"], "did you mean \"wire-token-in-capitals\"?")]
#[case::a_name_that_reads_like_a_suggestion(
    &["show", "did you mean verdict-merging-groups-of-star"],
    "did you mean \"verdict-merging-groups-of-star\"?"
)]
#[case::mistyped_case_to_serve(&["serve-web", "wire-token-in-capitls"], "did you mean \"wire-token-in-capitals\"?")]
#[case::mistyped_requirement(&["list", "--requirement", "FETCH-2X"], "did you mean \"FETCH-2XX\"?")]
#[case::mistyped_area(&["run", "--area", "groupng"], "did you mean \"grouping\"?")]
#[case::no_colour(&["list", "--color", "green"], "[possible values: auto, always, never]")]
#[case::unknown_member(&["show", "path-fish-prefix::/nowhere"], "path-matching::path-fish-prefix::rfc9309::/catfish")]
#[case::unknown_requirement(&["list", "--requirement", "X"], "the requirements are ")]
fn wrong_usage_is_status_2(#[case] arguments: &[&str], #[case] message: &str) {
    is_wrong_usage(arguments, message);
}

#[test]
fn a_selection_that_passes_is_status_0_and_plain_when_piped() {
    let output =
        run(&["run", "--area", "path-matching", "--edition", "rfc9309", "--filter", "fish"]);
    let report = text(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{report}{}", text(&output.stderr));
    let last = report.lines().last().unwrap();
    let asked = last.strip_prefix("rfc9309      parser   ").unwrap();
    let [right, "of", all, "asked"] = asked.split(' ').collect::<Vec<_>>()[..] else {
        panic!("{last}");
    };
    assert_eq!(right, all, "{last}");
    assert!(!report.contains("conforms"), "{report}");
    assert!(!report.contains('\u{1b}'), "{report}");
    assert_eq!(text(&output.stderr), "");
}

#[test]
fn an_edition_conforms_where_all_of_it_was_asked() {
    let output = run(&["run", "--edition", "google-2018"]);
    let report = text(&output.stdout);
    let last: Vec<&str> = report.lines().rev().take(2).collect();
    let lines = [
        "google-2018  crawler  conforms; 23 of 23 requirements kept",
        "google-2018  parser   conforms; 42 of 42 requirements kept",
    ];
    assert_eq!(last, lines);
}

/// A tool that allows everything fails hundreds of trials. The command prints the failures of twenty cases only.
#[test]
fn failures_are_told_by_case_and_not_all_of_them() {
    let tool = ["run", "--area", "path-matching", "--exec", "test -r {robots} -a -n {agent}{url}"];
    let output = run(&tool);
    let (printed, report) = (text(&output.stderr), text(&output.stdout));
    let blocks = |printed: &str| {
        printed
            .lines()
            .filter(|line| line.starts_with("FAILED "))
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    let cases = |printed: &str| {
        let case = |line: &String| line.split("::").nth(2).unwrap().to_owned();
        blocks(printed).iter().map(case).collect::<std::collections::BTreeSet<_>>()
    };
    assert_eq!((blocks(&printed).len(), cases(&printed).len()), (20, 20), "{printed}");
    assert!(printed.contains("\n  also, of this case:\n    rfc9309::"), "{printed}");
    assert!(
        printed.contains(" more blocks of failures, in ") && printed.contains("--failures all"),
        "{printed}"
    );
    assert!(printed.lines().count() < 900, "{} lines", printed.lines().count());
    assert!(report.lines().last().unwrap().starts_with("rfc9309      parser   "), "{report}");

    let all = text(&run(&[&tool[..], &["--failures", "all"]].concat()).stderr);
    assert!(blocks(&all).len() > 40, "{all}");
    assert_eq!(blocks(&all).len(), cases(&all).len());
    let none = text(&run(&[&tool[..], &["--failures", "0"]].concat()).stderr);
    assert_eq!(blocks(&none).len(), 0, "{none}");
}

/// A failure under the observed profile is reported as a difference, without a requirement. No document requires the
/// answer of Google's library, and the answer may contradict the requirement of the case.
#[test]
fn the_observed_profile_is_told_in_its_own_words() {
    let engine = common::Fake(Profile::ALL, |_: &Question| Answer::verdict(true));
    let suite = robots_conformance::suite::load::embedded().unwrap();
    let runner = Runner::new(Arc::new(engine));
    let finished = runner.run(&robots_conformance::run::trial::observed(&suite), |_| {});
    let report = Report::new("fake", finished);
    let record = RunRecord::of(&report);
    let table = robots_conformance::report::terminal::table(&record);
    let last = table.lines().last().unwrap();
    assert!(last.starts_with("google-cpp ") && last.ends_with(" differences"), "{last}");
    assert!(!table.contains("must-failure"), "{table}");
    let failed = report.failures().next().unwrap();
    let printed = robots_conformance::report::failure::of(failed, "fake", &suite, "again");
    assert!(printed.contains("the observed behaviour of the library"), "{printed}");
    assert!(!printed.contains("\n  says") && !printed.contains("(must)"), "{printed}");
    assert!(!printed.contains(&failed.trial.case().requirement), "{printed}");
    let record = serde_json::to_value(&record).unwrap();
    assert_eq!(record["editions"][0]["must-failures"], 0);
    assert!(record["trials"].as_array().unwrap().iter().all(|trial| trial["level"] == "observed"));
}

/// Tools that always allow, and that always disallow.
#[test]
fn a_failure_is_status_1() {
    let status = |tool: &str, filter: &str| {
        let tool = format!("{tool} {{agent}} {{robots}} {{url}}");
        run(&["run", "--exec", &tool, "--filter", filter]).status.code()
    };
    assert_eq!(status("true", "path-fish-prefix::rfc9309::/catfish"), Some(0));
    assert_eq!(status("false", "path-fish-prefix::rfc9309::/catfish"), Some(1));
    // A tool cannot answer this question.
    assert_eq!(status("true", "groups::"), Some(1));
}

#[test]
fn only_strict_runs_fail_at_should() {
    let run = |further: &[&str]| {
        let tool = "true {agent} {robots} {url}";
        let filter = "case-of-directory::rfc9309::/Archive/Photos/";
        run(&[&["run", "--exec", tool, "--filter", filter], further].concat())
    };
    let output = run(&[]);
    let printed = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{printed}");
    assert!(printed.contains("FAILED ") && printed.contains("(should)"), "{printed}");
    let place =
        "standard-rfc9309.html#RULE-CASE, https://www.rfc-editor.org/rfc/rfc9309#section-2.2.2";
    assert!(printed.contains(place), "{printed}");
    assert_eq!(run(&["--strict"]).status.code(), Some(1));
}

/// A subject that has no role for the selected questions is left out, and is asked nothing.
#[cfg(unix)]
#[test]
fn a_selection_without_questions_for_one_subject_passes() {
    let folder = tempfile::tempdir().unwrap();
    let retriever = folder.path().join("retriever.sh");
    let hello = r#"{"protocol":1,"name":"quiet","answers":["timeline"],"roles":["retriever"]}"#;
    std::fs::write(&retriever, format!("read hello; echo '{hello}'; cat > /dev/null\n")).unwrap();
    let subject = format!("sh {}", retriever.display());
    let selection = ["--subject", &subject, "--filter", "path-fish-prefix::rfc9309"];
    let output = run(&[&["run", "--parser", "nom", "--parser", "scan"], &selection[..]].concat());
    let (report, error) = (text(&output.stdout), text(&output.stderr));
    assert_eq!(output.status.code(), Some(0), "{report}{error}");
    assert!(report.contains("nom: ") && report.contains("scan: ") && !report.contains("quiet: "));
    // Alone, the retriever has no question, which is an error.
    let output = run(&[&["run"], &selection[..]].concat());
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stdout));
    assert!(text(&output.stderr).contains("no question was answered"));
}

#[test]
fn a_stale_deviation_is_status_1() {
    let file = std::env::temp_dir().join(format!("stale-{}.yaml", std::process::id()));
    std::fs::write(&file, "nom::gone:\n  answers: allow\n  why: It went.\n").unwrap();
    let output = run(&["run", "--area", "caching", "--deviations", file.to_str().unwrap()]);
    std::fs::remove_file(&file).unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("STALE"), "{}", text(&output.stderr));
}

#[test]
fn json_goes_to_a_file_where_one_is_named() {
    let file = std::env::temp_dir().join(format!("report-{}.json", std::process::id()));
    let target = format!("json={}", file.to_str().unwrap());
    let arguments = ["run", "--area", "caching", "--report", &target];
    let output = run(&arguments);
    let report: serde_json::Value = serde_json::from_slice(&std::fs::read(&file).unwrap()).unwrap();
    std::fs::remove_file(&file).unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(text(&output.stdout), "");
    assert_eq!(report["totals"]["failed"], 0);
    assert!(report["totals"]["passed"].as_u64().unwrap() > 0);
}

#[test]
fn list_and_show() {
    let list = text(&run(&["list", "--area", "sitemap", "--edition", "rfc9309"]).stdout);
    let first = list.lines().next().unwrap();
    let id = first.split_whitespace().next().unwrap();
    let shown = text(&run(&["show", id]).stdout);
    assert!(shown.starts_with(id), "{shown}");
    assert!(shown.contains("robots-conformance run --filter"), "{shown}");

    let requirement = first.split_whitespace().nth(1).unwrap();
    let listed = text(&run(&["list", "--requirement", requirement]).stdout);
    assert!(listed.lines().all(|line| line.split_whitespace().nth(1) == Some(requirement)));
    assert!(listed.contains(first.split_whitespace().next().unwrap()), "{listed}");
    let page = text(&run(&["show", requirement]).stdout);
    assert!(page.starts_with(requirement) && page.contains("\nrfc9309 "), "{page}");
    for line in listed.lines() {
        let id = line.split_whitespace().next().unwrap().rsplit("::").next().unwrap();
        assert!(page.contains(id), "{id} is missing: {page}");
    }
}

/// `show` accepts the names of cases and trials in every form that a report writes.
#[rstest]
#[trace]
#[case("path-fish-prefix", 12)]
#[case("path-matching::path-fish-prefix", 12)]
#[case("nom::path-matching::path-fish-prefix", 12)]
#[case("any engine::path-matching::path-fish-prefix::rfc9309", 3)]
#[case("path-matching::path-fish-prefix::rfc9309::/catfish", 1)]
#[case("path-fish-prefix::rfc9309::/catfish", 1)]
#[case("path-fish-prefix::google-cpp::/catfish", 1)]
#[case("path-fish-prefix::/catfish", 5)]
fn names_of_trials(#[case] name: &str, #[case] at_least: usize) {
    let shown = text(&run(&["show", name]).stdout);
    let trials = |text: &str| {
        text.lines().filter(|line| line.starts_with("path-matching::path-fish-prefix::")).count()
    };
    assert!(shown.starts_with("path-matching::path-fish-prefix  (spec-cases/"), "{shown}");
    assert!(trials(&shown) >= at_least, "{shown}");
    assert_eq!(shown.matches("robots.txt, ").count(), 1, "the file is named once: {shown}");
    assert_eq!(shown.matches("\n  the nom parser answers ").count(), trials(&shown), "{shown}");
}

#[test]
fn a_place_names_its_case() {
    let shown = text(&run(&["show", "path-fish-prefix"]).stdout);
    let (_, place) = shown.lines().next().unwrap().split_once('(').unwrap();
    let place = place.trim_end_matches(')');
    let bare = place.strip_prefix("spec-cases/").unwrap();
    let (file, line) = bare.split_once(':').unwrap();
    let within = format!("{file}:{}", line.parse::<usize>().unwrap() + 2);
    for name in [place, bare, &within] {
        assert_eq!(text(&run(&["show", name]).stdout), shown, "{name}");
    }
}

#[test]
fn two_editions_are_told_apart_by_requirement() {
    let printed = text(&run(&["editions", "google-2019", "google-2022"]).stdout);
    assert!(printed.contains("::status-429  "), "{printed}");
    assert!(printed.contains("google-2019: full-allow | google-2022: full-disallow"), "{printed}");
    // Cases that only one of the two editions answers are counted, but not listed.
    assert!(!printed.contains("not asked"), "{printed}");
    let lines: Vec<&str> = printed.lines().collect();
    let [.., differ, one_alone] = lines[..] else { panic!("{printed}") };
    assert!(differ.ends_with(" cases differ between google-2019 and google-2022"), "{printed}");
    assert!(one_alone.ends_with(" more cases are answered by only one of the two"), "{printed}");
    let same = text(&run(&["editions", "rfc9309", "rfc9309"]).stdout);
    assert_eq!(same, "0 cases differ between rfc9309 and rfc9309\n");
}

/// These commands print into a closed pipe, which is not an error.
#[rstest]
#[trace]
#[case(&["list"])]
#[case(&["show", "copy-of-an-hour"])]
#[case(&["completions", "bash"])]
#[case(&["man"])]
fn a_reader_may_go_away(#[case] arguments: &[&str]) {
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let mut command = Command::new(COMMAND);
    let output = command.args(arguments).stdout(writer).stderr(Stdio::piped()).output().unwrap();
    assert_eq!(text(&output.stderr), "");
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn deviations_are_drafted_then_explained_then_hold() {
    let folder = tempfile::tempdir().unwrap();
    let draft = folder.path().join("known.yaml");
    let path = draft.to_str().unwrap();
    // A tool that allows everything. `--exec` runs it without an adapter.
    let tool = ["run", "--area", "precedence", "--exec", "test -r {robots} -a -n {agent}{url}"];
    let first = run(&[&tool[..], &["--write-deviations", path]].concat());
    assert_eq!(first.status.code(), Some(1), "{}", text(&first.stderr));
    let rerun = "run --exec 'test -r {robots} -a -n {agent}{url}' --filter ";
    assert!(text(&first.stderr).contains(rerun), "{}", text(&first.stderr));
    let written = std::fs::read_to_string(&draft).unwrap();
    assert!(written.contains("\n  answers: allow\n  why: ''\n"), "{written}");

    let known = [&tool[..], &["--deviations", path]].concat();
    let blank = run(&known);
    assert_eq!(blank.status.code(), Some(2), "{}", text(&blank.stderr));
    assert!(text(&blank.stderr).contains("known.yaml:2: "), "{}", text(&blank.stderr));
    assert!(text(&blank.stderr).contains("`why` is blank"), "{}", text(&blank.stderr));

    let why = ["--why", "It allows everything.", "--write-deviations", path];
    run(&[&tool[..], &why].concat());
    let explained = run(&known);
    assert_eq!(explained.status.code(), Some(0), "{}", text(&explained.stderr));
    // A new draft keeps the reasons of entries that still apply.
    let again = run(&[&known[..], &["--write-deviations", path]].concat());
    assert_eq!(again.status.code(), Some(0), "{}", text(&again.stderr));
    let kept = std::fs::read_to_string(&draft).unwrap();
    assert_eq!(kept, written.replace("why: ''", "why: It allows everything."));
}

/// A draft of deviations can contain answers of every kind. A wrong answer that is written to a draft is read back
/// unchanged.
#[test]
fn a_draft_states_every_kind_of_answer() {
    use robots_conformance::kind::Group;
    use robots_conformance::run::deviations::Deviations;
    use robots_conformance::run::draft::draft;
    use robots_core::RuleKind;
    use robots_core::fetch::{Access, Freshness, Scope};
    use robots_core::syntax::GrammarMatch;

    let engine = || {
        common::Fake(Profile::ALL, |question: &Question| {
            let rules = vec![(RuleKind::Allow, "/a: b # '\u{7f}\\".to_owned())];
            let group = Group { agents: vec!["Yes".to_owned(), "*".to_owned()], rules };
            match &question.ask {
                Ask::Verdict(_) => Answer::Verdict(VerdictAnswer {
                    allowed: false,
                    line: Some(77),
                    evidence: None,
                }),
                Ask::Groups(_) => Answer::Groups(vec![group.clone(), group]),
                Ask::Group(_) => Answer::Group(Some(group)),
                Ask::Sitemaps(_) => Answer::Sitemaps(vec!["null".to_owned()]),
                Ask::Scope(_) => Answer::Scope(Scope::NotARobotsUrl),
                Ask::Access(_) => Answer::Access(Access::UseCachedCopy),
                Ask::Freshness(_) => Answer::Freshness(Freshness::Stale),
                _ => Answer::Derives(GrammarMatch::new(false, vec![true; 3])),
            }
        })
    };
    let suite = robots_conformance::suite::load::embedded().unwrap();
    let run = |runner: Runner| {
        let trials = runner.trials(&suite);
        runner.report(runner.run(&trials, |_| {}))
    };
    let before = run(Runner::new(Arc::new(engine())));
    assert!(before.failures().count() > 1000);
    let written = draft(&before, "It is fake.");
    let deviations = Deviations::parse("draft.yaml", &written).unwrap();
    let after = run(Runner::new(Arc::new(engine())).deviations(deviations));
    let failures: Vec<String> =
        after.failures().map(|done| format!("{}: {:?}", done.trial.name(), done.outcome)).collect();
    assert!(RunRecord::of(&after).clean, "{failures:#?}");
}

#[test]
fn reports_go_where_they_are_sent() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let [lines, junit, page] = [("jsonl", "a.jsonl"), ("junit", "b.xml"), ("html", "c.html")]
        .map(|(format, name)| format!("{format}={}", file(name)));
    let arguments = ["run", "--area", "caching", "--report", &lines, "--report", &junit];
    let output = run(&[&arguments[..], &["--report", &page, "--report", "markdown"]].concat());
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert!(!text(&output.stdout).is_empty());
    let lines = std::fs::read_to_string(file("a.jsonl")).unwrap();
    let last: serde_json::Value = serde_json::from_str(lines.lines().last().unwrap()).unwrap();
    let trials = lines.lines().count() - 2;
    assert_eq!(last["footer"]["trials"], trials);
    assert!(std::fs::read_to_string(file("b.xml")).unwrap().contains("<testsuite"));
    assert!(std::fs::read_to_string(file("c.html")).unwrap().contains("</html>"));
}

/// A report of version 3 cannot be read, and `changes` reads a report with the same function.
#[test]
fn two_reports_are_compared() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let [old, new, later] = ["old.json", "new.json", "later.json"].map(file);
    run(&["run", "-q", "--area", "caching", "--report", &format!("json={old}")]);
    let report = std::fs::read_to_string(&old).unwrap();
    std::fs::write(&new, report.replacen("\"outcome\": \"passed\"", "\"outcome\": \"failed\"", 1))
        .unwrap();
    std::fs::write(&later, report.replacen("\"version\": 2", "\"version\": 3", 1)).unwrap();
    for (arguments, status, shown) in [
        (["compare", &old, &old], 0, " unchanged\n"),
        (["compare", &old, &new], 1, "\nbroken: 1\n"),
        (["compare", &new, &old], 0, "\nfixed: 1\n"),
    ] {
        let output = run(&arguments);
        let text = text(&output.stdout);
        assert!(output.status.code() == Some(status) && text.contains(shown), "{text}");
    }
    is_wrong_usage(
        &["compare", &old, &later],
        "this build reads only \"robots-conformance\", version 2",
    );
    is_wrong_usage(
        &["compare", &old, concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml")],
        "is not a report that `run --report json=",
    );
    is_wrong_usage(&["compare", "no.json", &old], "cannot read no.json");
    is_wrong_usage(&["changes", "--since", "0.1.0", "--report", &later], "version 3");
}

/// `changes --against` reads the copy that `copy --vectors` writes.
#[test]
fn an_older_copy_is_compared() {
    let folder = tempfile::tempdir().unwrap();
    let copy = folder.path().to_str().unwrap();
    run(&["copy", "--vectors", copy]);
    let against = || {
        let output = run(&["changes", "--against", copy]);
        (output.status.code(), text(&output.stdout))
    };
    assert_eq!(against(), (Some(0), "no unlisted change\n".to_owned()));
    let file = folder.path().join("other.json");
    let vectors = std::fs::read_to_string(&file).unwrap();
    std::fs::write(&file, vectors.replacen("{\"id\":\"", "{\"id\":\"older-", 1)).unwrap();
    let (status, shown) = against();
    assert!(status == Some(1) && shown.contains(" is gone; list it as withdrawn\n"), "{shown}");
    is_wrong_usage(&["changes", "--against", "no"], "no has no vectors");
    is_wrong_usage(&["changes"], "--since <VERSION>");
}

#[test]
fn the_suite_as_flat_files() {
    let written = [
        (&["vectors"][..], "vectors/rfc9309.json"),
        (&["vectors", "--edition", "google-2018"], "vectors/google-2018.json"),
        (&["vectors", "--schema"], "schema/vectors.schema.json"),
        (&["vectors", "--other"], "vectors/other.json"),
        (&["vectors", "--other", "--schema"], "schema/other-vectors.schema.json"),
        (&["vectors", "--timelines"], "vectors/fetch-vectors.json"),
        (&["vectors", "--timelines", "--schema"], "schema/fetch-vectors.schema.json"),
    ];
    for (arguments, file) in written {
        let output = run(arguments);
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        let written = robots_spec_cases::file(file);
        assert!(Some(text(&output.stdout).as_str()) == written, "it is not {file}");
    }
}

#[test]
fn the_suite_as_files() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("suite");
    let output = run(&["copy", path.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    for file in robots_spec_cases::files() {
        assert_eq!(std::fs::read_to_string(path.join(file.0)).unwrap(), file.1);
    }
    assert!(
        path.join("PROTOCOL.md").is_file() && path.join("schema/protocol.schema.json").is_file()
    );
    let questions = std::fs::read_to_string(path.join("questions.jsonl")).unwrap();
    let lines: Vec<serde_json::Value> =
        questions.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(lines.len() > 5000, "{}", lines.len());
    assert!(questions.len() <= 5_000_000, "{} octets", questions.len());
    let readme = std::fs::read_to_string(path.join("README.md")).unwrap();
    let keys = lines.iter().flat_map(|line| line.as_object().unwrap().keys());
    for key in keys.collect::<std::collections::BTreeSet<_>>() {
        assert!(readme.contains(&format!("`{key}`")), "README.md does not describe {key}");
    }
    let observed = |line: &&serde_json::Value| line["question"]["edition"] == "google-cpp";
    assert!(lines.iter().filter(observed).count() > 500);
    assert!(lines.iter().filter(observed).all(|line| line["level"] == "observed"));
    // A long file is stored separately, with exactly the same octets.
    let suite = robots_conformance::suite::load::embedded().unwrap();
    let mut long = 0;
    // The copy omits trials that ask the same question as a trial of another edition.
    let trials = robots_conformance::run::trial::trials(&suite);
    for trial in trials.iter().filter(|trial| !trial.is_repeated()) {
        let Some(octets) = trial.member().ask.robots_txt().filter(|o| o.len() > 1024) else {
            continue;
        };
        let line = lines.iter().find(|line| line["name"] == trial.name()).unwrap();
        let file = path.join(line["question"]["robots_txt_file"].as_str().unwrap());
        assert!(std::fs::read(file).unwrap() == octets, "{}", trial.name());
        assert!(line["question"].get("robots_txt").is_none());
        long += 1;
    }
    assert!(long > 100, "{long}");
    let one = |name: &str| lines.iter().find(|line| line["name"] == name).unwrap().clone();
    let line = one("path-matching::path-fish-prefix::rfc9309::/catfish");
    assert_eq!(line["question"]["url"], "https://example.com/catfish");
    assert_eq!(line["expected"], serde_json::json!({ "one": { "verdict": "allow" } }));
    assert_eq!(line["level"], "must");
    let kinds = ["one", "any-of", "readings", "undefined"];
    for kind in kinds {
        assert!(lines.iter().any(|line| line["expected"].get(kind).is_some()), "{kind}");
    }
    assert!(lines.iter().all(|line| kinds.iter().any(|kind| line["expected"].get(kind).is_some())));
}

/// With `--quiet`, the command still prints failures.
#[test]
fn quiet_leaves_totals_and_hints_out() {
    let folder = tempfile::tempdir().unwrap();
    let run = |arguments: &[&str]| {
        let output = run(arguments);
        (output.status.code(), text(&output.stdout), text(&output.stderr))
    };
    let nothing = |status| (Some(status), String::new(), String::new());
    assert_eq!(run(&["run", "-q", "--area", "caching"]), nothing(0));
    assert!(!run(&["run", "--area", "caching"]).1.is_empty());
    let copy = folder.path().join("suite");
    assert_eq!(run(&["copy", "-q", copy.to_str().unwrap()]), nothing(0));
}

/// The list that a run writes makes the next run pass, as long as it is exactly true.
#[test]
fn a_list_of_known_failures_is_written_and_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("known.txt");
    let file = path.to_str().unwrap();
    // The tool allows every URL.
    let exec = "test -r {robots} -a -n {agent}{url}";
    let tool = ["run", "--exec", exec, "--filter", "::path-fish-prefix::"];
    let with = |words: &[&str]| run(&[&tool[..], words].concat());
    let first = with(&["--write-known", file, "--why", "It allows everything."]);
    assert_eq!(first.status.code(), Some(1), "{}", text(&first.stderr));
    let written = std::fs::read_to_string(&path).unwrap();
    let line = "path-fish-prefix::/fish bug It allows everything.\n";
    assert!(written.contains(line), "{written}");
    let known = ["--known", file];
    assert_eq!(with(&known).status.code(), Some(0), "{}", text(&with(&known).stderr));
    for (changed, message) in [
        (format!("{written}no-such-vector bug It is gone.\n"), "stale: there is no such trial"),
        (written.replace(line, ""), "FAILED "),
        (written.replace(line, &line.replace(" bug ", " error ")), "says that the engine errs"),
    ] {
        std::fs::write(&path, &changed).unwrap();
        let output = with(&known);
        assert_eq!(output.status.code(), Some(1), "{changed}");
        assert!(text(&output.stderr).contains(message), "{message}: {}", text(&output.stderr));
    }
    // A whole run finds a line that passes.
    std::fs::write(&path, line).unwrap();
    let output = run(&["run", "--edition", "rfc9309", "--known", file]);
    assert_eq!(output.status.code(), Some(1));
    assert!(
        text(&output.stderr).contains("healed: no trial of it fails"),
        "{}",
        text(&output.stderr)
    );
    // A list that is written anew keeps tags, comments, and the lines of questions that were not asked.
    let other = "path-fish-directory::/fish wontfix It stays.\n";
    let tagged = written.replace(line, &line.replace(" bug ", " wontfix "));
    let earlier =
        format!("\u{feff}# Mine.\n{other}{tagged}gone bug It is gone.\nfish-x bug It is gone.\n");
    std::fs::write(&path, &earlier).unwrap();
    with(&["--known", file, "--write-known", file, "--why", "It is new."]);
    let kept = std::fs::read_to_string(&path).unwrap();
    assert_eq!(kept, format!("# Mine.\n{other}{tagged}"));
    // Without a reason, the written list is refused.
    with(&["--write-known", file]);
    let output = with(&known);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("the reason is missing"), "{}", text(&output.stderr));
}

/// A reader of the vectors refuses an id that its file does not have.
#[test]
fn a_written_list_has_only_ids_of_the_files_of_the_editions() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("known.txt");
    let exec = "test -r {robots} -a -n {agent}{url}";
    let words =
        ["run", "--exec", exec, "--filter", "::star-", "--write-known", path.to_str().unwrap()];
    let output = run(&words);
    let stderr = text(&output.stderr);
    assert!(stderr.contains("because no file of an edition has them: "), "{stderr}");
    let vectors: Vec<serde_json::Value> =
        serde_json::from_str(include_str!("../../../spec-cases/vectors/rfc9309.json")).unwrap();
    let list = std::fs::read_to_string(&path).unwrap();
    let ids: Vec<&str> = list.lines().skip(1).filter_map(|line| line.split(' ').next()).collect();
    assert!(ids.len() > 5, "{list}");
    for id in ids {
        assert!(vectors.iter().any(|vector| vector["id"] == id), "{id}");
    }
}
