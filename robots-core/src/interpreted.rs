//! The [`Engine`] of a [`Parser`], and that of a closure.

use alloc::string::ToString;

use crate::engine::WrittenGroup;
use crate::robots_txt::text;
use crate::{Answer, Edition, Engine, Options, Parser, Question, RobotsTxt, Role, Rule};

/// The engine of a parser: the parser reports syntax, the core decides what it means.
///
/// ```
/// use robots_core::{Engine, Interpreted};
/// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/dialect/line_parser.rs"));
/// # fn main() {
/// let engine = Interpreted(LineParser);
/// assert_eq!(engine.name(), "line-parser");
/// # }
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Interpreted<P>(pub P);

impl<P: Parser + Send> Engine for Interpreted<P> {
    fn name(&self) -> &str {
        self.0.name()
    }

    fn editions(&self) -> &[Edition] {
        &Edition::ALL
    }

    fn observes(&self) -> bool {
        true
    }

    fn roles(&self) -> &[Role] {
        &Role::ALL
    }

    fn answer(&self, question: &Question<'_>) -> Answer {
        let parse = |edition, octets| {
            RobotsTxt::parse(&self.0, octets, Options::default().edition(edition))
        };
        match *question {
            Question::Verdict { profile, robots_txt, crawler, url } => {
                let options = Options::default().profile(profile);
                match RobotsTxt::parse(&self.0, robots_txt, options).try_verdict(crawler, url) {
                    Ok(verdict) => Answer::Verdict {
                        allowed: verdict.is_allowed(),
                        line: verdict.rule().map(|rule| rule.line().number),
                        evidence: Some(verdict.to_string()),
                    },
                    Err(error) => Answer::Error(error.to_string()),
                }
            }
            Question::Groups { edition, robots_txt } => Answer::Groups(
                parse(edition, robots_txt)
                    .groups()
                    .map(|group| written(group.agents(), group.rules()))
                    .collect(),
            ),
            Question::Group { edition, robots_txt, crawler } => {
                Answer::Group(parse(edition, robots_txt).followed_by(crawler).map(|followed| {
                    written(followed.groups().flat_map(|group| group.agents()), followed.rules())
                }))
            }
            Question::Sitemaps { edition, robots_txt } => Answer::Sitemaps(
                parse(edition, robots_txt).sitemaps().map(|(value, _)| text(value)).collect(),
            ),
            // A file reached by redirect holds where it was asked for (RFC 9309, 2.3.1.2).
            #[cfg(feature = "scope")]
            Question::Scope { robots_url, url, .. } => Answer::Scope(crate::scope(robots_url, url)),
            #[cfg(not(feature = "scope"))]
            Question::Scope { .. } => Answer::unsupported("built without the feature `scope`"),
            Question::Access { edition, fetch } => Answer::Access(edition.access(&fetch)),
            Question::Freshness { edition, copy } => Answer::Freshness(edition.freshness(&copy)),
            Question::Derives { edition, robots_txt } => {
                self.0.derives(edition, robots_txt).map_or_else(
                    || {
                        Answer::unsupported(
                            "the parser has no recogniser for this edition's grammar",
                        )
                    },
                    Answer::Derives,
                )
            }
        }
    }
}

/// The engine of a closure from octets, product token and URL to whether the URL may be fetched.
///
/// It answers verdicts under RFC 9309 for crawlers of one token, and nothing else.
///
/// ```
/// use robots_core::{Answer, Crawler, Edition, Engine, IsAllowed, Question};
/// let engine = IsAllowed { name: "mine", f: |_: &[u8], _: &str, url: &str| !url.ends_with(".gif") };
/// let question = Question::Verdict {
///     profile: Edition::Rfc9309.into(),
///     robots_txt: b"",
///     crawler: &Crawler::from("examplebot"),
///     url: "https://example.com/x.gif",
/// };
/// assert_eq!(engine.answer(&question), Answer::verdict(false));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct IsAllowed<F> {
    /// The engine's name.
    pub name: &'static str,
    /// From the octets of the file, the product token and the URL to whether it may be fetched.
    pub f: F,
}

impl<F: Fn(&[u8], &str, &str) -> bool + Send + Sync> Engine for IsAllowed<F> {
    fn name(&self) -> &str {
        self.name
    }

    fn editions(&self) -> &[Edition] {
        &[Edition::Rfc9309]
    }

    fn answer(&self, question: &Question<'_>) -> Answer {
        match question {
            Question::Verdict { robots_txt, crawler, url, .. } => match crawler.tokens() {
                [token] => Answer::verdict((self.f)(robots_txt, token.as_written(), url)),
                _ => Answer::unsupported("it takes one product token"),
            },
            _ => Answer::unsupported("it answers verdicts only"),
        }
    }
}

fn written<'r>(
    agents: impl Iterator<Item = crate::Agent<'r>>,
    rules: impl Iterator<Item = Rule<'r>>,
) -> WrittenGroup {
    WrittenGroup {
        agents: agents.map(|agent| text(agent.value())).collect(),
        rules: rules.map(|rule| (rule.kind(), text(rule.value()))).collect(),
    }
}
