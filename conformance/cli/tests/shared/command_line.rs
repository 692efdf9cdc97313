//! Tests the command line as a whole: completions, manual pages and the version. Both commands have these tests: the
//! module `this` of each command has its name, and what its help contains.

use std::process::{Command, Output};

use super::this::{COMMAND, EXAMPLE, NAME, OPTIONS, VERBS};

pub(crate) fn run(arguments: &[&str]) -> Output {
    let mut command = Command::new(COMMAND);
    command.args(arguments).env_remove("NO_COLOR").env_remove("CLICOLOR_FORCE");
    command.output().expect("the command runs")
}

pub(crate) fn text(octets: &[u8]) -> String {
    String::from_utf8(octets.to_vec()).unwrap()
}

/// Checks that a run has the status 2, prints the message, and prints nothing to standard output.
pub(crate) fn is_wrong_usage(arguments: &[&str], message: &str) {
    let output = run(arguments);
    let error = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{error}");
    assert!(error.contains(message), "{error}");
    assert_eq!(text(&output.stdout), "");
}

#[test]
fn completions_and_the_help_name_every_verb() {
    for arguments in [&["completions", "bash"][..], &["completions", "zsh"]] {
        let output = run(arguments);
        let shown = text(&output.stdout).replace("\\-", "-");
        assert_eq!(output.status.code(), Some(0), "{arguments:?}");
        for word in VERBS.iter().chain(OPTIONS.map(|(_, option)| option).iter()).chain(&["--quiet"])
        {
            assert!(shown.contains(word), "{arguments:?} lacks {word}");
        }
    }
    let help = text(&run(&["--help"]).stdout);
    assert!(help.contains("Documentation: https://"), "{help}");
    let (verb, example) = EXAMPLE;
    let help = text(&run(&[verb, "--help"]).stdout);
    assert!(help.contains(example), "{help}");
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
    assert!(whole.contains(&format!("\n.TH {NAME} 1")), "{whole}");
    for verb in VERBS.iter().chain(&["completions", "man"]) {
        let page = page(&[verb]);
        let title = format!("\n.TH {NAME}-{verb} 1  \"{NAME} {}\"", env!("CARGO_PKG_VERSION"));
        assert!(page.contains(&title), "{page}");
        assert!(page.contains(".SH NAME") && page.contains(".SH OPTIONS"), "{page}");
        assert!(page.replace("\\-", "-").contains("--color"), "{page}");
        assert!(whole.replace("\\-", "-").contains(&format!("{NAME}-{verb}")), "{verb}");
    }
    for (verb, option) in OPTIONS {
        assert!(page(&[verb]).replace("\\-", "-").contains(option), "{verb} {option}");
    }
    let folder = tempfile::tempdir().unwrap();
    let output = run(&["man", "--into", folder.path().to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    // The folder has a page for each verb, for `completions` and `man`, and for the command.
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), VERBS.len() + 3);
    let written = folder.path().join(format!("{NAME}-{}.1", VERBS[0]));
    assert_eq!(std::fs::read_to_string(written).unwrap(), page(&[VERBS[0]]));
}

#[test]
fn the_version_names_the_command() {
    let version = format!("{NAME} {}\n", env!("CARGO_PKG_VERSION"));
    for option in ["-V", "--version"] {
        assert_eq!(text(&run(&[option]).stdout), version);
    }
}
