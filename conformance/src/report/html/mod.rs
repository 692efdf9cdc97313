//! The report as one self-contained page, with a table of the results by subject and area, and with every question.
//!
//! Start at [`Page`]. `matrix` makes the tables, which the page shows without a script. `data` makes the data about
//! questions, which the script `page.js` filters and shows. The page loads nothing, and its content security policy
//! forbids loading. [`Templates`] has the parts that this page shares with other pages: the layout, the styles, the
//! matrix. A [`Frame`] adds the navigation and the footer of a site.

use serde::Serialize;

use std::io::{self, Write};

use crate::report::Cases;
use crate::run::outcome::OutcomeKind;

use crate::report::Sources;
use crate::report::record::RunRecord;
use robots_console::error::Error;

mod data;
mod matrix;
mod subject;
mod templates;

use self::matrix::Matrix;
pub use self::subject::Subject;
pub use self::templates::{Frame, Templates, script_json};

/// The page: its heading and its subjects.
///
/// ```
/// use robots_conformance::suite::load;
/// use robots_conformance::report::Cases;
/// use robots_console::error::Error;
/// use robots_conformance::report::html::{Page, Subject};
/// use robots_conformance::report::record::RunRecord;
///
/// # fn page(records: Vec<RunRecord>) -> Result<String, Error> {
/// let suite = load::embedded()?;
/// let cases = Cases::of(&suite);
/// let subjects = records.into_iter().map(Subject::new).collect();
/// Page { title: "The peers, measured".to_owned(), subjects, ..Page::default() }.render(&cases)
/// # }
/// # assert!(page(Vec::new()).is_err());
/// ```
#[derive(Clone, Debug, Default)]
pub struct Page {
    /// The heading.
    pub title: String,
    /// The subjects, in the order of the page.
    pub subjects: Vec<Subject>,
    /// The subjects that could not be run, each with the reason.
    pub unmeasured: Vec<(String, String)>,
    /// The address of the cases, if the page links to them.
    pub sources: Option<Sources>,
}

impl Page {
    /// Makes the page of several runs.
    #[must_use]
    pub fn of(records: &[RunRecord]) -> Self {
        let names: Vec<&str> = records.iter().map(|record| record.subject.as_str()).collect();
        let mut title = format!("robots.txt conformance of {}", names.join(" and "));
        for partial in records.iter().filter_map(RunRecord::partial) {
            title = format!("{title}. {partial}");
        }
        Self {
            title,
            subjects: records.iter().cloned().map(Subject::new).collect(),
            ..Self::default()
        }
    }

    /// Renders the page. The cases provide files, questions, reasons and requirements.
    ///
    /// # Errors
    /// Returns an error if there is no subject, if two subjects have the same name, or if a record belongs to another
    /// suite.
    pub fn render(&self, cases: &Cases) -> Result<String, Error> {
        if self.subjects.is_empty() {
            return Err("a page needs at least one subject".into());
        }
        for (index, subject) in self.subjects.iter().enumerate() {
            if self.subjects[..index].iter().any(|other| other.name == subject.name) {
                return Err(format!("two subjects of the page are named {:?}", subject.name).into());
            }
        }
        let data = data::Data::of(&self.subjects, cases, self.sources.as_ref())?;
        let stale = self.subjects.iter().flat_map(|subject| &subject.record.stale_deviations);
        let lead = format!(
            "RFC 9309 and Google's texts of 2018, 2019 and 2022, question by question. Suite {}.",
            env!("CARGO_PKG_VERSION")
        );
        let matrix = Matrix::of(&self.subjects);
        let context = Context {
            title: &self.title,
            lead: &lead,
            tiles: matrix::tiles(&self.subjects, &data, &matrix),
            matrix,
            unmeasured: &self.unmeasured,
            not_asked: self.subjects.iter().flat_map(not_asked).collect(),
            stale: stale.map(String::as_str).collect(),
            script: include_str!("page.js"),
            data: script_json(&data)?,
        };
        Templates::new(&Frame::default())?.render("page.html", &context)
    }
}

/// Returns the reasons why a subject was not asked questions for its roles, each with the number of these questions and
/// the name of the subject.
fn not_asked(subject: &Subject) -> impl Iterator<Item = (&str, String)> {
    let record = &subject.record;
    let lines = record.editions.iter().filter(|line| line.not_asked > 0);
    let all: usize = lines.map(|line| line.totals.trials()).sum();
    record.reasons(&[OutcomeKind::NotAsked]).into_iter().map(move |((_, why), count)| {
        (subject.name.as_str(), format!("{count} of {all} questions, because {why}"))
    })
}

/// Writes the page of some records.
pub(super) fn write(
    records: &[RunRecord],
    cases: &Cases,
    sources: Option<&Sources>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let page = Page { sources: sources.cloned(), ..Page::of(records) };
    let page = page.render(cases).map_err(io::Error::other)?;
    out.write_all(page.as_bytes())
}

/// The data for the template. A template refers to a value by the name of its field.
#[derive(Serialize)]
struct Context<'p> {
    title: &'p str,
    lead: &'p str,
    tiles: Vec<matrix::Tile>,
    matrix: Matrix,
    unmeasured: &'p [(String, String)],
    not_asked: Vec<(&'p str, String)>,
    stale: Vec<&'p str>,
    script: &'p str,
    data: String,
}
