//! Which requirement a parser violates when it fails a case: [`Offences`].
//!
//! Some cases fail for a fault that they are not about: a case about upper and lower case behind a `*` fails for a parser
//! without wildcards. docs/faults.json has, for each reader with one fault, the cases that it fails. If a parser fails
//! everything that such a reader fails for its fault, the parser has this fault. Then the other cases that the reader fails
//! count under the requirement of the fault.

use std::collections::{BTreeMap, BTreeSet};

use robots_conformance::robots_core::Profile;
use serde::Deserialize;

use crate::documents::Documents;
use xtask::invocation::workspace;

/// The results of the readers that have one fault each.
#[derive(Default, Deserialize)]
pub(super) struct Faults {
    pub(super) readers: Vec<Reader>,
}

/// A reader with one fault, as docs/faults.json describes it.
#[derive(Deserialize)]
pub(super) struct Reader {
    /// The requirements that the fault violates.
    offends: Vec<String>,
    /// The cases that the reader fails, by requirement.
    fails: BTreeMap<String, Vec<String>>,
}

/// The faults of a parser under each edition.
pub(super) struct Offences<'f> {
    faults: BTreeMap<Profile, Vec<&'f Reader>>,
}

impl Faults {
    /// Reads docs/faults.json.
    ///
    /// # Errors
    /// Returns a message about the file.
    pub(super) fn read() -> Result<Self, String> {
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
    /// Finds the faults of a parser, given the cases that it failed and those that it answered, by edition.
    pub(super) fn of(
        failed: &BTreeMap<Profile, BTreeSet<&str>>,
        answered: &BTreeMap<Profile, BTreeSet<&str>>,
        readers: &'f [Reader],
    ) -> Self {
        let faults = failed.iter().map(|(edition, failed)| {
            let is_answered =
                |case: &str| answered.get(edition).is_some_and(|cases| cases.contains(case));
            let has = |reader: &&Reader| {
                let mut own = reader.own().filter(|case| is_answered(case)).peekable();
                own.peek().is_some() && own.all(|case| failed.contains(case.as_str()))
            };
            (*edition, readers.iter().filter(has).collect())
        });
        Self { faults: faults.collect() }
    }

    /// Returns the requirement that the parser violated when it failed a case.
    pub(super) fn requirement<'c>(
        &'c self,
        edition: Profile,
        requirement: &'c str,
        case: &str,
    ) -> &'c str {
        let faults = self.faults.get(&edition).into_iter().flatten();
        // The fault with the most cases of its own is the best explanation.
        faults
            .filter(|reader| reader.also_fails(requirement, case))
            .max_by_key(|reader| reader.own().count())
            .and_then(|reader| reader.offends.first())
            .map_or(requirement, String::as_str)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use robots_conformance::robots_core::{Edition, Profile};
    use serde_json::json;

    use super::{Faults, Offences};

    const RFC: Profile = Profile::Edition(Edition::Rfc9309);

    /// Returns the requirement of `behind-star`, a case about upper and lower case, for a parser with these failures.
    fn charged(failed: &[&'static str], answered: &[&'static str]) -> String {
        let faults: Faults = serde_json::from_value(json!({ "readers": [{
            "offends": ["MATCH-STAR"],
            "fails": { "MATCH-STAR": ["alone", "twice"], "RULE-CASE": ["behind-star"] },
        }] }))
        .unwrap();
        let under_the_rfc = |cases: &[&'static str]| {
            BTreeMap::from([(RFC, cases.iter().copied().collect::<BTreeSet<_>>())])
        };
        let (failed, answered) = (under_the_rfc(failed), under_the_rfc(answered));
        let offences = Offences::of(&failed, &answered, &faults.readers);
        offences.requirement(RFC, "RULE-CASE", "behind-star").to_owned()
    }

    #[test]
    fn a_failure_by_a_known_fault_counts_under_its_requirement() {
        let all = ["alone", "twice", "behind-star"];
        assert_eq!(charged(&all, &all), "MATCH-STAR");
        // It passes a case that the fault would fail, so it does not have this fault.
        assert_eq!(charged(&["alone", "behind-star"], &all), "RULE-CASE");
        // It was not asked all cases of the fault.
        assert_eq!(charged(&["alone", "behind-star"], &["alone", "behind-star"]), "MATCH-STAR");
        // Nothing shows whether it has the fault.
        assert_eq!(charged(&["behind-star"], &["behind-star"]), "RULE-CASE");
    }

    #[test]
    fn the_checked_in_file_has_readers() {
        let readers = Faults::read().unwrap().readers;
        assert!(readers.iter().any(|reader| reader.own().count() > 10));
    }
}
