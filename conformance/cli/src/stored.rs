//! Reads the JSON report of an earlier run: [`read`].

use std::fmt::Display;
use std::path::Path;

use robots_conformance::report::record::{RunRecord, check};
use robots_console::error::Error;
use serde_json::Value;

/// Reads a report, which is one object or an array with an object for each subject.
///
/// # Errors
/// Returns a message if the file cannot be read or is not a report that this build reads.
pub(crate) fn read(path: &Path) -> Result<Vec<RunRecord>, Error> {
    let name = path.display();
    let wrong = |error: &dyn Display| {
        Error::new(format!(
            "{name} is not a report that `run --report json={name}` writes: {error}"
        ))
    };
    let text = robots_console::file::text(path)
        .map_err(|error| Error::new(format!("cannot read {name}: {error}")))?;
    let objects = match serde_json::from_str(&text).map_err(|error| wrong(&error))? {
        Value::Array(objects) => objects,
        object => vec![object],
    };
    let record = |object: Value| {
        if let (Some(kind), Some(version)) = (object["report"].as_str(), object["version"].as_u64())
        {
            let version = u32::try_from(version).unwrap_or(u32::MAX);
            check(kind, version).map_err(|error| Error::new(format!("{name} {error}")))?;
        }
        serde_json::from_value(object).map_err(|error| wrong(&error))
    };
    objects.into_iter().map(record).collect()
}
