//! Writes the public interface of the library crates as text files, or checks these files.
//!
//! A change of the interface changes the text, so a reviewer sees the change in the diff. cargo-public-api makes the
//! text; it needs a nightly compiler. Start at [`run()`].

use std::fs;
use std::path::PathBuf;
use std::process::{Command, ExitCode};

use similar::TextDiff;

use crate::arguments::Api as Arguments;
use xtask::invocation::{usage, workspace};
use xtask::published;

pub(crate) fn run(arguments: &Arguments) -> ExitCode {
    let crates = match published::crates() {
        Ok(crates) => crates,
        Err(message) => return usage(message),
    };
    let mut stale = 0;
    for published::Crate { name, folder } in crates {
        let found = match listed(&name) {
            Ok(found) => found,
            Err(message) => return usage(message),
        };
        let path = path(&folder);
        let kept = fs::read_to_string(&path).unwrap_or_default();
        if kept == found {
            continue;
        }
        let shown = path.strip_prefix(workspace()).unwrap_or(&path).display().to_string();
        if arguments.check {
            stale += 1;
            let diff = TextDiff::from_lines(&kept, &found);
            anstream::eprintln!("{}", diff.unified_diff().context_radius(0).header(&shown, "now"));
        } else if let Err(error) = fs::write(&path, &found) {
            return usage(format_args!("cannot write {shown}: {error}"));
        } else {
            anstream::println!("{shown}: written");
        }
    }
    if stale == 0 {
        return ExitCode::SUCCESS;
    }
    anstream::eprintln!(
        "error: the public interface changed; if this is intended, run `cargo xtask api` and commit the result"
    );
    ExitCode::FAILURE
}

fn path(folder: &str) -> PathBuf {
    workspace().join(folder).join("public-api.txt")
}

/// Returns the public interface of a crate with all features, as cargo-public-api prints it.
fn listed(name: &str) -> Result<String, String> {
    let output = Command::new("rustup")
        .args(["run", "nightly", "cargo", "public-api"])
        .args(["--package", name, "--all-features", "-sss"])
        .current_dir(workspace())
        // Cargo sets these variables for the toolchain of this program, but the command needs the nightly toolchain.
        .env_remove("RUSTUP_TOOLCHAIN")
        .env_remove("CARGO")
        .output()
        .map_err(|error| format!("rustup did not start: {error}"))?;
    if output.status.success() {
        return String::from_utf8(output.stdout).map_err(|error| error.to_string());
    }
    Err(format!(
        "cargo public-api failed for {name}; it needs `cargo install cargo-public-api --locked` and \
         `rustup toolchain install nightly --profile minimal`:\n{}",
        String::from_utf8_lossy(&output.stderr),
    ))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fs;

    use super::path;
    use xtask::invocation::workspace;
    use xtask::published;

    /// Every crate that RELEASING.md publishes has a file, and no function in a file returns an error that is only a
    /// text.
    #[test]
    fn every_published_crate_has_its_interface_written() {
        let page = fs::read_to_string(workspace().join("RELEASING.md")).unwrap();
        let row = page.lines().find_map(|line| line.strip_prefix("| crates.io | ")).unwrap();
        let (row, _) = row.split_once(':').unwrap();
        let named: BTreeSet<&str> = row.split('`').skip(1).step_by(2).collect();
        let crates = published::crates().unwrap();
        assert_eq!(named, crates.iter().map(|one| &*one.name).collect());
        for published::Crate { name, folder } in crates {
            let text = fs::read_to_string(path(&folder)).unwrap();
            let by_text = |line: &&str| {
                let result = line.rsplit_once("Result<");
                result.is_some_and(|(_, rest)| rest.contains(", alloc::string::String>"))
            };
            let lines: Vec<&str> = text.lines().filter(by_text).collect();
            assert_eq!(lines, [""; 0], "{name} returns an error that is only a text");
        }
    }
}
