//! Decides which requirement a parser or crawler violates when it fails a case: [`Offences`].
//!
//! A parser may fail a case because of a fault that the case is not about. For example, a parser without wildcards
//! fails a case about capital letters after a `*`. For each reader with one fault, survey/faults.jsonl lists the cases
//! that the reader fails; `cargo xtask faults --json` prints it. A subject has the fault of a reader if it answered at
//! least three cases about this fault, and failed all of them. In that case, a failure of any other case that the reader fails counts under the requirement of
//! the fault.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use serde::Deserialize;

use crate::files::workspace;

/// The failures of the readers.
const FILE: &str = "survey/faults.jsonl";

/// The results of the readers that have one fault each.
#[derive(Default)]
pub(crate) struct Faults {
    readers: Vec<Reader>,
}

/// A reader with one fault, as a line of survey/faults.jsonl describes it.
#[derive(Deserialize)]
struct Reader {
    /// The name of the reader.
    #[serde(rename = "reader")]
    name: String,
    /// The requirements that the fault violates.
    offends: Vec<String>,
    /// The cases that the reader fails, by requirement.
    fails: BTreeMap<String, Vec<String>>,
}

/// The minimum number of failed cases that show a fault. If fewer cases failed, another reason is possible.
const ENOUGH: usize = 3;

/// The faults of a parser or crawler under one edition.
pub(crate) struct Offences<'f> {
    faults: Vec<&'f Reader>,
}

impl Faults {
    /// Reads survey/faults.jsonl.
    ///
    /// # Errors
    /// Returns a message if the file cannot be read.
    pub(crate) fn read() -> Result<Self, String> {
        let text = fs::read_to_string(workspace().join(FILE));
        let text = text.map_err(|error| format!("{FILE}: {error}"))?;
        Self::of(&text).map_err(|error| format!("{FILE}: {error}"))
    }

    fn of(text: &str) -> serde_json::Result<Self> {
        Ok(Self { readers: text.lines().map(serde_json::from_str).collect::<Result<_, _>>()? })
    }

    /// Returns the name of a reader that fails this case of a requirement. Of several readers, it is the one that fails the
    /// fewest cases, because its fault is the most special one.
    pub(crate) fn reader(&self, requirement: &str, case: &str) -> Option<&str> {
        let fails = self.readers.iter().filter(|reader| reader.fails(requirement, case));
        let count = |reader: &&Reader| reader.fails.values().map(Vec::len).sum::<usize>();
        fails.min_by_key(count).map(|reader| reader.name.as_str())
    }
}

impl Reader {
    /// Returns the cases about the reader's fault: the failed cases of the requirements that the fault violates.
    fn cases(&self) -> impl Iterator<Item = &String> {
        self.offends.iter().filter_map(|requirement| self.fails.get(requirement)).flatten()
    }

    /// Returns whether the reader's fault violates a requirement.
    fn violates(&self, requirement: &str) -> bool {
        self.offends.iter().any(|id| id == requirement)
    }

    /// Returns whether the reader fails this case of a requirement.
    fn fails(&self, requirement: &str, case: &str) -> bool {
        self.fails.get(requirement).is_some_and(|cases| cases.iter().any(|it| it == case))
    }
}

impl<'f> Offences<'f> {
    /// Finds the faults of a subject from the cases that it failed and the cases that it answered.
    pub(crate) fn of(
        failed: &BTreeSet<&str>,
        is_answered: impl Fn(&str) -> bool,
        faults: &'f Faults,
    ) -> Self {
        let has = |reader: &&Reader| {
            let cases: Vec<_> = reader.cases().filter(|case| is_answered(case)).collect();
            cases.len() >= ENOUGH && cases.iter().all(|case| failed.contains(case.as_str()))
        };
        let found: Vec<&Reader> = faults.readers.iter().filter(has).collect();
        // One fault can have all the effects of another one. For example, a subject that ignores allow lines fails the
        // cases about the order of rules, although it may read the order correctly.
        let explains = |other: &Reader, reader: &Reader| {
            let mut cases = reader.cases().filter(|case| is_answered(case));
            cases.all(|case| other.fails.values().flatten().any(|it| it == case))
        };
        let is_explained = |reader: &Reader| {
            let mut others = found.iter().filter(|other| !std::ptr::eq(**other, reader));
            others.any(|other| explains(other, reader) && !explains(reader, other))
        };
        let faults = found.iter().filter(|reader| !is_explained(reader)).copied().collect();
        Self { faults }
    }

    /// Returns the requirement that the subject violated when it failed a case. `is_required` returns whether the
    /// edition has a requirement.
    pub(crate) fn requirement<'c>(
        &'c self,
        requirement: &'c str,
        case: &str,
        is_required: impl Fn(&str) -> bool,
    ) -> &'c str {
        let reach = || self.faults.iter().filter(|reader| reader.fails(requirement, case));
        // If the subject has a fault that this case is about, this fault explains the failure.
        if reach().any(|reader| reader.violates(requirement)) {
            return requirement;
        }
        // Of several faults, the one with the most cases is the best explanation.
        reach()
            .max_by_key(|reader| reader.cases().count())
            .and_then(|reader| reader.offends.iter().find(|id| is_required(id)))
            .map_or(requirement, String::as_str)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{Faults, Offences};

    /// The failures of two readers: one has no wildcards, and for the other `$` is an ordinary character.
    const READERS: &str = r#"
{"reader":"NoWildcards","offends":["OF-ANOTHER-EDITION","MATCH-STAR"],"fails":{"MATCH-STAR":["alone","twice","star-end"],"RULE-CASE":["behind-star"]}}
{"reader":"NoEnd","offends":["MATCH-END"],"fails":{"MATCH-END":["end","ends","end-of-file","end-of-url"],"MATCH-STAR":["star-end"]}}
"#;

    fn faults(lines: &str) -> Faults {
        Faults::of(lines.trim()).unwrap()
    }

    fn is_required(requirement: &str) -> bool {
        requirement != "OF-ANOTHER-EDITION"
    }

    /// Returns the requirement under which the failure of `behind-star`, a case about capital letters, counts. `failed`
    /// and `answered` are the cases that the subject failed and answered.
    fn charged(failed: &[&str], answered: &[&str]) -> String {
        let faults = faults(READERS);
        let failed: BTreeSet<_> = failed.iter().copied().collect();
        let offences = Offences::of(&failed, |case| answered.contains(&case), &faults);
        offences.requirement("RULE-CASE", "behind-star", is_required).to_owned()
    }

    #[test]
    fn a_fault_that_a_case_is_about_comes_first() {
        let failed = BTreeSet::from([
            "alone",
            "twice",
            "star-end",
            "end",
            "ends",
            "end-of-file",
            "end-of-url",
        ]);
        let faults = faults(READERS);
        let both = Offences::of(&failed, |_| true, &faults);
        assert_eq!(both.requirement("MATCH-STAR", "star-end", is_required), "MATCH-STAR");
        let without_alone = |case: &str| case != "alone" && case != "twice";
        let one = Offences::of(&failed, without_alone, &faults);
        assert_eq!(one.requirement("MATCH-STAR", "star-end", is_required), "MATCH-END");
    }

    #[test]
    fn a_failure_by_a_known_fault_counts_under_its_requirement() {
        let all = ["alone", "twice", "star-end", "behind-star"];
        assert_eq!(charged(&all, &all), "MATCH-STAR");
        // The subject passes a case that a reader with the fault fails, so it does not have this fault.
        assert_eq!(charged(&["alone", "twice", "behind-star"], &all), "RULE-CASE");
        // Two cases are too few to show a fault.
        assert_eq!(charged(&["alone", "twice", "behind-star"], &all[..2]), "RULE-CASE");
        assert_eq!(charged(&["behind-star"], &all[3..]), "RULE-CASE");
    }

    #[test]
    fn the_most_special_reader_is_proposed() {
        let faults = faults(READERS);
        assert_eq!(faults.reader("RULE-CASE", "behind-star"), Some("NoWildcards"));
        assert_eq!(faults.reader("MATCH-STAR", "star-end"), Some("NoWildcards"));
        assert_eq!(faults.reader("MATCH-END", "end"), Some("NoEnd"));
        assert_eq!(faults.reader("MATCH-STAR", "other"), None);
    }

    #[test]
    fn the_checked_in_file_has_readers() {
        let readers = Faults::read().unwrap().readers;
        assert!(readers.iter().any(|reader| reader.cases().count() > 10));
    }

    #[test]
    fn a_fault_that_another_one_explains_is_not_found() {
        let faults = faults(
            r#"
{"reader":"Order","offends":["PREC-ORDER"],"fails":{"PREC-ORDER":["up","down","mixed"],"RULE-CASE":["allow-in-capitals"]}}
{"reader":"Length","offends":["PREC-LENGTH"],"fails":{"PREC-LENGTH":["a","b","c"],"PREC-ORDER":["up","down","mixed"]}}
"#,
        );
        let charged = |failed: &[&str]| {
            let failed: BTreeSet<_> = failed.iter().copied().collect();
            let offences = Offences::of(&failed, |_| true, &faults);
            offences.requirement("RULE-CASE", "allow-in-capitals", |_| true).to_owned()
        };
        assert_eq!(charged(&["up", "down", "mixed", "allow-in-capitals"]), "PREC-ORDER");
        let all = ["up", "down", "mixed", "a", "b", "c", "allow-in-capitals"];
        assert_eq!(charged(&all), "RULE-CASE");
    }
}
