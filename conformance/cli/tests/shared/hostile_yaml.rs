//! Tests hostile YAML files that a user names on the command line. Both commands have these tests: the module `this`
//! of each command has its name, and its `READERS`, the verbs that read a YAML file named `hostile.yaml`.
//!
//! For each file, the command ends quickly with status 2 and one message that names the file.

use std::fmt::Write as _;
use std::fs::{self, File};
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use rstest::rstest;

use super::this::{COMMAND, READERS};

/// The limit is generous, because an unoptimised build on a busy machine is slower than a released command.
const LONGEST: Duration = Duration::from_secs(30);

pub(crate) fn run(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(COMMAND);
    let command = command.args(arguments).env("NO_COLOR", "1").stdin(Stdio::null());
    command.current_dir(folder).output().unwrap()
}

/// Checks that a run ends quickly with status 2 and prints only one message, and returns the message.
pub(crate) fn refused(folder: &Path, arguments: &[&str]) -> String {
    let start = Instant::now();
    let output = run(folder, arguments);
    let took = start.elapsed();
    let message = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {message}");
    assert_eq!(output.stdout, b"", "{arguments:?}");
    assert!(took < LONGEST, "{arguments:?}: {took:?}");
    assert!(message.starts_with("error: "), "{message}");
    assert_eq!(message.matches("error: ").count(), 1, "{message}");
    assert!(message.len() < 1000, "{arguments:?}: {} octets", message.len());
    message
}

pub(crate) fn folder(robots: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("robots.txt"), robots).unwrap();
    folder
}

#[rstest]
#[trace]
fn brackets(#[values("a: [", "[", "a: {b: [", "{a: ", "a: &x [")] open: &str) {
    refuses(&open.repeat(300_000), &[]);
}

#[rstest]
#[trace]
fn blocks(#[values("- ", "? ")] open: &str) {
    refuses(&open.repeat(20_000), &[]);
}

/// The verbs refuse YAML aliases whose values would fill all memory: lists within lists, and a long list that is
/// repeated many times.
#[test]
fn aliases() {
    let mut deep = "l0: &l0 [x]\n".to_owned();
    for level in 1..30 {
        let before = format!("*l{}, ", level - 1).repeat(10);
        let _ = writeln!(deep, "l{level}: &l{level} [{before}]");
    }
    refuses(&deep, &["aliases repeat too much"]);
    let wide = format!("a: &a [{}]\nb: [{}]\n", "x,".repeat(50_000), "*a,".repeat(50_000));
    refuses(&wide, &["aliases repeat too much"]);
}

/// The verbs refuse YAML tags that each repeat a long prefix. With them, a text of 99 KB would become 350 MB.
#[test]
fn directives() {
    let tags = "!a!b x, ".repeat(7_000);
    let text = format!("%TAG !a! tag:{}\n---\n[{tags}]\n", "x".repeat(50_000));
    refuses(&text, &["1: a line that begins with `%` is a YAML directive"]);
}

#[test]
fn octets_that_are_no_text() {
    refuses("urls: []\nignore: []\0\n", &["line 2 has a NUL octet; save the file as UTF-8"]);
    let folder = folder("");
    fs::write(folder.path().join("hostile.yaml"), b"a:\n\n- \xFF\n").unwrap();
    for reader in READERS {
        let message = refused(folder.path(), reader);
        assert!(message.contains("line 3 has an octet that is not UTF-8"), "{message}");
    }
}

#[test]
fn a_file_without_end() {
    let folder = folder("");
    File::create(folder.path().join("hostile.yaml")).unwrap().set_len(1 << 40).unwrap();
    for reader in READERS {
        let message = refused(folder.path(), reader);
        assert!(message.contains("it has more than 16777216 octets"), "{message}");
    }
}

#[test]
fn a_folder_and_no_file() {
    let folder = folder("");
    for reader in READERS {
        let message = refused(folder.path(), reader);
        assert!(message.contains("hostile.yaml"), "{message}");
    }
    fs::create_dir(folder.path().join("hostile.yaml")).unwrap();
    for reader in READERS {
        let message = refused(folder.path(), reader);
        assert!(message.contains("it is not a regular file"), "{message}");
    }
}

/// Checks that every verb that reads YAML refuses the text. If `parts` is not empty, the message must contain one of
/// its texts.
fn refuses(text: &str, parts: &[&str]) {
    let folder = folder("");
    fs::write(folder.path().join("hostile.yaml"), text).unwrap();
    for reader in READERS {
        let message = refused(folder.path(), reader);
        assert!(message.contains("hostile.yaml"), "{message}");
        let has = parts.is_empty() || parts.iter().any(|part| message.contains(part));
        assert!(has, "{reader:?}: {message}");
    }
}
