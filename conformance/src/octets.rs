//! Octets in a YAML file: escapes, and parts that repeat. A case uses this form for a robots.txt or another text that
//! YAML cannot express directly, or that is long. Start at [`Part`].

use robots_spec_cases::{BadEscape, unescape};
use serde::Deserialize;

/// A part of a robots.txt as a case writes it: octets that may repeat.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Part {
    /// The octets of one repetition, after the escapes are resolved.
    pub octets: Vec<u8>,
    /// The number of times that the file contains the octets.
    pub times: usize,
    /// A placeholder in the octets. In the first repetition, the number 1 replaces the placeholder, in the second one
    /// the number 2, and so on.
    pub counter: Option<String>,
}

impl Part {
    /// Makes a part without a counter.
    #[cfg(feature = "process")]
    pub(crate) fn new(octets: impl Into<Vec<u8>>, times: usize) -> Self {
        Self { octets: octets.into(), times, counter: None }
    }
}

/// A part as the file writes it.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct WrittenPart {
    text: Option<String>,
    escaped: Option<String>,
    times: Option<usize>,
    counter: Option<String>,
}

/// Resolves the escapes of parts without joining them.
///
/// # Errors
/// Returns the first invalid escape.
pub(crate) fn resolve(parts: &[WrittenPart]) -> Result<Vec<Part>, BadEscape> {
    let resolved = parts.iter().map(|part| {
        let octets = match (&part.escaped, &part.text) {
            (Some(escaped), _) => unescape(escaped)?,
            (None, text) => text.clone().unwrap_or_default().into_bytes(),
        };
        let counter = part.counter.clone();
        Ok(Part { octets, times: part.times.unwrap_or(1), counter })
    });
    resolved.collect()
}

/// Joins parts into octets.
///
/// # Errors
/// Returns a message that names the invalid part and the problem.
pub(crate) fn join(parts: &[WrittenPart]) -> Result<Vec<u8>, String> {
    if parts.is_empty() {
        return Err("no parts; a list of parts has at least one".to_owned());
    }
    let mut octets = Vec::new();
    for (index, part) in parts.iter().enumerate() {
        let number = index + 1;
        let template = match (&part.text, &part.escaped) {
            (Some(text), None) | (None, Some(text)) => text,
            (None, None) => return Err(format!("part {number} has neither `text` nor `escaped`")),
            (Some(_), Some(_)) => {
                return Err(format!("part {number} has both `text` and `escaped`; keep one"));
            }
        };
        let one = |text: &str| match part.escaped {
            Some(_) => unescape(text).map_err(|problem| format!("part {number}: {problem}")),
            None => Ok(text.as_bytes().to_vec()),
        };
        let times = part.times.unwrap_or(1);
        match &part.counter {
            None => octets.extend(one(template)?.repeat(times)),
            Some(counter) if counter.is_empty() || !template.contains(counter.as_str()) => {
                return Err(format!(
                    "part {number}: its `counter` {counter:?} is not in its text; write the placeholder \
                     into the text or leave `counter` out"
                ));
            }
            Some(counter) => {
                for repetition in 1..=times {
                    octets.extend(one(&template.replace(counter, &repetition.to_string()))?);
                }
            }
        }
    }
    Ok(octets)
}
