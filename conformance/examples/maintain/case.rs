//! Adds the beginning of a new case to the file of its area.
//!
//! Start at [`begin()`]. This function appends the case to the file and changes nothing else. The module `kind` of the
//! suite provides the keys of each kind of question, and the editions that define the kind. So a new kind needs no
//! change in this module. A test makes the beginning of a case for every kind, fills in only the requirement and the
//! description, and loads the case.

use std::fs;
use std::path::Path;

use robots_conformance::kind;
use robots_conformance::kind::QuestionKind;
use robots_conformance::suite::load::is_kebab;

/// Begins a case and prints its place.
///
/// # Errors
/// Returns a message if the area or the kind is unknown, or the id is not usable.
pub(crate) fn run(workspace: &Path, area: &str, id: &str, kind: &str) -> Result<bool, String> {
    let ask: QuestionKind = kind.parse().map_err(|error| format!("--ask {kind}: {error}"))?;
    let (path, line) = begin(&workspace.join("spec-cases"), area, id, ask)?;
    println!(
        "{path}:{line}: fill in `requirement`, `about`, the question and `expect`, then run \
         `cargo xtask conformance --filter {id}`; spec-cases/README.md explains the keys"
    );
    Ok(true)
}

/// Appends the beginning of a case and returns its file and line.
fn begin(
    folder: &Path,
    area: &str,
    id: &str,
    ask: QuestionKind,
) -> Result<(String, usize), String> {
    if !is_kebab(id) {
        return Err(format!(
            "`{id}` is not kebab-case: lower-case letters and digits, joined by `-`"
        ));
    }
    let files = areas(folder)?;
    for (known, text) in &files {
        if text
            .lines()
            .any(|line| line.trim_start().trim_start_matches("- ") == format!("id: {id}"))
        {
            return Err(format!(
                "spec-cases/{known}.yaml has a case `{id}` already; ids are unique"
            ));
        }
    }
    let Some((_, text)) = files.iter().find(|(known, _)| known == area) else {
        let known: Vec<&str> = files.iter().map(|(known, _)| known.as_str()).collect();
        return Err(format!("there is no area `{area}`; the areas are {}", known.join(", ")));
    };
    let separator = if text.ends_with('\n') { "\n" } else { "\n\n" };
    let case = format!("{separator}{}", template(id, ask));
    let path = folder.join(format!("{area}.yaml"));
    let line = text.lines().count() + 2;
    fs::write(&path, format!("{text}{case}"))
        .map_err(|error| format!("{} cannot be written: {error}", path.display()))?;
    Ok((format!("spec-cases/{area}.yaml"), line))
}

/// Returns the beginning of a case, with every edition that defines its kind.
fn template(id: &str, ask: QuestionKind) -> String {
    let (question, answer) = kind::template(ask);
    let asked = match ask {
        QuestionKind::Verdict => String::new(),
        other => format!("    ask: {other}\n"),
    };
    let expect = kind::editions(ask)
        .iter()
        .fold(String::new(), |expect, edition| expect + &format!("      {edition}: {answer}\n"));
    format!("  - id: {id}\n    requirement:\n    about:\n{asked}{question}    expect:\n{expect}")
}

/// Reads the case files, and returns the area and the text of each.
fn areas(folder: &Path) -> Result<Vec<(String, String)>, String> {
    let read = |path: &Path| {
        fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
    };
    let entries = fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut paths: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    let mut files = Vec::new();
    for path in paths {
        let (stem, extension) = (path.file_stem(), path.extension());
        let (Some(stem), Some("yaml")) =
            (stem.and_then(|s| s.to_str()), extension.and_then(|e| e.to_str()))
        else {
            continue;
        };
        let text = read(&path)?;
        if text.lines().any(|line| line == format!("area: {stem}")) {
            files.push((stem.to_owned(), text));
        }
    }
    Ok(files)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use robots_conformance::kind;
    use robots_conformance::kind::QuestionKind;
    use robots_conformance::suite::load;
    use robots_core::Edition;

    use super::{begin, template};

    #[test]
    fn a_case_begins_at_the_end_of_its_file_and_nowhere_else() {
        let folder = std::env::temp_dir().join(format!("robots-case-new-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("sitemap.yaml"), "area: sitemap\ncases:\n  - id: old-one\n").unwrap();
        fs::write(folder.join("requirements.yaml"), "requirements: []\n").unwrap();

        assert_eq!(
            begin(&folder, "sitemap", "new-one", QuestionKind::Verdict),
            Ok(("spec-cases/sitemap.yaml".to_owned(), 5))
        );
        let text = fs::read_to_string(folder.join("sitemap.yaml")).unwrap();
        assert_eq!(text.lines().nth(4), Some("  - id: new-one"));
        insta::assert_debug_snapshot!(
            [("sitemap", "new-one"), ("sitemap", "New"), ("grammer", "x")].map(|(a, i)| begin(&folder, a, i, QuestionKind::Verdict)),
            @r#"
        [
            Err(
                "spec-cases/sitemap.yaml has a case `new-one` already; ids are unique",
            ),
            Err(
                "`New` is not kebab-case: lower-case letters and digits, joined by `-`",
            ),
            Err(
                "there is no area `grammer`; the areas are sitemap",
            ),
        ]
        "#);
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn a_case_of_any_kind_lacks_only_its_requirement_and_its_description() {
        let catalogue = catalogue();
        for &ask in QuestionKind::ALL {
            let case = template("new-one", ask)
                .replace("requirement:", "requirement: LOC-ROOT")
                .replace("about:", "about: Something.");
            let text = format!("area: robots-url\ncases:\n{case}");
            let files = [("requirements.yaml", catalogue.as_str()), ("robots-url.yaml", &text)];
            let suite = load::suite(files).unwrap_or_else(|problems| panic!("{ask}: {problems}"));
            assert_eq!(suite.cases[0].form.ask, ask);
            let editions: Vec<Edition> = suite.cases[0].expect.keys().copied().collect();
            assert_eq!(editions, kind::editions(ask));
        }
    }

    /// Returns a catalogue with one requirement, which every edition has.
    fn catalogue() -> String {
        let editions = robots_core::Edition::ALL.iter().chain(robots_core::Edition::DRAFTS);
        let states = editions.fold(String::new(), |states, edition| {
            states + &format!("      {edition}: {{ level: must, source: \"1\" }}\n")
        });
        format!(
            "requirements:\n  - id: LOC-ROOT\n    area: robots-url\n    says: It lies somewhere.\n    editions:\n{states}"
        )
    }
}
