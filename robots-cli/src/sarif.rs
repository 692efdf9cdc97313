//! The parts of a SARIF log that `lint`, `diff` and `check` share. Code hosts and editors read SARIF 2.1.0.
//!
//! A verb makes the results, and [`Log`] writes a log with one run that has these results. [`uri()`] converts paths to
//! URIs, because SARIF restricts relative references.

use std::fmt::Write as _;
use std::path::{Component, Path, PathBuf};

use serde::Serialize;
use serde_json::{Value, json};

const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// A log of one run.
#[derive(Serialize)]
pub(crate) struct Log<R> {
    #[serde(rename = "$schema")]
    schema: &'static str,
    version: &'static str,
    runs: [R; 1],
}

impl<R> Log<R> {
    pub(crate) const fn of(run: R) -> Self {
        Self { schema: SCHEMA, version: "2.1.0", runs: [run] }
    }
}

/// Returns the command as the tool of a run, with the rules to which the results refer.
pub(crate) fn tool(rules: impl Into<Value>) -> Value {
    json!({ "driver": {
        "name": "robots",
        "version": env!("CARGO_PKG_VERSION"),
        "informationUri": env!("CARGO_PKG_REPOSITORY"),
        "rules": rules.into(),
    } })
}

/// Returns a region of a file as a location.
pub(crate) fn location(file: &str, region: &Value) -> Value {
    json!({ "physicalLocation": { "artifactLocation": { "uri": uri(file) }, "region": region } })
}

/// Returns a location as the only related location of a result. The text describes what is at the location.
pub(crate) fn related(mut location: Value, text: &str) -> Value {
    location["id"] = 0.into();
    location["message"] = json!({ "text": text });
    json!([location])
}

/// Returns the invocations of a run with notifications about its results.
pub(crate) fn invocations(notifications: &[Value]) -> Value {
    json!([{ "executionSuccessful": true, "toolExecutionNotifications": notifications }])
}

/// Returns a path as a URI reference: a relative reference for a path below the current folder, otherwise a `file` URI.
///
/// SARIF does not allow a relative reference that begins with a slash or contains `..` (2.1.0, 3.4.3 and 3.10).
pub(crate) fn uri(name: &str) -> String {
    if name.contains("://") {
        return name.to_owned();
    }
    let mut parts: Vec<String> = Vec::new();
    let mut is_below = true;
    for part in Path::new(name).components() {
        match part {
            Component::CurDir => {}
            Component::Normal(part) => parts.push(part.to_string_lossy().into_owned()),
            Component::ParentDir => is_below &= parts.pop().is_some(),
            Component::RootDir | Component::Prefix(_) => is_below = false,
        }
    }
    if is_below {
        return encoded(&parts.join("/"));
    }
    let path = std::path::absolute(name).unwrap_or_else(|_| PathBuf::from(name));
    let mut parts: Vec<String> = Vec::new();
    for part in path.components() {
        match part {
            Component::Normal(part) => parts.push(encoded(&part.to_string_lossy())),
            // The colon of a drive such as `C:` is not encoded.
            Component::Prefix(prefix) => {
                parts.push(prefix.as_os_str().to_string_lossy().replace('\\', "/"));
            }
            Component::ParentDir => drop(parts.pop()),
            Component::CurDir | Component::RootDir => {}
        }
    }
    format!("file:///{}", parts.join("/"))
}

/// Percent-encodes every octet of a path that is not a letter, a digit or one of `/-._~`. A colon is encoded too,
/// because the text before it could be read as a scheme.
fn encoded(path: &str) -> String {
    let mut out = String::with_capacity(path.len());
    for octet in path.bytes() {
        if octet.is_ascii_alphanumeric() || matches!(octet, b'/' | b'-' | b'.' | b'_' | b'~') {
            out.push(char::from(octet));
        } else {
            let _ = write!(out, "%{octet:02X}");
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::uri;

    #[test]
    fn a_path_is_a_reference() {
        assert_eq!(uri("public/my robots#1.txt"), "public/my%20robots%231.txt");
        assert_eq!(uri("./public/../robots.txt"), "robots.txt");
        assert_eq!(uri("https://example.com/robots.txt"), "https://example.com/robots.txt");
        let outside = uri("../robots.txt");
        assert!(outside.starts_with("file:///") && !outside.contains(".."), "{outside}");
    }

    #[cfg(unix)]
    #[test]
    fn an_absolute_path_is_a_uri() {
        assert_eq!(uri("/srv/a b/../robots.txt"), "file:///srv/robots.txt");
    }
}
