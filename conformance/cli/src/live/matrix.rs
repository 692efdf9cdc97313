//! A table of cases and crawlers, as one self-contained page: [`Matrix`].

use std::collections::BTreeMap;

use serde::Serialize;

use crate::error::Error;
use crate::report::html::fill;

/// A table of cases and crawlers.
#[derive(Clone, Debug, Default)]
pub struct Matrix {
    /// The heading.
    pub title: String,
    /// The edition of the judgements.
    pub edition: String,
    /// The crawlers, in the order of the columns.
    pub columns: Vec<Column>,
    /// For each case: the requirement, the id, the description, and a cell for each crawler.
    pub rows: Vec<(String, String, String, Vec<Cell>)>,
}

/// A crawler.
#[derive(Clone, Debug, Serialize)]
pub struct Column {
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: String,
    /// The number of cases that it fails.
    pub failed: usize,
}

/// The result of a crawler in a case.
#[derive(Clone, Debug, Serialize)]
pub struct Cell {
    symbol: &'static str,
    class: &'static str,
    title: String,
}

impl Cell {
    /// Makes the cell of an outcome. The title shows what the crawler did.
    #[must_use]
    pub fn new(outcome: &str, did: &str) -> Self {
        let (symbol, class, name) = match outcome {
            "passed" => ("✓", "passed", "passed"),
            "failed" => ("✗", "failed", "failed at must"),
            "failed-should" => ("✗", "should", "failed at should"),
            "open" => ("○", "open", "open"),
            "inconclusive" => ("?", "open", "inconclusive"),
            "waited" => ("…", "open", "waited"),
            _ => ("–", "open", "not run"),
        };
        let title = if did.is_empty() { name.to_owned() } else { format!("{name}: {did}") };
        Self { symbol, class, title }
    }
}

#[derive(Serialize)]
struct Context<'m> {
    title: &'m str,
    edition: &'m str,
    columns: &'m [Column],
    groups: BTreeMap<&'m str, Vec<Row<'m>>>,
    style: &'static str,
}

#[derive(Serialize)]
struct Row<'m> {
    case: &'m str,
    about: &'m str,
    cells: &'m [Cell],
}

impl Matrix {
    /// Renders the page.
    ///
    /// # Errors
    /// If the template is invalid.
    ///
    /// ```
    /// use robots_conformance_cli::live::matrix::{Cell, Column, Matrix};
    ///
    /// let column = Column { name: "wget".to_owned(), version: "1.21".to_owned(), failed: 1 };
    /// let cells = vec![Cell::new("failed", "fetched /private/page of main")];
    /// let row = ("FETCH-5XX".to_owned(), "wire-status-503".to_owned(), "<503>".to_owned(), cells);
    /// let matrix = Matrix { columns: vec![column], rows: vec![row], ..Matrix::default() };
    /// let page = matrix.render()?;
    /// assert!(page.contains("&lt;503&gt;") && page.contains("failed at must: fetched"));
    /// # Ok::<(), String>(())
    /// ```
    pub fn render(&self) -> Result<String, Error> {
        let mut groups: BTreeMap<&str, Vec<Row<'_>>> = BTreeMap::new();
        for (requirement, case, about, cells) in &self.rows {
            groups.entry(requirement).or_default().push(Row { case, about, cells });
        }
        let context = Context {
            title: &self.title,
            edition: &self.edition,
            columns: &self.columns,
            groups,
            style: include_str!("matrix.css"),
        };
        fill(include_str!("matrix.html"), &context)
            .map_err(|error| Error::new(format!("the page's template: {error:#}")))
    }
}
