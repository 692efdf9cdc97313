//! Files that a verb writes, or compares with the checked-in files.
//!
//! A verb makes all its files in memory. [`settle`] writes the changed ones. With `check`, it writes nothing and shows
//! the differences. So writing and checking compare the same texts. [`between`] replaces a part of a file that is
//! otherwise written by hand.

use std::fs;
use std::path::Path;

use similar::TextDiff;

/// A file: its path from the workspace's folder, and its content.
pub(crate) type Text = (String, String);

/// The option of a verb that writes files or checks them.
#[derive(clap::Args)]
pub(crate) struct Check {
    /// Write nothing, and fail if a checked-in file is stale
    #[arg(long)]
    pub(crate) check: bool,
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
    let stale = stale(workspace, texts);
    if stale.is_empty() {
        let files: Vec<&str> = texts.iter().map(|(file, _)| file.as_str()).collect();
        anstream::println!("{}: up to date", files.join(", "));
    }
    for (file, old, new) in &stale {
        if check {
            let diff = TextDiff::from_lines(old.as_str(), *new);
            anstream::eprint!("{}", diff.unified_diff().header(file, verb));
            anstream::eprintln!(
                "error: {file} is stale: run `cargo xtask {verb}` and commit the result"
            );
        } else {
            write(workspace, file, new)?;
            anstream::println!("written: {file}");
        }
    }
    Ok(stale.is_empty() || !check)
}

/// Replaces the text between two lines of a file. `marks` are these lines, which stay.
///
/// # Errors
/// Returns a message if the file lacks one of the lines.
pub(crate) fn between(
    file: &str,
    content: &str,
    marks: &[String; 2],
    text: &str,
) -> Result<String, String> {
    let [begin, end] = marks;
    let none =
        || format!("{file} lacks the lines {begin:?} and {end:?}; the text belongs between them");
    let (before, rest) = content.split_once(begin).ok_or_else(none)?;
    let (_, after) = rest.split_once(end).ok_or_else(none)?;
    Ok(format!("{before}{begin}\n\n{}\n\n{end}{after}", text.trim()))
}

fn write(workspace: &Path, file: &str, text: &str) -> Result<(), String> {
    fs::write(workspace.join(file), text).map_err(|error| format!("{file}: {error}"))
}

/// Returns the files whose content differs, with the old and the new content. A file that cannot be read differs.
fn stale<'t>(workspace: &Path, texts: &'t [Text]) -> Vec<(&'t str, String, &'t str)> {
    let stale = texts.iter().map(|(file, text)| {
        let old = fs::read_to_string(workspace.join(file)).unwrap_or_default();
        (file.as_str(), old, text.as_str())
    });
    stale.filter(|(_, old, new)| old != new).collect()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::{Text, between, settle};

    #[test]
    fn a_changed_file_is_written_or_reported() {
        let folder = tempfile::tempdir().unwrap();
        let texts = |text: &str| -> Vec<Text> { vec![("a.md".to_owned(), text.to_owned())] };
        assert!(!settle("a", folder.path(), &texts("1\n"), true).unwrap());
        assert!(settle("a", folder.path(), &texts("1\n"), false).unwrap());
        assert!(settle("a", folder.path(), &texts("1\n"), true).unwrap());
        assert!(!settle("a", folder.path(), &texts("2\n"), true).unwrap());
        // A file that is not text is not up to date.
        fs::write(folder.path().join("a.md"), b"\xFF").unwrap();
        assert!(!settle("a", folder.path(), &texts("1\n"), true).unwrap());
    }

    #[test]
    fn a_part_is_replaced_and_the_rest_stays() {
        let marks = ["<!-- a -->", "<!-- end of a -->"].map(str::to_owned);
        let page = "# A\n\n<!-- a -->\nold\n<!-- end of a -->\n\nby hand\n";
        let new = between("A.md", page, &marks, "new\n").unwrap();
        assert_eq!(new, "# A\n\n<!-- a -->\n\nnew\n\n<!-- end of a -->\n\nby hand\n");
        assert_eq!(between("A.md", &new, &marks, "new").unwrap(), new);
        let problem = between("A.md", "by hand\n", &marks, "new").unwrap_err();
        assert!(problem.contains("A.md lacks the lines"), "{problem}");
    }
}
