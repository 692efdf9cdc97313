//! Checks that workflows and examples name a full version of everything that they run. Without a full version, other
//! people could change the software that runs.
//!
//! In every folder, the tests read shell scripts, Dockerfiles, and YAML files outside `spec-cases`, and the scripts of
//! `.ci` and of the examples, which have no extension. They also read the
//! YAML and Dockerfile blocks in all pages except RELEASING.md. A full version has three numbers, or is a commit or a
//! digest. `TOOLS` lists the commands that install packages.

use std::fs;
use std::path::Path;

use crate::invocation::workspace;

use crate::version::files;

#[test]
fn actions_have_a_full_version() {
    let mut count = 0;
    for (place, line) in lines() {
        let Some((_, action)) = line.split_once("uses: ") else { continue };
        let action = action.split_whitespace().next().unwrap();
        let (_, version) =
            action.split_once('@').unwrap_or_else(|| panic!("{place}: {action} has no version"));
        let digest = version.len() == 40 && version.bytes().all(|octet| octet.is_ascii_hexdigit());
        assert!(
            digest || is_full(version.strip_prefix('v').unwrap_or("")),
            "{place}: {action}: write a full version, as in v1.2.3, or a digest, not a branch"
        );
        count += 1;
    }
    assert!(count > 30, "{count}");
}

#[test]
fn a_checkout_keeps_no_credentials() {
    let lines = lines();
    for (at, (place, line)) in lines.iter().enumerate() {
        if line.contains("uses: actions/checkout@") {
            let next = lines[at + 1..].iter().take(2);
            let found =
                next.filter(|(_, line)| line.contains("persist-credentials: false")).count();
            assert_eq!(found, 1, "{place}: write `persist-credentials: false` below it");
        }
    }
}

#[test]
fn installed_tools_have_a_full_version() {
    let mut count = 0;
    for (place, line) in lines() {
        assert!(!line.contains("@latest"), "{place}: write a version instead of `latest`");
        let line = line.replace(['"', '\''], "");
        // Go names a package by its address, so the version is after the last `@`.
        if let Some((_, words)) = line.replace("cargo install ", "").split_once("go install ") {
            let package = words.split_whitespace().next().unwrap_or_default();
            let version = package.rsplit_once("@v").map_or("", |(_, version)| version);
            assert!(is_full(version), "{place}: write `{package}@vVERSION`");
        }
        for (command, separator) in TOOLS {
            let Some((_, words)) = line.split_once(command) else { continue };
            // With these options, the command uses packages that are built here or already installed, so it names no
            // version.
            if words.contains("--no-index") || words.contains("--no-install") {
                continue;
            }
            let words = words.split(['&', '|', '`', '#', ';']).next().unwrap();
            for (name, version) in packages(words, separator) {
                // `test.sh` first publishes the package to its own registry.
                if name == "robots-conformance" && place.starts_with("packages/npm/test.sh:") {
                    continue;
                }
                assert!(is_full(version), "{place}: write `{name}{separator}VERSION`");
                count += 1;
            }
        }
    }
    assert!(count > 15, "{count}");
}

/// One named version of the compiler builds the published files. The nightly compiler only checks them.
#[test]
fn a_release_names_its_compiler() {
    let release = fs::read_to_string(workspace().join(".github/workflows/release.yml")).unwrap();
    let (_, version) = release.split_once("RUSTUP_TOOLCHAIN: ").unwrap();
    let version = version.lines().next().unwrap();
    assert!(is_full(version), "{version}");
    for line in release.lines().filter(|line| line.contains("rustup toolchain install ")) {
        let (_, toolchains) = line.split_once("install ").unwrap();
        assert!(toolchains.starts_with(version), "{line}");
    }
    let builds = release.matches("uses: PyO3/maturin-action@").count();
    assert_eq!(release.matches(&format!("rust-toolchain: {version}\n")).count(), builds);
}

/// pip installs these packages to build the project's wheels.
#[test]
fn build_requirements_have_a_full_version() {
    let mut count = 0;
    for (name, text) in files(&workspace(), |base| base == "pyproject.toml").unwrap() {
        for line in text.lines().filter_map(|line| line.strip_prefix("requires = ")) {
            for required in line.trim_matches(['[', ']']).split(", ") {
                let (_, version) = required.trim_matches('"').split_once("==").unwrap_or_default();
                assert!(
                    is_full(version),
                    "{name}: {required}: write a full version, as in `==1.2.3`"
                );
                count += 1;
            }
        }
    }
    assert!(count > 1, "{count}");
}

#[test]
fn images_have_a_full_version() {
    let mut count = 0;
    for (place, line) in lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        let image = match words[..] {
            ["FROM" | "image:", image, ..] => image,
            ["COPY", from, ..] if from.starts_with("--from=") && from.contains('/') => from,
            _ => continue,
        };
        let version = image.rsplit_once(':').map_or("", |(_, tag)| tag);
        let version = version.split('-').next().unwrap();
        assert!(
            is_full(version),
            "{place}: {image}: write a full version, as in python:3.12.11-slim"
        );
        count += 1;
    }
    assert!(count > 5, "{count}");
}

/// The commands that install packages, and the text between a package and its version.
const TOOLS: [(&str, &str); 4] =
    [("cargo install ", "@"), ("pip install ", "=="), ("npm install ", "@"), ("npx ", "@")];

/// Returns the packages that a command installs, with their versions. A version is empty if the command does not name
/// one.
fn packages<'w>(words: &'w str, separator: &str) -> Vec<(&'w str, &'w str)> {
    let mut before = "";
    let mut found = Vec::new();
    for word in words.split_whitespace() {
        let is_value = OPTIONS.contains(&std::mem::replace(&mut before, word));
        // The `@` of a scope does not separate a package from its version.
        let (scope, rest) = match word.strip_prefix('@').and_then(|rest| rest.split_once('/')) {
            Some((scope, rest)) => (scope.len() + 2, rest),
            None => (0, word),
        };
        // A path or a variable is not a package.
        let is_package = rest.starts_with(|first: char| first.is_ascii_alphabetic())
            && !rest.contains(['/', '$']);
        if is_package && !is_value {
            let end = scope + rest.find(separator).unwrap_or(rest.len());
            let version = word[end..].strip_prefix(separator).unwrap_or_default();
            found.push((&word[..end], version));
        }
    }
    found
}

/// The options of npm and pip that take a value. The word after such an option is not a package.
const OPTIONS: [&str; 4] = ["--loglevel", "--prefix", "--requirement", "-r"];

#[test]
fn packages_are_found_in_a_command() {
    let words = "--prefix tools --loglevel error -D @types/node@20 @a/b vitest@4.1.12 ./c $d e";
    let found = [("@types/node", "20"), ("@a/b", ""), ("vitest", "4.1.12"), ("e", "")];
    assert_eq!(packages(words, "@"), found);
    assert_eq!(
        packages("--quiet protego==0.7.0 scrapy", "=="),
        [("protego", "0.7.0"), ("scrapy", "")]
    );
}

fn is_full(version: &str) -> bool {
    let numbers: Vec<&str> = version.split('.').collect();
    numbers.len() == 3
        && numbers
            .iter()
            .all(|one| !one.is_empty() && one.bytes().all(|octet| octet.is_ascii_digit()))
}

/// Returns the lines of the workflows, scripts and images. Of the pages, returns only the lines that users copy into a
/// workflow or an image.
fn lines() -> Vec<(String, String)> {
    let mut found = Vec::new();
    for (name, text) in files(&workspace(), is_read).unwrap() {
        // A page also shows commands for a terminal, which need no version. Commands of a workflow are in YAML.
        let is_page = extension(&name) == Some("md");
        // The cases are data, and RELEASING.md shows where a digest is written. So they are not checked.
        if name.starts_with("spec-cases/") && !is_page || name == "RELEASING.md" {
            continue;
        }
        let mut copied = !is_page;
        for (number, line) in text.lines().enumerate() {
            if is_page && line.trim_start().starts_with("```") {
                copied = line.contains("```yaml") || line.contains("```dockerfile");
            }
            if copied {
                found.push((format!("{name}:{}", number + 1), line.to_owned()));
            }
        }
    }
    found
}

fn is_read(base: &str) -> bool {
    // The scripts of `.ci` and of the examples have no extension.
    matches!(base, "Dockerfile" | "install" | "run")
        || matches!(extension(base), Some("md" | "sh" | "yaml" | "yml"))
}

fn extension(name: &str) -> Option<&str> {
    Path::new(name).extension().and_then(|extension| extension.to_str())
}

/// The check reads scripts and pages in every folder, not only in the folders that are known today.
#[test]
fn scripts_and_pages_of_every_folder_are_read() {
    let lines = lines();
    for name in [
        ".ci/install",
        ".ci/run",
        ".github/workflows/ci.yml",
        "Dockerfile",
        "action.yml",
        "conformance/README.md",
        "packages/npm/test.sh",
        "packages/pypi/robots-conformance/test.sh",
        "docs/ci.md",
        "docs/examples/ci/site/github.yml",
        "docs/examples/ci/test.sh",
        "docs/examples/run",
        "docs/test_spark.sh",
        "packages/python/test.sh",
    ] {
        let place = format!("{name}:");
        assert!(lines.iter().any(|(one, _)| one.starts_with(&place)), "{name}");
    }
}
