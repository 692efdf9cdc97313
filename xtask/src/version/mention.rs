//! Finds the places of a file that repeat the version or the repository.
//!
//! `mentions` finds a place by the text around it, whatever version or address is there. So a check can compare the
//! value, and a release can replace it. Start at `Form`, which defines the required value of each place.

use std::ops::Range;

use super::release::{NAME, Release};

/// A place that repeats the version or the repository.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Mention {
    at: Range<usize>,
    form: Form,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// The version, as in `1.2.3`.
    Whole,
    /// The short version, as in `1.2`, with which a Cargo.toml names a dependency.
    Short,
    /// `0.0.0`, because the build writes the version.
    Zero,
    /// This place has no version, because the build takes the version from Cargo.toml.
    Absent,
    /// The address of the repository.
    Address,
    /// The owner and the name of the repository, as an action or an image needs them.
    Slug,
}

impl Form {
    fn of(self, release: &Release) -> String {
        match self {
            Self::Whole => release.version.clone(),
            Self::Short => release.version.splitn(3, '.').take(2).collect::<Vec<_>>().join("."),
            Self::Zero => "0.0.0".to_owned(),
            Self::Absent => String::new(),
            Self::Address => release.repository.clone(),
            Self::Slug => release.slug(),
        }
    }
}

impl Mention {
    /// Returns an error message if the place does not have the value of the release.
    pub(super) fn fault(&self, name: &str, text: &str, release: &Release) -> Option<String> {
        let (found, wanted) = (&text[self.at.clone()], self.form.of(release));
        let line = text[..self.at.start].matches('\n').count() + 1;
        match self.form {
            _ if found == wanted => None,
            Form::Absent => Some(format!(
                "{name}:{line}: a version of its own; remove it, because maturin takes that of Cargo.toml"
            )),
            Form::Zero => Some(format!(
                "{name}:{line}: {found}, but build.mjs writes the version here; write 0.0.0"
            )),
            _ => Some(format!("{name}:{line}: {found}, not {wanted}")),
        }
    }
}

/// Returns a text with the values of the release, or `None` if it already has them.
pub(super) fn written(text: &str, mentions: &[Mention], release: &Release) -> Option<String> {
    let mut new = String::new();
    let mut end = 0;
    for mention in mentions.iter().filter(|one| one.form != Form::Absent) {
        new.push_str(&text[end..mention.at.start]);
        new.push_str(&mention.form.of(release));
        end = mention.at.end;
    }
    new.push_str(&text[end..]);
    (new != text).then_some(new)
}

/// Returns the places of a file, in the order of the text.
pub(super) fn mentions(name: &str, text: &str) -> Vec<Mention> {
    let mut found = in_manifests(name, text);
    // The change log names past versions, which must not change.
    let marks = if name == "CHANGELOG.md" { &[][..] } else { &MARKS[..] };
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        for (mark, form) in marks {
            // `$VERSION` and similar texts are not versions.
            let ends = line.match_indices(mark).map(|(at, _)| at + mark.len());
            ends.filter(|&end| line[end..].starts_with(|first: char| first.is_ascii_digit()))
                .for_each(|end| found.push(version_at(text, start + end, *form)));
        }
        let addresses = line.match_indices(NAME).filter_map(|(at, _)| address(line, at));
        found.extend(
            addresses.map(|(at, form)| Mention { at: start + at.start..start + at.end, form }),
        );
        start += line.len();
    }
    found.sort_by_key(|mention| mention.at.start);
    found
}

/// Returns the length in octets of the version or word at the start of a text.
pub(super) fn token(text: &str) -> usize {
    let inside = |letter: char| letter.is_ascii_alphanumeric() || ".-+".contains(letter);
    text.trim_start_matches(inside).as_ptr().addr() - text.as_ptr().addr()
}

/// The texts before a version, with the form of that version.
const MARKS: [(&str, Form); 11] = [
    ("/robots-conformance@v", Form::Whole),
    ("/robots-conformance:", Form::Whole),
    ("robots-conformance==", Form::Whole),
    ("version: ==", Form::Whole),
    ("robots-verdicts==", Form::Whole),
    ("robots-conformance = \"", Form::Short),
    ("robots-core = \"", Form::Short),
    ("robots-fetch = \"", Form::Short),
    ("robots-google-cpp = \"", Form::Short),
    ("robots-lint = \"", Form::Short),
    ("robots-nom-parser = \"", Form::Short),
];

/// The texts before the owner of an action or an image.
const BEFORE_OWNER: [&str; 3] = ["uses: ", "ghcr.io/", "--repo "];

/// The registries. An address of a package in a registry is not an address of the repository.
const REGISTRIES: [&str; 5] = ["crates.io", "docs.rs", "npmjs.com", "pypi.org", "shields.io"];

/// Returns the place that repeats the repository's address, or its owner and name. `name` is the octet of the line at
/// which the repository's name begins. Returns `None` if the name does not end such a text.
fn address(line: &str, name: usize) -> Option<(Range<usize>, Form)> {
    let end = name + NAME.len();
    let goes_on =
        line[end..].starts_with(|next: char| next.is_ascii_alphanumeric() || "-_".contains(next));
    let before = line[..name].strip_suffix('/')?;
    let is_inside = |letter: char| letter.is_ascii_alphanumeric() || ".-_:/$@".contains(letter);
    let start = before.trim_end_matches(is_inside).len();
    let word = &before[start..];
    if goes_on {
        return None;
    }
    let is_registry = REGISTRIES.iter().any(|host| word.contains(host));
    if let Some(at) = scheme(word).or_else(|| user(word)) {
        return (!is_registry).then_some((start + at..end, Form::Address));
    }
    let owner = before.rfind(['/', ' ']).map_or(0, |at| at + 1);
    if !is_registry && !line[..owner].ends_with("ghcr.io/") && is_host_and_owner(word) {
        return Some((start..end, Form::Address));
    }
    let is_named = BEFORE_OWNER.iter().any(|mark| line[..owner].ends_with(mark));
    (is_named && !before[owner..].contains('$')).then_some((owner..end, Form::Slug))
}

/// Returns the start of the scheme of an address, as in `https://` and `ssh://`. Other schemes count too: the required
/// value has `https`, so the check then reports the address.
fn scheme(word: &str) -> Option<usize> {
    let before = &word[..word.find("://")?];
    let scheme = before.trim_end_matches(|letter: char| letter.is_ascii_alphanumeric()).len();
    (scheme < before.len()).then_some(scheme)
}

/// Returns whether a word is an address without a scheme, as in `HOST.TLD/OWNER`.
fn is_host_and_owner(word: &str) -> bool {
    let Some((host, owner)) = word.split_once('/') else { return false };
    let labels: Vec<&str> = host.split('.').collect();
    let is_label = |label: &&str| {
        !label.is_empty()
            && label.bytes().all(|octet| octet.is_ascii_alphanumeric() || octet == b'-')
    };
    let has_domain =
        labels.last().is_some_and(|last| last.bytes().all(|octet| octet.is_ascii_lowercase()));
    let is_owner = !owner.is_empty() && !owner.contains(['/', '$', '@']);
    labels.len() > 1 && labels.iter().all(is_label) && has_domain && is_owner
}

/// Returns the start of an address as git and ssh write it, `USER@HOST:OWNER`.
fn user(word: &str) -> Option<usize> {
    let (user, rest) = word.split_once('@')?;
    let (host, _) = rest.split_once(':')?;
    (!user.is_empty() && !host.is_empty() && !host.contains('/')).then_some(0)
}

/// Returns the places with versions in a manifest or a lock file.
fn in_manifests(name: &str, text: &str) -> Vec<Mention> {
    let mut found = Vec::new();
    let base = name.rsplit('/').next().unwrap_or(name);
    let mut package = false;
    let mut start = 0;
    let mut lines = text.split_inclusive('\n').peekable();
    while let Some(line) = lines.next() {
        let mut add = |form, at| found.push(version_at(text, start + at, form));
        match base {
            "Cargo.toml" => {
                if line.starts_with('[') {
                    package = matches!(line.trim_end(), "[package]" | "[workspace.package]");
                }
                let is_of_package = package && line.starts_with("version = \"");
                let is_ours = line.starts_with("robots-") && line.contains("path = ");
                // 0.0.0 marks packages that are never published.
                if let Some(at) = line.find("version = \"").map(|at| at + "version = \"".len())
                    && (is_of_package || is_ours)
                    && !line[at..].starts_with("0.0.0\"")
                {
                    add(Form::Whole, at);
                }
            }
            "Cargo.lock" => {
                let ours =
                    line.starts_with("version = \"") && !line.starts_with("version = \"0.0.0\"");
                let foreign = lines.peek().is_some_and(|next| next.starts_with("source = "));
                if package && ours && !foreign {
                    add(Form::Whole, "version = \"".len());
                }
                package =
                    line.starts_with("name = \"robots-") || line.starts_with("name = \"xtask");
            }
            "pyproject.toml" if line.starts_with("version = ") => add(Form::Absent, 0),
            "package.json" if name.starts_with("packages/npm/") => {
                if let Some(at) = line.find("\"version\": \"") {
                    add(Form::Zero, at + "\"version\": \"".len());
                }
            }
            _ => {}
        }
        start += line.len();
    }
    found
}

fn version_at(text: &str, start: usize, form: Form) -> Mention {
    Mention { at: start..start + token(&text[start..]), form }
}

#[cfg(test)]
mod tests {
    use super::super::release::Release;
    use super::{mentions, written};

    const FILES: [(&str, &str); 13] = [
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
        ("docs/ci.md", "- uses: owner.invalid/robots-conformance@v1.2.3\n"),
        (".pre-commit-config.yaml", "deps: [robots-conformance==1.2.3, protego==0.7.0]\n"),
        ("README.md", "[dev-dependencies]\nrobots-conformance = \"1.2\"\n"),
        ("packages/npm/x/package.json", "{\n  \"version\": \"0.0.0\",\n}\n"),
        ("pyproject.toml", "[project]\nname = \"x\"\ndynamic = [\"version\"]\n"),
        ("a.md", "[it](https://repository.invalid/robots-conformance/blob/main/CHANGELOG.md)\n"),
        ("package.json", "\"url\": \"git+https://repository.invalid/robots-conformance.git\"\n"),
        (
            "Dockerfile",
            "COPY --from=ghcr.io/owner.invalid/robots-conformance:1.2.3 /usr/local/bin/\n",
        ),
        (
            "CHANGELOG.md",
            "robots-conformance==0.9.0 [0.9.0]: https://repository.invalid/robots-conformance/v0.9.0\n",
        ),
        (
            "no.md",
            "https://pypi.org/project/robots-conformance/ target/release/robots-conformance \
             ghcr.io/$OWNER/robots-conformance:$VERSION https://a.example/robots-conformance-cli \
             node_modules/@a/robots-conformance me@a.example/robots-conformance ://a/robots-conformance\n",
        ),
    ];

    fn release(version: &str, repository: &str) -> Release {
        Release { version: version.to_owned(), repository: repository.to_owned() }
    }

    fn faults(name: &str, text: &str, release: &Release) -> Vec<String> {
        mentions(name, text).iter().filter_map(|one| one.fault(name, text, release)).collect()
    }

    #[test]
    fn the_same_version_and_address_everywhere_is_no_fault() {
        let release = release("1.2.3", "https://repository.invalid/robots-conformance");
        for (name, text) in FILES {
            assert_eq!(faults(name, text, &release), Vec::<String>::new());
        }
    }

    #[test]
    fn another_version_or_address_is_reported_with_its_place() {
        let release = release("1.3.0", "https://example.com/us/robots-conformance");
        let found: Vec<String> =
            FILES.iter().flat_map(|(name, text)| faults(name, text, &release)).collect();
        insta::assert_snapshot!(found.join("\n"), @r#"
        Cargo.toml:2: 1.2.3, not 1.3.0
        Cargo.toml:5: 1.2.3, not 1.3.0
        a/Cargo.toml:2: 1.2.3, not 1.3.0
        Cargo.lock:2: 1.2.3, not 1.3.0
        docs/ci.md:1: owner.invalid/robots-conformance, not us/robots-conformance
        docs/ci.md:1: 1.2.3, not 1.3.0
        .pre-commit-config.yaml:1: 1.2.3, not 1.3.0
        README.md:2: 1.2, not 1.3
        a.md:1: https://repository.invalid/robots-conformance, not https://example.com/us/robots-conformance
        package.json:1: https://repository.invalid/robots-conformance, not https://example.com/us/robots-conformance
        Dockerfile:1: owner.invalid/robots-conformance, not us/robots-conformance
        Dockerfile:1: 1.2.3, not 1.3.0
        CHANGELOG.md:1: https://repository.invalid/robots-conformance, not https://example.com/us/robots-conformance
        "#);
    }

    #[test]
    fn an_address_for_git_or_without_https_is_found_and_replaced() {
        let release = release("1.2.3", "https://example.com/us/robots-conformance");
        for (text, found) in [
            ("`git clone git@example.com:they/robots-conformance.git`", "git@example.com:they"),
            ("<http://example.com/they/robots-conformance>", "http://example.com/they"),
            ("(ssh://git@example.com/they/robots-conformance)", "ssh://git@example.com/they"),
            ("git+ssh://git@example.com/they/robots-conformance", "ssh://git@example.com/they"),
            ("git://example.com/they/robots-conformance.git", "git://example.com/they"),
            ("see github.com/they/robots-conformance", "github.com/they"),
            ("docker run docker.io/they/robots-conformance", "docker.io/they"),
        ] {
            let expected = format!(
                "a.md:1: {found}/robots-conformance, not https://example.com/us/robots-conformance"
            );
            assert_eq!(faults("a.md", text, &release), [expected]);
            let new = written(text, &mentions("a.md", text), &release).unwrap();
            assert_eq!(new, text.replace(found, "https://example.com/us"));
        }
    }

    #[test]
    fn a_build_that_writes_the_version_wants_none() {
        let release = release("1.2.3", "https://repository.invalid/robots-conformance");
        let json = "{\n  \"version\": \"1.2.3\",\n}\n";
        let found = [
            faults("packages/npm/x/package.json", json, &release),
            faults("x/pyproject.toml", "[project]\nversion = \"1.2.3\"\n", &release),
        ];
        insta::assert_snapshot!(found.concat().join("\n"), @r"
        packages/npm/x/package.json:2: 1.2.3, but build.mjs writes the version here; write 0.0.0
        x/pyproject.toml:2: a version of its own; remove it, because maturin takes that of Cargo.toml
        ");
    }

    #[test]
    fn what_is_written_has_no_fault() {
        let release = release("2.0.0-rc.1", "https://example.com/us/robots-conformance");
        for (name, text) in FILES {
            let text = written(text, &mentions(name, text), &release).unwrap_or(text.to_owned());
            assert_eq!(faults(name, &text, &release), Vec::<String>::new());
        }
        let (name, text) = FILES[3];
        let new = written(text, &mentions(name, text), &release).unwrap();
        assert_eq!(new, "- uses: us/robots-conformance@v2.0.0-rc.1\n");
    }
}
