//! Reads the Rust sources of the workspace, for checks that search them as text.

use std::fs;
use std::path::{Path, PathBuf};

/// Returns the Rust files below a folder, sorted. Hidden folders, `target` and `node_modules` are left out.
///
/// # Errors
/// Returns a message if a folder cannot be read.
pub(crate) fn rust_files(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let mut files = Vec::new();
    collect(folder, &mut files).map_err(|error| format!("{}: {error}", folder.display()))?;
    files.sort();
    Ok(files)
}

/// Returns the lines of a file before its test module, without comments. A line that only declares a test module in
/// another file does not count as the module.
pub(crate) fn code(text: &str) -> impl Iterator<Item = &str> {
    let is_block =
        |at: &usize| text[at + 1..].lines().nth(1).is_some_and(|line| line.ends_with('{'));
    let tests = text.match_indices("\n#[cfg(test)]\nmod ").map(|(at, _)| at).find(is_block);
    let code = tests.map_or(text, |at| &text[..at]);
    code.lines().filter(|line| !line.trim_start().starts_with("//"))
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> std::io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if path.is_dir() && !name.starts_with('.') && name != "target" && name != "node_modules" {
            collect(&path, files)?;
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::code;

    #[test]
    fn code_ends_at_the_tests_in_the_file() {
        let elsewhere = ["mod a;", "#[cfg(test)]", "mod tests;", "fn f() {}"];
        let text = elsewhere.join("\n");
        assert_eq!(code(&text).collect::<Vec<_>>(), elsewhere);
        let inside = format!("{text}\n    /// A comment.\n\n#[cfg(test)]\nmod tests {{\n}}\n");
        assert_eq!(code(&inside).collect::<Vec<_>>(), elsewhere);
    }
}
