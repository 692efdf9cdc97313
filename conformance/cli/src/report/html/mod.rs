//! The report as one self-contained page: subjects × areas, and every question behind them.
//!
//! Start at [`Page`]. `matrix` makes the tables, which stand in the page and need no script; `data`
//! makes what the script `page.js` filters and unfolds. The page loads nothing, and its own policy
//! forbids it to.

use minijinja::syntax::SyntaxConfig;
use minijinja::value::Serde;
use minijinja::{AutoEscape, Environment, UndefinedBehavior, Value};
use serde::Serialize;

use std::io::{self, Write};

use robots_conformance::report::Cases;

use crate::report::Sources;
use crate::report::record::Record;

mod data;
mod matrix;

/// The page: what it is called, and whom it shows.
///
/// ```
/// use robots_conformance::load;
/// use robots_conformance::report::Cases;
/// use robots_conformance_cli::report::html::{Page, Subject};
/// use robots_conformance_cli::report::record::Record;
///
/// # fn page(records: Vec<Record>) -> Result<String, String> {
/// let suite = load::embedded().map_err(|problems| problems.to_string())?;
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
    /// The subjects, in the order in which they are to stand.
    pub subjects: Vec<Subject>,
    /// Those that could not be run: the name, and why.
    pub unmeasured: Vec<(String, String)>,
    /// Where the cases can be read: places link there.
    pub sources: Option<Sources>,
}

/// One implementation: who it is, and what a run showed.
#[derive(Clone, Debug)]
pub struct Subject {
    /// Its name; no two of a page share one.
    pub name: String,
    /// Its version.
    pub version: Option<String>,
    /// The language it is written in.
    pub language: Option<String>,
    /// The results.
    pub record: Record,
}

impl Subject {
    /// Makes a subject of a record, named as its subject.
    pub fn new(record: Record) -> Self {
        Self { name: record.subject.clone(), version: None, language: None, record }
    }

    /// Returns version and language as one text, empty where neither is known.
    fn about(&self) -> String {
        let facts: Vec<&str> =
            [&self.version, &self.language].into_iter().flatten().map(String::as_str).collect();
        facts.join(" · ")
    }
}

impl Page {
    /// Makes the page of some runs.
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

    /// Renders the page; the cases give files, questions, reasons and requirements.
    ///
    /// # Errors
    /// Where there is no subject, two have one name, or a record is of another suite than this one.
    pub fn render(&self, cases: &Cases) -> Result<String, String> {
        if self.subjects.is_empty() {
            return Err("a page needs a subject at least".to_owned());
        }
        for (index, subject) in self.subjects.iter().enumerate() {
            if self.subjects[..index].iter().any(|other| other.name == subject.name) {
                return Err(format!("two subjects of the page are named {:?}", subject.name));
            }
        }
        let data = data::Data::of(&self.subjects, cases, self.sources.as_ref())?;
        // `<` would let a robots.txt end the script element.
        let json = serde_json::to_string(&data).map_err(|error| error.to_string())?;
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
            .map_err(|error| format!("the page's template: {error:#}"))
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

/// Fills a template: everything is escaped unless marked safe, and an unknown name is an error.
pub(crate) fn fill(template: &str, context: &impl Serialize) -> Result<String, minijinja::Error> {
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    environment.set_auto_escape_callback(|_| AutoEscape::Html);
    environment.set_syntax(SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).build()?);
    environment.render_str(template, Value::from(Serde(context)))
}
