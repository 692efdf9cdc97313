//! `cargo xtask version`: checks or writes the version and the repository in all files that repeat them.
//!
//! `[workspace.package]` in Cargo.toml defines the two values. `files` reads the files, `mention` finds the places, and
//! `release` decides whether a tag can be released. With a version as its argument, the subcommand writes; without one,
//! it checks.

mod files;
mod mention;
mod release;

use std::fs;
use std::process::ExitCode;

use crate::invocation::{usage, workspace};

pub(crate) use files::files;

use files::may_repeat;
use mention::{mentions, token, written};
use release::Release;

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Write this version, and the repository in Cargo.toml, to all places
    #[arg(value_name = "VERSION", conflicts_with = "tag")]
    set: Option<String>,
    /// Also fail if this tag cannot be released: another version, no section in CHANGELOG.md, or no public repository
    #[arg(long)]
    tag: Option<String>,
}

pub(crate) fn run(arguments: &Arguments) -> ExitCode {
    let root = workspace();
    let version = match &arguments.set {
        Some(version) if is_version(version) => version.clone(),
        Some(version) => {
            return usage(format_args!(
                "{version} is not a version; give three numbers, as in 1.2.3, or 1.2.3-rc.1"
            ));
        }
        None => env!("CARGO_PKG_VERSION").to_owned(),
    };
    let release = Release { version, repository: env!("CARGO_PKG_REPOSITORY").to_owned() };
    if let Some(fault) = release.fault_of_the_address() {
        return usage(fault);
    }
    let files = match files(&root, may_repeat) {
        Ok(files) => files,
        Err(error) => return usage(format_args!("the workspace cannot be read: {error}")),
    };
    let mut wrong = Vec::new();
    let mut named = 0;
    for (name, text) in files {
        let mentions = mentions(&name, &text);
        named += mentions.len();
        if arguments.set.is_none() {
            wrong.extend(mentions.iter().filter_map(|one| one.fault(&name, &text, &release)));
        } else if let Some(text) = written(&text, &mentions, &release) {
            if let Err(error) = fs::write(root.join(&name), text) {
                return usage(format_args!("{name} cannot be written: {error}"));
            }
            anstream::println!("{name}");
        }
    }
    let Release { version, repository } = &release;
    if arguments.set.is_some() {
        anstream::println!(
            "now run `cargo xtask vectors`: the header of vectors.json names both too"
        );
        return ExitCode::SUCCESS;
    }
    if let Some(tag) = &arguments.tag {
        let changes = fs::read_to_string(root.join("CHANGELOG.md")).unwrap_or_default();
        wrong.extend(release.faults_of_a_tag(tag, &changes));
    }
    for one in &wrong {
        anstream::eprintln!("error: {one}");
    }
    if wrong.is_empty() {
        anstream::println!("version {version} and {repository}, named {named} times");
        ExitCode::SUCCESS
    } else {
        anstream::eprintln!("`cargo xtask version {version}` writes both everywhere");
        ExitCode::FAILURE
    }
}

fn is_version(text: &str) -> bool {
    let (numbers, suffix) = text.split_once('-').unwrap_or((text, "0"));
    let is_number = |one: &str| !one.is_empty() && one.bytes().all(|octet| octet.is_ascii_digit());
    numbers.split('.').count() == 3
        && numbers.split('.').all(is_number)
        && !suffix.is_empty()
        && token(suffix) == suffix.len()
}

#[cfg(test)]
mod tests {
    use super::{Release, files, is_version, may_repeat, mentions};
    use crate::invocation::workspace;

    #[test]
    fn every_file_that_repeats_them_is_read() {
        let files = files(&workspace(), may_repeat).unwrap();
        assert!(files.iter().any(|(name, _)| name == "CHANGELOG.md"));
        for name in [
            "Cargo.lock",
            "Cargo.toml",
            "Dockerfile",
            "README.md",
            "conformance/README.md",
            "packages/npm/robots-conformance/package.json",
            "docs/ci.md",
            "docs/examples/ci/.pre-commit-config.yaml",
            "docs/examples/ci/github.yml",
            "docs/examples/ci/site/.pre-commit-config.yaml",
            "docs/examples/ci/site/github.yml",
            "packages/python/Cargo.lock",
            "packages/python/Cargo.toml",
        ] {
            let (_, text) = files.iter().find(|(one, _)| one == name).expect(name);
            assert!(!mentions(name, text).is_empty(), "{name} repeats neither");
        }
    }

    /// If users copied an address that belongs to another person, they would run that person's code. So the test reads
    /// all files, not only those that the subcommand writes.
    #[test]
    fn no_file_has_the_address_of_another_repository() {
        let release = Release {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            repository: env!("CARGO_PKG_REPOSITORY").to_owned(),
        };
        let files = files(&workspace(), |_| true).unwrap();
        for name in ["CHANGELOG.md", "conformance/cli/src/main.rs"] {
            assert!(files.iter().any(|(one, _)| one == name), "{name}");
        }
        let here = |name: &str| name.starts_with("xtask/src/version/");
        for (name, text) in files.iter().filter(|(name, _)| !here(name)) {
            let faults: Vec<String> = mentions(name, text)
                .iter()
                .filter_map(|one| one.fault(name, text, &release))
                .collect();
            assert_eq!(
                faults,
                Vec::<String>::new(),
                "run `cargo xtask version {}`",
                release.version
            );
        }
    }

    #[test]
    fn a_version_has_three_numbers() {
        for version in ["0.1.0", "10.20.30", "1.0.0-rc.1"] {
            assert!(is_version(version), "{version}");
        }
        for text in ["", "1", "1.2", "v1.2.3", "1.2.3.4", "1.2.x", "1.2.3-", "1.2.3 "] {
            assert!(!is_version(text), "{text}");
        }
    }
}
