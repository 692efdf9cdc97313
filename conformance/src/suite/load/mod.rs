//! Reads files into a [`Suite`], or reports all problems with them.
//!
//! Start at [`suite`]. Each file is parsed into YAML values, then into structs of raw keys, and then into the model. A
//! problem at any step is reported with file and line, and loading continues.

mod case;
mod documents;
mod followed;
mod form;
mod loader;
mod observed;
mod raw;
mod requirements;
mod rows;
mod source;

use std::path::Path;

pub(crate) use self::followed::Followed;
pub use self::form::{Form, is_kebab};
use self::loader::Loader;
pub(crate) use self::source::Source;
use crate::problem::{Place, Problems};
use crate::suite::Suite;
use crate::suite::case::Case;

const CATALOGUE: &str = "requirements.yaml";

/// Loads the embedded suite.
///
/// # Errors
/// Returns every problem of the files. The files of a published version have no problems.
pub fn embedded() -> Result<Suite, Problems> {
    suite(robots_spec_cases::files())
}

/// Loads a suite from files. Each item is the path of a file below the suite's folder, and the text of the file.
///
/// It reads the files that are directly in this folder and end in `.yaml`. The file `requirements.yaml` is the
/// catalogue, `documents.yaml` lists the sentences of the documents, and every other file contains the cases of the
/// area with its name. The file `observed/google-cpp.yaml` is read too; it contains the answers of the observed
/// profile. Other files are ignored.
///
/// # Errors
/// Returns every problem of the files, in the order of the files.
///
/// ```
/// let files = [
///     ("requirements.yaml", "requirements:
///   - id: MATCH-PREFIX
///     area: path-matching
///     says: A pattern matches from the start.
///     editions: { rfc9309: { level: must, source: 2.2.2 } }
/// "),
///     ("path-matching.yaml", "area: path-matching
/// cases:
///   - id: prefix
///     requirement: MATCH-PREFIX
///     about: A pattern matches every path that begins with it.
///     pattern: /fish
///     matches: [/fishheads]
///     expect: { rfc9309: as-listed }
/// "),
/// ];
/// let suite = robots_conformance::suite::load::suite(files)?;
/// assert_eq!(suite.case("prefix").unwrap().form.members.len(), 1);
/// # Ok::<(), robots_conformance::problem::Problems>(())
/// ```
pub fn suite<'a>(files: impl IntoIterator<Item = (&'a str, &'a str)>) -> Result<Suite, Problems> {
    let is_suite = |path: &str| {
        Path::new(path).extension().is_some_and(|extension| extension == "yaml")
            && !path.contains('/')
    };
    let (mut files, others): (Vec<(&str, &str)>, Vec<_>) =
        files.into_iter().partition(|(path, _)| is_suite(path));
    // The catalogue `requirements.yaml` is read first, because cases refer to its requirements.
    files.sort_by_key(|(path, _)| (*path != CATALOGUE, *path));

    let mut loader = Loader::default();
    if files.first().is_none_or(|(path, _)| *path != CATALOGUE) {
        let place = Place { file: CATALOGUE.to_owned(), line: 1 };
        loader
            .report(place, "the file is missing; it lists the requirements and tables".to_owned());
    }
    for (path, text) in &files {
        let source = Source::new(path, text);
        for problem in source.cut_prose() {
            loader.problems.push(problem);
        }
        let Some(mapping) = loader.yaml(&source) else { continue };
        if *path == documents::FILE {
            loader.documents(&source, &mapping);
        } else if *path == CATALOGUE {
            loader.requirements(&source, &mapping);
        } else {
            loader.case_file(&source, &mapping, Loader::question);
        }
    }
    if let Some((path, text)) = others.iter().find(|(path, _)| *path == observed::FILE) {
        loader.observed(&Source::new(path, text));
    }
    Problems::none_or(loader.problems, loader.suite)
}

/// Reads a file whose cases are not questions, in the same way as the suite's own files: key by key, with the place of
/// every mistake. The cases refer to the requirements and tables of the suite.
///
/// `check` receives a case with the keys that were read, and returns the checked form of the case. If it finds
/// mistakes, it reports each with its key and returns `None`. The loader calls `check` only for cases that have an id
/// and a known requirement.
///
/// # Errors
/// Returns every problem, with file and line.
pub fn cases<F: Form, G>(
    suite: &Suite,
    file: &str,
    text: &str,
    mut check: impl FnMut(&Case<F, F::Conforming>, &mut dyn FnMut(&str, String)) -> Option<G>,
) -> Result<Vec<Case<G, F::Conforming>>, Problems> {
    let source = Source::new(file, text);
    let mut loader =
        Loader { suite: suite.clone(), problems: source.cut_prose(), ..Loader::default() };
    loader.ids = suite.cases.iter().map(|case| (case.id.clone(), case.place.clone())).collect();
    let mut cases = Vec::new();
    if let Some(mapping) = loader.yaml(&source) {
        loader.case_file(&source, &mapping, |loader, item, value| {
            let Some(case) = loader.case::<F>(item, value) else { return };
            if loader.suite.requirement(&case.requirement).is_none() {
                return;
            }
            let mut report = |key: &str, message: String| {
                loader.report(source.key(item.block, key), format!("case {}: {message}", case.id));
            };
            if let Some(form) = check(&case, &mut report) {
                cases.push(case.with_form(form, case.expect.clone()));
            }
        });
    }
    Problems::none_or(loader.problems, cases)
}
