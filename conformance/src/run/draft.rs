//! Drafts a deviations file from the failures of a run, with blank reasons. Start at [`draft`]. It works for engines and
//! for crawlers: each type of trial that ended says whether it needs an entry ([`Ended::entry`]).

use std::collections::{BTreeMap, HashMap};

use serde::Serialize;

use crate::run::deviations::Known;
use crate::run::report::{Ended, Report};

/// Writes the failures of a run as a deviations file. Every new entry has the reason `why`. If it is blank, it must be
/// filled in, because a file with a blank `why` is refused. Deviations that still apply keep their reasons.
///
/// If all entries of a case have the same answer (or findings) and the same reason, they become one entry.
///
/// # Panics
/// Never panics, because names, answers and findings can be written as YAML.
///
/// ```
/// use std::sync::Arc;
/// use robots_conformance::run::draft::draft;
/// use robots_conformance::run::{Report, Runner};
/// use robots_conformance::suite::load;
/// use robots_conformance::engine::IsAllowed;
///
/// let always = IsAllowed { name: "always", f: |_: &[u8], _: &str, _: &str| true };
/// let runner = Runner::new(Arc::new(always));
/// let finished = runner.run(&runner.trials(&load::embedded()?), |_| {});
/// let report = Report::new("always", finished);
/// assert!(draft(&report, "It is.").contains("\n  answers: allow\n  why: It is.\n"));
/// # Ok::<(), robots_conformance::problem::Problems>(())
/// ```
#[must_use]
pub fn draft<T: Ended>(report: &Report<T>, why: &str) -> String {
    let subject = &report.subject;
    let entry = |trial: &T| {
        let (stated, kept) = trial.entry()?;
        let why = if kept.is_empty() { why.to_owned() } else { kept };
        Some(Entry { trial: trial.full_name(subject), content: Content { stated, why } })
    };
    let mut entries: Vec<Entry> = report.trials.iter().filter_map(entry).collect();
    // A crawler may have crawled the cases once for each edition, so the trials of a case may not be next to each
    // other.
    let mut firsts = HashMap::new();
    for (position, entry) in entries.iter().enumerate() {
        firsts.entry(entry.case().to_owned()).or_insert(position);
    }
    entries.sort_by_key(|entry| firsts[entry.case()]);
    let mut text = format!(
        "# What {subject} does differently. Give the reason in each `why`; a blank one is refused.\n"
    );
    for of_case in entries.chunk_by(|one, next| one.case() == next.case()) {
        let first = &of_case[0];
        let is_one = of_case.iter().all(|entry| entry.content == first.content);
        let written: Vec<(&str, &Content)> = match of_case {
            [_, _, ..] if is_one => vec![(first.case(), &first.content)],
            _ => of_case.iter().map(|entry| (&*entry.trial, &entry.content)).collect(),
        };
        for entry in written {
            let entry = BTreeMap::from([entry]);
            text += &serde_yaml::to_string(&entry).expect("texts and lists can be written as YAML");
        }
    }
    text
}

/// An entry of a draft.
struct Entry {
    /// The full name of the trial.
    trial: String,
    content: Content,
}

#[derive(PartialEq, Serialize)]
struct Content {
    #[serde(flatten)]
    stated: Known,
    why: String,
}

impl Entry {
    /// Returns `subject::area::case`, with which the full names of all trials of the case begin.
    fn case(&self) -> &str {
        let end = self.trial.match_indices("::").nth(2).map_or(self.trial.len(), |(at, _)| at);
        &self.trial[..end]
    }
}

#[cfg(test)]
mod tests {
    use serde_yaml::Value;

    use super::draft;
    use crate::run::deviations::{Deviations, Known};
    use crate::run::outcome::Outcome;
    use crate::run::report::{Ended, Report};

    /// A failed trial of a case under an edition.
    struct Failed(&'static str, &'static str);

    impl AsRef<Outcome> for Failed {
        fn as_ref(&self) -> &Outcome {
            &Outcome::Failed { note: None }
        }
    }

    impl Ended for Failed {
        fn full_name(&self, subject: &str) -> String {
            format!("{subject}::area::{}::{}", self.0, self.1)
        }

        fn entry(&self) -> Option<(Known, String)> {
            Some((Known::Answers(Value::String("allow".to_owned())), "It is so.".to_owned()))
        }
    }

    /// If the draft had the key of a case twice, the file could not be read.
    #[test]
    fn a_case_whose_trials_are_apart_is_one_entry() {
        let trials = [("a", "1"), ("a", "2"), ("b", "2"), ("a", "3"), ("a", "4")];
        let report = Report::new("x", trials.map(|(case, by)| Failed(case, by)).into());
        let text = draft(&report, "");
        let read = Deviations::parse("draft.yaml", &text).unwrap_or_else(|why| panic!("{why}"));
        assert_eq!(read.len(), 2, "{text}");
        assert!(text.contains("\nx::area::a:\n") && text.contains("\nx::area::b::2:\n"), "{text}");
    }
}
