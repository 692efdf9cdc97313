//! Runs the script of `docs/ci.md` that brings copied vectors up to date, with a local repository as the remote one.

use std::path::Path;
use std::process::Command;

const COMMAND: &str = env!("CARGO_BIN_EXE_robots-conformance");
const VERSION: &str = env!("CARGO_PKG_VERSION");
const SCRIPT: &str =
    concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/examples/ci/vectors/update.sh");

/// Runs words in a folder, and returns what they print.
fn run(folder: &Path, words: &[&str]) -> String {
    let path = std::env::var("PATH").unwrap();
    let commands = Path::new(COMMAND).parent().unwrap().display();
    let mut command = Command::new(words[0]);
    command.args(&words[1..]).current_dir(folder).env("PATH", format!("{commands}:{path}"));
    // The settings of the user must not decide.
    command.env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_SYSTEM", "/dev/null");
    for name in ["GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL", "GIT_COMMITTER_NAME", "GIT_COMMITTER_EMAIL"]
    {
        command.env(name, "tester@example.com");
    }
    let output = command.output().unwrap();
    let [stdout, stderr] = [output.stdout, output.stderr].map(|it| String::from_utf8(it).unwrap());
    assert!(output.status.success(), "{words:?}: {stdout}{stderr}");
    stdout
}

/// The copy is of an older version in which three questions had another answer.
#[cfg(unix)]
#[test]
fn a_new_version_becomes_a_branch_with_exactly_its_changes() {
    let folder = tempfile::tempdir().unwrap();
    let (remote, project) = (folder.path().join("remote.git"), folder.path().join("project"));
    let here = folder.path();
    run(here, &["git", "init", "--quiet", "--bare", "remote.git"]);
    run(here, &["git", "init", "--quiet", "--initial-branch=main", "project"]);
    run(&project, &["git", "remote", "add", "origin", remote.to_str().unwrap()]);
    run(&project, &[COMMAND, "copy", "-q", "--vectors", "--edition", "rfc9309", "tests/robots"]);
    let vectors = project.join("tests/robots/rfc9309.json");
    let text = std::fs::read_to_string(&vectors).unwrap();
    let old = text.replacen(&format!("conformance {VERSION}"), "conformance 0.0.9", 1);
    std::fs::write(&vectors, old.replacen("\"allowed\":true", "\"allowed\":false", 3)).unwrap();
    run(&project, &["git", "add", "."]);
    run(&project, &["git", "commit", "--quiet", "--message", "Begin"]);

    // The tests of the project know only the old version, and leave a file behind.
    let tests = "touch tests/robots/test.pyc; grep -o 'conformance [0-9.]*,' tests/robots/rfc9309.json && grep -q ' 0.0.9,' tests/robots/rfc9309.json";
    let update = ["sh", SCRIPT, "tests/robots", "rfc9309", "../text.md", "sh", "-c", tests];
    run(&project, &update);
    let branch = format!("robots-vectors-{VERSION}");
    let changed = run(&remote, &["git", "show", "--numstat", "--format=%s", &branch]);
    // Three answers, and the stamp.
    let subject = format!("Update the robots.txt vectors to {VERSION}");
    assert_eq!(changed, format!("{subject}\n\n4\t4\ttests/robots/rfc9309.json\n"));
    assert_eq!(std::fs::read_to_string(&vectors).unwrap(), text);
    let text = std::fs::read_to_string(folder.path().join("text.md")).unwrap();
    let expected = [
        format!(
            "The vectors of version {VERSION} replace those of 0.0.9.\n\n## What changed\n\n    no changes\n"
        ),
        "\n## Your tests before\n\n    conformance 0.0.9,\n    The tests pass.\n".to_owned(),
        format!("\n## Your tests after\n\n    conformance {VERSION},\n    The tests fail.\n"),
    ];
    assert_eq!(text, expected.concat());

    std::fs::remove_file(folder.path().join("text.md")).unwrap();
    assert_eq!(run(&project, &update), "The vectors are up to date.\n");
    assert!(!folder.path().join("text.md").exists());
}
