//! The deviations file of a crawler: what it does otherwise in which trials, and why.
//!
//! ```yaml
//! wire-status-503::rfc9309:
//!   found: [fetched /private/page of main]
//!   why: A 503 is taken for a missing file; issue 12 of its tracker.
//! ```
//!
//! An entry holds only as long as its trial fails by exactly what it names. One that healed fails, and one whose
//! trial fails by more, less or something else, so that the file stays true and shrinks.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use robots_conformance::judge::Outcome;
use serde::{Deserialize, Serialize};

use crate::case::Level;
use crate::judge::Judgement;

/// The deviations of a crawler, by trial.
#[derive(Clone, Debug, Default)]
pub struct Deviations(BTreeMap<String, Entry>);

#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    /// All that the trial fails by, in any order.
    found: BTreeSet<String>,
    why: String,
}

impl Deviations {
    /// Reads a deviations file.
    ///
    /// # Errors
    /// A sentence that says what is wrong with the file.
    pub fn read(path: &Path) -> Result<Self, String> {
        let file = path.display();
        let text = fs::read_to_string(path)
            .map_err(|error| format!("cannot read the deviations file {file}: {error}"))?;
        Self::parse(&text).map_err(|problem| format!("{file}: {problem}"))
    }

    fn parse(text: &str) -> Result<Self, String> {
        let entries: Option<BTreeMap<String, Entry>> =
            serde_yaml::from_str(text).map_err(|error| error.to_string())?;
        let entries = entries.unwrap_or_default();
        for (name, entry) in &entries {
            if entry.why.trim().is_empty() {
                return Err(format!("{name}: `why` is blank; say why the crawler does so"));
            }
            if entry.found.is_empty() {
                return Err(format!(
                    "{name}: `found` is empty; name what the trial fails by, or remove the entry"
                ));
            }
        }
        Ok(Self(entries))
    }

    /// Returns the entries that name no trial.
    pub(crate) fn stale(&self, is_known: impl Fn(&str) -> bool) -> Vec<String> {
        let unknown = self.0.keys().filter(|name| !is_known(name));
        unknown.map(|name| format!("{name}: there is no such trial; remove the entry")).collect()
    }

    /// Returns the outcome of a trial in the light of its entry, where there is one.
    pub(crate) fn apply(&self, name: &str, outcome: Outcome, judgement: &Judgement) -> Outcome {
        let Some(entry) = self.0.get(name) else { return outcome };
        let failed = |note| Outcome::Failed { note: Some(note) };
        match outcome {
            Outcome::Failed { note: None } => {
                let found = found(judgement);
                if found == entry.found {
                    return Outcome::Deviation { why: entry.why.trim().to_owned() };
                }
                let list = |found: &BTreeSet<String>| {
                    found.iter().map(String::as_str).collect::<Vec<_>>().join("; ")
                };
                failed(format!(
                    "drifted: its entry in the deviations file says \"{}\", and found was \"{}\"; mend the entry",
                    list(&entry.found),
                    list(&found)
                ))
            }
            Outcome::Passed | Outcome::Open { .. } => failed(format!(
                "healed: the trial is {} without its entry in the deviations file; remove the entry",
                outcome.name()
            )),
            other => other,
        }
    }
}

/// Returns what a trial fails by.
fn found(judgement: &Judgement) -> BTreeSet<String> {
    let binding = judgement.findings.iter().filter(|finding| finding.level != Level::Advice);
    binding.map(|finding| finding.what.clone()).collect()
}

/// Writes what failed as a deviations file whose every new `why` is blank, to be filled in: a blank one is refused
/// when the file is read. Deviations that hold keep their reasons.
///
/// # Panics
/// Never: texts have a YAML form.
#[must_use]
pub fn draft<'t>(trials: impl Iterator<Item = (&'t str, &'t Outcome, &'t Judgement)>) -> String {
    let mut text =
        "# What the crawler does otherwise. Say why in each `why`; a blank one is refused.\n"
            .to_owned();
    for (name, outcome, judgement) in trials {
        let why = match outcome {
            Outcome::Failed { .. } => String::new(),
            Outcome::Deviation { why } => why.clone(),
            _ => continue,
        };
        let found = found(judgement);
        // An entry that healed is left out.
        if !found.is_empty() {
            let entry = BTreeMap::from([(name, Entry { found, why })]);
            text.push_str(&serde_yaml::to_string(&entry).expect("texts have a YAML form"));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{Deviations, Judgement, Outcome};
    use crate::judge::Finding;

    fn judgement(found: &[&str]) -> Judgement {
        let findings = found.iter().map(|what| {
            let level = if *what == "asked often" { "advice" } else { "must" };
            let finding = serde_json::json!({
                "level": level, "requirement": "X", "source": "1", "what": what, "sentence": format!("{what}, 3 ms after"),
            });
            serde_json::from_value::<Finding>(finding).unwrap()
        });
        let mut judgement = Judgement::none();
        judgement.findings = findings.collect();
        judgement
    }

    fn applied(found: &[&str], outcome: Outcome) -> Outcome {
        let entry =
            "a::rfc9309: { found: [fetched /y of main, fetched /x of main], why: It is so. }";
        Deviations::parse(entry).unwrap().apply("a::rfc9309", outcome, &judgement(found))
    }

    #[test]
    fn an_entry_covers_exactly_what_it_names() {
        let failed = |found: &[&str]| applied(found, Outcome::Failed { note: None });
        let both = ["fetched /x of main", "asked often", "fetched /y of main"];
        assert_eq!(failed(&both), Outcome::Deviation { why: "It is so.".to_owned() });
        for drifted in
            [&both[..1], &["fetched /x of main", "fetched /y of main", "fetched /z of main"]]
        {
            let Outcome::Failed { note: Some(note) } = failed(drifted) else {
                panic!("{drifted:?}")
            };
            assert!(note.starts_with("drifted: "), "{note}");
        }
    }

    #[test]
    fn one_that_healed_fails_and_one_that_waits_waits() {
        for outcome in [Outcome::Passed, Outcome::Open { passage: None }] {
            let Outcome::Failed { note: Some(note) } = applied(&[], outcome) else {
                panic!("it holds")
            };
            assert!(note.starts_with("healed: "), "{note}");
        }
        assert_eq!(applied(&[], Outcome::Waited), Outcome::Waited);
        assert_eq!(applied(&[], Outcome::Inconclusive), Outcome::Inconclusive);
    }

    #[test]
    fn others_are_not_touched() {
        let known = Deviations::parse("a::rfc9309: { found: [x], why: y }").unwrap();
        let failed = Outcome::Failed { note: None };
        assert_eq!(known.apply("b::rfc9309", failed.clone(), &judgement(&["x"])), failed);
        assert_eq!(known.stale(|name| name == "a::rfc9309"), [""; 0]);
        assert_eq!(known.stale(|_| false).len(), 1);
    }

    #[test]
    fn mistakes_are_told() {
        let problem = |text| Deviations::parse(text).unwrap_err();
        assert!(problem("a::rfc9309: { found: [x], why: ' ' }").contains("`why` is blank"));
        assert!(problem("a::rfc9309: { found: [], why: x }").contains("`found` is empty"));
        assert!(problem("a::rfc9309: { outcome: failed, why: x }").contains("unknown field"));
    }
}
