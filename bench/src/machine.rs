//! Describes the setting of a run: processor, compiler, versions of the subjects.

use std::fs;

use serde::Deserialize;

use crate::peers::SUBJECTS;

/// Returns the setting of this run as names and values.
///
/// # Panics
/// Panics if the package's lock file, which is built in, is invalid.
#[must_use]
pub fn setting() -> Vec<(String, String)> {
    let mut setting = vec![
        ("processor".to_owned(), processor()),
        ("compiler".to_owned(), env!("BENCH_RUSTC").to_owned()),
        (
            "flags".to_owned(),
            "Cargo's release profile with its default optimizations, no target features, no LTO"
                .to_owned(),
        ),
    ];
    let lock: Lock = toml::from_str(include_str!("../Cargo.lock")).expect("Cargo wrote it");
    let mut versions = Vec::new();
    for subject in SUBJECTS {
        let version = lock.package.iter().find(|package| package.name == subject.package);
        let version = version.map_or("?", |package| &package.version);
        let text = format!("{} {version}", subject.package);
        if !versions.contains(&text) {
            versions.push(text);
        }
    }
    setting.push(("versions".to_owned(), versions.join(", ")));
    setting
}

#[derive(Deserialize)]
struct Lock {
    package: Vec<Package>,
}

#[derive(Deserialize)]
struct Package {
    name: String,
    version: String,
}

fn processor() -> String {
    let cores = std::thread::available_parallelism().map_or(0, usize::from);
    let info = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = info
        .lines()
        .find_map(|line| line.strip_prefix("model name")?.split_once(':'))
        .map_or("unknown", |(_, model)| model.trim());
    format!("{model} ({}, {cores} cores available)", std::env::consts::ARCH)
}
