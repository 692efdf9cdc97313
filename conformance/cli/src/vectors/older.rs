//! Compares an older copy of the vectors with those of this version: [`unlisted`].
//!
//! An id never changes its meaning, and `changes.json` lists every other change. So a vector of the copy must exist with
//! the same question and answer, or be listed.

use std::collections::BTreeMap;
use std::path::Path;

use robots_conformance::suite::Suite;
use robots_console::error::Error;
use serde_json::{Map, Value};

use super::{BESIDE, Changes, files};

/// The keys that may change, because they neither ask nor answer. Any key may be added.
const CITATION: [&str; 7] =
    ["about", "editions", "level", "replaces", "requirement", "row", "section"];

/// Vectors by edition and id.
type Vectors = BTreeMap<(String, String), Map<String, Value>>;

/// Returns a sentence about each difference that `changes.json` should list, or may not exist.
///
/// # Errors
/// Returns a message if a file of the copy cannot be read, or the folder has none.
pub(crate) fn unlisted(
    suite: &Suite,
    changes: &Changes,
    folder: &Path,
) -> Result<Vec<String>, Error> {
    let (mut old, mut new) = (Vectors::new(), Vectors::new());
    for (name, text) in files(suite, |flat| folder.join(flat.file()).exists())? {
        if BESIDE.contains(&&*name) {
            continue;
        }
        let path = folder.join(&name);
        let wrong = |error: &dyn std::fmt::Display| {
            Error::new(format!("cannot read {}: {error}", path.display()))
        };
        let copy = robots_console::file::text(&path).map_err(|error| wrong(&error))?;
        old.extend(read(&name, &copy).map_err(|error| wrong(&error))?);
        new.extend(read(&name, &text).map_err(|error| wrong(&error))?);
    }
    if old.is_empty() {
        return Err(Error::new(format!("{} has no vectors", folder.display())));
    }
    let mut problems = Vec::new();
    for (key @ (edition, id), vector) in &old {
        match new.get(key) {
            Some(now) if !is_same(vector, now) => problems.push(format!(
                "{edition} {id} has another meaning under the same id; list it as answered-anew"
            )),
            None if !changes.lists_the_end(edition, id) => {
                problems.push(format!("{edition} {id} is gone; list it as withdrawn"));
            }
            _ => {}
        }
    }
    let added = new.keys().filter(|key| !old.contains_key(key));
    let added = added.filter(|(edition, id)| !changes.lists_the_start(edition, id));
    problems.extend(added.map(|(edition, id)| format!("{edition} {id} is new; list it as added")));
    Ok(problems)
}

fn is_same(old: &Map<String, Value>, new: &Map<String, Value>) -> bool {
    let mut meaning = old.iter().filter(|(key, _)| !CITATION.contains(&&***key));
    meaning.all(|(key, value)| new.get(key) == Some(value))
}

/// Reads a flat file. A file of an edition has the name of the edition.
fn read(name: &str, text: &str) -> Result<Vectors, serde_json::Error> {
    let items: Vec<Value> = serde_json::from_str(text)?;
    let mut vectors = Vectors::new();
    for item in items {
        let Value::Object(vector) = item else { continue };
        let id = vector.get("id").and_then(Value::as_str).unwrap_or_default().to_owned();
        let editions: Vec<String> = match vector.get("editions") {
            Some(Value::Object(editions)) => editions.keys().cloned().collect(),
            _ => vec![name.trim_end_matches(".json").to_owned()],
        };
        vectors.extend(editions.into_iter().map(|edition| ((edition, id.clone()), vector.clone())));
    }
    Ok(vectors)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use robots_conformance::suite::load;

    use super::super::{Changes, copy};
    use super::unlisted;

    #[test]
    fn what_no_change_lists_is_a_problem() {
        let suite = load::embedded().unwrap();
        let folder = tempfile::tempdir().unwrap();
        copy(&suite, &[], folder.path()).unwrap();
        let embedded = Changes::embedded().unwrap();
        let problems = |changes: &Changes| unlisted(&suite, changes, folder.path()).unwrap();
        assert_eq!(problems(&embedded), [""; 0]);

        let path = folder.path().join("rfc9309.json");
        let text = fs::read_to_string(&path).unwrap();
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        let first = lines.iter().position(|line| line.starts_with('{')).unwrap();
        let [meaning, citation, renamed] = [first, first + 1, first + 2];
        lines[meaning] = lines[meaning].replace(r#""allowed":true"#, r#""allowed":false"#);
        lines[citation] = lines[citation].replace(r#""section":"2.2""#, r#""section":"2.2.1""#);
        lines[renamed] = lines[renamed].replace(r#"{"id":""#, r#"{"id":"older-"#);
        let new = text.lines().nth(renamed).unwrap().split('"').nth(3).unwrap();
        fs::write(&path, lines.join("\n")).unwrap();
        assert_eq!(
            problems(&embedded),
            [
                "rfc9309 blank-before-rule::/ has another meaning under the same id; list it as answered-anew",
                &format!("rfc9309 older-{new} is gone; list it as withdrawn"),
                &format!("rfc9309 {new} is new; list it as added"),
            ]
        );
        let listed = format!(
            r#"[{{"version":"0.1.0","date":"","change":"withdrawn","id":"older-{new}","reason":"x"}},
                {{"version":"0.1.0","date":"","change":"added","id":"{new}","reason":"x"}}]"#
        );
        assert_eq!(problems(&Changes::parse(&listed).unwrap()).len(), 1);
        let empty = tempfile::tempdir().unwrap();
        let error = unlisted(&suite, &embedded, empty.path()).unwrap_err();
        assert!(error.to_string().contains("no vectors"));
    }
}
