//! A verdict with its evidence, as the Python class `Verdict`: [`Reasoned`]. The class owns its data and borrows
//! nothing from the file, so a verdict can outlive the file.

use std::borrow::Cow;

use pyo3::prelude::*;
use robots_core::Verdict;

use crate::pickled;

/// Whether a URL may be fetched, and why.
#[pyclass(frozen, eq, hash, name = "Verdict", module = "robots_verdicts")]
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct Reasoned {
    /// Whether the URL may be fetched.
    #[pyo3(get)]
    pub(crate) allowed: bool,
    /// The reason as one word, for example `longest-rule`.
    #[pyo3(get)]
    pub(crate) reason: Cow<'static, str>,
    /// The rule that decided: `allow` or `disallow`, and the path pattern as written.
    #[pyo3(get)]
    pub(crate) rule: Option<(String, String)>,
    /// The line number of the rule that decided. The first line of the file is 1.
    #[pyo3(get)]
    pub(crate) line: Option<u32>,
    /// The line number of the user-agent line that makes the crawler follow the group. The first line is 1.
    #[pyo3(get)]
    pub(crate) user_agent_line: Option<u32>,
    pub(crate) text: String,
}

impl Reasoned {
    pub(crate) fn of(verdict: &Verdict<'_>) -> Self {
        let rule = verdict.rule();
        Self {
            allowed: verdict.is_allowed(),
            reason: Cow::Borrowed(verdict.reason().id()),
            rule: rule.map(|rule| (rule.kind().to_string(), text(rule.path()))),
            line: rule.map(|rule| rule.line().number.get()),
            user_agent_line: verdict.user_agent().map(|line| line.line().number.get()),
            text: verdict.to_string(),
        }
    }
}

#[pymethods]
impl Reasoned {
    fn __bool__(&self) -> bool {
        self.allowed
    }

    fn __str__(&self) -> &str {
        &self.text
    }

    fn __repr__(&self) -> String {
        format!("<Verdict {}>", self.text)
    }

    fn __reduce__(&self, py: Python<'_>) -> PyResult<(Py<PyAny>, pickled::Verdict)> {
        let Self { allowed, reason, rule, line, user_agent_line, text } = self.clone();
        let fields = (allowed, reason.into_owned(), rule, line, user_agent_line, text);
        Ok((pickled::function(py, "_verdict")?, fields))
    }
}

/// Returns octets as text. Octets that are not UTF-8 become U+FFFD.
pub(crate) fn text(octets: &[u8]) -> String {
    String::from_utf8_lossy(octets).into_owned()
}

/// Makes a verdict again from its pickled form.
#[pyfunction]
#[pyo3(name = "_verdict")]
pub(crate) fn verdict(
    allowed: bool,
    reason: String,
    rule: Option<(String, String)>,
    line: Option<u32>,
    user_agent_line: Option<u32>,
    text: String,
) -> Reasoned {
    Reasoned { allowed, reason: Cow::Owned(reason), rule, line, user_agent_line, text }
}
