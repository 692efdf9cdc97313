//! What the tests of the command share: a folder in which it runs, and checks of its output.
#![allow(dead_code, reason = "each test file uses a part of this module")]

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;
use tempfile::TempDir;

/// A folder in which the command runs.
pub(crate) struct Folder(TempDir);

impl Folder {
    pub(crate) fn with(files: &[(&str, &str)]) -> Self {
        let folder = Self(tempfile::tempdir().unwrap());
        for (name, text) in files {
            folder.write(name, text);
        }
        folder
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, octets: impl AsRef<[u8]>) {
        fs::write(self.path(name), octets).unwrap();
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Output {
        run_in(self.0.path(), arguments, b"")
    }

    pub(crate) fn git(&self, arguments: &[&str]) {
        git(self.0.path(), arguments);
    }
}

/// Runs git in a folder, as a user with a name.
pub(crate) fn git(folder: &Path, arguments: &[&str]) {
    let identity = ["-c", "user.name=a", "-c", "user.email=a@example.com"];
    let output = Command::new("git").args(identity).args(arguments).current_dir(folder).output();
    let output = output.unwrap();
    assert!(output.status.success(), "{output:?}");
}

/// Runs the command in the folder of the package, with a standard input.
pub(crate) fn run(arguments: &[&str], input: &[u8]) -> Output {
    run_in(Path::new(env!("CARGO_MANIFEST_DIR")), arguments, input)
}

fn run_in(folder: &Path, arguments: &[&str], input: &[u8]) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_robots"))
        .args(arguments)
        .env("NO_COLOR", "1")
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // If the arguments are wrong, the command ends without reading its input, so the write may fail.
    let _ = child.stdin.take().unwrap().write_all(input);
    child.wait_with_output().unwrap()
}

pub(crate) fn text(octets: &[u8]) -> String {
    String::from_utf8(octets.to_vec()).unwrap()
}

/// Reads the object that a verb has printed, checks it against the schema of the verb, and returns it.
pub(crate) fn object(octets: &[u8], verb: &str) -> Value {
    let schema = format!("{}/schema/{verb}.schema.json", env!("CARGO_MANIFEST_DIR"));
    let schema: Value = serde_json::from_slice(&fs::read(schema).unwrap()).unwrap();
    let schema = jsonschema::validator_for(&schema).unwrap();
    let object: Value = serde_json::from_slice(octets).unwrap();
    let errors: Vec<String> = schema.iter_errors(&object).map(|error| error.to_string()).collect();
    assert_eq!(errors, [""; 0], "{object}");
    object
}
