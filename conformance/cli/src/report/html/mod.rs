//! The report as one self-contained page: a table of subjects and areas, and every question.
//!
//! Start at [`Page`]. `matrix` makes the tables, which are part of the page and need no script. `data` makes the data
//! that the script `page.js` filters and shows. The page loads nothing, and its content security policy forbids
//! loading.

use minijinja::syntax::SyntaxConfig;
use minijinja::value::Serde;
use minijinja::{AutoEscape, Environment, UndefinedBehavior, Value};
use serde::Serialize;

use std::io::{self, Write};

use robots_conformance::report::Cases;

use crate::error::Error;
use crate::report::Sources;
use crate::report::record::Record;

mod data;
mod matrix;
mod subject;

pub use self::subject::Subject;

/// The page: its heading and its subjects.
///
/// ```
/// use robots_conformance::suite::load;
/// use robots_conformance::report::Cases;
/// use robots_conformance_cli::error::Error;
/// use robots_conformance_cli::report::html::{Page, Subject};
/// use robots_conformance_cli::report::record::Record;
///
/// # fn page(records: Vec<Record>) -> Result<String, Error> {
/// let suite = load::embedded().map_err(|problems| Error::new(problems.to_string()))?;
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
    /// The subjects that could not be run, with reasons.
    pub unmeasured: Vec<(String, String)>,
    /// The address of the cases, if links should lead there.
    pub sources: Option<Sources>,
}

impl Page {
    /// Makes the page of several runs.
    #[must_use]
    pub fn of(records: &[Record]) -> Self {
        let names: Vec<&str> = records.iter().map(|record| record.subject.as_str()).collect();
        let mut title = format!("robots.txt conformance of {}", names.join(" and "));
        for partial in records.iter().filter_map(Record::partial) {
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
    /// If there is no subject, if two have the same name, or if a record belongs to another suite.
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
        // `<` would let a robots.txt end the script element.
        let json = serde_json::to_string(&data).map_err(|error| Error::new(error.to_string()))?;
        let json = json.replace('<', "\\u003c");
        let stale = self.subjects.iter().flat_map(|subject| &subject.record.stale_deviations);
        let context = Context {
            title: &self.title,
            suite: env!("CARGO_PKG_VERSION"),
            tiles: matrix::tiles(&self.subjects, &data),
            matrix: matrix::Matrix::of(&self.subjects),
            unmeasured: &self.unmeasured,
            stale: stale.map(String::as_str).collect(),
            style: include_str!("page.css"),
            script: include_str!("page.js"),
            data: json,
        };
        fill(include_str!("page.html"), &context)
            .map_err(|error| Error::new(format!("the page's template: {error:#}")))
    }
}

/// Writes the page of some records.
pub(super) fn write(
    records: &[Record],
    cases: &Cases,
    sources: Option<&Sources>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let page = Page { sources: sources.cloned(), ..Page::of(records) };
    let page = page.render(cases).map_err(io::Error::other)?;
    out.write_all(page.as_bytes())
}

/// The names of the template.
#[derive(Serialize)]
struct Context<'p> {
    title: &'p str,
    suite: &'p str,
    tiles: Vec<matrix::Tile>,
    matrix: matrix::Matrix,
    unmeasured: &'p [(String, String)],
    stale: Vec<&'p str>,
    style: &'p str,
    script: &'p str,
    data: String,
}

/// Fills a template. Everything is escaped unless marked as safe, and an unknown name is an error.
pub(crate) fn fill(template: &str, context: &impl Serialize) -> Result<String, minijinja::Error> {
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    environment.set_auto_escape_callback(|_| AutoEscape::Html);
    environment.set_syntax(SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).build()?);
    environment.render_str(template, Value::from(Serde(context)))
}
