//! Reads `spec-cases/faults/exceptions.yaml`: the cases that a reader fails although it does not violate their
//! requirement, and the requirements whose cases catch no reader.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use serde::Deserialize;

use super::fault::Fault;

/// The path of the file in the workspace.
pub(super) const FILE: &str = "spec-cases/faults/exceptions.yaml";

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Exceptions {
    #[serde(rename = "exceptions")]
    listed: Vec<Exception>,
    /// The requirements at *must* whose cases catch no reader, each with the reason. A case catches a reader if the
    /// reader violates the requirement of the case and fails the case.
    pub(super) uncaught: BTreeMap<String, String>,
    /// The requirements whose timelines catch no retriever, each with the reason.
    pub(super) uncaught_over_time: BTreeMap<String, String>,
}

/// The cases that readers fail for one reason.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Exception {
    why: String,
    fails: BTreeMap<Fault, BTreeSet<String>>,
}

impl Exceptions {
    /// Reads the file.
    ///
    /// # Errors
    /// Returns a message if the file cannot be read, or if a reason is blank.
    pub(super) fn read() -> Result<Self, String> {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(FILE);
        let text = fs::read_to_string(&path).map_err(|error| format!("{FILE}: {error}"))?;
        let read: Self = serde_yaml::from_str(&text).map_err(|error| format!("{FILE}: {error}"))?;
        let reasons = read.listed.iter().map(|exception| &exception.why);
        let mut reasons =
            reasons.chain(read.uncaught.values()).chain(read.uncaught_over_time.values());
        if reasons.any(|why| why.trim().is_empty()) {
            return Err(format!("{FILE}: a reason is blank"));
        }
        Ok(read)
    }

    /// Returns every listed failure: the reader and the case.
    pub(super) fn all(&self) -> impl Iterator<Item = (Fault, &str)> {
        let fails = self.listed.iter().flat_map(|exception| &exception.fails);
        fails.flat_map(|(fault, cases)| cases.iter().map(|case| (*fault, case.as_str())))
    }
}
