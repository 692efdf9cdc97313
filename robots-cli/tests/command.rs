//! Tests the command line: wrong usage, colours and `--quiet`, and what both commands have.

#[path = "../../conformance/cli/tests/shared/command_line.rs"]
mod command_line;
#[path = "this/command.rs"]
mod this;

use rstest::rstest;

use self::command_line::{is_wrong_usage, run, text};

#[rstest]
#[trace]
#[case::no_agent(&["explain", "--agent", "", "Cargo.toml", "/"], "--agent is empty")]
#[case::no_finding(&["lint", "--select", "nothing-like-it", "Cargo.toml"], "the findings are ")]
#[case::mistyped_verb(&["lnt", "robots.txt"], "'lint'")]
#[case::mistyped_option(&["lint", "--ignor", "x"], "'--ignore'")]
#[case::no_page(&["man", "lnt"], "did you mean \"lint\"?")]
#[case::nobody_asks(&["explain", "Cargo.toml", "/"], "--agent")]
#[case::missing_file(&["explain", "--agent", "a", "no.txt", "/"], "cannot read no.txt")]
#[case::no_url(&["explain", "--agent", "a", "Cargo.toml", "page"], "\"page\"")]
#[case::no_shell(&["completions", "tcsh"], "[possible values: bash,")]
#[case::no_colour(&["lint", "--color", "green", "x"], "[possible values: auto, always, never]")]
#[case::no_format(&["lint", "--format", "html", "x"], "[possible values: text, json, sarif, github]")]
fn wrong_usage_is_status_2(#[case] arguments: &[&str], #[case] message: &str) {
    is_wrong_usage(arguments, message);
}

/// The caller can switch colours on or off, whether or not the output is a terminal.
#[test]
fn colour_is_chosen() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("robots.txt");
    std::fs::write(&file, "User-agent: *\nDisalow: /x\n").unwrap();
    let file = file.to_str().unwrap();
    let has_colour = |arguments: &[&str]| text(&run(arguments).stdout).contains('\u{1b}');
    assert!(!has_colour(&["lint", file]));
    assert!(has_colour(&["lint", "--color", "always", file]));
    assert!(has_colour(&["--color", "always", "lint", file]));
    assert!(!has_colour(&["lint", "--color", "never", file]));
}

/// With `--quiet`, the commands still print findings, changes, failures and answers.
#[test]
fn quiet_leaves_totals_and_hints_out() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let write = |name: &str, text: &str| std::fs::write(path(name), text).unwrap();
    write("good.txt", "User-agent: *\nDisallow: /x\n");
    write("bad.txt", "User-agent: *\nDisalow: /x\n");
    write("expect.yaml", "urls: [{ disallow: [/x] }]\n");
    let [good, bad, expect] = ["good.txt", "bad.txt", "expect.yaml"].map(path);
    let run = |arguments: &[&str]| {
        let output = run(arguments);
        (output.status.code(), text(&output.stdout), text(&output.stderr))
    };
    let nothing = |status| (Some(status), String::new(), String::new());
    assert_eq!(run(&["lint", "-q", &good]), nothing(0));
    assert_eq!(run(&["check", "-q", &expect, &good]), nothing(0));
    assert_eq!(run(&["diff", "--quiet", &good, &good]), nothing(0));
    // With `--quiet`, the findings are still printed, and the exit status is still 1.
    let (status, printed, _) = run(&["lint", "-q", &bad]);
    assert!(status == Some(1) && printed.contains("[misspelt-field]"), "{printed}");
    assert!(!printed.contains("1 error"), "{printed}");
    let (status, printed, _) = run(&["check", "-q", &expect, &bad]);
    assert!(status == Some(1) && printed.contains("not met: "), "{printed}");
    assert!(!printed.contains("expectations met"), "{printed}");
    let (status, printed, _) = run(&["diff", "-q", &good, &bad]);
    assert!(status == Some(1) && printed.contains("opens for everyone"), "{printed}");
    assert!(!printed.contains("1 pattern"), "{printed}");
    // If there are several files, a line still names the file that has the findings.
    let (_, printed, _) = run(&["lint", "-q", &good, &bad]);
    assert!(printed.contains("bad.txt: 1 error") && !printed.contains("good.txt"), "{printed}");
}
