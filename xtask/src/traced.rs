//! Checks that every rstest prints its input when it fails.

use std::fs;
use std::path::{Path, PathBuf};

use xtask::invocation::workspace;

#[test]
fn every_table_of_tests_prints_its_input_when_it_fails() {
    let mut sources = Vec::new();
    collect(&workspace(), &mut sources);
    let mut count = 0;
    for path in sources {
        let text = fs::read_to_string(&path).unwrap();
        let lines: Vec<&str> = text.lines().map(str::trim).collect();
        for (index, _) in lines.iter().enumerate().filter(|(_, line)| **line == "#[rstest]") {
            let attributes = lines[index + 1..].iter().take_while(|line| line.starts_with("#["));
            let at = format!("{}:{}", path.display(), index + 1);
            assert!(attributes.clone().any(|line| *line == "#[trace]"), "{at}: no #[trace]");
            count += 1;
        }
    }
    assert!(count > 50, "{count}");
}

/// Finds the Rust sources of the project, but no built or installed files.
fn collect(folder: &Path, sources: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if path.is_dir() && !name.starts_with('.') && name != "target" && name != "node_modules" {
            collect(&path, sources);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            sources.push(path);
        }
    }
}
