//! Checks whether a file meets its expectations. `robots_lint::expect` does the work; this module makes the texts for
//! the page.

use robots_core::RobotsTxt;
use robots_lint::expect::{Checked, Expectations, check};
use serde::Serialize;

/// The result for each expectation, or the mistake in the text of the expectations.
#[derive(Serialize)]
pub(crate) struct Intent {
    mistake: Option<String>,
    checked: Vec<One>,
}

/// An expectation, and whether the file meets it.
#[derive(Serialize)]
struct One {
    is_met: bool,
    expected: String,
    reason: Option<String>,
    /// The line of the file that causes the failure, if there is such a line.
    line: Option<u32>,
    /// The line of the expectation in the text of the expectations.
    place: usize,
}

impl Intent {
    pub(crate) fn of(text: &str, robots: &RobotsTxt<&[u8]>) -> Self {
        match Expectations::read(text) {
            Ok(expectations) => {
                let checked = check(&expectations, robots).iter().map(One::of).collect();
                Self { mistake: None, checked }
            }
            Err(mistake) => Self { mistake: Some(mistake.to_string()), checked: Vec::new() },
        }
    }
}

impl One {
    fn of(checked: &Checked) -> Self {
        Self {
            is_met: checked.is_met(),
            expected: checked.expected(),
            reason: checked.reason().map(str::to_owned),
            line: checked.line().map(robots_core::syntax::LineNumber::get),
            place: checked.place().line,
        }
    }
}
