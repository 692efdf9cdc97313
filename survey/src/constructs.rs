//! Finds the measured software that reads a construct in another way than the edition. A construct is a part of a file
//! that software is known to read in more than one way, for example a `*` in a path.
//!
//! Start at [`Portability::measured`]. A claim says that some software reads a construct of a file in another way than
//! the edition. Cases of the suite support each claim, because the software fails them. The file of such a case has one
//! construct, and nothing else that software is known to read in different ways. The case asks about a URL with only
//! plain characters, for a crawler with one token, and the edition gives one answer. `cargo survey portability`
//! generates `portability.json` from the suite and the results of the survey.

use std::collections::{BTreeMap, BTreeSet};

use robots_conformance::robots_core::engine::{Ask, Role, VerdictQuestion};
use robots_conformance::robots_core::{Edition, Options, Parser, Profile, RobotsTxt};
use robots_conformance::run::trial;
use robots_conformance::run::trial::Trial;
use robots_conformance::suite::Suite;
use robots_lint::{Construct, FindingKind};
use serde::{Deserialize, Serialize};

/// The maximum number of cases that a claim names.
const CASES: usize = 3;

/// The results of the measurements, by edition and construct.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Portability {
    /// The software that reads a construct in another way, by edition and the construct's name.
    editions: BTreeMap<String, BTreeMap<String, Vec<Reader>>>,
}

/// A piece of software that reads a construct in another way than an edition.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Reader {
    /// The name.
    pub(crate) name: String,
    /// The version that was measured.
    pub(crate) version: String,
    /// The cases that show the difference, as `area::case`; at most three.
    pub(crate) cases: Vec<String>,
    /// The reason why the software counts as old, with a source, or `None` if the software is in current use.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) old: Option<String>,
}

/// A piece of software that was measured, and the trials that it failed.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Measured {
    /// The name.
    pub(crate) name: String,
    /// The version.
    pub(crate) version: String,
    /// The names of the trials, `area::case::edition::member`.
    #[serde(default)]
    pub(crate) failing: Vec<String>,
    /// The failed trials that the software did not answer in time.
    #[serde(default)]
    pub(crate) late: Vec<String>,
}

/// For each edition, the trials from which claims are derived. The file of such a trial has exactly one construct, or
/// none.
pub(crate) struct Shown(Vec<(Edition, Vec<Show>)>);

struct Show {
    trial: String,
    case: String,
    construct: Option<&'static str>,
}

impl Shown {
    /// Finds the trials of a suite from which claims can be derived.
    pub(crate) fn of<P: Parser + ?Sized>(parser: &P, suite: &Suite) -> Self {
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

impl Portability {
    /// Derives the claims from measurements.
    pub(crate) fn measured(shown: &Shown, software: &[Measured]) -> Self {
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
    pub(crate) fn join(&mut self, other: Self) {
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
    pub(crate) fn mark_old(&mut self, old: &BTreeMap<String, String>) {
        for reader in self.editions.values_mut().flat_map(BTreeMap::values_mut).flatten() {
            reader.old = old.get(&reader.name).cloned();
        }
    }

    /// Returns the edition, the construct and the readers of every claim.
    pub(crate) fn all(&self) -> impl Iterator<Item = (&str, &str, &[Reader])> {
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
pub(crate) fn contested<P: Parser + ?Sized>(
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

/// Returns the name of every construct of a file, well-formed or not.
fn constructs<B: AsRef<[u8]>>(robots: &RobotsTxt<B>) -> impl Iterator<Item = &'static str> {
    let used = robots_lint::constructs(robots).map(|(construct, ..)| construct.name());
    used.chain(robots_lint::findings(robots).map(|finding| finding.kind().name()))
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
    let all: BTreeSet<&'static str> = constructs(&robots).collect();
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
pub(crate) fn says(name: &str) -> Option<&'static str> {
    let construct = name.parse::<Construct>().ok().map(Construct::says);
    construct.or_else(|| name.parse::<FindingKind>().ok().map(FindingKind::summary))
}

#[cfg(test)]
mod tests {
    use robots_conformance::robots_core::engine::{Ask, VerdictQuestion};
    use robots_conformance::robots_core::{Options, RobotsTxt};
    use robots_conformance::run::trial;
    use robots_conformance::suite::load;
    use robots_lint::{Construct, constructs, findings};
    use robots_nom_parser::ScanParser;

    use super::{Measured, Portability, Shown, is_plain_url};

    /// Invented software that fails every case with a `*` in a path.
    fn blindfold(also: &[&str]) -> Measured {
        let suite = load::embedded().unwrap();
        let has_star = |trial: &trial::Trial| match &trial.member().ask {
            Ask::Verdict(VerdictQuestion { robots_txt, .. }) => {
                let options = Options::from(trial.profile().edition().unwrap_or_default());
                let robots = RobotsTxt::parse(&ScanParser, &robots_txt[..], options);
                constructs(&robots).any(|(construct, ..)| construct == Construct::Wildcard)
            }
            _ => false,
        };
        let trials = trial::trials(&suite);
        let failing = trials.iter().filter(|trial| has_star(trial)).map(|trial| trial.name());
        let failing = failing.chain(also.iter().copied()).map(str::to_owned);
        let failing: Vec<String> = failing.collect();
        let late = failing.iter().filter(|name| name.contains("star-hundred")).cloned().collect();
        Measured { name: "blindfold".to_owned(), version: "1.0".to_owned(), failing, late }
    }

    /// Each case that a claim names contains a star.
    #[test]
    fn a_claim_names_the_cases_that_show_it() {
        let suite = load::embedded().unwrap();
        let measured = Portability::measured(&Shown::of(&ScanParser, &suite), &[blindfold(&[])]);
        let mut count = 0;
        for (_, construct, readers) in measured.all() {
            assert_eq!(construct, "wildcard");
            for case in readers.iter().flat_map(|reader| &reader.cases) {
                let case = suite.case(case.rsplit("::").next().unwrap()).unwrap();
                let has_star = |member: &robots_conformance::suite::case::Member| {
                    member.ask.robots_txt().is_some_and(|octets| octets.contains(&b'*'))
                };
                assert!(case.form.members.iter().any(has_star), "{}", case.id);
                count += 1;
            }
        }
        assert!(count > 0);
    }

    /// Software that misreads a file without constructs has another fault. So its failures prove nothing about a
    /// construct.
    #[test]
    fn who_fails_a_plain_file_is_not_believed() {
        let suite = load::embedded().unwrap();
        let trials = trial::trials(&suite);
        let is_plain = |trial: &trial::Trial| match &trial.member().ask {
            Ask::Verdict(VerdictQuestion { robots_txt, agents, url }) => {
                let robots = RobotsTxt::parse(
                    &ScanParser,
                    &robots_txt[..],
                    Options::from(trial.profile().edition().unwrap_or_default()),
                );
                let is_plain = constructs(&robots).count() + findings(&robots).count() == 0;
                is_plain && agents.to_string() == "examplebot" && url == "https://example.com/fish"
            }
            _ => false,
        };
        let plain: Vec<&str> =
            trials.iter().filter(|trial| is_plain(trial)).map(|trial| trial.name()).collect();
        assert!(plain.len() >= 4, "{plain:?}");
        let measured = Portability::measured(&Shown::of(&ScanParser, &suite), &[blindfold(&plain)]);
        assert_eq!(measured.all().count(), 0);
    }

    #[test]
    fn urls() {
        for (url, is_plain) in [
            ("/", true),
            ("/a/b.html", true),
            ("https://example.com", true),
            ("https://example.com/a?b", false),
            ("/%41", false),
            ("x", false),
        ] {
            assert_eq!(is_plain_url(url), is_plain, "{url}");
        }
    }
}
