//! Lists the measured software that reads a construct in another way than the edition. A construct is a part of a file
//! that software is known to read in more than one way, for example a `*` in a path.
//!
//! Start at [`Portability::measured`]. A claim says that some software reads a construct of a file in another way than
//! the edition. Cases of the suite support each claim, because the software fails them. The file of such a case has one
//! construct, and nothing else that software is known to read in different ways. The case asks about a URL with only
//! plain characters, for a crawler with one token, and the edition gives one answer. `cargo survey portability`
//! generates `portability.json` from the suite and the results of the survey.

use robots_console::error::Error;
use std::collections::{BTreeMap, BTreeSet};

use robots_conformance::run::trial;
use robots_conformance::run::trial::Trial;
use robots_conformance::suite::Suite;
use robots_core::engine::{Ask, Role, VerdictQuestion};
use robots_core::syntax::{LineNumber, Span};
use robots_core::{Edition, Options, Parser, Profile, RobotsTxt};
use robots_lint::{Construct, FindingKind};
use serde::{Deserialize, Serialize};

/// The maximum number of cases that a claim names.
const CASES: usize = 3;

/// The results of the measurements, by edition and construct.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Portability {
    /// The software that reads a construct in another way, by edition and the construct's name.
    editions: BTreeMap<String, BTreeMap<String, Vec<Reader>>>,
}

/// A piece of software that reads a construct in another way than an edition.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reader {
    /// The name.
    pub name: String,
    /// The version that was measured.
    pub version: String,
    /// The cases that show the difference, as `area::case`; at most three.
    pub cases: Vec<String>,
    /// The reason why the software counts as old, with a source, or `None` if the software is in current use.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub old: Option<String>,
}

/// The software that portability notes are about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Software {
    /// Software in current use.
    Current,
    /// Software in current use, and old software.
    All,
    /// No software, so there are no portability notes.
    Nobody,
}

impl std::str::FromStr for Software {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        match text {
            "current" => Ok(Self::Current),
            "all" => Ok(Self::All),
            "none" => Ok(Self::Nobody),
            _ => Err(Error::new("unknown software; it is current, all or none")),
        }
    }
}

/// A piece of software that was measured, and the trials that it failed.
#[derive(Clone, Debug, Deserialize)]
pub struct Measured {
    /// The name.
    pub name: String,
    /// The version.
    pub version: String,
    /// The names of the trials, `area::case::edition::member`.
    #[serde(default)]
    pub failing: Vec<String>,
    /// The failed trials that the software did not answer in time.
    #[serde(default)]
    pub late: Vec<String>,
}

/// For each edition, the trials from which claims are derived. The file of such a trial has exactly one construct, or
/// none.
pub struct Shown(Vec<(Edition, Vec<Show>)>);

struct Show {
    trial: String,
    case: String,
    construct: Option<&'static str>,
}

impl Shown {
    /// Finds the trials of a suite from which claims can be derived.
    pub fn of<P: Parser + ?Sized>(parser: &P, suite: &Suite) -> Self {
        let trials = trial::published(suite);
        let shown = Edition::ALL.iter().map(|&edition| {
            let profile = Profile::from(edition);
            let shows = trials
                .iter()
                .filter(|trial| trial.profile() == profile && trial.conforming().is_normative())
                .filter_map(|trial| {
                    let construct = alone(parser, trial)?;
                    Some(Show { trial: trial.name().to_owned(), case: name(trial), construct })
                });
            (edition, shows.collect())
        });
        Self(shown.collect())
    }
}

/// A construct that a file uses, and the software that reads it in another way.
#[derive(Clone, Debug)]
pub struct Claim<'p> {
    /// The name of the construct, which is a [`Construct`] or a [`FindingKind`].
    pub construct: &'static str,
    /// A short description of the construct.
    pub says: &'static str,
    /// The first line that has the construct.
    pub line: LineNumber,
    /// The position of the construct in this line.
    pub span: Span,
    /// The number of lines that have the construct.
    pub lines: usize,
    /// The software that reads the construct in another way.
    pub readers: Vec<&'p Reader>,
}

impl Portability {
    /// Returns the measurements that are built into this program.
    ///
    /// # Errors
    /// Returns a message if the built-in file is invalid.
    pub fn embedded() -> Result<Self, Error> {
        serde_json::from_str(include_str!("../../portability.json")).map_err(|error| {
            Error::new(format!("portability.json: {error}; run `cargo survey portability`"))
        })
    }

    /// Derives the claims from measurements.
    #[must_use]
    pub fn measured(shown: &Shown, software: &[Measured]) -> Self {
        let mut editions = BTreeMap::new();
        for (edition, shown) in &shown.0 {
            let mut claims: BTreeMap<String, Vec<Reader>> = BTreeMap::new();
            for measured in software {
                for (construct, cases) in failed(shown, measured) {
                    let (name, version) = (measured.name.clone(), measured.version.clone());
                    let cases = cases.into_iter().take(CASES).map(str::to_owned).collect();
                    let reader = Reader { name, version, cases, old: None };
                    claims.entry(construct.to_owned()).or_default().push(reader);
                }
            }
            editions.insert(edition.id().to_owned(), claims);
        }
        Self { editions }
    }

    /// Adds the results of another measurement. If there is already a claim about the same construct and software, it
    /// is not replaced.
    pub fn join(&mut self, other: Self) {
        for (edition, constructs) in other.editions {
            let ours = self.editions.entry(edition).or_default();
            for (construct, readers) in constructs {
                let known = ours.entry(construct).or_default();
                for reader in readers {
                    if known.iter().all(|there| there.name != reader.name) {
                        known.push(reader);
                    }
                }
            }
        }
    }

    /// Marks software as old, by its name, with the reason.
    pub fn mark_old(&mut self, old: &BTreeMap<String, String>) {
        for reader in self.editions.values_mut().flat_map(BTreeMap::values_mut).flatten() {
            reader.old = old.get(&reader.name).cloned();
        }
    }

    /// Returns the selected software that reads a construct in another way than an edition.
    pub fn readers(&self, construct: &str, edition: Edition, software: Software) -> Vec<&Reader> {
        let known =
            self.editions.get(edition.id()).and_then(|constructs| constructs.get(construct));
        let is_asked_for = |reader: &&Reader| match software {
            Software::Current => reader.old.is_none(),
            Software::All => true,
            Software::Nobody => false,
        };
        known.into_iter().flatten().filter(is_asked_for).collect()
    }

    /// Returns the claims about the constructs in a file, in the order of the lines.
    pub fn claims<B: AsRef<[u8]>>(
        &self,
        robots: &RobotsTxt<B>,
        software: Software,
    ) -> Vec<Claim<'_>> {
        let mut claims: Vec<Claim<'_>> = Vec::new();
        let mut known: BTreeMap<&str, Vec<&Reader>> = BTreeMap::new();
        for (construct, says, line, span) in constructs(robots) {
            let readers = known
                .entry(construct)
                .or_insert_with(|| self.readers(construct, robots.edition(), software));
            if readers.is_empty() {
                continue;
            }
            if let Some(claim) = claims.iter_mut().find(|claim| claim.construct == construct) {
                claim.lines += 1;
            } else {
                let readers = readers.clone();
                claims.push(Claim { construct, says, line, span, lines: 1, readers });
            }
        }
        claims.sort_by_key(|claim| claim.line);
        claims
    }

    /// Returns the edition, the construct and the readers of every claim.
    pub fn all(&self) -> impl Iterator<Item = (&str, &str, &[Reader])> {
        self.editions.iter().flat_map(|(edition, constructs)| {
            constructs
                .iter()
                .map(|(construct, readers)| (edition.as_str(), construct.as_str(), &readers[..]))
        })
    }
}

/// Finds the constructs that an edition leaves open. The keys of the result are edition and construct, and the values
/// are the cases with this construct, as `area::case`.
///
/// The file of such a case has no other construct, and the edition does not require exactly one answer.
#[must_use]
pub fn contested<P: Parser + ?Sized>(
    parser: &P,
    suite: &Suite,
) -> BTreeMap<&'static str, BTreeMap<&'static str, BTreeSet<String>>> {
    let mut editions: BTreeMap<_, BTreeMap<_, BTreeSet<String>>> = BTreeMap::new();
    for trial in trial::published(suite)
        .iter()
        .filter(|trial| trial.is_open() || !trial.conforming().is_normative())
    {
        if let Some(Some(construct)) = alone(parser, trial) {
            let constructs = editions.entry(trial.profile().id()).or_default();
            constructs.entry(construct).or_default().insert(name(trial));
        }
    }
    editions
}

/// Returns every construct of a file, well-formed or not, with its position.
fn constructs<B: AsRef<[u8]>>(
    robots: &RobotsTxt<B>,
) -> impl Iterator<Item = (&'static str, &'static str, LineNumber, Span)> {
    let used = robots_lint::constructs(robots)
        .map(|(construct, line, span)| (construct.name(), construct.says(), line, span));
    let found = robots_lint::findings(robots).map(|finding| {
        (finding.kind().name(), finding.kind().summary(), finding.line(), finding.span())
    });
    used.chain(found)
}

/// If a file has at least this length, in octets, a failure may come from a size limit.
const LONG: usize = 4096;

/// If a file has at least this number of stars, a failure may come from a limit.
const MANY_STARS: usize = 20;

/// Returns the construct that a trial shows. The result is `Some(None)` if the trial shows no construct. The result is
/// `None` if the trial is not a verdict question about one product token, if it shows several constructs, or if its
/// failure may have another reason than a construct.
#[expect(
    clippy::option_option,
    reason = "a trial that is not suitable differs from one that shows no construct"
)]
fn alone<P: Parser + ?Sized>(parser: &P, trial: &Trial) -> Option<Option<&'static str>> {
    let Ask::Verdict(VerdictQuestion { robots_txt, agents, url }) = &trial.member().ask else {
        return None;
    };
    let [token] = agents.texts() else { return None };
    // If software fails a case with a long file or with many stars, the reason may be a limit and not the construct.
    let stars = robots_txt.split(|octet| *octet == b'*').count() - 1;
    let is_plain = trial.role() == Role::Parser
        && robots_txt.len() < LONG
        && stars < MANY_STARS
        && is_plain_url(url)
        && token.bytes().all(|octet| octet.is_ascii_lowercase() || octet == b'-');
    if !is_plain {
        return None;
    }
    let edition = trial.profile().edition()?;
    let robots = RobotsTxt::parse(parser, &**robots_txt, Options::from(edition));
    // Parsers also differ on a user-agent value that spells the crawler's token in another letter case.
    let in_another_case = robots.groups().flat_map(|group| group.user_agents()).any(|line| {
        line.value().eq_ignore_ascii_case(token.as_bytes()) && line.value() != token.as_bytes()
    });
    // Parsers also differ on groups without rules. They also differ if the crawler's token begins with the value of a
    // user-agent line, or if the value begins with the token.
    let goes_on = |long: &[u8], short: &[u8]| {
        let rest = long.strip_prefix(short).and_then(|rest| rest.first());
        let is_of_token = |octet: &u8| octet.is_ascii_alphabetic() || b"-_".contains(octet);
        !short.is_empty() && rest.is_some_and(is_of_token)
    };
    let named = |line: &[u8]| goes_on(line, token.as_bytes()) || goes_on(token.as_bytes(), line);
    let mut groups = robots.groups();
    let is_of_its_own = groups.any(|group| {
        group.rules().next().is_none() || group.user_agents().any(|line| named(line.value()))
    });
    if in_another_case || is_of_its_own {
        return None;
    }
    let all: BTreeSet<&'static str> = constructs(&robots).map(|(name, ..)| name).collect();
    match all.len() {
        0 => Some(None),
        1 => Some(all.first().copied()),
        _ => None,
    }
}

/// Returns whether a URL has only letters, digits, `/`, `.`, `-` and `_` after its scheme and host.
fn is_plain_url(url: &str) -> bool {
    let path = match url.split_once("://") {
        Some((_, rest)) => rest.find('/').map_or("/", |at| &rest[at..]),
        None => url,
    };
    let is_plain = |octet: u8| octet.is_ascii_alphanumeric() || b"/.-_".contains(&octet);
    path.starts_with('/') && path.bytes().all(is_plain)
}

/// Returns the constructs that software reads in another way than the edition, with the cases that show it.
///
/// If the software fails a case without a construct, the result is empty, because the other failures of the software
/// may have the same cause. Trials that the software did not answer in time do not count.
fn failed<'s>(shown: &'s [Show], measured: &Measured) -> BTreeMap<&'static str, BTreeSet<&'s str>> {
    let late: BTreeSet<&str> = measured.late.iter().map(String::as_str).collect();
    let failing = measured.failing.iter().map(String::as_str).filter(|name| !late.contains(name));
    let failing: BTreeSet<&str> = failing.collect();
    let mut found: BTreeMap<&'static str, BTreeSet<&str>> = BTreeMap::new();
    for show in shown.iter().filter(|show| failing.contains(&*show.trial)) {
        let Some(construct) = show.construct else { return BTreeMap::new() };
        found.entry(construct).or_default().insert(&show.case);
    }
    found
}

/// Returns the name of a trial's case, `area::case`.
fn name(trial: &Trial) -> String {
    let case = trial.case();
    format!("{}::{}", case.area, case.id)
}

/// Returns the description of a construct, given its name, or `None` if no construct has this name.
#[must_use]
pub fn says(name: &str) -> Option<&'static str> {
    let construct = name.parse::<Construct>().ok().map(Construct::says);
    construct.or_else(|| name.parse::<FindingKind>().ok().map(FindingKind::summary))
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::is_plain_url;

    #[rstest]
    #[trace]
    #[case("/", true)]
    #[case("/a/b.html", true)]
    #[case("https://example.com", true)]
    #[case("https://example.com/a?b", false)]
    #[case("/%41", false)]
    #[case("x", false)]
    fn urls(#[case] url: &str, #[case] plain: bool) {
        assert_eq!(is_plain_url(url), plain);
    }
}
