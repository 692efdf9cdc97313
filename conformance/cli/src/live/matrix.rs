//! Cases by crawlers, as one self-contained page: [`Matrix`].

use std::collections::BTreeMap;

use serde::Serialize;

use crate::report::html::fill;

/// Cases by crawlers.
#[derive(Clone, Debug, Default)]
pub struct Matrix {
    /// The heading.
    pub title: String,
    /// The edition that is judged by.
    pub edition: String,
    /// The crawlers, in the order in which they are to stand.
    pub columns: Vec<Column>,
    /// Of each case the requirement, the id, what it is about, and a cell for each crawler.
    pub rows: Vec<(String, String, String, Vec<Cell>)>,
}

/// A crawler.
#[derive(Clone, Debug, Serialize)]
pub struct Column {
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: String,
    /// How many cases it fails.
    pub failed: usize,
}

/// How a crawler fared in a case.
#[derive(Clone, Debug, Serialize)]
pub struct Cell {
    symbol: &'static str,
    class: &'static str,
    told: String,
}

impl Cell {
    /// Makes the cell of an outcome; what the crawler did is told where the pointer rests.
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
        let told = if did.is_empty() { name.to_owned() } else { format!("{name}: {did}") };
        Self { symbol, class, told }
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
    /// Where the template is broken.
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
    pub fn render(&self) -> Result<String, String> {
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
            .map_err(|error| format!("the page's template: {error:#}"))
    }
}
