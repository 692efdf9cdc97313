//! Checks which files name an engine or an edition.
//!
//! The runner and its command must work with any engine, and one table must hold everything in which editions differ.
//! So only the files that are listed here may name an engine or an edition. Comments and tests are ignored.

use std::collections::BTreeSet;
use std::fs;

use robots_conformance::robots_core::Edition;

use crate::invocation::workspace;
use crate::sources::{code, rust_files};

/// The folders that may not name an engine.
const RUNNER: &[&str] =
    &["conformance/src", "conformance/cli/src", "conformance/live/src", "conformance/web/src"];

/// The engines, each with the files that may name it. The binary names the parser, and the engine that answers as
/// Google's library does.
const ENGINES: [(&str, &[&str]); 2] = [
    ("robots_nom_parser", &["conformance/cli/src/main.rs"]),
    ("robots_google_cpp", &["conformance/cli/src/main.rs"]),
];

/// The folders of the libraries. In these folders, only the files in [`TABLE`] and [`DEFAULTS`] may name an edition.
const LIBRARIES: &[&str] = &[
    "robots-core/src",
    "robots-nom-parser/src",
    "robots-lint/src",
    "robots-fetch/src",
    "robots-cli/src",
    "robots-cli/console/src",
    "conformance/src",
    "conformance/cli/src",
    "conformance/live/src",
    "conformance/web/src",
    "conformance/google-cpp/src",
];

/// The folder with the table of editions.
const TABLE: &str = "robots-core/src/edition/";

/// The files that name an edition because they contain the default for an engine that declares no edition.
const DEFAULTS: &[&str] = &[
    "conformance/src/process/command.rs",
    "conformance/src/protocol/hello.rs",
    "robots-core/src/engine/is_allowed.rs",
];

/// Returns a message for each file that names an engine or an edition although it is not listed, and for each listed
/// file that names none.
fn problems() -> Vec<String> {
    let engines = ENGINES.iter().map(|(name, files)| {
        let named = naming(RUNNER, &[(*name).to_owned()])?;
        Ok(differences(&named, files, &format!("the engine {name}")))
    });
    let editions = || {
        let all = Edition::ALL.iter().chain(Edition::DRAFTS);
        let variants: Vec<String> = all.map(|edition| format!("Edition::{edition:?}")).collect();
        let mut named = naming(LIBRARIES, &variants)?;
        named.retain(|file| !file.starts_with(TABLE));
        Ok(differences(&named, DEFAULTS, "an edition"))
    };
    let found: Result<Vec<_>, String> = engines.chain([editions()]).collect();
    found.map_or_else(|error| vec![error], |problems| problems.concat())
}

fn differences(named: &BTreeSet<String>, listed: &[&str], what: &str) -> Vec<String> {
    let list = "xtask/src/arrows/names.rs";
    let unlisted = named.iter().filter(|file| !listed.contains(&file.as_str()));
    let unlisted = unlisted.map(|file| {
        format!("{file} names {what}: take it from the caller, or list the file in {list}")
    });
    let stale = listed.iter().filter(|file| !named.contains(**file));
    let stale = stale.map(|file| format!("{file} does not name {what}: remove it from {list}"));
    unlisted.chain(stale).collect()
}

/// Returns the files that are below these folders and whose code contains one of the names.
fn naming(folders: &[&str], names: &[String]) -> Result<BTreeSet<String>, String> {
    let mut naming = BTreeSet::new();
    for folder in folders {
        // A file `tests.rs` contains only tests.
        let files = rust_files(&workspace().join(folder))?.into_iter();
        for path in files.filter(|path| !path.ends_with("tests.rs")) {
            let text = fs::read_to_string(&path)
                .map_err(|error| format!("{}: {error}", path.display()))?;
            if names.iter().any(|name| code(&text).any(|line| line.contains(name.as_str()))) {
                let file = path.strip_prefix(workspace()).unwrap_or(&path).to_string_lossy();
                naming.insert(file.replace('\\', "/"));
            }
        }
    }
    Ok(naming)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{differences, problems};

    #[test]
    fn only_listed_files_name_engines_and_editions() {
        assert_eq!(problems(), [""; 0]);
    }

    #[test]
    fn a_file_that_is_not_listed_or_not_naming_is_found() {
        let named = BTreeSet::from(["a.rs".to_owned()]);
        let [unlisted, stale] = &differences(&named, &["b.rs"], "an edition")[..] else { panic!() };
        assert!(unlisted.starts_with("a.rs names an edition"), "{unlisted}");
        assert!(stale.starts_with("b.rs does not name an edition"), "{stale}");
    }
}
