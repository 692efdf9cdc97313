//! Tests the verb `live` with crawlers that are small scripts, and with the cases of the suite.
//!
//! The tests start the command with [`live`]. The tests check the report, the messages and the exit status of the
//! command, and that no process of a crawler is left running. Without Python, tests that need it print "not run".

#![cfg(all(unix, feature = "live"))]

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use robots_conformance::report::record::{RunRecord, SCHEMA};
use rstest::rstest;
use serde_json::{Value, json};

/// A crawler in a few lines of Python. The crawler follows every link of its start page and requests no robots.txt.
const GREEDY: &str = r#"
import re, sys, urllib.request
opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
seed = sys.argv[1]
for link in re.findall('href="([^"]*)"', opener.open(seed, timeout=3).read().decode()):
    try:
        opener.open(link, timeout=3).read()
    except OSError:
        pass
"#;

/// A crawler in Python that follows only links to the host of the start URL, and requests no robots.txt.
const STAYS: &str = r##"
import re, sys, urllib.parse, urllib.request
opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
how, seeds = sys.argv[1:]
for seed in [seeds] if how == "one" else open(seeds).read().split():
    queue = [seed]
    for url in queue:
        try:
            page = opener.open(url, timeout=3).read().decode()
        except OSError:
            continue
        links = [urllib.parse.urljoin(url, link).split("#")[0] for link in re.findall('href="([^"]*)"', page)]
        queue += {link for link in links if link.startswith(urllib.parse.urljoin(seed, "/")) and link not in queue}
"##;

fn live(words: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_robots-conformance"));
    command.arg("live").args(words).stdin(Stdio::null()).output().unwrap()
}

fn text(octets: &[u8]) -> String {
    String::from_utf8_lossy(octets).into_owned()
}

fn has_python() -> bool {
    Command::new("python3").arg("--version").output().is_ok_and(|output| output.status.success())
}

fn greedy(folder: &Path) -> String {
    let script = folder.join("greedy.py");
    fs::write(&script, GREEDY).unwrap();
    format!("python3 {} {{seed}}", script.display())
}

#[test]
fn who_fetches_what_is_forbidden_fails_and_is_told_how() {
    if !has_python() {
        eprintln!("not run: python3 is not there");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let path = |format: &str| folder.path().join(format);
    let report = |format: &str| format!("--report={format}={}", path(format).display());
    let exec = greedy(folder.path());
    let reports = ["json", "jsonl", "junit", "markdown", "html"].map(report);
    let mut words = vec!["--exec", &exec, "--filter", "wire-status-503::rfc9309"];
    words.extend(reports.iter().map(String::as_str));
    let output = live(&words);
    let printed = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{printed}");
    for part in [
        "FAILED examplebot::crawling::wire-status-503::rfc9309",
        "the sites:",
        "access log:",
        "not fetched: ",
        "without having asked",
    ] {
        assert!(printed.contains(part), "{part}: {printed}");
    }
    let read = |format: &str| fs::read_to_string(path(format)).unwrap();
    let report: Value = serde_json::from_str(&read("json")).unwrap();
    assert_eq!(report["clean"], false);
    assert_eq!(report["trials"][0]["name"], "examplebot::crawling::wire-status-503::rfc9309");
    assert_eq!(report["trials"][0]["outcome"], "failed");
    assert!(report["trials"][0]["findings"][0]["what"].as_str().unwrap().starts_with("fetched /"));
    assert_eq!(report["crawls"][0]["case"], "wire-status-503");
    assert!(read("junit").contains("<failure "));
    assert!(
        read("markdown").contains("<code>examplebot::crawling::wire-status-503::rfc9309</code>")
    );
    let page = read("html");
    for part in ["wire-status-503", "without having asked", "control-before", "status: 503"] {
        assert!(page.contains(part), "{part}: {page}");
    }
    let lines: Vec<Value> =
        read("jsonl").lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let kinds: Vec<&str> = lines
        .iter()
        .map(|line| line.as_object().unwrap().keys().next().unwrap().as_str())
        .collect();
    assert_eq!(kinds, ["header", "trial", "crawl", "footer"]);
    assert_eq!(lines[1]["trial"], report["trials"][0]);
    assert_eq!(lines[2]["crawl"], report["crawls"][0]);
    assert_eq!(lines[3]["footer"]["clean"], false);
}

/// The JSON report of a run of crawls matches the schema, and can be read back.
#[test]
fn the_json_object_is_what_the_schema_says() {
    if !has_python() {
        eprintln!("not run: python3 is not there");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let exec = greedy(folder.path());
    let output = live(&["--exec", &exec, "--filter", "wire-st", "--report", "json"]);
    let json = text(&output.stdout);
    let mut report: Value = serde_json::from_str(&json).unwrap();
    let schema: Value = serde_json::from_str(SCHEMA).unwrap();
    let schema = jsonschema::validator_for(&schema).unwrap();
    let problems: Vec<String> =
        schema.iter_errors(&report).map(|problem| problem.to_string()).collect();
    assert!(problems.is_empty(), "{}", problems.join("\n"));
    assert!(report["crawls"].as_array().unwrap().len() > 20);
    let read: RunRecord = serde_json::from_str(&json).unwrap();
    assert_eq!(serde_json::to_value(&read).unwrap(), report);
    for (place, key) in [("", "extra"), ("/trials/0", "extra"), ("/crawls/0/log/0", "extra")] {
        let mut broken = report.clone();
        broken.pointer_mut(place).unwrap()[key] = Value::Bool(true);
        assert!(!schema.is_valid(&broken), "the schema lets an unknown key through at {place:?}");
    }
    report["trials"][0]["outcome"] = "lost".into();
    assert!(!schema.is_valid(&report));
}

#[test]
fn a_known_failure_is_a_deviation_and_one_that_healed_or_drifted_fails() {
    if !has_python() {
        eprintln!("not run: python3 is not there");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let known = folder.path().join("known.yaml");
    let exec = greedy(folder.path());
    let run = |entries: &str, filter: &str| {
        fs::write(&known, entries).unwrap();
        live(&["--exec", &exec, "--filter", filter, "--deviations", &known.display().to_string()])
    };
    // The draft contains the findings. The run accepts the draft after reasons are filled in.
    let draft = folder.path().join("draft.yaml");
    let filter = "wire-status-503::rfc9309";
    let write = draft.display().to_string();
    live(&["--exec", &exec, "--filter", filter, "--write-deviations", &write]);
    let draft = fs::read_to_string(draft).unwrap();
    let found = draft.lines().find_map(|line| line.trim().strip_prefix("- ")).unwrap().to_owned();
    let refused = run(&draft, filter);
    assert_eq!(refused.status.code(), Some(2));
    assert!(text(&refused.stderr).contains("`why` is blank"), "{}", text(&refused.stderr));
    let output = run(&draft.replace("why: ''", "why: It asks nobody."), filter);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(text(&output.stdout).contains("deviation"));
    // A finding that the entry of the deviations file does not name is a failure.
    let drifted = draft.replace(&found, "fetched /elsewhere of main").replace("why: ''", "why: x");
    let output = run(&drifted, filter);
    assert!(text(&output.stderr).contains("drifted: "), "{}", text(&output.stderr));
    assert_eq!(output.status.code(), Some(1));
    // A crawler that fetches everything is right if there is no robots.txt.
    let healed =
        "examplebot::crawling::wire-status-404::rfc9309: { found: [fetched /x of main], why: x }";
    let output = run(healed, "wire-status-404::rfc9309");
    assert!(text(&output.stderr).contains("healed: "), "{}", text(&output.stderr));
    assert_eq!(output.status.code(), Some(1));
    let stale = "examplebot::crawling::no-such-case::rfc9309: { found: [x], why: x }";
    let output = run(stale, filter);
    assert!(text(&output.stderr).contains("STALE"), "{}", text(&output.stderr));
    assert_eq!(output.status.code(), Some(1));
}

/// Waits until a condition is true. Fails if it is not true within a minute.
fn until(what: &str, mut holds: impl FnMut() -> bool) {
    let start = Instant::now();
    while !holds() {
        assert!(start.elapsed() < Duration::from_secs(60), "{what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

fn is_running(pid: &str) -> bool {
    // Signal 0 reaches a process that still exists, including one that no process has waited for.
    let there = Command::new("kill").args(["-0", pid]).stderr(Stdio::null()).status().unwrap();
    let stat = fs::read_to_string(format!("/proc/{pid}/stat"));
    there.success() && !stat.is_ok_and(|stat| stat.contains(") Z "))
}

fn signal(child: &Child, name: &str) {
    let sent = Command::new("kill").args([&format!("-{name}"), &child.id().to_string()]).status();
    assert!(sent.unwrap().success());
}

fn started(words: &[&str], folder: &Path) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_robots-conformance"));
    command.arg("live").args(words).env("NO_COLOR", "1").env("TMPDIR", folder);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// After a signal, a crawler that hangs in its second case is ended with its child process, and the report contains the
/// first case.
#[rstest]
#[trace]
#[case("INT", 130)]
#[case("TERM", 143)]
fn a_signal_ends_the_crawlers_and_leaves_a_partial_report(#[case] name: &str, #[case] status: i32) {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let temporary = path("tmp");
    fs::create_dir(&temporary).unwrap();
    let note = path("note");
    let script = format!(
        "if mkdir {0}.first 2>/dev/null; then exit 0; fi; \
         sleep 600 & echo $! >> {0}; echo $$ >> {0}; pwd >> {0}; wait",
        note.display()
    );
    let exec = format!("sh -c '{script}' {{seed}}");
    let reports: Vec<String> = ["json", "jsonl", "junit", "markdown", "html"]
        .iter()
        .map(|format| format!("--report={format}={}", path(format).display()))
        .collect();
    let mut words = vec!["--exec", &exec, "--jobs", "1", "--limit", "600", "--report=terminal"];
    words.extend(["--filter", "wire-status-4", "--edition", "rfc9309"]);
    words.extend(reports.iter().map(String::as_str));
    let child = started(&words, &temporary);
    until("the second crawl begins", || {
        fs::read_to_string(&note).is_ok_and(|note| note.lines().count() == 3)
    });
    signal(&child, name);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(status), "{}", text(&output.stderr));
    let note = fs::read_to_string(&note).unwrap();
    let [kid, crawler, dir] = note.lines().collect::<Vec<_>>()[..] else { panic!("{note}") };
    for pid in [kid, crawler] {
        until("what was started ends", || !is_running(pid));
    }
    assert!(!Path::new(dir).exists(), "{dir} is still there");
    assert_eq!(fs::read_dir(&temporary).unwrap().count(), 0);
    let read = |name: &str| fs::read_to_string(path(name)).unwrap();
    let json: Value = serde_json::from_str(&read("json")).unwrap();
    let unasked = json["unasked"].as_u64().unwrap();
    assert_eq!(
        (json["trials"].as_array().unwrap().len(), &json["clean"]),
        (1, &Value::Bool(false))
    );
    let partial = format!("PARTIAL: the run was ended after 1 of {} trials", unasked + 1);
    let (stdout, stderr) = (text(&output.stdout), text(&output.stderr));
    for report in [stdout, stderr, read("junit"), read("markdown"), read("html")] {
        assert!(report.contains(&partial), "{report}");
    }
    assert!(!read("jsonl").contains("footer"), "{}", read("jsonl"));
    let schema: Value = serde_json::from_str(SCHEMA).unwrap();
    assert!(jsonschema::validator_for(&schema).unwrap().is_valid(&json));
}

/// A crawler that is a service receives the seed URL and is judged on request.
#[rstest]
#[trace]
#[case::enter(None)]
#[case::interruption(Some("INT"))]
fn a_crawler_that_is_attached_is_judged_when_told_to(#[case] signalled: Option<&str>) {
    if !has_python() {
        eprintln!("not run: python3 is not there");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let filter = "wire-status-404::google-2022";
    let words = ["--attach", "--edition", "google-2022", "--filter", filter, "--report", "json"];
    let mut child = started(&words, folder.path());
    let mut stderr = BufReader::new(child.stderr.take().unwrap());
    let mut address = String::new();
    while !address.starts_with("begin at") {
        address.clear();
        assert!(stderr.read_line(&mut address).unwrap() > 0, "no address is reported");
    }
    let seed = address.split_whitespace().last().unwrap();
    // The crawler follows links twice: from the common page to the start page of the case, and from there to the pages.
    let script = format!("{GREEDY}\n{}", GREEDY.replace("sys.argv[1]", "link"));
    let crawl = Command::new("python3").args(["-c", &script, seed]).output().unwrap();
    assert!(crawl.status.success(), "{}", text(&crawl.stderr));
    match signalled {
        Some(name) => signal(&child, name),
        None => child.stdin.take().unwrap().write_all(b"\n").unwrap(),
    }
    let output = child.wait_with_output().unwrap();
    let mut printed = String::new();
    stderr.read_to_string(&mut printed).unwrap();
    assert_eq!(output.status.code(), Some(0), "{printed}");
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["trials"][0]["outcome"], "passed");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

/// If a run judges the crawls of a report, a failure names the command that judges this report again. The failure does
/// not name the crawler's command from the report.
#[test]
fn a_failure_of_a_judged_report_names_the_report() {
    if !has_python() {
        eprintln!("not run: python3 is not there");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let exec = greedy(folder.path());
    let filter = ["--filter", "wire-status-503::rfc9309"];
    let output = live(&[&["--exec", &exec, "--report", "json"][..], &filter].concat());
    let mut report: Value = serde_json::from_slice(&output.stdout).unwrap();
    report["command"] = "a crawler that was attached".into();
    let file = folder.path().join("live.json");
    fs::write(&file, report.to_string()).unwrap();
    let file = file.to_str().unwrap();
    let output = live(&[&["--judge", file][..], &filter].concat());
    let printed = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{printed}");
    let again = format!(
        "robots-conformance live --agent examplebot --judge {file} --edition rfc9309 --filter "
    );
    assert!(printed.contains(&again), "{printed}");
    report["version"] = 1.into();
    fs::write(file, report.to_string()).unwrap();
    let output = live(&["--judge", file]);
    let printed = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{printed}");
    assert!(printed.contains("version 1; this build reads only"), "{printed}");
}

/// A trial about a draft is selected only if the edition is named, so the command that repeats it names the edition.
#[test]
fn a_failure_under_a_draft_is_repeated_by_its_command() {
    if !has_python() {
        eprintln!("not run: python3 is not there");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let exec = greedy(folder.path());
    let words = ["--edition", "aipref-2026-08", "--filter", "wire-asks-first::"];
    let output = live(&[&["--exec", &exec][..], &words].concat());
    let printed = text(&output.stderr);
    let name = "examplebot::crawling::wire-asks-first::aipref-2026-08";
    let again = format!(" --edition aipref-2026-08 --filter {name}");
    assert!(printed.contains(&again), "{printed}");
    let again = again.split_whitespace().collect::<Vec<_>>();
    let repeated = live(&[&["--exec", &exec][..], &again].concat());
    assert_eq!(repeated.status.code(), Some(1), "{}", text(&repeated.stderr));
}

#[test]
fn areas_select_crawls() {
    let refused = live(&["--exec", "true {seed}", "--area", "crawlin"]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(
        text(&refused.stderr).contains("did you mean \"crawling\"?"),
        "{}",
        text(&refused.stderr)
    );
    let words = ["--area", "rules", "--report", "json"];
    let output = live(&[&["--exec", "true {seed}"][..], &words].concat());
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let trials = report["trials"].as_array().unwrap();
    assert!(!trials.is_empty() && trials.iter().all(|trial| trial["area"] == "rules"));
}

#[test]
fn nobody_who_attached_is_waited_for_at_sigterm() {
    let folder = tempfile::tempdir().unwrap();
    let mut child = started(&["--attach", "--filter", "wire-status-404"], folder.path());
    let mut line = String::new();
    BufReader::new(child.stderr.as_mut().unwrap()).read_line(&mut line).unwrap();
    assert!(line.starts_with("begin at"), "{line}");
    signal(&child, "TERM");
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(143));
    assert!(text(&output.stdout).contains("PARTIAL: "), "{}", text(&output.stdout));
}

/// If a crawler makes no request in its first crawl, the crawl is repeated, and only the second crawl counts.
#[test]
fn what_was_undecided_is_crawled_again() {
    if !has_python() {
        eprintln!("not run: python3 is not there");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let mark = folder.path().join("mark");
    let script = greedy(folder.path()).replace("{seed}", "");
    let exec = format!("sh -c 'mkdir {} 2>/dev/null || {script} \"$0\"' {{seed}}", mark.display());
    let words = ["--exec", &exec, "--filter", "wire-status-404::rfc9309"];
    let first = live(&words);
    assert!(text(&first.stderr).contains("1 inconclusive"), "{}", text(&first.stderr));
    fs::remove_dir(&mark).unwrap();
    let both = live(&[&words[..], &["--again"]].concat());
    assert!(both.status.success(), "{}", text(&both.stderr));
}

#[test]
fn a_crawler_that_never_comes_passes_nothing() {
    let output = live(&["--exec", "true {seed}", "--filter", "wire-status-404::rfc9309"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stdout).contains("inconclusive"), "{}", text(&output.stdout));
}

/// The crawlers write commands of GitHub's runner to standard error, and one crawler sends such a command in a request.
/// No line of the log may be a command.
#[test]
fn no_line_of_a_crawler_is_a_command_in_a_log() {
    if !has_python() {
        eprintln!("not run: python3 is not there");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let script = format!(
        "{GREEDY}\nprint('::error::y\\n  ::add-mask::y\\n##[error]y\\x1b]0;y', file=sys.stderr)\n\
         urllib.request.urlopen(urllib.request.Request(seed, headers={{'X': '##[error]y'}}))\n"
    );
    let file = folder.path().join("crawler.py");
    fs::write(&file, script).unwrap();
    let crawls = format!("python3 {} {{seed}}", file.display());
    let ends =
        r###"sh -c 'echo "##[error]y" >&2; echo ::error::y >&2; exit 3' {seed}"###.to_owned();
    for (exec, wanted) in [(crawls, "FAILED"), (ends, "it wrote last: \\x3A:error::y")] {
        for format in ["terminal", "json"] {
            let filter = ["--filter", "wire-status-50", "--edition", "rfc9309", "--report", format];
            let output = live(&[&["--exec", &exec][..], &filter].concat());
            let (stdout, stderr) = (text(&output.stdout), text(&output.stderr));
            assert!(stderr.contains(wanted), "{wanted}: {stderr}");
            let is_command =
                |line: &&str| line.trim_start().starts_with("::") || line.contains("##[error]");
            assert_eq!(stdout.lines().chain(stderr.lines()).find(is_command), None, "{exec}");
            assert!(!stderr.contains('\x1b'), "{stderr:?}");
        }
    }
}

/// If a crawler ends at once, the other cases are not run, and the output gives the reason.
#[test]
fn a_crawler_that_ends_at_once_is_given_up() {
    let exec = "sh -c 'echo no such option >&2; exit 2' {seed}";
    let words = ["--exec", exec, "--filter", "wire-status-4", "--edition", "rfc9309"];
    let words = [&words[..], &["--jobs", "1", "--report", "json"]].concat();
    let output = live(&words);
    let printed = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{printed}");
    assert!(printed.contains("GIVEN UP") && printed.contains("no such option"), "{printed}");
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let outcomes = |report: &Value| -> Vec<String> {
        let trials = report["trials"].as_array().unwrap();
        trials.iter().map(|trial| trial["outcome"].as_str().unwrap().to_owned()).collect()
    };
    let first = outcomes(&report);
    assert!(first[..3].iter().all(|outcome| outcome == "inconclusive"), "{first:?}");
    assert!(first.len() > 3 && first[3..].iter().all(|outcome| outcome == "not-run"), "{first:?}");
    let output = live(&[&words[..], &["--keep-going"]].concat());
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(outcomes(&report).iter().all(|outcome| outcome == "inconclusive"));
}

/// A crawler that stays on the host of its start URL is judged by the cases on one host. It cannot crawl several cases
/// together, because a page of another host links to their start pages, unless it gets these pages as start URLs.
#[test]
fn a_crawler_that_stays_on_its_host_is_told_to_take_all_seeds() {
    if !has_python() {
        eprintln!("not run: python3 is not there");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let script = folder.path().join("stays.py");
    fs::write(&script, STAYS).unwrap();
    let run = |exec: &str, filter: &str, words: &[&str]| {
        let exec = format!("python3 {} {exec}", script.display());
        let words =
            [&["--exec", &exec, "--filter", filter, "--report", "json"][..], words].concat();
        let output = live(&words);
        let report: Value = serde_json::from_slice(&output.stdout).unwrap();
        (report["trials"][0]["outcome"].as_str().unwrap().to_owned(), text(&output.stderr))
    };
    for (filter, words) in
        [("wire-status-503::rfc9309", &[][..]), ("wire-status-404::rfc9309", &["--together"])]
    {
        let (outcome, printed) = run("one {seed}", filter, words);
        assert_eq!(outcome, "inconclusive", "{printed}");
        assert!(printed.contains("start it with {seeds}"), "{printed}");
    }
    let with = |exec, filter: &str, words: &[&str]| {
        let (_, edition) = filter.split_once("::").unwrap();
        run(exec, filter, &[words, &["--edition", edition]].concat()).0
    };
    assert_eq!(with("one {seed}", "wire-status-404::google-2022", &[]), "passed");
    assert_eq!(with("all {seeds}", "wire-status-404::google-2022", &["--together"]), "passed");
    let on_one_host = |filter| with("all {seeds}", filter, &["--own-host"]);
    assert_eq!(on_one_host("wire-status-503::rfc9309"), "failed");
    assert_eq!(on_one_host("wire-asks-first-on-each-host::rfc9309"), "not-run");
}

/// The verb `run` asks a tool about RFC 9309 only. `live` judges by the same edition.
#[test]
fn a_crawl_is_judged_by_rfc_9309() {
    let output =
        live(&["--exec", "true {seed}", "--filter", "wire-asks-first::", "--report", "json"]);
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let trials = report["trials"].as_array().unwrap().iter();
    assert_eq!(trials.map(|trial| &trial["edition"]).collect::<Vec<_>>(), ["rfc9309"]);
}

/// At the time limit, the crawler's children end with it, and its folder is removed.
#[test]
fn at_the_limit_the_whole_group_is_ended_and_nothing_stays() {
    let folder = tempfile::tempdir().unwrap();
    let note = folder.path().join("note");
    let script = format!(
        "echo {{seed}} > left-behind; pwd > {0}; sleep 600 & echo $! >> {0}; wait",
        note.display()
    );
    let exec = format!("sh -c '{script}'");
    let output = live(&["--exec", &exec, "--filter", "wire-status-404::rfc9309", "--limit", "1"]);
    let table = text(&output.stdout);
    assert!(table.contains("passed  failed  waited"), "{table}");
    let waited = table.lines().find(|line| line.starts_with("crawling  rfc9309  "));
    assert!(waited.is_some_and(|line| line.split_whitespace().last() == Some("1")), "{table}");
    let note = fs::read_to_string(note).unwrap();
    let [dir, child] = note.lines().collect::<Vec<_>>()[..] else { panic!("{note}") };
    assert!(!Path::new(dir).exists(), "{dir} is still there");
    assert!(!is_running(child), "{child} is still running");
}

#[test]
fn wrong_use_is_2() {
    for (words, message) in [
        (["--exec", "wget", "--filter", "x"], "does not use {seed}"),
        (["--exec", "wget {seed}", "--filter", "no-such-case"], "no case has a name"),
        (["--exec", "wget {seed}", "--report", "yaml"], "yaml"),
        (["--exec", "wget {seed}", "--attach", "--again"], "cannot be used with"),
        (["--filter", "x", "--edition", "rfc9309"], "--exec <TEMPLATE>"),
        (["--exec", "wget {seed}", "--deviations", "/nowhere.yaml"], "cannot read"),
    ] {
        let output = live(&words);
        assert_eq!(output.status.code(), Some(2), "{words:?}");
        assert!(text(&output.stderr).contains(message), "{words:?}: {}", text(&output.stderr));
    }
}

#[test]
fn a_crawler_that_is_not_there_is_not_run() {
    let output =
        live(&["--exec", "/no/such/crawler {seed}", "--filter", "wire-status-404::rfc9309"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(
        text(&output.stdout).contains("the crawler does not start"),
        "{}",
        text(&output.stdout)
    );
}

#[test]
fn live_cases_are_listed_and_shown() {
    let run = |words: &[&str]| {
        let output =
            Command::new(env!("CARGO_BIN_EXE_robots-conformance")).args(words).output().unwrap();
        assert!(output.status.success(), "{}", text(&output.stderr));
        text(&output.stdout)
    };
    let list = run(&["list", "--live", "--edition", "rfc9309"]);
    assert!(list.lines().count() > 400, "{}", list.lines().count());
    assert!(list.contains("wire-status-503  "));
    assert!(run(&["show", "wire-status-503"]).contains("not fetched: "));
    let json = run(&["list", "--live", "--json"]);
    let cases: Vec<Value> = json.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(cases.len() >= list.lines().count());
    let case = |id: &str| cases.iter().find(|case| case["id"] == id).unwrap();
    let failing = case("wire-status-503");
    assert_eq!((&failing["own-host"], &failing["open"]), (&true.into(), &json!([])));
    assert_eq!(case("wire-name-redirect-to-www")["own-host"], false);
}

#[test]
fn a_site_stands_until_standard_input_ends() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_robots-conformance"));
    let output =
        command.args(["serve-web", "wire-status-503"]).stdin(Stdio::null()).output().unwrap();
    let printed = text(&output.stdout);
    assert!(output.status.success() && printed.contains("begin at     http://"), "{printed}");
}
