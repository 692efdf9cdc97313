//! The folder of the checkout, Cargo, and the files that a verb writes or compares with the checked-in files.
//!
//! A verb makes all its files in memory. [`settle`] writes the changed ones. With `check`, it writes nothing and shows
//! the differences. So writing and checking compare the same texts.

use std::fs;
use std::path::{Path, PathBuf};

use similar::TextDiff;

/// A file: its path from the checkout's folder, and its content.
pub(crate) type Text = (String, String);

/// Returns the folder of the checkout.
///
/// # Panics
/// Panics if this package is not in a folder of the checkout.
pub(crate) fn workspace() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().expect("survey is in a folder of the checkout").to_owned()
}

/// Returns the name or path of the Cargo that runs this program.
pub(crate) fn cargo() -> String {
    std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned())
}

/// Writes the changed files and reports them. With `check`, shows the differences instead, and returns false if there
/// are any.
///
/// # Errors
/// Returns a message about the file that cannot be written.
pub(crate) fn settle(
    verb: &str,
    workspace: &Path,
    texts: &[Text],
    check: bool,
) -> Result<bool, String> {
    let mut is_settled = true;
    for (file, new) in texts {
        let old = fs::read_to_string(workspace.join(file)).unwrap_or_default();
        if old == *new {
            anstream::println!("{file}: up to date");
        } else if check {
            is_settled = false;
            let diff = TextDiff::from_lines(&old, new);
            anstream::eprint!("{}", diff.unified_diff().header(file, verb));
            anstream::eprintln!(
                "error: {file} is stale: run `cargo survey {verb}` and commit the result"
            );
        } else {
            write(workspace, file, new)?;
            anstream::println!("written: {file}");
        }
    }
    Ok(is_settled)
}

/// Writes all files.
///
/// # Errors
/// Returns a message about the file that cannot be written.
pub(crate) fn write_all(workspace: &Path, texts: &[Text]) -> Result<(), String> {
    texts.iter().try_for_each(|(file, text)| write(workspace, file, text))
}

fn write(workspace: &Path, file: &str, text: &str) -> Result<(), String> {
    let path = workspace.join(file);
    let folder = path.parent().unwrap_or(workspace);
    fs::create_dir_all(folder)
        .and_then(|()| fs::write(&path, text))
        .map_err(|error| format!("{file}: {error}"))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::{Text, settle};

    #[test]
    fn a_changed_file_is_written_or_reported() {
        let folder = tempfile::tempdir().unwrap();
        let texts = |text: &str| -> Vec<Text> { vec![("b/a.md".to_owned(), text.to_owned())] };
        assert!(!settle("a", folder.path(), &texts("1\n"), true).unwrap());
        assert!(settle("a", folder.path(), &texts("1\n"), false).unwrap());
        assert!(settle("a", folder.path(), &texts("1\n"), true).unwrap());
        assert!(!settle("a", folder.path(), &texts("2\n"), true).unwrap());
        // A file that is not text is not up to date.
        fs::write(folder.path().join("b/a.md"), b"\xFF").unwrap();
        assert!(!settle("a", folder.path(), &texts("1\n"), true).unwrap());
    }
}
