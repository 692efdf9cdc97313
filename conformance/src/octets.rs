//! Octets as a YAML file can hold them: escapes, and parts that repeat.

use serde::Deserialize;

/// A part of a robots.txt as a case writes it: octets that may repeat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// The octets of one repetition, escapes resolved.
    pub octets: Vec<u8>,
    /// How often they stand in the file.
    pub times: usize,
    /// The text that each repetition replaces by its number, from 1.
    pub counter: Option<String>,
}

/// A part as the file has it.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct WrittenPart {
    text: Option<String>,
    escaped: Option<String>,
    times: Option<usize>,
    counter: Option<String>,
}

/// Turns escaped text into octets: `\r`, `\n`, `\t`, `\\` and `\xNN`; any other backslash is refused.
///
/// # Errors
/// A sentence that says which escape is wrong and what is allowed.
pub(crate) fn unescape(text: &str) -> Result<Vec<u8>, String> {
    let mut octets = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        octets.extend_from_slice(&rest.as_bytes()[..at]);
        let escape = &rest[at + 1..];
        let (octet, length) = match escape.as_bytes() {
            [b'r', ..] => (b'\r', 1),
            [b'n', ..] => (b'\n', 1),
            [b't', ..] => (b'\t', 1),
            [b'\\', ..] => (b'\\', 1),
            [b'x', high, low, ..] if high.is_ascii_hexdigit() && low.is_ascii_hexdigit() => {
                let octet = u8::from_str_radix(&escape[1..3], 16);
                (octet.map_err(|error| error.to_string())?, 3)
            }
            _ => {
                let shown: String = escape.chars().take(3).collect();
                return Err(format!(
                    "bad escape `\\{shown}`; the escapes are \\r, \\n, \\t, \\\\ and \\xNN with two hex \
                     digits"
                ));
            }
        };
        octets.push(octet);
        rest = &escape[length..];
    }
    octets.extend_from_slice(rest.as_bytes());
    Ok(octets)
}

/// Resolves the escapes of parts and leaves them apart.
///
/// # Errors
/// A sentence that says which escape is wrong.
pub(crate) fn resolve(parts: &[WrittenPart]) -> Result<Vec<Part>, String> {
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
/// A sentence that says which part is wrong, and how.
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
