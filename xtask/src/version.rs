//! The version: `[workspace.package]` of Cargo.toml says it, and whatever else names it is compared with that, or written.

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::{fs, io};

use crate::{usage, workspace};

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Write this version everywhere, instead of checking
    #[arg(value_name = "VERSION", conflicts_with = "tag")]
    set: Option<String>,
    /// Fail as well where a tag is not that of the version, or CHANGELOG.md has no part for it
    #[arg(long)]
    tag: Option<String>,
}

pub(crate) fn run(arguments: &Arguments) -> ExitCode {
    let root = workspace();
    let version = match &arguments.set {
        Some(version) if is_version(version) => version.clone(),
        Some(version) => {
            return usage(format_args!(
                "{version} is no version; say three numbers, as in 1.2.3, or 1.2.3-rc.1"
            ));
        }
        None => env!("CARGO_PKG_VERSION").to_owned(),
    };
    let files = match files(&root) {
        Ok(files) => files,
        Err(error) => return usage(format_args!("the workspace cannot be read: {error}")),
    };
    let mut wrong = Vec::new();
    let mut named = 0;
    for (name, text) in files {
        let mentions = mentions(&name, &text);
        named += mentions.len();
        if arguments.set.is_none() {
            wrong.extend(mentions.iter().filter_map(|one| one.fault(&name, &text, &version)));
        } else if let Some(text) = written(&text, &mentions, &version) {
            if let Err(error) = fs::write(root.join(&name), text) {
                return usage(format_args!("{name} cannot be written: {error}"));
            }
            anstream::println!("{name}");
        }
    }
    if arguments.set.is_some() {
        anstream::println!(
            "now run `cargo xtask vectors`: the header of vectors.json names the version too"
        );
        return ExitCode::SUCCESS;
    }
    if let Some(tag) = &arguments.tag {
        let changes = fs::read_to_string(root.join("CHANGELOG.md")).unwrap_or_default();
        wrong.extend(faults_of_a_tag(tag, &version, &changes));
    }
    for one in &wrong {
        anstream::eprintln!("error: {one}");
    }
    if wrong.is_empty() {
        anstream::println!("version {version}, named {named} times");
        ExitCode::SUCCESS
    } else {
        anstream::eprintln!("`cargo xtask version {version}` writes it everywhere");
        ExitCode::FAILURE
    }
}

/// A place at which a version stands, and in which form.
#[derive(Debug, PartialEq, Eq)]
struct Mention {
    at: Range<usize>,
    form: Form,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// As in `1.2.3`.
    Whole,
    /// As in `1.2`, what a reader writes into a Cargo.toml.
    Short,
    /// `0.0.0`, for the build puts the version in.
    Zero,
    /// None, for the build takes it from Cargo.toml.
    Absent,
}

impl Form {
    fn of(self, version: &str) -> String {
        match self {
            Self::Whole => version.to_owned(),
            Self::Short => version.splitn(3, '.').take(2).collect::<Vec<_>>().join("."),
            Self::Zero => "0.0.0".to_owned(),
            Self::Absent => String::new(),
        }
    }
}

impl Mention {
    /// Returns what is wrong where the text names another version.
    fn fault(&self, name: &str, text: &str, version: &str) -> Option<String> {
        let (found, wanted) = (&text[self.at.clone()], self.form.of(version));
        let line = text[..self.at.start].matches('\n').count() + 1;
        match self.form {
            _ if found == wanted => None,
            Form::Absent => Some(format!(
                "{name}:{line}: a version of its own; remove it, for maturin takes that of Cargo.toml"
            )),
            Form::Zero => Some(format!(
                "{name}:{line}: {found}, where build.mjs puts the version in; write 0.0.0"
            )),
            Form::Whole | Form::Short => Some(format!("{name}:{line}: {found}, not {wanted}")),
        }
    }
}

/// What stands before a version in any text.
const MARKS: [(&str, Form); 8] = [
    ("robots-txt/robots-conformance@v", Form::Whole),
    ("robots-txt/robots-conformance:", Form::Whole),
    ("robots-conformance==", Form::Whole),
    ("robots-verdicts==", Form::Whole),
    ("robots-conformance = \"", Form::Short),
    ("robots-core = \"", Form::Short),
    ("robots-fetch = \"", Form::Short),
    ("robots-nom-parser = \"", Form::Short),
];

/// Returns the places of a file at which the version stands.
fn mentions(name: &str, text: &str) -> Vec<Mention> {
    let mut found = Vec::new();
    let mut add =
        |form, start| found.push(Mention { at: start..start + token(&text[start..]), form });
    let base = name.rsplit('/').next().unwrap_or(name);
    let mut package = false;
    let mut start = 0;
    let mut lines = text.split_inclusive('\n').peekable();
    while let Some(line) = lines.next() {
        match base {
            "Cargo.toml" => {
                if line.starts_with('[') {
                    package = matches!(line.trim_end(), "[package]" | "[workspace.package]");
                }
                let own = package && line.starts_with("version = \"");
                let ours = line.starts_with("robots-") && line.contains("path = ");
                // 0.0.0 is for what is never published.
                if let Some(at) = line.find("version = \"").map(|at| at + "version = \"".len())
                    && (own || ours)
                    && !line[at..].starts_with("0.0.0\"")
                {
                    add(Form::Whole, start + at);
                }
            }
            "Cargo.lock" => {
                let ours =
                    line.starts_with("version = \"") && !line.starts_with("version = \"0.0.0\"");
                let foreign = lines.peek().is_some_and(|next| next.starts_with("source = "));
                if package && ours && !foreign {
                    add(Form::Whole, start + "version = \"".len());
                }
                package =
                    line.starts_with("name = \"robots-") || line.starts_with("name = \"xtask");
            }
            "pyproject.toml" if line.starts_with("version = ") => add(Form::Absent, start),
            "package.json" if name.starts_with("conformance/npm/") => {
                if let Some(at) = line.find("\"version\": \"") {
                    add(Form::Zero, start + at + "\"version\": \"".len());
                }
            }
            _ => {}
        }
        for (mark, form) in MARKS {
            // `$VERSION` and the like are no version.
            let ends = line.match_indices(mark).map(|(at, _)| at + mark.len());
            ends.filter(|&end| line[end..].starts_with(|first: char| first.is_ascii_digit()))
                .for_each(|end| add(form, start + end));
        }
        start += line.len();
    }
    found
}

/// Returns the octets of the version, or the word, with which a text begins.
fn token(text: &str) -> usize {
    let inside = |letter: char| letter.is_ascii_alphanumeric() || ".-+".contains(letter);
    text.trim_start_matches(inside).as_ptr().addr() - text.as_ptr().addr()
}

/// Returns a text with another version, unless it is the same.
fn written(text: &str, mentions: &[Mention], version: &str) -> Option<String> {
    let mut new = String::new();
    let mut end = 0;
    for mention in mentions.iter().filter(|one| one.form != Form::Absent) {
        new.push_str(&text[end..mention.at.start]);
        new.push_str(&mention.form.of(version));
        end = mention.at.end;
    }
    new.push_str(&text[end..]);
    (new != text).then_some(new)
}

/// Returns what is wrong with the tag of a release.
fn faults_of_a_tag(tag: &str, version: &str, changes: &str) -> Vec<String> {
    let mut wrong = Vec::new();
    if tag.strip_prefix('v') != Some(version) {
        wrong.push(format!("the tag is {tag}, the version {version}; the tag of it is v{version}"));
    }
    let part = format!("\n## [{version}] - ");
    if !changes.contains(&part) {
        wrong.push(format!("CHANGELOG.md has no part `{}YYYY-MM-DD`", part.trim_start()));
    }
    wrong
}

fn is_version(text: &str) -> bool {
    let (numbers, suffix) = text.split_once('-').unwrap_or((text, "0"));
    let is_number = |one: &str| !one.is_empty() && one.bytes().all(|octet| octet.is_ascii_digit());
    numbers.split('.').count() == 3
        && numbers.split('.').all(is_number)
        && !suffix.is_empty()
        && token(suffix) == suffix.len()
}

/// What is built, installed or found, but not written.
const LEFT_OUT: [&str; 7] =
    [".git", ".venv", "artifacts", "corpus", "mutants.out", "node_modules", "target"];

/// Returns the files that may name the version, by their paths from the root.
fn files(root: &Path) -> io::Result<Vec<(String, String)>> {
    let mut found = Vec::new();
    let mut folders = vec![PathBuf::new()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(root.join(&folder))? {
            let entry = entry?;
            let path = folder.join(entry.file_name());
            let name = path.to_string_lossy().replace('\\', "/");
            let base = entry.file_name().to_string_lossy().into_owned();
            let kind = entry.file_type()?;
            if kind.is_dir() {
                if !LEFT_OUT.contains(&base.as_str()) {
                    folders.push(path);
                }
            } else if kind.is_file() && is_read(&base) {
                found.push((name, fs::read_to_string(root.join(&path))?));
            }
        }
    }
    found.sort();
    Ok(found)
}

/// Returns whether a file may name the version. The change log names those of the past.
fn is_read(base: &str) -> bool {
    let extension = Path::new(base).extension().and_then(|extension| extension.to_str());
    let is_text =
        matches!(extension, Some("html" | "json" | "lock" | "md" | "toml" | "yaml" | "yml"));
    is_text && base != "CHANGELOG.md"
}

#[cfg(test)]
mod tests {
    use super::{faults_of_a_tag, files, is_version, mentions, written};
    use crate::workspace;

    const FILES: [(&str, &str); 8] = [
        (
            "Cargo.toml",
            "[workspace.package]\nversion = \"1.2.3\"\nrust-version = \"1.89\"\n[workspace.dependencies]\n\
             robots-core = { path = \"robots-core\", version = \"1.2.3\" }\nurl = { version = \"2.5\" }\n",
        ),
        ("a/Cargo.toml", "[package]\nversion = \"1.2.3\"\n[dependencies]\nserde = \"1\"\n"),
        (
            "Cargo.lock",
            "name = \"robots-core\"\nversion = \"1.2.3\"\ndependencies = [\nname = \"serde\"\nversion = \"1.0.0\"\n",
        ),
        ("docs/ci.md", "- uses: robots-txt/robots-conformance@v1.2.3\n"),
        (".pre-commit-config.yaml", "deps: [robots-conformance==1.2.3, protego==0.7.0]\n"),
        ("README.md", "[dev-dependencies]\nrobots-conformance = \"1.2\"\n"),
        ("conformance/npm/x/package.json", "{\n  \"version\": \"0.0.0\",\n}\n"),
        ("pyproject.toml", "[project]\nname = \"x\"\ndynamic = [\"version\"]\n"),
    ];

    fn faults(name: &str, text: &str, version: &str) -> Vec<String> {
        mentions(name, text).iter().filter_map(|one| one.fault(name, text, version)).collect()
    }

    #[test]
    fn one_version_everywhere_is_no_fault() {
        for (name, text) in FILES {
            assert_eq!(faults(name, text, "1.2.3"), Vec::<String>::new());
        }
    }

    #[test]
    fn another_version_is_told_with_its_place() {
        let found: Vec<String> =
            FILES.iter().flat_map(|(name, text)| faults(name, text, "1.3.0")).collect();
        insta::assert_snapshot!(found.join("\n"), @r"
        Cargo.toml:2: 1.2.3, not 1.3.0
        Cargo.toml:5: 1.2.3, not 1.3.0
        a/Cargo.toml:2: 1.2.3, not 1.3.0
        Cargo.lock:2: 1.2.3, not 1.3.0
        docs/ci.md:1: 1.2.3, not 1.3.0
        .pre-commit-config.yaml:1: 1.2.3, not 1.3.0
        README.md:2: 1.2, not 1.3
        ");
    }

    #[test]
    fn what_the_build_fills_in_has_no_version_of_its_own() {
        let json = "{\n  \"version\": \"1.2.3\",\n}\n";
        insta::assert_snapshot!(
            faults("conformance/npm/x/package.json", json, "1.2.3").join("\n"),
            @"conformance/npm/x/package.json:2: 1.2.3, where build.mjs puts the version in; write 0.0.0"
        );
        insta::assert_snapshot!(
            faults("x/pyproject.toml", "[project]\nversion = \"1.2.3\"\n", "1.2.3").join("\n"),
            @"x/pyproject.toml:2: a version of its own; remove it, for maturin takes that of Cargo.toml"
        );
    }

    #[test]
    fn what_is_written_is_no_fault_any_more() {
        for (name, text) in FILES {
            let text =
                written(text, &mentions(name, text), "2.0.0-rc.1").unwrap_or(text.to_owned());
            assert_eq!(faults(name, &text, "2.0.0-rc.1"), Vec::<String>::new());
        }
        let (name, text) = FILES[3];
        let new = written(text, &mentions(name, text), "2.0.0-rc.1").unwrap();
        assert_eq!(new, "- uses: robots-txt/robots-conformance@v2.0.0-rc.1\n");
    }

    #[test]
    fn the_files_of_the_workspace_that_name_it_are_seen() {
        let files = files(&workspace()).unwrap();
        for name in [
            "Cargo.lock",
            "Cargo.toml",
            "README.md",
            "conformance/README.md",
            "conformance/npm/robots-conformance/package.json",
            "docs/ci.md",
            "docs/examples/ci/.pre-commit-config.yaml",
            "docs/examples/ci/github.yml",
            "robots-nom-parser/python/Cargo.lock",
            "robots-nom-parser/python/Cargo.toml",
        ] {
            let (_, text) = files.iter().find(|(one, _)| one == name).expect(name);
            assert!(!mentions(name, text).is_empty(), "{name} names no version");
        }
    }

    #[test]
    fn a_tag_is_that_of_the_version_and_of_a_part_of_the_change_log() {
        let changes = "# Changelog\n\n## [Unreleased]\n\n## [1.2.3] - 2026-01-31\n";
        assert_eq!(faults_of_a_tag("v1.2.3", "1.2.3", changes), Vec::<String>::new());
        insta::assert_snapshot!(faults_of_a_tag("1.2.4", "1.2.4", changes).join("\n"), @r"
        the tag is 1.2.4, the version 1.2.4; the tag of it is v1.2.4
        CHANGELOG.md has no part `## [1.2.4] - YYYY-MM-DD`
        ");
    }

    #[test]
    fn a_version_has_three_numbers() {
        for version in ["0.1.0", "10.20.30", "1.0.0-rc.1"] {
            assert!(is_version(version), "{version}");
        }
        for text in ["", "1", "1.2", "v1.2.3", "1.2.3.4", "1.2.x", "1.2.3-", "1.2.3 "] {
            assert!(!is_version(text), "{text}");
        }
    }
}
