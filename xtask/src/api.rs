//! Writes the public interface of the library crates as text files, or checks these files.
//!
//! A change of the interface changes the text, so a reviewer sees the change in the diff. cargo-public-api makes the
//! text; it needs a nightly compiler. Start at [`run()`].

use std::process::Command;

use crate::invocation::workspace;
use crate::published;
use crate::written::{Check, Text, settle};

pub(crate) fn run(arguments: &Check) -> Result<bool, String> {
    let text = |one: published::Crate| Ok((path(&one.folder), listed(&one.name)?));
    let crates = published::crates()?.into_iter().filter(|one| one.is_library);
    let texts: Result<Vec<Text>, String> = crates.map(text).collect();
    let is_settled = settle("api", &workspace(), &texts?, arguments.check)?;
    if !is_settled {
        anstream::eprintln!(
            "The public interface changed. Commit the result only if this is intended."
        );
    }
    Ok(is_settled)
}

/// Returns the path of the text from the workspace's folder.
fn path(folder: &str) -> String {
    format!("{folder}/public-api.txt")
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
    use crate::invocation::workspace;
    use crate::published;

    /// Every library that RELEASING.md publishes has a file, and no function in a file returns an error that is only a
    /// text.
    #[test]
    fn every_published_crate_has_its_interface_written() {
        let page = fs::read_to_string(workspace().join("RELEASING.md")).unwrap();
        let row = page.lines().find_map(|line| line.strip_prefix("| crates.io | ")).unwrap();
        let (row, _) = row.split_once(':').unwrap();
        let named: BTreeSet<&str> = row.split('`').skip(1).step_by(2).collect();
        let crates = published::crates().unwrap();
        assert_eq!(named, crates.iter().map(|one| &*one.name).collect());
        for published::Crate { name, folder, .. } in crates.into_iter().filter(|one| one.is_library)
        {
            let text = fs::read_to_string(workspace().join(path(&folder))).unwrap();
            let by_text = |line: &&str| {
                let result = line.rsplit_once("Result<");
                result.is_some_and(|(_, rest)| rest.contains(", alloc::string::String>"))
            };
            let lines: Vec<&str> = text.lines().filter(by_text).collect();
            assert_eq!(lines, [""; 0], "{name} returns an error that is only a text");
        }
    }
}
