//! Tests how a run ends: after a signal, with a full disk, or with a closed pipe. The processes that a run started must
//! end with it.

#![cfg(target_os = "linux")]

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use rstest::rstest;
use serde_json::Value;

/// An adapter in shell. The adapter sends a hello, starts another process, and writes the ids of the two processes to a
/// file. It answers no question.
const STUCK: &str = r#"sh -c 'read hello; echo "{\"protocol\":1,\"name\":\"stuck\"}"; sleep 600 & echo $! >> "$PIDS"; echo $$ >> "$PIDS"; wait'"#;

fn command() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_robots-conformance"));
    command.env("NO_COLOR", "1").stdin(Stdio::null());
    command
}

fn text(octets: &[u8]) -> String {
    String::from_utf8(octets.to_vec()).unwrap()
}

/// Waits until a condition is true. Fails if it is not true within a minute.
fn until(what: &str, mut holds: impl FnMut() -> bool) {
    let start = Instant::now();
    while !holds() {
        assert!(start.elapsed() < Duration::from_secs(60), "{what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

fn signal(child: &Child, name: &str) {
    let sent = Command::new("kill").args([&format!("-{name}"), &child.id().to_string()]).status();
    assert!(sent.unwrap().success());
}

fn is_running(pid: &str) -> bool {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat"));
    stat.is_ok_and(|stat| !stat.contains(") Z "))
}

fn pids(file: &Path) -> Vec<String> {
    fs::read_to_string(file).unwrap_or_default().lines().map(str::to_owned).collect()
}

#[rstest]
#[trace]
#[case("INT", 130)]
#[case("TERM", 143)]
#[case("HUP", 129)]
fn a_signal_ends_what_was_started_and_tells_what_there_is(#[case] name: &str, #[case] status: i32) {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::write(path("old.json"), "what stood here before").unwrap();
    let temporary = path("tmp");
    fs::create_dir(&temporary).unwrap();
    let report = |format: &str, name: &str| format!("--report={format}={}", path(name).display());
    let child = command()
        .args(["run", "--subject", STUCK, "--jobs", "2", "--timeout", "600"])
        .args([report("json", "old.json"), report("junit", "j.xml"), report("markdown", "m.md")])
        .args([
            report("jsonl", "l.jsonl"),
            report("html", "h.html"),
            "--report=terminal".to_owned(),
        ])
        .env("PIDS", path("pids"))
        .env("TMPDIR", &temporary)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    until("two adapters start", || pids(&path("pids")).len() >= 4);
    assert_eq!(fs::read_to_string(path("old.json")).unwrap(), "what stood here before");
    signal(&child, name);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(status), "{}", text(&output.stderr));
    for pid in pids(&path("pids")) {
        until("what was started ends", || !is_running(&pid));
    }
    assert_eq!(fs::read_dir(&temporary).unwrap().count(), 0);
    let read = |name: &str| fs::read_to_string(path(name)).unwrap();
    let json: Value = serde_json::from_str(&read("old.json")).unwrap();
    // The subject answered no question. Only the trials for other roles have an outcome, because these trials count as
    // not asked.
    let mut totals = json["totals"].as_object().unwrap().clone();
    let settled = totals.remove("not-asked").unwrap();
    assert!(totals.values().all(|count| *count == 0), "{totals:?}");
    let partial = format!("PARTIAL: the run was ended after {settled} of ");
    for printed in
        [text(&output.stdout), text(&output.stderr), read("j.xml"), read("m.md"), read("h.html")]
    {
        assert!(printed.contains(&partial), "{printed}");
    }
    assert!(json["unasked"].as_u64().unwrap() > 500, "{}", json["unasked"]);
    assert_eq!(json["clean"], false);
    let lines = read("l.jsonl");
    let problem = robots_conformance::report::jsonl::read(lines.as_bytes()).unwrap_err();
    let cut = format!("the footer is missing: the run was cut short after {settled} of");
    assert!(problem.to_string().contains(&cut), "{problem}");
    let left: Vec<_> =
        fs::read_dir(folder.path()).unwrap().map(|file| file.unwrap().file_name()).collect();
    assert_eq!(left.len(), 7, "{left:?}");
}

#[test]
fn a_signal_ends_a_tool_and_its_temporary_files() {
    let folder = tempfile::tempdir().unwrap();
    let pids_file = folder.path().join("pids");
    let temporary = folder.path().join("tmp");
    fs::create_dir(&temporary).unwrap();
    let tool = r#"sh -c 'sleep 600 & echo $! >> "$PIDS"; wait' {robots} {agent} {url}"#;
    let child = command()
        .args(["run", "--exec", tool, "--jobs", "2", "--timeout", "600"])
        .env("PIDS", &pids_file)
        .env("TMPDIR", &temporary)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    until("the tool runs twice", || {
        fs::read_dir(&temporary).unwrap().count() >= 2 && pids(&pids_file).len() >= 2
    });
    signal(&child, "TERM");
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(143));
    for pid in pids(&pids_file) {
        until("what the tool started ends", || !is_running(&pid));
    }
    assert_eq!(fs::read_dir(&temporary).unwrap().count(), 0);
}

/// Each start of this tool leaves a process that keeps the tool's pipes open. A run must not need a descriptor or
/// memory for each of these processes.
#[test]
fn a_run_fits_few_descriptors_and_little_memory() {
    let tool = "sh -c 'setsid sleep 3 & exit 0' {robots} {agent} {url}";
    let run = format!(
        "ulimit -n 256 && ulimit -d 524288 && exec '{}' run --area path-matching --report json --exec \"{tool}\"",
        env!("CARGO_BIN_EXE_robots-conformance")
    );
    let output = Command::new("sh").args(["-c", &run]).stdin(Stdio::null()).output().unwrap();
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["totals"]["errored"], 0, "{}", text(&output.stderr));
    assert!(report["totals"]["passed"].as_u64().unwrap() > 100, "{}", report["totals"]);
}

fn reported(reports: &[String], stdout: Stdio) -> Output {
    let reports = reports.iter().map(|report| format!("--report={report}"));
    let arguments = ["run", "--area", "caching"];
    command()
        .args(arguments)
        .args(reports)
        .stdout(stdout)
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
        .wait_with_output()
        .unwrap()
}

const FORMATS: [&str; 6] = ["terminal", "json", "jsonl", "junit", "markdown", "html"];

/// If one report cannot be written, the other reports are still complete.
#[test]
fn each_report_is_on_its_own() {
    let folder = tempfile::tempdir().unwrap();
    let target = |format: &str| format!("{format}={}", folder.path().join(format).display());
    let full = FORMATS.map(|format| format!("{format}=/dev/full"));
    for (full, format) in full.iter().zip(FORMATS) {
        let others: Vec<String> =
            FORMATS.iter().filter(|other| **other != format).map(|other| target(other)).collect();
        let output = reported(&[std::slice::from_ref(full), &others[..]].concat(), Stdio::null());
        let error = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{full}: {error}");
        assert!(error.contains("cannot write /dev/full: No space left on device"), "{error}");
        for other in FORMATS.iter().filter(|other| **other != format) {
            let path = folder.path().join(other);
            assert!(fs::metadata(&path).unwrap().len() > 300, "{other} beside {full}");
            fs::remove_file(path).unwrap();
        }
    }
}

/// All formats behave in the same way: a closed pipe is not an error, but a full disk is an error.
#[rstest]
#[trace]
fn pipes_and_disks_are_treated_alike(#[values(0, 1, 2, 3, 4, 5)] format: usize) {
    let report = [FORMATS[format].to_owned()];
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let output = reported(&report, writer.into());
    assert_eq!((output.status.code(), text(&output.stderr)), (Some(0), String::new()));
    let full = fs::File::options().write(true).open("/dev/full").unwrap();
    let output = reported(&report, full.into());
    let error = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{error}");
    assert!(error.contains("cannot write to standard output: No space left on device"), "{error}");
}

/// If standard error is full or closed, the exit status does not change.
#[rstest]
#[trace]
#[case("2>/dev/full")]
#[case("2>&-")]
fn a_failing_standard_error_changes_nothing(#[case] stderr: &str) {
    let status = |arguments: &str| {
        let run = format!("'{}' {arguments} {stderr}", env!("CARGO_BIN_EXE_robots-conformance"));
        let output = Command::new("sh").args(["-c", &run]).stdin(Stdio::null()).output().unwrap();
        output.status.code()
    };
    assert_eq!(status("run --area caching"), Some(0));
    assert_eq!(status("run --area precedence --exec 'true {robots} {agent} {url}'"), Some(1));
    assert_eq!(status("run --area caching --deviations no.yaml"), Some(2));
}

/// Two runs may write to one file. The file contains the report of the run that ends last, and the file contains a
/// complete report at any time.
#[test]
fn two_runs_to_one_file_leave_a_whole_report() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("report.json");
    let target = format!("--report=json={}", file.display());
    let runs: Vec<Child> = ["caching", "path-matching", "file-format", "precedence"]
        .iter()
        .map(|area| {
            command().args(["run", "--area", area, &target]).stderr(Stdio::null()).spawn().unwrap()
        })
        .collect();
    for mut run in runs {
        assert!(run.wait().unwrap().success());
        let report: Value = serde_json::from_slice(&fs::read(&file).unwrap()).unwrap();
        assert_eq!(report["clean"], true);
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    // If the path is a link, the report is written to the link's target.
    let link = folder.path().join("link.json");
    std::os::unix::fs::symlink("report.json", &link).unwrap();
    let both = [format!("json={}", link.display()), format!("junit={}", file.display())];
    let output = reported(&both, Stdio::null());
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("both go to"), "{}", text(&output.stderr));
    assert_eq!(reported(&both[..1], Stdio::null()).status.code(), Some(0));
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
}

/// A report has the access mode of a usual new file, not the mode of a temporary file.
#[test]
fn a_report_is_a_file_as_any_other() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = tempfile::tempdir().unwrap();
    let [report, other] = ["report.json", "other"].map(|name| folder.path().join(name));
    reported(&[format!("json={}", report.display())], Stdio::null());
    fs::write(&other, "").unwrap();
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode();
    assert_eq!(mode(&report), mode(&other));
}

/// A report to a FIFO is written into the FIFO, and does not replace it by a file.
#[test]
fn a_pipe_by_name_is_written_to() {
    let folder = tempfile::tempdir().unwrap();
    let fifo = folder.path().join("fifo");
    assert!(Command::new("mkfifo").arg(&fifo).status().unwrap().success());
    let target = format!("--report=jsonl={}", fifo.display());
    let mut run = command().args(["run", "--area", "caching", &target]).spawn().unwrap();
    let lines = BufReader::new(fs::File::open(&fifo).unwrap()).lines().count();
    assert!(run.wait().unwrap().success());
    assert!(lines > 10, "{lines}");
}
