//! Checks the list in CONTRIBUTING.md of the places that an addition touches.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use robots_core::engine::QuestionKind;

use xtask::invocation::workspace;

/// The kinds that other code uses by name: verdicts everywhere, the kinds in the flat file, and timelines, because the
/// runner answers their requests.
const USED: [QuestionKind; 6] = [
    QuestionKind::Verdict,
    QuestionKind::Group,
    QuestionKind::Sitemaps,
    QuestionKind::Timeline,
    QuestionKind::Usage,
    QuestionKind::Preference,
];

/// Returns the rows of the list: the addition, its files, and the cell with the failing tests.
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
    assert_eq!(rows.len(), 9);
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
        let names = |text: &str| {
            let mut paths = ["QuestionKind", "Ask", "Answer", "Expected"].iter();
            text.contains(&format!("{variant}Question"))
                || paths.any(|path| text.contains(&format!("{path}::{variant}")))
        };
        let naming: BTreeSet<String> =
            sources.iter().filter(|(_, text)| names(text)).map(|(file, _)| file.clone()).collect();
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

/// Returns the sources of the crates without comments and tests.
fn sources() -> Vec<(String, String)> {
    let mut files = Vec::new();
    for folder in [
        "robots-core",
        "robots-nom-parser",
        "robots-lint",
        "robots-fetch",
        "conformance",
        "conformance/cli",
        "conformance/live",
        "conformance/web",
        "conformance/google-cpp",
        "xtask/heavy",
    ] {
        collect(&workspace().join(folder).join("src"), &mut files);
    }
    let source = |path: &PathBuf| {
        let text = fs::read_to_string(path).unwrap();
        let code = text.split("\n#[cfg(test)]\nmod ").next().unwrap_or_default();
        let code = code.lines().filter(|line| !line.trim_start().starts_with("//"));
        let file = path.strip_prefix(workspace()).unwrap().to_string_lossy().replace('\\', "/");
        (file, code.collect::<Vec<_>>().join("\n"))
    };
    files.iter().map(source).collect()
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "rs")
            && !path.ends_with("tests.rs")
        {
            files.push(path);
        }
    }
}
