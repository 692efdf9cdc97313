//! Tests hostile files that a user names on the command line: expectations, a config file, and revisions of git. For
//! each of these files, the command ends quickly with status 2 and one message that names the file.

mod common;
#[path = "../../conformance/cli/tests/shared/hostile_yaml.rs"]
mod hostile_yaml;
#[path = "this/hostile_files.rs"]
mod this;

use std::fs;
use std::process::Command;

use rstest::rstest;

use self::common::git;
use self::hostile_yaml::{folder, refused, run};

/// A config file may end its lines with CR LF.
#[test]
fn a_usual_config_file_is_read() {
    let folder = folder("user-agent: *\ndisallow: /a*\n");
    let config = "ignore: [useless-star]\r\nselect: [useless-star]\r\n";
    fs::write(folder.path().join(".robots-lint.yaml"), config).unwrap();
    let output = run(folder.path(), &["lint", "robots.txt"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    fs::write(folder.path().join(".robots-lint.yaml"), "\r\nignor: [x]\r\n").unwrap();
    let message = refused(folder.path(), &["lint", "robots.txt"]);
    assert!(
        message.contains(".robots-lint.yaml:2: unknown key `ignor`; did you mean \"ignore\"?"),
        "{message}"
    );
}

/// Makes a git repository whose commit contains `robots.txt`, `public/robots.txt` and `-x y.txt`.
fn repository() -> tempfile::TempDir {
    let folder = folder("user-agent: *\ndisallow: /\n");
    let path = folder.path();
    fs::create_dir(path.join("public")).unwrap();
    for name in ["public/robots.txt", "-x y.txt"] {
        fs::copy(path.join("robots.txt"), path.join(name)).unwrap();
    }
    git(path, &["init", "--quiet"]);
    git(path, &["add", "."]);
    git(path, &["commit", "--quiet", "--message", "message: x"]);
    git(path, &["tag", "--annotate", "v1", "--message", "tagged"]);
    folder
}

#[rstest]
#[trace]
#[case::the_root("HEAD:", "the revision is a folder; write the path of a file after its colon")]
#[case::a_folder("HEAD:public", "the revision is a folder")]
#[case::a_commit(":/message", "the revision is a commit")]
#[case::no_file(
    "HEAD:none.txt",
    "git finds no file with this path in the revision; the path begins at the root"
)]
#[case::no_revision("nobody:robots.txt", "git knows no revision nobody; write REVISION:PATH")]
#[case::an_option("--batch-all-objects:x", "git knows no revision --batch-all-objects")]
#[case::a_line_break(
    "HEAD:robots.txt\nHEAD:robots.txt",
    "the name of a revision has no line break"
)]
fn what_is_no_file_of_a_revision(#[case] name: &str, #[case] why: &str) {
    let folder = repository();
    let named = format!("--expect={name}");
    for arguments in [
        &["diff", "--", name, "robots.txt"][..],
        &["diff", "--", "robots.txt", name],
        &["check", "--", "expect.yaml", name],
        &["lint", "--", name],
        &["served", "https://example.com", &named],
    ] {
        fs::write(folder.path().join("expect.yaml"), "blocked: [everyone]\n").unwrap();
        let message = refused(folder.path(), arguments);
        assert!(message.contains(why), "{message}");
    }
}

/// A path in a revision is relative to the root of the repository. With `./`, it is relative to the current folder.
#[test]
fn a_file_of_a_revision_is_read() {
    let folder = repository();
    let public = folder.path().join("public");
    for name in [
        "HEAD:public/robots.txt",
        "HEAD:./robots.txt",
        "HEAD:-x y.txt",
        "v1:robots.txt",
        ":robots.txt",
    ] {
        let output = run(&public, &["diff", name, "robots.txt"]);
        assert_eq!(output.status.code(), Some(0), "{name}: {output:?}");
    }
}

#[test]
fn outside_a_repository_git_says_so() {
    let folder = folder("");
    let message = refused(folder.path(), &["diff", "HEAD:robots.txt", "robots.txt"]);
    assert!(
        message.contains("git reads no revision here: fatal: not a git repository"),
        "{message}"
    );
}

/// An object that is longer than the size limit of an edition is read whole.
#[test]
fn a_long_object_is_read_to_its_end() {
    let folder = repository();
    let long = "user-agent: *\ndisallow: /x\n".to_owned() + &"# a comment\n".repeat(2_000_000);
    fs::write(folder.path().join("robots.txt"), long).unwrap();
    git(folder.path(), &["commit", "--quiet", "--all", "--message", "long"]);
    let output = run(folder.path(), &["diff", "HEAD:robots.txt", "robots.txt"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
}

/// A symbolic link in git's index is refused. Its octets are a path, which would be read as a file without rules that
/// allows everything. A symbolic link in a commit is followed.
#[test]
#[cfg(unix)]
fn a_symbolic_link_is_no_file_without_rules() {
    let folder = repository();
    let path = folder.path();
    std::os::unix::fs::symlink("public/robots.txt", path.join("link.txt")).unwrap();
    git(path, &["add", "."]);
    fs::create_dir_all(path.join("beside")).unwrap();
    for (from, name) in [
        (".", ":link.txt"),
        (".", ":./link.txt"),
        ("beside", ":../link.txt"),
        ("beside", ":0:../link.txt"),
    ] {
        let message = refused(&path.join(from), &["lint", name]);
        assert!(message.contains("git has a symbolic link there"), "{name}: {message}");
    }
    git(path, &["commit", "--quiet", "--message", "link"]);
    let output = run(path, &["diff", "HEAD:link.txt", "robots.txt"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let output = run(path, &["diff", ":robots.txt", "robots.txt"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
}

/// git announces the length of a damaged object, and then gives fewer octets.
#[test]
fn a_damaged_object_is_refused() {
    let folder = repository();
    let path = folder.path();
    let mut number = 1_u64;
    let mut line = |_| {
        number = number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        format!("disallow: /{number:x}\n")
    };
    let rules: String = (0..5_000).map(&mut line).collect();
    fs::write(path.join("robots.txt"), format!("user-agent: *\n{rules}")).unwrap();
    git(path, &["commit", "--quiet", "--all", "--message", "rules"]);
    let id = Command::new("git").args(["rev-parse", "HEAD:robots.txt"]).current_dir(path).output();
    let id = String::from_utf8(id.unwrap().stdout).unwrap();
    let (folder_of_it, name) = id.trim().split_at(2);
    let object = path.join(".git/objects").join(folder_of_it).join(name);
    let mut octets = fs::read(&object).unwrap();
    let middle = octets.len() / 2;
    octets[middle..middle + 40].iter_mut().for_each(|octet| *octet ^= 0xFF);
    // git writes its objects read-only.
    fs::remove_file(&object).unwrap();
    fs::write(&object, octets).unwrap();
    let output = run(path, &["diff", "HEAD:robots.txt", "robots.txt"]);
    let message = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{message}");
    let why = "error: cannot read HEAD:robots.txt: git gave only a part of it: ";
    assert!(message.starts_with(why), "{message}");
}

/// The message gives the line of every wrong value, and names no command-line option, because the user wrote the value
/// in a file.
#[test]
fn each_mistake_of_a_config_file_is_reported() {
    let folder = folder("user-agent: *\n");
    let config = "edition: rfc9310\nlevel: notes\nselect: [useless-start]\n\norigin: example.com\n";
    let long = format!("{config}ignore: [{}]\n", "x".repeat(1_000_000));
    fs::write(folder.path().join(".robots-lint.yaml"), long).unwrap();
    let output = run(folder.path(), &["lint", "robots.txt"]);
    let message = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{message}");
    for part in [
        ".robots-lint.yaml:1: `edition`: unknown edition",
        ".robots-lint.yaml:2: `level`: ",
        ".robots-lint.yaml:3: `select`: there is no finding \"useless-start\"; did you mean \"useless-star\"?",
        ".robots-lint.yaml:5: `origin`: ",
        ".robots-lint.yaml:6: `ignore`: there is no finding \"xxx",
    ] {
        assert!(message.contains(part), "{part}: {message}");
    }
    assert!(!message.contains("--") && message.len() < 4_000, "{message}");
}
