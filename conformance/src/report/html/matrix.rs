//! The tables of the page: the shares of passed trials, by edition and subject.
//!
//! Start at [`Matrix::of`], which makes the data for the template `matrix.html`: a group of rows for each edition, a
//! row for each subject, and a [`Cell`] for each area. The counts come from the records. A share is the number of
//! trials with a conforming answer divided by the number of judged trials, so an open or unanswered question does not
//! change a share.

use crate::run::outcome::OutcomeKind;
use serde::Serialize;

use super::data::Data;
use crate::report::record::RunRecord;
use crate::report::{EditionRecord, Totals};

/// A number above the tables, with its label.
#[derive(Serialize)]
pub(super) struct Tile {
    number: String,
    label: String,
    kind: &'static str,
    /// The URL fragment that shows the counted questions.
    link: Option<String>,
}

/// The table of a page: a group of rows for each edition, a row for each subject, a column for each area.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Matrix {
    areas: Vec<String>,
    groups: Vec<Group>,
    /// Whether there is only one subject. If so, each edition is one row.
    single: bool,
}

#[derive(Clone, Debug, Serialize)]
struct Group {
    edition: String,
    rows: Vec<Row>,
    /// The subjects that were not asked about the edition.
    absent: Vec<String>,
}

#[derive(Clone, Debug, Serialize)]
struct Row {
    subject: String,
    /// `good` if the subject conforms, `bad` if a trial failed, and otherwise empty.
    class: &'static str,
    mark: &'static str,
    result: String,
    all: Cell,
    cells: Vec<Cell>,
}

#[derive(Clone, Debug, Serialize)]
struct Cell {
    /// The colour: `all`, `most`, `half`, `some`, `none`, `silent`, `open` or `empty`.
    kind: &'static str,
    symbol: &'static str,
    share: String,
    passed: usize,
    judged: usize,
    unanswered: usize,
}

/// Returns the numbers above the tables. For one subject, they are the number of questions, the number of trials with
/// each outcome, and the time of the run. For several subjects, they are the numbers of subjects, questions, cases,
/// areas and editions.
pub(super) fn tiles(records: &[RunRecord], data: &Data, matrix: &Matrix) -> Vec<Tile> {
    let tile = |number: String, label: &str, kind, link: Option<&str>| Tile {
        number,
        label: label.to_owned(),
        kind,
        link: link.map(str::to_owned),
    };
    let (all, table) = (Some("#status=any"), Some("#matrix-title"));
    let [record] = records else {
        return vec![
            tile(records.len().to_string(), "implementations", "", table),
            tile(data.questions().to_string(), "questions", "", all),
            tile(data.cases.len().to_string(), "cases", "", all),
            tile(matrix.areas.len().to_string(), "areas", "", table),
            tile(matrix.groups.len().to_string(), "editions", "", table),
        ];
    };
    let totals = record.totals;
    let mut tiles = vec![tile(totals.trials().to_string(), "questions", "", all)];
    tiles.extend(totals.columns().into_iter().map(|outcome| {
        let count = totals.get(outcome);
        let kind = if count == 0 { "zero" } else { outcome.id() };
        let link = format!("#status={}", outcome.id());
        tile(count.to_string(), outcome.id(), kind, Some(&link))
    }));
    tiles.push(tile(format!("{:.2} s", record.seconds), "time", "", None));
    tiles
}

impl Matrix {
    /// Makes the tables from the counts in the records.
    pub(super) fn of(records: &[RunRecord]) -> Self {
        let (mut areas, mut editions): (Vec<String>, Vec<String>) = (Vec::new(), Vec::new());
        for record in records {
            for counts in &record.areas {
                if !areas.contains(&counts.area) {
                    areas.push(counts.area.clone());
                }
            }
            for line in &record.editions {
                if !editions.contains(&line.edition) {
                    editions.push(line.edition.clone());
                }
            }
        }
        // The newest edition comes first, because most readers look for it.
        editions.sort_by_key(|edition| {
            let all = robots_core::Edition::ALL;
            // A draft has no position in this list, so it comes last.
            std::cmp::Reverse(all.iter().position(|known| known.id() == edition))
        });
        let groups = editions.into_iter().map(|edition| {
            let (mut rows, mut absent) = (Vec::new(), Vec::new());
            for record in records {
                let lines = record.editions.iter().filter(|line| line.edition == edition);
                let lines: Vec<&EditionRecord> = lines.collect();
                if lines.is_empty() {
                    absent.push(record.subject.clone());
                } else {
                    rows.push(Row::of(record, &lines, &areas));
                }
            }
            Group { edition, rows, absent }
        });
        let groups = groups.collect();
        Self { areas, groups, single: records.len() == 1 }
    }
}

impl Row {
    /// Makes the row of a subject for an edition. `lines` has the counts of the edition for each role.
    fn of(record: &RunRecord, lines: &[&EditionRecord], areas: &[String]) -> Self {
        let edition = &lines[0].edition;
        let all = lines.iter().map(|line| line.totals).reduce(Totals::and);
        let results: Vec<String> = match lines {
            [line] => vec![result(line)],
            lines if lines.iter().all(|line| line.conforms) => vec![result(lines[0])],
            lines => lines.iter().map(|line| format!("{}: {}", line.role, result(line))).collect(),
        };
        let (class, mark) = match lines {
            lines if lines.iter().any(|line| line.has_failures()) => ("bad", "✗"),
            lines if lines.iter().all(|line| line.conforms) => ("good", "✓"),
            _ => ("", "–"),
        };
        let totals = |area: &String| {
            let counts = record.areas.iter();
            counts
                .filter(|counts| counts.edition == *edition && counts.area == *area)
                .map(|counts| counts.totals)
                .next()
        };
        Self {
            subject: record.subject.clone(),
            class,
            mark,
            result: results.join("; "),
            all: Cell::of(all),
            cells: areas.iter().map(|area| Cell::of(totals(area))).collect(),
        }
    }
}

impl Cell {
    fn of(totals: Option<Totals>) -> Self {
        let totals = totals.unwrap_or_default();
        let (passed, judged) = (totals.conforming(), totals.closed());
        let wrong = judged - passed;
        let unanswered = totals.undecided();
        let (kind, symbol) = if totals.trials() == 0 {
            ("empty", "")
        } else if judged == 0 {
            match (unanswered, totals.get(OutcomeKind::NotAsked)) {
                (1.., _) => ("silent", "–"),
                (0, 1..) => ("silent", "·"),
                (0, 0) => ("open", "◇"),
            }
        } else if wrong == 0 {
            ("all", "✓")
        } else if passed * 10 >= judged * 9 {
            ("most", "◕")
        } else if passed * 2 >= judged {
            ("half", "◑")
        } else if passed > 0 {
            ("some", "◔")
        } else {
            ("none", "○")
        };
        let share = match kind {
            "empty" => String::new(),
            "silent" if unanswered == 0 => "not asked".to_owned(),
            "silent" => "no answer".to_owned(),
            "open" => "left open".to_owned(),
            _ => share(passed, judged),
        };
        Self { kind, symbol, share, passed, judged, unanswered }
    }
}

/// Renders a share in per cent. The share is rounded down, so that it is 100 % only if all judged trials passed.
fn share(passed: usize, judged: usize) -> String {
    let tenths = passed * 1000 / judged;
    if passed == judged { "100 %".to_owned() } else { format!("{}.{} %", tenths / 10, tenths % 10) }
}

fn result(line: &EditionRecord) -> String {
    if line.conforms {
        return "conforms".to_owned();
    }
    let of = |kind| line.totals.get(kind);
    let counts = [
        (line.differences(), "different"),
        (line.must_failures, "must"),
        (line.stated_failures, "stated"),
        (line.should_failures, "should"),
        (line.may_failures, "may"),
        (of(OutcomeKind::Deviation), "deviating"),
        (of(OutcomeKind::Unanswered), "unanswered"),
        (line.not_asked, "not asked"),
        (of(OutcomeKind::Inconclusive), "inconclusive"),
        (of(OutcomeKind::Waited), "waited"),
        (of(OutcomeKind::NotRun), "not run"),
    ];
    let counts = counts.iter().filter(|(count, _)| *count > 0);
    let facts: Vec<String> = counts.map(|(count, what)| format!("{count} {what}")).collect();
    if facts.is_empty() {
        // The record is about selected trials only, so it does not state that the subject conforms.
        let closed = line.totals.closed();
        return format!("{closed} of {closed} asked");
    }
    facts.join(" · ")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{Cell, Totals, share};

    #[test]
    fn what_was_not_judged_says_why() {
        for (name, expected) in
            [("unanswered", "no answer"), ("not-asked", "not asked"), ("open", "left open")]
        {
            let totals: Totals = serde_json::from_value(json!({ name: 1 })).unwrap();
            assert_eq!(Cell::of(Some(totals)).share, expected);
        }
    }

    #[test]
    fn an_answer_by_one_of_the_readings_conforms() {
        let totals: Totals =
            serde_json::from_value(json!({ "passed": 1, "contested": 2, "errored": 1 })).unwrap();
        let cell = Cell::of(Some(totals));
        assert_eq!((cell.share.as_str(), cell.passed, cell.judged), ("75.0 %", 3, 4));
    }

    #[test]
    fn a_share_is_rounded_down() {
        assert_eq!(share(3, 3), "100 %");
        assert_eq!(share(9999, 10_000), "99.9 %");
        assert_eq!(share(1, 3), "33.3 %");
        assert_eq!(share(0, 3), "0.0 %");
    }
}
