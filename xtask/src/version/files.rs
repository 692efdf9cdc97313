//! Reads the text files of the workspace that may repeat the version or the repository.

use std::path::{Path, PathBuf};
use std::{fs, io};

/// Returns the path from the root, and the text, of each file whose name `is_read` accepts.
///
/// # Errors
///
/// Returns an error if a folder or a file cannot be read.
pub(crate) fn files(root: &Path, is_read: fn(&str) -> bool) -> io::Result<Vec<(String, String)>> {
    let mut found = Vec::new();
    let mut folders = vec![PathBuf::new()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(root.join(&folder))? {
            let entry = entry?;
            let path = folder.join(entry.file_name());
            let name = path.to_string_lossy().replace('\\', "/");
            let base = entry.file_name().to_string_lossy().into_owned();
            let kind = entry.file_type()?;
            if kind.is_dir() {
                if !LEFT_OUT.contains(&base.as_str()) {
                    folders.push(path);
                }
            } else if kind.is_file() && is_read(&base) {
                // A file that is not UTF-8 is not text.
                if let Ok(text) = String::from_utf8(fs::read(root.join(&path))?) {
                    found.push((name, text));
                }
            }
        }
    }
    found.sort();
    Ok(found)
}

/// Returns whether a file with this name may repeat the version or the repository. Rust code takes these values from
/// Cargo.
pub(super) fn may_repeat(base: &str) -> bool {
    const EXTENSIONS: [&str; 12] =
        ["html", "js", "json", "lock", "md", "mjs", "py", "sh", "toml", "ts", "yaml", "yml"];
    let extension = Path::new(base).extension().and_then(|extension| extension.to_str());
    let is_text = extension.is_some_and(|one| EXTENSIONS.contains(&one));
    is_text || base == "Dockerfile"
}

/// The folders that are not read: git's own data, and files that were built, installed or written by a tool.
const LEFT_OUT: [&str; 7] =
    [".git", ".venv", "artifacts", "corpus", "mutants.out", "node_modules", "target"];
