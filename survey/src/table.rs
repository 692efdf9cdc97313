//! A table of measured software: its rows, and its page.
//!
//! [`rows`] combines an entry of a manifest with its stored result, its causes and the suite of today. [`groups`] sorts the rows: software that names the
//! same document is one group, because only its rows can be compared. All pages and charts show these groups.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use robots_conformance::report::RequirementState;

use crate::files::Text;
use crate::judged::{Rules, judge, requirements};
use crate::manifests::Manifest;
use crate::offences::Offences;
use crate::results::{Failing, Results, Tried};
use crate::row::{Counts, Failure, Group, Judgement, Row, Survey, Table, Why};

/// Returns the rows of a table, in the order of the manifest.
pub(crate) fn rows<'s, T: Table>(
    survey: &'s Survey,
    manifest: &'s Manifest<T>,
    results: &'s Results,
) -> Vec<Row<'s, T>> {
    let row = |listed: &'s T| {
        let measured = results.measured.iter().find(|it| it.head.software == listed.name())?;
        let head = &measured.head;
        let tried = measured.tried(&survey.lists, T::questions(&survey.suite));
        let charged = T::charged(&tried, survey);
        let causes = survey.causes.of(T::KIND, &head.full_name());
        let rules = Rules { listed, causes, survey };
        let judged = tried.iter().zip(&charged).map(|(tried, charged)| {
            let failing = tried.failing()?;
            Some(judge(&rules, Failure { tried, failing, charged }))
        });
        let judged = judged.collect();
        let counts = Counts::default();
        let mut row = Row { listed, head, causes, tried, charged, judged, counts };
        row.counts = count(&row, survey);
        Some(row)
    };
    manifest.listed.iter().filter_map(row).collect()
}

/// Counts the requirements and the causes of a row.
fn count<T: Table>(row: &Row<'_, T>, survey: &Survey) -> Counts {
    let mut counts = Counts::default();
    for state in requirements(row, survey).into_values() {
        match state {
            RequirementState::Kept => counts.kept += 1,
            RequirementState::Broken => counts.broken += 1,
            _ => counts.open += 1,
        }
    }
    let mut causes = BTreeSet::new();
    for (failure, judgement) in row.judgements() {
        match judgement {
            Judgement::Charged(cause) => {
                causes.insert(&cause.id);
            }
            Judgement::NotJudged(Why::OtherEdition) => {}
            Judgement::NotJudged(_) => {
                debug_assert_eq!(failure.tried.edition, row.edition());
                counts.not_judged += 1;
            }
        }
    }
    counts.causes = causes.len();
    counts
}

/// A row with its place in its group, if the group has places.
pub(crate) type Placed<'r, 's, T> = (Option<usize>, &'r Row<'s, T>);

/// Returns the rows in groups: fewest broken requirements first, then fewest open ones. Equal rows share a place.
pub(crate) fn groups<'r, 's, T: Table>(
    rows: &'r [Row<'s, T>],
) -> Vec<(Group, Vec<Placed<'r, 's, T>>)> {
    let mut groups: BTreeMap<Group, Vec<&Row<'s, T>>> = BTreeMap::new();
    for row in rows {
        groups.entry(row.group()).or_default().push(row);
    }
    let placed = |(group, mut rows): (Group, Vec<&'r Row<'s, T>>)| {
        let key = |row: &Row<'_, T>| (row.counts.broken, row.counts.open);
        rows.sort_by_key(|row| (key(row), row.head.software.to_lowercase()));
        let place = |row: &Row<'_, T>| 1 + rows.iter().filter(|it| key(it) < key(row)).count();
        let placed = rows.iter().map(|row| (group.is_ranked().then(|| place(row)), *row));
        (group, placed.collect())
    };
    groups.into_iter().map(placed).collect()
}

/// Returns the requirements under which failures count: usually that of the question, but if a fault of the software
/// explains the failure, the one of the fault. `id` returns the case about which the faults know, if they know it, and
/// `violates` the requirements without regard to faults.
pub(crate) fn charged_by_faults(
    tried: &[Tried<'_>],
    survey: &Survey,
    id: impl Fn(&Tried<'_>) -> Option<String>,
    violates: impl Fn(&Tried<'_>, &Failing) -> Vec<String>,
) -> Vec<Vec<String>> {
    let mut failed: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    let mut answered: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    for one in tried.iter().filter(|tried| tried.is_decided()) {
        let Some(id) = id(one) else { continue };
        if one.failing().is_some() {
            failed.entry(one.edition).or_default().insert(id.clone());
        }
        answered.entry(one.edition).or_default().insert(id);
    }
    let offences: BTreeMap<&str, Offences<'_>> = failed
        .iter()
        .map(|(edition, failed)| {
            let failed = failed.iter().map(String::as_str).collect();
            let is_answered = |case: &str| answered[edition].contains(case);
            (*edition, Offences::of(&failed, is_answered, &survey.faults))
        })
        .collect();
    let charge = |one: &Tried<'_>| {
        let Some(failing) = one.failing() else { return Vec::new() };
        let without_faults = violates(one, failing);
        let (Some(id), Some(offences)) = (id(one), offences.get(one.edition)) else {
            return without_faults;
        };
        let is_required = |id: &str| survey.suite.level(id, one.edition).is_some();
        let charge = |it: &String| offences.requirement(it, &id, is_required).to_owned();
        without_faults.iter().map(charge).collect()
    };
    tried.iter().map(charge).collect()
}

/// Makes the page of a table.
pub(crate) fn page<T: Table>(
    rows: &[Row<'_, T>],
    manifest: &Manifest<T>,
    results: &Results,
) -> Text {
    let kind = T::KIND;
    let mut text = format!("{}{COLUMNS}", T::HEAD);
    for (group, rows) in groups(rows) {
        let _ = writeln!(
            text,
            "\n## {}\n\n{}\n\n| | {kind} | language | kept | {} | open | causes | not judged | measured |\n\
             |--:|---|---|--:|--:|--:|--:|--:|---|",
            group.title(),
            group.says(),
            group.broken(),
        );
        for (place, row) in rows {
            let Counts { kept, broken, open, causes, not_judged } = row.counts;
            let place = place.map(|place| place.to_string()).unwrap_or_default();
            let causes = match row.causes {
                Some(of) if causes > 0 => format!("[{causes}](causes/{}.toml)", of.file),
                _ => causes.to_string(),
            };
            let _ = writeln!(
                text,
                "| {place} | {} | {} | {kept} | {broken} | {open} | {causes} | {not_judged} | {} |",
                row.head.full_name(),
                row.listed.language(),
                row.head.day,
            );
        }
    }
    let _ = writeln!(text, "\n[How to dispute a charge](disputes.md).");
    let failed = results.measured.iter().filter_map(|it| {
        let why = it.head.failed.as_ref()?;
        Some((&it.head.software, format!("a later measurement failed: {why}")))
    });
    let older =
        rows.iter().filter_map(|row| Some((&row.head.software, row.listed.older()?.to_owned())));
    let unmeasured = manifest.unmeasured.iter().map(|(name, why)| (name, why.clone()));
    let mut notes = older.chain(failed).chain(unmeasured).peekable();
    if notes.peek().is_some() {
        text.push_str("\n## Notes\n\n");
    }
    for (name, why) in notes {
        let _ = writeln!(text, "- {name}: {}.", why.trim_end_matches('.'));
    }
    (format!("survey/{kind}s.md"), text)
}

/// The explanation of the columns, which all tables have.
const COLUMNS: &str = "\
The table is about requirements, and not about questions: many questions show one fault. *Kept*, *broken* and *open* count
the requirements at the level *must* of the document that the software names. A requirement is *broken* if a charged cause
violates it. It is *open* if one of its questions was not asked, has no decision, or is not judged. Otherwise it is *kept*.
*Causes* counts what we charge: one cause is one fault in one release. A fault of a library counts again in the row of
software that uses it. The link leads to the file of the causes, which a person wrote after reading the failing questions.
*Not judged* counts the failing questions that we do not charge, for example because the document only recommends
something, or because the software refused the file on purpose. The site (`cargo survey site`) has a page for each release.
It shows how to reproduce each cause without our tools, and it lists every question that is not judged, with the reason.

The rows are sorted by *broken*, then by *open*. Equal rows share a place. Software is compared only with software that
names the same document.
";
