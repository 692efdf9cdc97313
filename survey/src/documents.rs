//! Writes the results of a measurement: NAME.json, NAME.md and other files in this folder.
//!
//! [`Documents::texts`] makes all files in memory, and [`Documents::settle`] writes the changed files, or checks them.

use std::fs;
use std::path::Path;

use crate::files::{Text, settle};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// The files of a measurement that a subcommand of `cargo survey` writes.
pub(crate) struct Documents {
    /// The subcommand, which is also the name of the files without extension.
    pub(crate) verb: &'static str,
}

impl Documents {
    fn path(&self, extension: &str) -> String {
        format!("survey/{}.{extension}", self.verb)
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
            format!("{at}: {error}; remove it and run `cargo survey {}`", self.verb)
        })
    }

    /// Makes the files: the JSON file, and other files, which are named by their extensions.
    pub(crate) fn texts(
        &self,
        json: &impl Serialize,
        others: impl IntoIterator<Item = (&'static str, String)>,
    ) -> Result<Vec<Text>, String> {
        let json = serde_json::to_string_pretty(json).map_err(|error| error.to_string())? + "\n";
        let mut texts = vec![(self.path("json"), json)];
        texts.extend(others.into_iter().map(|(extension, text)| (self.path(extension), text)));
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
    use super::anchor;

    #[test]
    fn anchors_are_those_of_viewers() {
        assert_eq!(anchor("ht://Dig 3.2"), "htdig-32");
        assert_eq!(anchor("robots-txt_guard"), "robots-txt_guard");
    }
}
