//! Checks the list in CONTRIBUTING.md of the places that an addition touches.
//!
//! A row of the list names an addition, such as a new store. The row also names the files of the addition, and the
//! tests that fail if a file is forgotten. The tests check that the files and tests of every row exist. The tests also
//! compare the rows of a kind of question and of a store with the files that name the existing kinds and stores. This
//! module contains only test code.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use robots_core::engine::QuestionKind;

use crate::invocation::workspace;
use crate::sources::{code, rust_files};

/// The kinds of question that code outside the listed places may name.
///
/// - Verdicts are the default kind. Command-line tools and Google's library answer only verdicts, crawls are made from
///   verdict cases, and peers are compared by their verdicts.
/// - Timelines are the only kind with a dialogue. The runner and `serve` pass requests and replies while the question
///   is open, and `robots-fetch` is an engine for this kind alone.
const USED: [QuestionKind; 2] = [QuestionKind::Verdict, QuestionKind::Timeline];

/// The files of `xtask` that name kinds although an addition does not touch them: this file.
const NOT_PLACES: [&str; 1] = ["xtask/src/places.rs"];

/// Returns the rows of the list: the addition, its files, and the cell that names the tests that fail.
fn rows() -> Vec<(String, Vec<String>, String)> {
    let page = fs::read_to_string(workspace().join("CONTRIBUTING.md")).unwrap();
    let (_, section) = page.split_once("## The places of an addition").unwrap();
    let (section, _) = section.split_once("\n## ").unwrap();
    let rows = section.lines().filter(|line| line.starts_with("| ")).skip(1);
    let row = |line: &str| {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        (cells[0].to_owned(), quoted(cells[1]), cells[2].to_owned())
    };
    rows.map(row).collect()
}

fn quoted(cell: &str) -> Vec<String> {
    cell.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

#[test]
fn the_listed_files_and_tests_exist() {
    let rows = rows();
    assert_eq!(rows.len(), 11);
    for (addition, files, fails) in rows {
        for file in files {
            let kinds = QuestionKind::ALL.iter().map(|kind| file.replace("KIND", kind.id()));
            for file in kinds {
                assert!(workspace().join(&file).is_file(), "{addition}: {file} does not exist");
            }
        }
        let names = quoted(&fails);
        assert!(!names.is_empty(), "{addition}: no test is named");
        for pair in names.chunks(2) {
            let [test, file] = pair else { panic!("{addition}: {pair:?}") };
            let source = fs::read_to_string(workspace().join(file)).unwrap();
            assert!(source.contains(&format!("fn {test}(")), "{addition}: {file} has no {test}");
        }
    }
}

#[test]
fn a_kind_touches_the_listed_places() {
    let (_, listed, _) = rows().into_iter().find(|(row, ..)| row == "kind of question").unwrap();
    let sources = sources();
    for kind in QuestionKind::ALL.iter().filter(|kind| !USED.contains(kind)) {
        let listed: BTreeSet<String> =
            listed.iter().map(|file| file.replace("KIND", kind.id())).collect();
        let (variant, word) = (format!("{kind:?}"), format!("`{}`", kind.id()));
        let paths = ["QuestionKind", "Ask", "Answer", "Expected"];
        let mut names: Vec<String> = paths.map(|path| format!("{path}::{variant}")).into();
        names.push(format!("{variant}Question"));
        let is_named = |text: &str| names.iter().any(|name| has_name(text, name));
        let naming = sources.iter().filter(|(_, text)| is_named(text));
        let naming: BTreeSet<String> = naming.map(|(file, _)| file.clone()).collect();
        let is_code = |file: &&String| Path::new(file).extension().is_some_and(|end| end == "rs");
        let code: BTreeSet<String> = listed.iter().filter(is_code).cloned().collect();
        assert_eq!(naming, code, "the files that name {kind}");
        for file in listed.difference(&code) {
            let text = fs::read_to_string(workspace().join(file)).unwrap();
            let is_named = text.contains(&word) || text.contains(&format!("\"{}\"", kind.id()));
            assert!(is_named, "{file} does not name {word}");
        }
    }
}

/// A store has a file, a line in the documentation, and a line in the test of the contract. A store that needs another
/// crate also has a feature.
#[test]
fn a_store_touches_the_listed_places() {
    let folder = "robots-fetch/src/store";
    let stores = rust_files(&workspace().join(folder)).unwrap();
    let stems = stores.iter().map(|path| path.file_stem().unwrap().to_string_lossy());
    let stores: Vec<_> =
        stems.filter(|stem| !["mod", "blocking", "contract"].contains(&&**stem)).collect();
    assert!(stores.len() > 2, "{folder} has the stores {stores:?}");
    let text = |file: &str| fs::read_to_string(workspace().join(file)).unwrap();
    let module = text(&format!("{folder}/mod.rs"));
    let manifest = text("robots-fetch/Cargo.toml");
    let (_, features) = manifest.split_once("\n[features]\n").unwrap();
    let (features, _) = features.split_once("\n[").unwrap();
    let tests = text("robots-fetch/tests/stores.rs");
    let (_, contract) = tests.split_once("fn every_store_keeps_the_contract(").unwrap();
    let (contract, _) = contract.split_once("\n}\n").unwrap();
    let page = text("docs/fetching.md");
    for store in stores {
        let (_, name) = module
            .split_once(&format!("pub use self::{store}::"))
            .unwrap_or_else(|| panic!("{folder}/mod.rs does not export the store {store}"));
        let name = name.split(';').next().unwrap();
        let tested = format!("{name}::");
        assert!(contract.contains(&tested), "every_store_keeps_the_contract does not check {name}");
        let documented = format!("`store::{name}`");
        assert!(page.contains(&documented), "docs/fetching.md does not have {documented}");
        // The line before `mod NAME;` names the feature of the store. A store that needs no other crate has no feature.
        let (before, _) = module.split_once(&format!("\nmod {store};")).unwrap();
        let Some((_, feature)) = before.lines().last().unwrap().split_once("feature = \"") else {
            continue;
        };
        let (feature, _) = feature.split_once('"').unwrap();
        let declared = format!("\n{feature} = [");
        assert!(features.contains(&declared), "robots-fetch has no feature `{feature}`");
        let documented = format!("| `{feature}` |");
        assert!(page.contains(&documented), "docs/fetching.md does not have the feature {feature}");
    }
}

/// Returns whether a text contains a name as a whole: `Ask::Groups` does not contain the name `Ask::Group`.
fn has_name(text: &str, name: &str) -> bool {
    let goes_on = |rest: &str| rest.starts_with(|c: char| c.is_alphanumeric() || c == '_');
    text.match_indices(name).any(|(at, _)| {
        !goes_on(&text[at + name.len()..]) && !text[..at].ends_with(|c: char| c.is_alphanumeric())
    })
}

/// Returns the path of each source file of the crates, and its code without comments and tests.
fn sources() -> Vec<(String, String)> {
    let mut files = Vec::new();
    for folder in [
        "robots-core",
        "robots-nom-parser",
        "robots-lint",
        "robots-fetch",
        "robots-cli",
        "robots-cli/console",
        "conformance",
        "conformance/cli",
        "conformance/live",
        "conformance/web",
        "conformance/google-cpp",
        "xtask",
    ] {
        files.extend(rust_files(&workspace().join(folder).join("src")).unwrap());
    }
    let source = |path: &PathBuf| {
        let text = fs::read_to_string(path).unwrap();
        let file = path.strip_prefix(workspace()).unwrap().to_string_lossy().replace('\\', "/");
        (file, code(&text).collect::<Vec<_>>().join("\n"))
    };
    let is_place = |(file, _): &(String, String)| !NOT_PLACES.iter().any(|at| file.starts_with(at));
    // A file `tests.rs` contains only tests.
    let files = files.iter().filter(|path| !path.ends_with("tests.rs"));
    files.map(source).filter(is_place).collect()
}
