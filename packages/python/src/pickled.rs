//! The pickled forms of objects. For each type, a function makes an object again from its pickled form. Only `pickle`
//! calls these functions.
//!
//! A file is pickled as its octets. Rules are pickled as the lines of their groups. The lines keep their numbers, so
//! that verdicts have the same evidence.

use pyo3::prelude::*;

/// The arguments of `_robots`: the octets, the edition, and the limit.
pub(crate) type Robots<'r> = (&'r [u8], &'static str, usize);

/// The arguments of `_rules`: the octets, the edition, and the product tokens.
pub(crate) type Rules = (Vec<u8>, &'static str, Vec<String>);

/// The times of `Settings`, in the order of its arguments. The type is a tuple, because a tuple has a fixed length, but
/// a Python sequence may report any length.
pub(crate) type Times = (
    Option<f64>,
    Option<f64>,
    Option<f64>,
    Option<f64>,
    Option<f64>,
    Option<f64>,
    Option<f64>,
    Option<f64>,
);

/// The arguments of `_settings`: the edition, the limit, the redirects, and the times.
pub(crate) type Settings = (&'static str, Option<usize>, Option<u32>, Times);

/// The arguments of `_verdict`: the fields of a `Verdict`, in order.
pub(crate) type Verdict =
    (bool, String, Option<(String, String)>, Option<u32>, Option<u32>, String);

/// The arguments of `_usage`: the preferences by category, the vocabulary, the lines, and the text.
pub(crate) type Fields = (Option<Vec<(String, String)>>, String, Vec<u32>, String);

/// Returns a function of the module by its name, for `__reduce__`.
pub(crate) fn function(py: Python<'_>, name: &str) -> PyResult<Py<PyAny>> {
    Ok(py.import("robots_verdicts._native")?.getattr(name)?.unbind())
}

/// Makes a file from the lines of the groups. Each line gets its old line number, because empty lines are written
/// before it.
pub(crate) fn file_of(rules: &robots_core::RuleSet) -> Vec<u8> {
    let mut octets = Vec::new();
    let mut number = 1;
    for line in rules.groups().flat_map(|group| group.lines()) {
        let at = line.line().number.get();
        octets.resize(octets.len() + at.saturating_sub(number) as usize, b'\n');
        octets.extend_from_slice(line.name());
        octets.push(b':');
        octets.extend_from_slice(line.value());
        number = at;
    }
    octets
}
