//! The kind `scope`: does the file at this robots.txt URL govern this URL?
//!
//! A case gives the URL of the robots.txt, and one URL or lists of URLs; each list is named after its answer. Start at
//! the implementation of [`Kind`]; the module `wire` reads and writes the messages.

use robots_core::fetch::Scope;
use robots_core::{Edition, Parser};
use serde::Deserialize;
use serde_yaml::Value;

use super::contract::{Kind, NotAnAnswer};
use super::keys::{KeyGroup, List, Reading, one};
use super::word::Word as _;
use super::{Answer, Ask, Expected, Member, Role};
use crate::kind::absolute;
use robots_console::render::elided;

/// The data of a question of the kind `scope`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScopeQuestion {
    /// The URL of the robots.txt that was requested.
    pub robots_url: String,
    /// The URL from which the file came, if redirects led to another URL than the requested one.
    pub came_from: Option<String>,
    /// The URL to be crawled.
    pub url: String,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
struct Keys {
    url: Option<String>,
    robots_url: Option<String>,
    came_from: Option<String>,
    governs: Option<Vec<String>>,
    does_not_govern: Option<Vec<String>>,
    not_a_robots_url: Option<Vec<String>>,
}

impl Kind for ScopeQuestion {
    type Answer = Scope;
    type Expected = Scope;

    const ROLE: Option<Role> = Some(Role::Crawler);
    const KEYS: &'static [KeyGroup] = &[KeyGroup::of::<Keys>()];
    const LISTS: &'static [&'static str] = &["governs", "does-not-govern", "not-a-robots-url"];
    const ANSWERS: &'static str = "`governs`, `does-not-govern` or `not-a-robots-url`";
    const TEMPLATE: (&'static str, &'static str) = (
        "    robots-url: https://example.com/robots.txt\n    url: https://example.com/\n",
        "governs",
    );
    const HAS_TWO_SIDES: bool = true;

    fn read(case: &mut Reading<'_>) -> Vec<Member> {
        let keys: Keys = case.keys();
        let Some(robots_url) = keys.robots_url else {
            case.wrong("id", "`robots-url` is missing: the URL of the robots.txt");
            return Vec::new();
        };
        let robots_url = absolute(&robots_url);
        let came_from = keys.came_from.as_deref().map(absolute);
        let ask = |url: &str| ScopeQuestion {
            robots_url: robots_url.clone(),
            came_from: came_from.clone(),
            url: absolute(url),
        };
        let list = |key, members, scope| List { key, members, answer: Expected::Scope(scope) };
        let lists = [
            list("governs", &keys.governs, Scope::Governs),
            list("does-not-govern", &keys.does_not_govern, Scope::DoesNotGovern),
            list("not-a-robots-url", &keys.not_a_robots_url, Scope::NotARobotsUrl),
        ];
        let are_listed = lists.iter().any(|list| list.members.is_some());
        match (&keys.url, are_listed) {
            (Some(url), false) => one(Some(ask(url))),
            (Some(_), true) => {
                case.wrong("url", "both a URL and lists of URLs; keep one of the two");
                Vec::new()
            }
            (None, false) => {
                let message = "nothing is asked; give `url`, or the lists `governs`, `does-not-govern`, \
                               `not-a-robots-url`";
                case.wrong("id", message);
                Vec::new()
            }
            (None, true) => case.listed(&lists, |_, url| Some(Ask::Scope(ask(url)))),
        }
    }

    /// Does not use `came_from`: after a redirect, the file governs the origin of the URL that was requested (RFC 9309,
    /// 2.3.1.2).
    #[cfg(feature = "scope")]
    fn answer<P: Parser>(&self, _: &P, _: Edition) -> Result<Self::Answer, Answer> {
        Ok(robots_core::fetch::scope(&self.robots_url, &self.url))
    }

    #[cfg(not(feature = "scope"))]
    fn answer<P: Parser>(&self, _: &P, _: Edition) -> Result<Self::Answer, Answer> {
        Err(Answer::unsupported("built without the feature `scope`"))
    }

    fn expected(value: &Value) -> Result<Scope, NotAnAnswer> {
        Scope::expected(value)
    }

    fn is_open(stated: &[&Scope]) -> bool {
        Scope::are_all(stated)
    }

    fn stated(answer: &Scope) -> Scope {
        *answer
    }

    fn question(&self) -> String {
        let (robots_url, url) = (elided(&self.robots_url), elided(&self.url));
        match &self.came_from {
            None => format!("does the file at <{robots_url}> govern <{url}>?"),
            Some(came_from) => format!(
                "does the file that was requested at <{robots_url}> and came from <{}> by redirect govern <{url}>?",
                elided(came_from)
            ),
        }
    }

    fn text(scope: &Scope) -> String {
        scope.to_string()
    }

    fn yaml(scope: &Scope) -> Value {
        scope.to_string().into()
    }
}

#[cfg(feature = "process")]
mod wire {
    use robots_core::fetch::Scope;
    use serde::ser::SerializeMap;

    use super::ScopeQuestion;
    use crate::kind::contract::Wire;
    use crate::kind::fields::{Fields, NotAQuestion, WrongKey};
    use crate::kind::word::wire::{self, As};

    impl Wire for ScopeQuestion {
        const QUESTION_KEYS: &'static [&'static str] = &["robots_url", "url", "came_from"];

        fn write<M: SerializeMap>(&self, message: &mut M) -> Result<(), M::Error> {
            message.serialize_entry("robots_url", &self.robots_url)?;
            message.serialize_entry("url", &self.url)?;
            match &self.came_from {
                Some(came_from) => message.serialize_entry("came_from", came_from),
                None => Ok(()),
            }
        }

        fn read(message: &Fields) -> Result<Self, NotAQuestion> {
            Ok(Self {
                robots_url: message.key("robots_url")?,
                came_from: message.optional("came_from")?,
                url: message.key("url")?,
            })
        }

        fn write_expected<M: SerializeMap>(
            expected: &Scope,
            message: &mut M,
        ) -> Result<(), M::Error> {
            message.serialize_entry("scope", &As(*expected))
        }

        fn read_answer(message: &Fields) -> Result<Scope, WrongKey> {
            wire::answer(message, "scope")
        }
    }
}
