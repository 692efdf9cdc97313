//! The deviations file of a crawler: which trials it fails, and why.
//!
//! ```yaml
//! wire-status-503::rfc9309:
//!   outcome: failed
//!   why: A 503 is taken for a missing file; issue 12 of its tracker.
//! ```
//!
//! An entry holds only as long as its trial ends so; one that healed fails, so that the file shrinks.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde::Deserialize;

use super::outcome::Outcome;

/// The deviations of a crawler, by trial.
#[derive(Debug, Default)]
pub(super) struct Deviations(BTreeMap<String, Entry>);

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    outcome: Expected,
    why: String,
}

/// What can be known of a trial beforehand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Expected {
    Failed,
}

impl Deviations {
    /// Reads a deviations file.
    pub(super) fn read(path: &Path) -> Result<Self, String> {
        let file = path.display();
        let text = fs::read_to_string(path)
            .map_err(|error| format!("cannot read the deviations file {file}: {error}"))?;
        Self::parse(&text).map_err(|problem| format!("{file}: {problem}"))
    }

    fn parse(text: &str) -> Result<Self, String> {
        let entries: Option<BTreeMap<String, Entry>> =
            serde_yaml::from_str(text).map_err(|error| error.to_string())?;
        let entries = entries.unwrap_or_default();
        match entries.iter().find(|(_, entry)| entry.why.trim().is_empty()) {
            Some((name, _)) => Err(format!("{name}: `why` is blank; say why the crawler does so")),
            None => Ok(Self(entries)),
        }
    }

    /// Returns the entries that name no trial.
    pub(super) fn stale(&self, is_known: impl Fn(&str) -> bool) -> Vec<String> {
        let unknown = self.0.keys().filter(|name| !is_known(name));
        unknown.map(|name| format!("{name}: there is no such trial; remove the entry")).collect()
    }

    /// Returns the outcome of a trial in the light of its entry, where there is one.
    pub(super) fn apply(&self, name: &str, outcome: Outcome) -> Outcome {
        match (self.0.get(name), outcome) {
            (Some(Entry { outcome: Expected::Failed, why }), Outcome::Failed(None)) => {
                Outcome::Deviation(why.trim().to_owned())
            }
            (Some(_), outcome @ (Outcome::Passed | Outcome::Open)) => {
                Outcome::Failed(Some(format!(
                    "healed: the trial is {} without its entry in the deviations file; remove the entry",
                    outcome.name()
                )))
            }
            (_, outcome) => outcome,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Deviations, Outcome};

    #[test]
    fn an_entry_covers_a_failure_and_nothing_else() {
        let known = Deviations::parse("a::rfc9309: { outcome: failed, why: It is so. }").unwrap();
        let deviation = Outcome::Deviation("It is so.".to_owned());
        assert_eq!(known.apply("a::rfc9309", Outcome::Failed(None)), deviation);
        assert!(known.apply("a::rfc9309", Outcome::Passed).is_failure());
        assert_eq!(known.apply("a::rfc9309", Outcome::Waited), Outcome::Waited);
        assert_eq!(known.apply("b::rfc9309", Outcome::Failed(None)), Outcome::Failed(None));
        assert_eq!(known.stale(|name| name == "a::rfc9309"), [""; 0]);
        assert_eq!(known.stale(|_| false).len(), 1);
    }

    #[test]
    fn mistakes_are_told() {
        let problem = |text| Deviations::parse(text).unwrap_err();
        assert!(problem("a::rfc9309: { outcome: failed, why: ' ' }").contains("`why` is blank"));
        assert!(problem("a::rfc9309: { outcome: passed, why: x }").contains("unknown variant"));
        assert!(problem("a::rfc9309: { answers: x, why: x }").contains("unknown field"));
    }
}
