//! Checks the architecture: the dependencies between crates, which it reads from Cargo, and the dependencies between
//! modules, which it reads from the sources. This module also checks which files name an engine or an edition, and that
//! the core needs no `std`.
//!
//! spec-cases ← conformance → robots-core ← robots-nom-parser; the command depends on all of them. Development
//! dependencies are not checked, because products do not contain them. The modules of a crate, and of its tests, must
//! have no circular imports. A room (an outermost module of a crate) may use only the rooms that come after it in the
//! table of ARCHITECTURE.md.

mod modules;
mod names;
mod rooms;

use std::collections::BTreeSet;
use std::fs;
use std::process::Command;

use cargo_metadata::{DependencyKind, MetadataCommand, Package};

use crate::invocation::{cargo, workspace};

/// The dependencies that a crate of the workspace may have.
struct Allowed {
    name: &'static str,
    /// Dependencies of every build.
    always: &'static [&'static str],
    /// Dependencies that a feature adds.
    optional: &'static [&'static str],
}

const ARROWS: [Allowed; 12] = [
    Allowed { name: "robots-core", always: &["memchr"], optional: &["serde_core", "sfv", "url"] },
    Allowed {
        name: "robots-nom-parser",
        always: &["robots-core", "nom", "memchr", "wide"],
        optional: &[],
    },
    Allowed {
        name: "robots-lint",
        always: &["robots-core", "memchr"],
        optional: &["granit-parser", "serde_core"],
    },
    Allowed {
        name: "robots-console",
        always: &["strsim"],
        optional: &[
            "anstream",
            "anstyle",
            "clap",
            "clap_complete",
            "clap_mangen",
            "serde",
            "serde_json",
        ],
    },
    Allowed { name: "robots-google-cpp", always: &["robots-core", "memchr"], optional: &[] },
    Allowed { name: "robots-spec-cases", always: &[], optional: &[] },
    Allowed {
        name: "robots-conformance",
        always: &[
            "robots-console",
            "robots-core",
            "robots-spec-cases",
            "granit-parser",
            "libtest-mimic",
            "serde",
            "yaml_serde",
            "similar",
        ],
        optional: &[
            "base64",
            "process-wrap",
            "regex-lite",
            "rustix",
            "serde_json",
            "shlex",
            "tempfile",
        ],
    },
    Allowed {
        name: "robots-cli",
        always: &[
            "robots-console",
            "robots-core",
            "robots-fetch",
            "robots-lint",
            "robots-nom-parser",
            "annotate-snippets",
            "anstream",
            "anstyle",
            "base64",
            "clap",
            "httpdate",
            "quick-junit",
            "rayon",
            "serde",
            "serde_json",
            "similar",
            "tempfile",
            "tokio",
        ],
        optional: &[],
    },
    Allowed {
        name: "robots-conformance-cli",
        always: &[
            "robots-conformance",
            "robots-console",
            "robots-core",
            "robots-google-cpp",
            "robots-nom-parser",
            "robots-spec-cases",
            "anstream",
            "anstyle",
            "clap",
            "regex-lite",
            "serde",
            "serde_json",
            "signal-hook",
            "tempfile",
        ],
        optional: &[
            "base64",
            "indicatif",
            "minijinja",
            "quick-junit",
            "robots-conformance-live",
            "robots-test-web",
            "sha2",
        ],
    },
    Allowed {
        name: "robots-conformance-live",
        always: &[
            "robots-conformance",
            "robots-console",
            "robots-core",
            "robots-spec-cases",
            "robots-test-web",
            "percent-encoding",
            "serde",
            "tempfile",
            "yaml_serde",
        ],
        optional: &[],
    },
    Allowed {
        name: "robots-fetch",
        always: &[
            "robots-core",
            "robots-nom-parser",
            "crc32fast",
            "httpdate",
            "serde",
            "serde_json",
            "tracing",
            "url",
        ],
        optional: &[
            "brotli-decompressor",
            "flate2",
            "hyper",
            "hyper-util",
            "moka",
            "redb",
            "redis",
            "rustls",
            "rustls-platform-verifier",
            "suppaftp",
            "tokio",
            "tokio-rustls",
            "zstd",
        ],
    },
    Allowed {
        name: "robots-test-web",
        always: &[
            "brotli",
            "flate2",
            "http-body-util",
            "hyper",
            "hyper-util",
            "indexmap",
            "rcgen",
            "robots-spec-cases",
            "serde",
            "yaml_serde",
            "socket2",
            "tempfile",
            "tokio",
            "tokio-rustls",
            "zstd",
        ],
        optional: &[],
    },
];

#[test]
fn the_architecture_holds() {
    assert_eq!([dependencies(), module_arrows(), no_std()].concat(), [""; 0]);
}

/// Returns the problems of all modules: rooms that use a room above them, and circular imports. Only crates of the
/// workspace have rooms, which ARCHITECTURE.md lists.
fn module_arrows() -> Vec<String> {
    let crates = match (rooms::of_the_page(), Crates::read()) {
        (Ok(rooms), Ok(crates)) => (rooms, crates),
        (Err(message), _) | (_, Err(message)) => return vec![message],
    };
    let (rooms, Crates { members, others }) = crates;
    let source = |folder: &str| workspace().join(folder).join("src");
    let mut problems = Vec::new();
    for folder in &members {
        let Some(rooms) = rooms.get(folder) else {
            problems.push(format!("{folder} has no table of rooms: add one to ARCHITECTURE.md"));
            continue;
        };
        problems.extend(modules::problems(folder, &source(folder), rooms));
    }
    for folder in rooms.keys().filter(|folder| !members.contains(folder)) {
        problems.push(format!("ARCHITECTURE.md lists the rooms of {folder}, which is not a crate"));
    }
    for folder in others.iter().filter(|folder| source(folder).is_dir()) {
        problems.extend(modules::problems(folder, &source(folder), &[]));
    }
    for folder in members.iter().chain(&others) {
        let (tests, name) = (workspace().join(folder).join("tests"), format!("{folder}/tests"));
        if tests.is_dir() {
            problems.extend(modules::circles_of_tests(&name, &tests));
        }
    }
    problems
}

/// The folders of the workspace's crates, and of the packages that Cargo.toml excludes.
struct Crates {
    members: Vec<String>,
    others: Vec<String>,
}

impl Crates {
    fn read() -> Result<Self, String> {
        #[derive(serde::Deserialize)]
        struct Manifest {
            workspace: Workspace,
        }
        #[derive(serde::Deserialize)]
        struct Workspace {
            members: Vec<String>,
            exclude: Vec<String>,
        }
        let text = fs::read_to_string(workspace().join("Cargo.toml"));
        let text = text.map_err(|error| format!("Cargo.toml: {error}"))?;
        let Manifest { workspace } =
            toml::from_str(&text).map_err(|error| format!("Cargo.toml: {error}"))?;
        Ok(Self { members: workspace.members, others: workspace.exclude })
    }
}

fn dependencies() -> Vec<String> {
    let metadata =
        MetadataCommand::new().manifest_path(workspace().join("Cargo.toml")).no_deps().exec();
    let metadata = match metadata {
        Ok(metadata) => metadata,
        Err(error) => return vec![format!("cargo metadata failed: {error}")],
    };
    let mut problems = Vec::new();
    for allowed in &ARROWS {
        match metadata.packages.iter().find(|package| package.name.as_str() == allowed.name) {
            Some(package) => problems.extend(allowed.problems_of(package)),
            None => problems.push(format!("the workspace has no crate {}", allowed.name)),
        }
    }
    let known: BTreeSet<&str> = ARROWS
        .iter()
        .map(|allowed| allowed.name)
        .chain(["robots-conformance-faults", "xtask"])
        .collect();
    for package in &metadata.packages {
        if !known.contains(package.name.as_str()) {
            problems.push(format!(
                "{} has no place in the architecture: add it to ARROWS in xtask/src/arrows/mod.rs",
                package.name
            ));
        }
    }
    problems
}

impl Allowed {
    fn problems_of(&self, package: &Package) -> Vec<String> {
        let normal = package.dependencies.iter().filter(|d| d.kind == DependencyKind::Normal);
        normal
            .filter(|dependency| {
                let name = dependency.name.as_str();
                let optional = dependency.optional && self.optional.contains(&name);
                !optional && !self.always.contains(&name)
            })
            .map(|dependency| {
                format!(
                    "{} may not depend on {}{}: remove it, or change ARCHITECTURE.md and ARROWS in \
                     xtask/src/arrows/mod.rs together",
                    self.name,
                    dependency.name,
                    if dependency.optional { "" } else { " in every build" },
                )
            })
            .collect()
    }
}

/// Checks that the core is `no_std` without its features, and that its dependencies are `no_std` too.
fn no_std() -> Vec<String> {
    let tree = Command::new(cargo())
        .current_dir(workspace())
        .args(["tree", "--package", "robots-core", "--no-default-features"])
        .args(["--edges", "normal", "--prefix", "none", "--format", "{p} features: {f}"])
        .output();
    let tree = match tree {
        Ok(output) if output.status.success() => {
            String::from_utf8_lossy(&output.stdout).into_owned()
        }
        Ok(output) => {
            return vec![format!("cargo tree failed: {}", String::from_utf8_lossy(&output.stderr))];
        }
        Err(error) => return vec![format!("cargo tree did not start: {error}")],
    };
    let mut problems = Vec::new();
    for line in tree.lines() {
        let (package, features) = line.split_once(" features: ").unwrap_or((line, ""));
        if features.split(',').any(|feature| matches!(feature.trim(), "std" | "default")) {
            problems.push(format!("{package}, used by the core, is built with std: {features}"));
        }
    }
    let crate_page =
        fs::read_to_string(workspace().join("robots-core/src/lib.rs")).unwrap_or_default();
    if !crate_page.lines().any(|line| line == "#![no_std]") {
        problems.push("robots-core/src/lib.rs lacks #![no_std]".to_owned());
    }
    if tree.lines().count() < 2 {
        problems.push(format!("cargo tree shows no dependency of the core: {tree}"));
    }
    problems
}
