//! Runs the readers in the README of the vectors as a user does: a reader, a file of vectors, a parser and a list of
//! known failures in a new folder. A language that is not installed is left out; CI has those of this table,
//! and Ruby and PHP if they can be installed.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Command, Output};

use rstest::rstest;

const README: &str = include_str!("../../../spec-cases/vectors/README.md");
const VECTORS: &str = include_str!("../../../spec-cases/vectors/rfc9309.json");

/// A reader: its language in the README, its file, a parser that allows everything with its file, and the command.
type Reader = (&'static str, &'static str, &'static str, &'static str, &'static [&'static str]);

const PYTHON: Reader = (
    "python",
    "reader.py",
    "my_parser.py",
    "def is_allowed(robots, agent, url):\n    assert isinstance(robots, bytes)\n    return True\n",
    &["python3", "-B", "reader.py"],
);

const JAVASCRIPT: Reader = (
    "javascript",
    "reader.mjs",
    "my-parser.mjs",
    "export const isAllowed = (robots) => Buffer.isBuffer(robots);\n",
    &["node", "reader.mjs"],
);

const GO: Reader = (
    "go",
    "robots_test.go",
    "robots.go",
    "package robots\n\nfunc IsAllowed(robots []byte, agent, url string) bool { return true }\n",
    &["go", "test", "."],
);

const JAVA: Reader = (
    "java",
    "Vectors.java",
    "MyParser.java",
    "class MyParser { static boolean isAllowed(byte[] robots, String agent, String url) { return true; } }\n",
    &["sh", "-c", "javac -encoding UTF-8 *.java && java Vectors"],
);

const RUBY: Reader = (
    "ruby",
    "reader.rb",
    "my_parser.rb",
    "def allowed?(robots, agent, url) = robots.is_a?(String)\n",
    &["ruby", "reader.rb"],
);

const PHP: Reader = (
    "php",
    "reader.php",
    "my_parser.php",
    "<?php function is_allowed(string $robots, string $agent, string $url): bool { return true; }\n",
    &["php", "reader.php"],
);

/// Returns the block of a language.
fn block(language: &str) -> &'static str {
    let (_, rest) = README.split_once(&format!("\n```{language}\n")).expect("a block");
    rest.split_once("```").unwrap().0
}

/// Returns the ids of the vectors at *must* that forbid the URL.
fn forbidden() -> Vec<String> {
    let items: Vec<serde_json::Value> = serde_json::from_str(VECTORS).unwrap();
    let of = |it: &serde_json::Value| it["allowed"] == false && it["level"] == "must";
    let ids = items.iter().filter(|it| of(it)).map(|it| it["id"].as_str().unwrap().to_owned());
    ids.collect()
}

fn run(reader: Reader, folder: &Path, known: &BTreeSet<String>, tag: &str) -> Output {
    let (language, file, parser_file, parser, words) = reader;
    let list: String = known.iter().map(|id| format!("{id} {tag} It is so.\n")).collect();
    for (file, text) in [
        (file, block(language)),
        (parser_file, parser),
        ("rfc9309.json", VECTORS),
        ("go.mod", "module robots\n\ngo 1.21\n"),
        ("known.txt", &format!("# Known failures.\n\n{list}")),
    ] {
        std::fs::write(folder.join(file), text).unwrap();
    }
    let mut command = Command::new(words[0]);
    command.args(&words[1..]).current_dir(folder).env("GOFLAGS", "-mod=mod").output().unwrap()
}

fn text(output: &Output) -> String {
    [&*output.stdout, &*output.stderr].map(String::from_utf8_lossy).concat()
}

fn is_installed(reader: Reader) -> bool {
    let program = if reader.0 == "java" { "javac" } else { reader.4[0] };
    let is_there = Command::new(program).arg("--version").output().is_ok();
    if !is_there {
        let is_optional = matches!(program, "ruby" | "php");
        assert!(is_optional || std::env::var_os("CI").is_none(), "{program} is not installed");
        eprintln!("not run: {program} is not installed");
    }
    is_there
}

#[rstest]
#[trace]
#[case::python(PYTHON)]
#[case::javascript(JAVASCRIPT)]
#[case::go(GO)]
#[case::java(JAVA)]
#[case::ruby(RUBY)]
#[case::php(PHP)]
fn a_reader_finds_what_fails_and_what_is_known(#[case] reader: Reader) {
    if !is_installed(reader) {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let all = forbidden();
    let mut known: BTreeSet<String> = all.iter().cloned().collect();
    let output = run(reader, folder.path(), &known, "bug");
    assert!(output.status.success(), "{}", text(&output));

    // A failure explains itself.
    let new = all[0].clone();
    known.remove(&new);
    let output = run(reader, folder.path(), &known, "bug");
    let printed = text(&output);
    assert!(!output.status.success(), "{printed}");
    let answers = ["must be false, got true", "must be False, got True"];
    assert!(answers.iter().any(|answers| printed.contains(answers)), "{printed}");
    let says = "GROUP-BLANK: ";
    let comment =
        VECTORS.lines().find_map(|line| line.strip_prefix('"').filter(|it| it.starts_with(says)));
    let says = comment.unwrap().trim_end_matches("\",");
    for part in [&*new, says, "known.txt: ", "https://example.com/", "2."] {
        assert!(printed.contains(part), "{part}: {printed}");
    }
    // The files of some failures have octets that nobody can see.
    let is_invisible = |c: char| c.is_control() && !matches!(c, '\n' | '\t');
    assert!(!printed.contains(is_invisible), "{printed:?}");
    let numbered = printed.lines().find(|line| line.contains("disallow: "));
    assert!(numbered.is_some_and(|line| line.trim().starts_with("3 ")), "{printed}");

    // A line that passes, and one whose id is gone, fail the run.
    known.insert(new);
    for stale in ["no-such-vector", "blank-before-rule::/"] {
        let listed = known.iter().cloned().chain([stale.to_owned()]).collect();
        let output = run(reader, folder.path(), &listed, "wontfix");
        assert!(!output.status.success() && text(&output).contains(stale), "{}", text(&output));
    }
}

/// A crash is a failure of its vector, which only the tag `error` lists.
#[rstest]
#[trace]
#[case::python(PYTHON, "def is_allowed(robots, agent, url):\n    raise ValueError('It is bad.')\n")]
#[case::javascript(
    JAVASCRIPT,
    "export const isAllowed = () => { throw new Error('It is bad.'); };\n"
)]
#[case::go(
    GO,
    "package robots\n\nfunc IsAllowed(robots []byte, agent, url string) bool { panic(\"It is bad.\") }\n"
)]
#[case::java(
    JAVA,
    "class MyParser { static boolean isAllowed(byte[] robots, String agent, String url) { throw new Error(\"It is bad.\"); } }\n"
)]
#[case::ruby(RUBY, "def allowed?(robots, agent, url) = raise(\"It is bad.\")\n")]
#[case::php(
    PHP,
    "<?php function is_allowed($robots, $agent, $url) { throw new Error('It is bad.'); }\n"
)]
fn a_crash_is_a_failure_of_its_vector(#[case] reader: Reader, #[case] parser: &'static str) {
    if !is_installed(reader) {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let items: Vec<serde_json::Value> = serde_json::from_str(VECTORS).unwrap();
    let ids = items.iter().filter_map(|it| Some(it["id"].as_str()?.to_owned()));
    let ids: BTreeSet<String> = ids.collect();
    let reader = (reader.0, reader.1, reader.2, parser, reader.4);
    let output = run(reader, folder.path(), &ids, "error");
    assert!(output.status.success(), "{}", text(&output));
    let output = run(reader, folder.path(), &ids, "bug");
    let printed = text(&output);
    assert!(!output.status.success(), "{printed}");
    for id in ids {
        assert!(printed.contains(&format!("known.txt: {id} error WHY")), "{id}: {printed}");
    }
    assert!(printed.contains("It is bad."), "{printed}");
}

/// `docs/examples/rust` runs this reader.
#[test]
fn the_reader_in_rust_is_the_one_of_the_example() {
    let example = include_str!("../../../docs/examples/rust/tests/vectors.rs");
    assert!(example.ends_with(block("rust")), "docs/examples/rust/tests/vectors.rs differs");
}
