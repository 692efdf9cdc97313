//! Tests the command line: wrong usage, the options of every verb, completions and manual pages.

use std::process::{Command, Output};

use rstest::rstest;

fn run(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_robots"))
        .args(arguments)
        .env_remove("CLICOLOR_FORCE")
        .output()
        .expect("the command runs")
}

fn text(octets: &[u8]) -> String {
    String::from_utf8(octets.to_vec()).unwrap()
}

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
    let output = run(arguments);
    let error = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{error}");
    assert!(error.contains(message), "{error}");
    assert_eq!(text(&output.stdout), "");
}

#[test]
fn completions_and_the_manual_name_every_verb() {
    for arguments in [&["completions", "bash"][..], &["completions", "zsh"]] {
        let output = run(arguments);
        let shown = text(&output.stdout).replace("\\-", "-");
        assert_eq!(output.status.code(), Some(0), "{arguments:?}");
        for word in ["lint", "explain", "served", "verdicts", "--fail-on", "--quiet"] {
            assert!(shown.contains(word), "{arguments:?} lacks {word}");
        }
    }
    let help = text(&run(&["--help"]).stdout);
    assert!(help.contains("Documentation: https://"), "{help}");
    let help = text(&run(&["lint", "--help"]).stdout);
    assert!(help.contains("robots lint --explain useless-star"), "{help}");
}

/// The command and each verb have a separate manual page, which lists the options.
#[test]
fn every_verb_has_a_manual_page() {
    let page = |arguments: &[&str]| {
        let output = run(&[&["man"], arguments].concat());
        assert_eq!(output.status.code(), Some(0), "{arguments:?}: {}", text(&output.stderr));
        text(&output.stdout)
    };
    let whole = page(&[]);
    assert!(whole.contains("\n.TH robots 1"), "{whole}");
    let help = text(&run(&["--help"]).stdout);
    let (rest, _) = help.split_once("Options:\n").unwrap();
    let verbs: Vec<&str> = rest
        .lines()
        // The second line of a description has more indentation than a verb, so the filter below drops it.
        .filter_map(|line| line.strip_prefix("  ")?.split(' ').next())
        .filter(|verb| !matches!(*verb, "" | "help"))
        .collect();
    assert!(verbs.len() > 8 && verbs.contains(&"served"), "{verbs:?}");
    for verb in &verbs {
        let page = page(&[verb]);
        let title = format!("\n.TH robots-{verb} 1  \"robots {}\"", env!("CARGO_PKG_VERSION"));
        assert!(page.contains(&title), "{page}");
        assert!(page.contains(".SH NAME") && page.contains(".SH OPTIONS"), "{page}");
        assert!(page.replace("\\-", "-").contains("--color"), "{page}");
        assert!(whole.replace("\\-", "-").contains(&format!("robots-{verb}")), "{verb}");
    }
    assert!(page(&["diff"]).replace("\\-", "-").contains("--fail-on"));
    let folder = tempfile::tempdir().unwrap();
    let output = run(&["man", "--into", folder.path().to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), verbs.len() + 1);
    let lint = std::fs::read_to_string(folder.path().join("robots-lint.1")).unwrap();
    assert_eq!(lint, page(&["lint"]));
}

#[test]
fn the_version_names_the_command() {
    let version = format!("robots {}\n", env!("CARGO_PKG_VERSION"));
    for option in ["-V", "--version"] {
        assert_eq!(text(&run(&[option]).stdout), version);
    }
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
