//! The report as one self-contained page, with a table of the results by subject and area, and with every question.
//!
//! Start at [`page`]. `matrix` makes the tables, which the page shows without a script. `data` makes the data about
//! questions, which the script `page.js` filters and shows. The page loads nothing, and its content security policy
//! forbids loading. [`Templates`] has the parts that this page shares with the pages of a site: the layout, the styles,
//! the matrix.

use serde::Serialize;

use std::io::{self, Write};

use crate::report::Cases;
use crate::run::outcome::OutcomeKind;

use crate::report::Sources;
use crate::report::record::RunRecord;
use robots_console::error::Error;

mod data;
mod matrix;
mod templates;

use self::matrix::Matrix;
pub use self::templates::{Templates, script_json};

/// Renders the page of several runs. The cases provide files, questions, reasons and requirements; `sources` is the
/// address of the cases, if the page links to them.
///
/// # Errors
/// Returns an error if there is no record, if two records have the same subject, or if a record belongs to another
/// suite.
///
/// ```
/// use robots_conformance::report::{Cases, html};
/// use robots_conformance::suite::load;
///
/// let suite = load::embedded()?;
/// let none = html::page(&[], &Cases::of(&suite), None);
/// assert_eq!(none.unwrap_err().to_string(), "a page needs at least one subject");
/// # Ok::<(), robots_conformance::problem::Problems>(())
/// ```
pub fn page(
    records: &[RunRecord],
    cases: &Cases,
    sources: Option<&Sources>,
) -> Result<String, Error> {
    if records.is_empty() {
        return Err("a page needs at least one subject".into());
    }
    let names: Vec<&str> = records.iter().map(|record| record.subject.as_str()).collect();
    if let Some((_, name)) = names.iter().enumerate().find(|(at, it)| names[..*at].contains(it)) {
        return Err(format!("two subjects of the page are named {name:?}").into());
    }
    let mut title = format!("robots.txt conformance of {}", names.join(" and "));
    for partial in records.iter().filter_map(RunRecord::partial) {
        title = format!("{title}. {partial}");
    }
    let data = data::Data::of(records, cases, sources)?;
    let stale = records.iter().flat_map(|record| &record.stale_deviations);
    let lead = format!(
        "RFC 9309 and Google's texts of 2018, 2019 and 2022, question by question. Suite {}.",
        env!("CARGO_PKG_VERSION")
    );
    let matrix = Matrix::of(records);
    let context = Context {
        title: &title,
        lead: &lead,
        tiles: matrix::tiles(records, &data, &matrix),
        matrix,
        not_asked: records.iter().flat_map(not_asked).collect(),
        stale: stale.map(String::as_str).collect(),
        script: include_str!("page.js"),
        data: script_json(&data)?,
    };
    Templates::new(include_str!("frame.html"), &serde_json::Value::Null)?
        .render("page.html", &context)
}

/// Returns the reasons why a subject was not asked questions for its roles, each with the number of these questions and
/// the name of the subject.
fn not_asked(record: &RunRecord) -> impl Iterator<Item = (&str, String)> {
    let lines = record.editions.iter().filter(|line| line.not_asked > 0);
    let all: usize = lines.map(|line| line.totals.trials()).sum();
    record.reasons(&[OutcomeKind::NotAsked]).into_iter().map(move |((_, why), count)| {
        (record.subject.as_str(), format!("{count} of {all} questions, because {why}"))
    })
}

/// Writes the page of some records.
pub(super) fn write(
    records: &[RunRecord],
    cases: &Cases,
    sources: Option<&Sources>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let page = page(records, cases, sources).map_err(io::Error::other)?;
    out.write_all(page.as_bytes())
}

/// The data for the template. A template refers to a value by the name of its field.
#[derive(Serialize)]
struct Context<'p> {
    title: &'p str,
    lead: &'p str,
    tiles: Vec<matrix::Tile>,
    matrix: Matrix,
    not_asked: Vec<(&'p str, String)>,
    stale: Vec<&'p str>,
    script: &'p str,
    data: String,
}
