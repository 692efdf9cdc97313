//! Writes the results of a measurement: docs/NAME.json, docs/NAME.md, other files, and a table in the README.
//!
//! [`Documents::texts`] makes all files in memory, and [`Documents::settle`] writes the changed files, or checks them.
//! The table of the README is between two comment lines; the rest of the README does not change.

use std::fs;
use std::path::Path;

use serde::Serialize;
use serde::de::DeserializeOwned;
use xtask::written::{Text, between, settle};

const README: &str = "README.md";

/// The files of a measurement that a subcommand of `cargo xtask` writes.
pub(crate) struct Documents {
    /// The subcommand, which is also the name of the files without extension.
    pub(crate) verb: &'static str,
}

impl Documents {
    fn path(&self, extension: &str) -> String {
        format!("docs/{}.{extension}", self.verb)
    }

    /// Returns the comment lines of the README before and after the table.
    fn marks(&self) -> [String; 2] {
        let Self { verb } = self;
        [
            format!("<!-- {verb}: written by `cargo xtask {verb}` -->"),
            format!("<!-- end of {verb} -->"),
        ]
    }

    /// Reads the checked-in JSON file, or returns the default if there is no such file yet.
    pub(crate) fn read<T: DeserializeOwned + Default>(
        &self,
        workspace: &Path,
    ) -> Result<T, String> {
        let json = workspace.join(self.path("json"));
        if json.exists() { self.read_file(&json) } else { Ok(T::default()) }
    }

    /// Reads a file that the subcommand has written.
    pub(crate) fn read_file<T: DeserializeOwned>(&self, json: &Path) -> Result<T, String> {
        let at = json.display();
        let text = fs::read_to_string(json).map_err(|error| format!("{at}: {error}"))?;
        serde_json::from_str(&text).map_err(|error| {
            format!("{at}: {error}; remove it and run `cargo xtask {}`", self.verb)
        })
    }

    /// Makes the files: the JSON file, other files, which are named by their extensions, and the README with its table.
    pub(crate) fn texts(
        &self,
        workspace: &Path,
        json: &impl Serialize,
        others: impl IntoIterator<Item = (&'static str, String)>,
        table: &str,
    ) -> Result<Vec<Text>, String> {
        let json = serde_json::to_string_pretty(json).map_err(|error| error.to_string())? + "\n";
        let readme = fs::read_to_string(workspace.join(README))
            .map_err(|error| format!("{README}: {error}"))?;
        let readme = between(README, &readme, &self.marks(), table)?;
        let mut texts = vec![(self.path("json"), json)];
        texts.extend(others.into_iter().map(|(extension, text)| (self.path(extension), text)));
        texts.push((README.to_owned(), readme));
        Ok(texts)
    }

    /// Writes the changed files, like [`settle`].
    pub(crate) fn settle(
        &self,
        workspace: &Path,
        texts: &[Text],
        check: bool,
    ) -> Result<bool, String> {
        settle(self.verb, workspace, texts, check)
    }
}

/// Returns the anchor that Markdown viewers make from a heading.
pub(crate) fn anchor(heading: &str) -> String {
    heading
        .to_lowercase()
        .chars()
        .filter_map(|c| match c {
            ' ' => Some('-'),
            c if c.is_alphanumeric() || matches!(c, '-' | '_') => Some(c),
            _ => None,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::fs;

    use xtask::written::write_all;

    use super::{Documents, anchor};

    const PEERS: Documents = Documents { verb: "peers" };

    #[test]
    fn files_are_written_once_and_the_rest_of_the_readme_stays() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("docs")).unwrap();
        let readme = "# A\n\n<!-- peers: written by `cargo xtask peers` -->\nold\n<!-- end of peers -->\n\nB\n";
        fs::write(folder.path().join("README.md"), readme).unwrap();
        let json = BTreeMap::from([("a", 1)]);
        let texts = |table: &str| {
            PEERS.texts(folder.path(), &json, [("md", "text\n".to_owned())], table).unwrap()
        };
        assert!(!PEERS.settle(folder.path(), &texts("new"), true).unwrap());
        assert!(PEERS.settle(folder.path(), &texts("new"), false).unwrap());
        assert!(PEERS.settle(folder.path(), &texts("new"), true).unwrap());
        assert!(!PEERS.settle(folder.path(), &texts("newer"), true).unwrap());
        let written = fs::read_to_string(folder.path().join("README.md")).unwrap();
        assert_eq!(written, readme.replace("old", "\nnew\n"));
        let read: BTreeMap<String, u8> = PEERS.read(folder.path()).unwrap();
        assert_eq!(read["a"], 1);
        write_all(folder.path(), &[("README.md".to_owned(), "no lines".to_owned())]).unwrap();
        let none: [(&str, String); 0] = [];
        let problem = PEERS.texts(folder.path(), &json, none, "t").unwrap_err();
        assert!(problem.contains("lacks the lines"), "{problem}");
    }

    #[test]
    fn anchors_are_those_of_viewers() {
        assert_eq!(anchor("ht://Dig 3.2"), "htdig-32");
        assert_eq!(anchor("robots-txt_guard"), "robots-txt_guard");
    }
}
