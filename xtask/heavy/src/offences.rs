//! Which requirement a parser or crawler violates when it fails a case: [`Offences`].
//!
//! Some cases fail for a fault that they are not about: a case about upper and lower case behind a `*` fails for a parser
//! without wildcards. docs/faults.json has, for each reader with one fault, the cases that it fails. If a subject fails
//! everything that such a reader fails for its fault, at least two cases, the subject has this fault. Then the other cases that the reader fails
//! count under the requirement of the fault.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;

use crate::documents::Documents;
use xtask::invocation::workspace;

/// The results of the readers that have one fault each.
#[derive(Default, Deserialize)]
pub(crate) struct Faults {
    readers: Vec<Reader>,
}

/// A reader with one fault, as docs/faults.json describes it.
#[derive(Deserialize)]
struct Reader {
    /// The requirements that the fault violates.
    offends: Vec<String>,
    /// The cases that the reader fails, by requirement.
    fails: BTreeMap<String, Vec<String>>,
}

/// The faults of a parser or crawler under one edition.
pub(crate) struct Offences<'f> {
    faults: Vec<&'f Reader>,
}

impl Faults {
    /// Reads docs/faults.json.
    ///
    /// # Errors
    /// Returns a message about the file.
    pub(crate) fn read() -> Result<Self, String> {
        Documents { verb: "faults" }.read(&workspace())
    }
}

impl Reader {
    /// The cases that it fails for its fault.
    fn own(&self) -> impl Iterator<Item = &String> {
        self.offends.iter().filter_map(|requirement| self.fails.get(requirement)).flatten()
    }

    /// Whether it fails a case of a requirement that its fault does not violate.
    fn also_fails(&self, requirement: &str, case: &str) -> bool {
        !self.offends.iter().any(|own| own == requirement)
            && self.fails.get(requirement).is_some_and(|cases| cases.iter().any(|it| it == case))
    }
}

impl<'f> Offences<'f> {
    /// Finds the faults of a subject, given the cases that it failed and those that it answered.
    pub(crate) fn of(
        failed: &BTreeSet<&str>,
        is_answered: impl Fn(&str) -> bool,
        faults: &'f Faults,
    ) -> Self {
        let has = |reader: &&Reader| {
            let own: Vec<_> = reader.own().filter(|case| is_answered(case)).collect();
            own.len() >= 2 && own.iter().all(|case| failed.contains(case.as_str()))
        };
        Self { faults: faults.readers.iter().filter(has).collect() }
    }

    /// Returns the requirement that the subject violated when it failed a case.
    pub(crate) fn requirement<'c>(&'c self, requirement: &'c str, case: &str) -> &'c str {
        let reach = self.faults.iter().filter(|reader| reader.also_fails(requirement, case));
        // The fault with the most cases of its own is the best explanation.
        reach
            .max_by_key(|reader| reader.own().count())
            .and_then(|reader| reader.offends.first())
            .map_or(requirement, String::as_str)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use serde_json::json;

    use super::{Faults, Offences};

    /// Returns the requirement of `behind-star`, a case about upper and lower case, for a subject with these failures.
    fn charged(failed: &[&str], answered: &[&str]) -> String {
        let faults: Faults = serde_json::from_value(json!({ "readers": [{
            "offends": ["MATCH-STAR"],
            "fails": { "MATCH-STAR": ["alone", "twice", "end"], "RULE-CASE": ["behind-star"] },
        }] }))
        .unwrap();
        let failed: BTreeSet<_> = failed.iter().copied().collect();
        let offences = Offences::of(&failed, |case| answered.contains(&case), &faults);
        offences.requirement("RULE-CASE", "behind-star").to_owned()
    }

    #[test]
    fn a_failure_by_a_known_fault_counts_under_its_requirement() {
        let all = ["alone", "twice", "end", "behind-star"];
        assert_eq!(charged(&all, &all), "MATCH-STAR");
        // It passes a case that the fault would fail, so it does not have this fault.
        assert_eq!(charged(&["alone", "twice", "behind-star"], &all), "RULE-CASE");
        // It was not asked all cases of the fault.
        assert_eq!(charged(&["alone", "twice", "behind-star"], &all[..2]), "MATCH-STAR");
        // One case is too little to show a fault.
        assert_eq!(charged(&["alone", "behind-star"], &all[..1]), "RULE-CASE");
        assert_eq!(charged(&["behind-star"], &all[3..]), "RULE-CASE");
    }

    #[test]
    fn the_checked_in_file_has_readers() {
        let readers = Faults::read().unwrap().readers;
        assert!(readers.iter().any(|reader| reader.own().count() > 10));
    }
}
