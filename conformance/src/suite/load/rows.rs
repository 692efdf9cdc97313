//! Checks that the tables and rows that cases name exist in `requirements.yaml`. `form.rs` calls these methods while it
//! reads a case.

use robots_core::Edition;

use super::form::Context;
use super::loader::Loader;
use crate::problem::Problem;

impl Loader {
    /// Checks the name of a table. `is_of_case` is true if the case names the table, and false if the file names it for
    /// all its cases.
    pub(super) fn check_table(&mut self, context: &Context<'_>, id: &str, is_of_case: bool) {
        if self.suite.tables.iter().any(|table| table.id == id) {
            return;
        }
        let mut known: Vec<&str> =
            self.suite.tables.iter().map(|table| table.id.as_str()).collect();
        known.dedup();
        let message = format!("unknown table {id}; the tables are {}", known.join(", "));
        if is_of_case {
            context.report(self, "table", message);
        } else {
            // Report the problem once for the file, not for each case.
            let problem = Problem { place: context.source.top("table"), message };
            if !self.problems.contains(&problem) {
                self.problems.push(problem);
            }
        }
    }

    /// Checks the row of an expectation.
    pub(super) fn check_row(
        &mut self,
        context: &Context<'_>,
        edition: Edition,
        table: Option<&str>,
        row: &str,
    ) {
        let Some(id) = table else {
            let message = format!("the row {row:?} needs a `table`, here or at the file's top");
            return context.report_edition(self, edition, message);
        };
        let found =
            self.suite.tables.iter().find(|table| table.id == id && table.edition == edition);
        match found {
            Some(table) if table.rows.iter().any(|known| known == row) => {}
            Some(table) => {
                let rows: Vec<String> = table.rows.iter().map(|row| format!("{row:?}")).collect();
                let message =
                    format!("unknown row {row:?}; the rows of {id} are {}", rows.join(", "));
                context.report_edition(self, edition, message);
            }
            // An unknown table is already reported.
            None if !self.suite.tables.iter().any(|table| table.id == id) => {}
            None => {
                let message = format!("the row {row:?}: {edition} has no table {id}");
                context.report_edition(self, edition, message);
            }
        }
    }
}
