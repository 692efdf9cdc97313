//! Checks that workflows and examples name a full version of everything they run, so that other people cannot change it
//! between two runs.
//!
//! It checks the project's workflows, the scripts that test the packages, and the examples in the documentation.

use std::fs;
use std::path::PathBuf;

use xtask::invocation::workspace;

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
        for (command, separator) in [("cargo install ", "@"), ("pip install ", "=="), ("npx ", "@")]
        {
            let Some((_, words)) = line.split_once(command) else { continue };
            // Packages that are built here or already installed have a version.
            if words.contains("--no-index") || words.contains("--no-install") {
                continue;
            }
            let words = words.split(['&', '|', '`', '#']).next().unwrap();
            for word in words.split_whitespace().filter(|word| is_package(word)) {
                let version = word.split_once(separator).map_or("", |(_, version)| version);
                assert!(is_full(version), "{place}: write `{word}{separator}VERSION`");
                count += 1;
            }
        }
    }
    assert!(count > 15, "{count}");
}

/// One version of the compiler builds what is published. nightly only checks it.
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

fn is_package(word: &str) -> bool {
    word.starts_with(|first: char| first.is_ascii_alphabetic()) && !word.contains(['/', '$'])
}

fn is_full(version: &str) -> bool {
    let numbers: Vec<&str> = version.split('.').collect();
    numbers.len() == 3
        && numbers
            .iter()
            .all(|one| !one.is_empty() && one.bytes().all(|octet| octet.is_ascii_digit()))
}

/// Returns the lines of the workflows, of the scripts and of the image, and the lines of the documentation that users
/// copy into a workflow or an image.
fn lines() -> Vec<(String, String)> {
    let mut found = Vec::new();
    for (folder, extensions) in [
        (".github/workflows", &["yml"][..]),
        (".", &["yml"]),
        ("docs", &["md"]),
        ("docs/examples/ci", &["yml", "yaml", "sh"]),
        ("docs/examples/ci/site", &["yml", "yaml"]),
        ("conformance/pypi", &["sh"]),
        ("robots-nom-parser/python", &["sh"]),
    ] {
        let mut paths: Vec<PathBuf> = fs::read_dir(workspace().join(folder))
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .filter(|path| {
                path.extension().is_some_and(|one| extensions.iter().any(|wanted| one == *wanted))
            })
            .collect();
        paths.sort();
        for path in paths {
            let name = path.strip_prefix(workspace()).unwrap().display().to_string();
            let text = fs::read_to_string(&path).unwrap();
            // A page also shows commands for a terminal; commands of a workflow are in YAML.
            let is_page = path.extension().is_some_and(|extension| extension == "md");
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
    }
    let text = fs::read_to_string(workspace().join("Dockerfile")).unwrap();
    let lines = text.lines().zip(1..);
    found.extend(lines.map(|(line, number)| (format!("Dockerfile:{number}"), line.to_owned())));
    found
}
