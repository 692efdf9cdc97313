//! The engine of a parser.

use alloc::string::ToString;

use super::{Answer, Ask, Engine, Question, Role, WrittenGroup};
use crate::edition::{Edition, Profile};
use crate::file::Options;
use crate::parser::Parser;
use crate::robots_txt::RobotsTxt;
use crate::text::text;
use crate::verdict::{Rule, UserAgentLine};

/// The engine of a parser: the parser reports syntax, the core decides what it means.
///
/// ```
/// use robots_core::engine::{Engine, Interpreted};
/// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/dialect/line_parser.rs"));
/// # fn main() {
/// let engine = Interpreted(LineParser);
/// assert_eq!(engine.name(), "line-parser");
/// # }
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Interpreted<P>(pub P);

impl<P: Parser> Engine for Interpreted<P> {
    fn name(&self) -> &str {
        self.0.name()
    }

    fn profiles(&self) -> &[Profile] {
        Profile::ALL
    }

    fn roles(&self) -> &[Role] {
        Role::ALL
    }

    fn answer(&self, question: &Question<'_>) -> Answer {
        let parse = |octets| {
            RobotsTxt::parse(&self.0, octets, Options::default().profile(question.profile))
        };
        // What Google's library was seen to do is its verdicts; the rest is asked of editions.
        let edition = match (question.profile.edition(), &question.ask) {
            (Some(edition), _) => edition,
            (None, Ask::Verdict { .. }) => Edition::default(),
            (None, _) => return Answer::unsupported("the observed profile gives verdicts only"),
        };
        match question.ask {
            Ask::Verdict { robots_txt, crawler, url } => {
                match parse(robots_txt).try_verdict(crawler, url) {
                    Ok(verdict) => Answer::Verdict {
                        allowed: verdict.is_allowed(),
                        line: verdict.rule().map(|rule| rule.line().number.get()),
                        evidence: Some(verdict.to_string()),
                    },
                    Err(error) => Answer::Error(error.to_string()),
                }
            }
            Ask::Groups { robots_txt } => Answer::Groups(
                parse(robots_txt)
                    .groups()
                    .map(|group| written(group.user_agents(), group.rules()))
                    .collect(),
            ),
            Ask::Group { robots_txt, crawler } => {
                Answer::Group(parse(robots_txt).followed_by(crawler).map(|followed| {
                    written(
                        followed.groups().flat_map(|group| group.user_agents()),
                        followed.rules(),
                    )
                }))
            }
            Ask::Sitemaps { robots_txt } => Answer::Sitemaps(
                parse(robots_txt).sitemaps().map(|(value, _)| text(value)).collect(),
            ),
            // A file reached by redirect holds where it was asked for (RFC 9309, 2.3.1.2).
            #[cfg(feature = "scope")]
            Ask::Scope { robots_url, url, .. } => {
                Answer::Scope(crate::fetch::scope(robots_url, url))
            }
            #[cfg(not(feature = "scope"))]
            Ask::Scope { .. } => Answer::unsupported("built without the feature `scope`"),
            Ask::Access { fetch } => Answer::Access(edition.access(&fetch)),
            Ask::Retry { fetch } => Answer::Retry(edition.retry(&fetch)),
            Ask::Freshness { copy } => Answer::Freshness(edition.freshness(&copy)),
            Ask::Derives { robots_txt } => edition
                .grammar()
                .and_then(|grammar| self.0.derives(grammar, robots_txt))
                .map_or_else(
                    || Answer::unsupported("there is no recogniser for this edition's grammar"),
                    Answer::Derives,
                ),
        }
    }
}

fn written<'r>(
    agents: impl Iterator<Item = UserAgentLine<'r>>,
    rules: impl Iterator<Item = Rule<'r>>,
) -> WrittenGroup {
    WrittenGroup {
        agents: agents.map(|agent| text(agent.value())).collect(),
        rules: rules.map(|rule| (rule.kind(), text(rule.path()))).collect(),
    }
}
