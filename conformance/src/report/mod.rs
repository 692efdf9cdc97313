//! The results of a run as plain data.
//!
//! The subject of a report is the engine or the crawler that is tested. A trial is a question to an engine, or a crawl
//! that is judged under one edition. [`TrialRecord`] describes how one trial ended, for questions and for crawls.
//! [`CaseRecord`] is a case as reports show it: text only. Reports are rendered from these two types, so a renderer
//! does not know the kinds of question. [`Totals`] and [`Counts`] count trials. [`grouped`]
//! joins values that a report shows together. This module writes no report.

mod case;
mod counts;
mod trial;

pub use self::case::{CaseRecord, Cases, ExpectRecord, FileRecord, MemberRecord};
pub use self::counts::{AreaRecord, Counts, EditionRecord, Totals};
pub use self::trial::{Finding, TrialRecord};

/// Groups values by their keys. The groups are in the order of their first values, so a report shows the groups in the
/// order in which a reader meets them. Within a group, the values stay in their order.
///
/// The function compares each key with the keys of all groups, so use it for a small number of groups.
///
/// ```
/// use robots_conformance::report::grouped;
///
/// let editions = [("disallow", "rfc9309"), ("allow", "google-2018"), ("disallow", "google-2022")];
/// let answers = grouped(editions);
/// assert_eq!(answers[0], ("disallow", vec!["rfc9309", "google-2022"]));
/// assert_eq!(answers[1], ("allow", vec!["google-2018"]));
/// ```
pub fn grouped<K: PartialEq, V>(items: impl IntoIterator<Item = (K, V)>) -> Vec<(K, Vec<V>)> {
    let mut groups: Vec<(K, Vec<V>)> = Vec::new();
    for (key, value) in items {
        match groups.iter_mut().find(|(known, _)| *known == key) {
            Some((_, values)) => values.push(value),
            None => groups.push((key, vec![value])),
        }
    }
    groups
}
