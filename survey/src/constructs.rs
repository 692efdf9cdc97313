//! Finds the measured software that reads a construct in another way than the edition. A construct is a part of a file
//! that software is known to read in more than one way, for example a `*` in a path.
//!
//! Start at [`Shown::claims`]. A claim says that some software reads a construct of a file in another way than the
//! edition. Questions of the suite support each claim, because the software fails them. The file of such a question has
//! one construct, and nothing else that software is known to read in different ways. The question is about a URL with
//! only plain characters, for a crawler with one token, and the edition gives one answer.

use std::collections::{BTreeMap, BTreeSet};

use robots_core::{Edition, Options, RobotsTxt};
use robots_lint::{Construct, FindingKind};
use robots_nom_parser::ScanParser;

use crate::suite::{Question, Questions};

/// For each edition, the questions from which claims are derived. The file of such a question has exactly one construct,
/// or none.
pub(crate) struct Shown<'q>(BTreeMap<&'q str, Vec<Show<'q>>>);

struct Show<'q> {
    question: &'q str,
    /// The case, as `area::case`.
    case: String,
    construct: Option<&'static str>,
}

impl<'q> Shown<'q> {
    /// Finds the questions of the suite from which claims can be derived.
    pub(crate) fn of(questions: &'q Questions) -> Self {
        let mut shown: BTreeMap<&'q str, Vec<Show<'q>>> = BTreeMap::new();
        for (name, edition, question) in all(questions) {
            if question.open || !question.is_normative {
                continue;
            }
            if let Some(construct) = alone(question, edition) {
                let case = full_case(question);
                shown.entry(edition).or_default().push(Show { question: name, case, construct });
            }
        }
        Self(shown)
    }

    /// Returns the constructs that software reads in another way than an edition, with the cases that show it.
    /// `failing` are the questions that the software failed under this edition.
    ///
    /// If the software fails a question without a construct, the result is empty, because its other failures may have
    /// the same cause.
    pub(crate) fn claims(
        &self,
        edition: &str,
        failing: &BTreeSet<&str>,
    ) -> BTreeMap<&'static str, BTreeSet<&str>> {
        let shown = self.0.get(edition).into_iter().flatten();
        let mut found: BTreeMap<&'static str, BTreeSet<&str>> = BTreeMap::new();
        for show in shown.filter(|show| failing.contains(show.question)) {
            let Some(construct) = show.construct else { return BTreeMap::new() };
            found.entry(construct).or_default().insert(&show.case);
        }
        found
    }
}

/// Finds the constructs that an edition leaves open. The keys of the result are edition and construct, and the values
/// are the cases with this construct, as `area::case`.
///
/// The file of such a case has no other construct, and the edition does not require exactly one answer.
pub(crate) fn contested(
    questions: &Questions,
) -> BTreeMap<&str, BTreeMap<&'static str, BTreeSet<String>>> {
    let mut editions: BTreeMap<&str, BTreeMap<_, BTreeSet<String>>> = BTreeMap::new();
    for (_, edition, question) in all(questions) {
        if !question.open && question.is_normative {
            continue;
        }
        if let Some(Some(construct)) = alone(question, edition) {
            let constructs = editions.entry(edition).or_default();
            constructs.entry(construct).or_default().insert(full_case(question));
        }
    }
    editions
}

fn all(questions: &Questions) -> impl Iterator<Item = (&str, &str, &Question)> {
    questions.iter().flat_map(|(name, editions)| {
        editions.iter().map(move |(edition, question)| (name.as_str(), edition.as_str(), question))
    })
}

fn full_case(question: &Question) -> String {
    format!("{}::{}", question.area, question.case)
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

/// Returns the construct that a question shows. The result is `Some(None)` if the question shows no construct. The result
/// is `None` if it is not a verdict question about one product token, if it shows several constructs, or if its failure
/// may have another reason than a construct.
#[expect(
    clippy::option_option,
    reason = "a question that is not suitable differs from one that shows no construct"
)]
fn alone(question: &Question, edition: &str) -> Option<Option<&'static str>> {
    let [token] = &question.tokens[..] else { return None };
    // If software fails a case with a long file or with many stars, the reason may be a limit and not the construct.
    let stars = question.file.split(|octet| *octet == b'*').count() - 1;
    let is_plain = question.ask == "parser verdict"
        && question.file.len() < LONG
        && stars < MANY_STARS
        && is_plain_url(&question.url)
        && token.bytes().all(|octet| octet.is_ascii_lowercase() || octet == b'-');
    if !is_plain {
        return None;
    }
    let edition: Edition = edition.parse().ok()?;
    let robots = RobotsTxt::parse(&ScanParser, &question.file[..], Options::from(edition));
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

/// Returns the description of a construct, given its name, or `None` if no construct has this name.
pub(crate) fn says(name: &str) -> Option<&'static str> {
    let construct = name.parse::<Construct>().ok().map(Construct::says);
    construct.or_else(|| name.parse::<FindingKind>().ok().map(FindingKind::summary))
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use super::{Shown, contested, is_plain_url};
    use crate::suite::{Question, Questions, SHOWN};

    /// Three questions: with a star, without a construct, and with a star that the edition leaves open.
    fn questions() -> Questions {
        let question = |file: &str, open| {
            let question = Question {
                area: "a".to_owned(),
                case: "case".to_owned(),
                ask: "parser verdict".to_owned(),
                is_normative: true,
                file: file.as_bytes().to_vec(),
                tokens: vec!["examplebot".to_owned()],
                url: "/x".to_owned(),
                open,
                ..Question::default()
            };
            BTreeMap::from([(SHOWN.to_owned(), question)])
        };
        let star = "user-agent: examplebot\ndisallow: /*x\n";
        let plain = "user-agent: examplebot\ndisallow: /x\n";
        Questions::from([
            ("star".to_owned(), question(star, false)),
            ("plain".to_owned(), question(plain, false)),
            ("open".to_owned(), question(star, true)),
        ])
    }

    #[test]
    fn a_claim_names_the_cases_that_show_it() {
        let questions = questions();
        let shown = Shown::of(&questions);
        let claims = shown.claims(SHOWN, &BTreeSet::from(["star", "open"]));
        assert_eq!(claims, BTreeMap::from([("wildcard", BTreeSet::from(["a::case"]))]));
        assert!(shown.claims("google-2018", &BTreeSet::from(["star"])).is_empty());
        let open = contested(&questions);
        assert_eq!(open[SHOWN]["wildcard"], BTreeSet::from(["a::case".to_owned()]));
    }

    /// Software that misreads a file without constructs has another fault. So its failures prove nothing about a
    /// construct.
    #[test]
    fn who_fails_a_plain_file_is_not_believed() {
        let questions = questions();
        let failing = BTreeSet::from(["star", "plain"]);
        assert!(Shown::of(&questions).claims(SHOWN, &failing).is_empty());
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
