//! The kind `access`: what does this result of fetching robots.txt mean?
//!
//! The module `fetched` reads the fetch result in cases and messages, and the module `word` reads the answer, which is
//! one word. If an edition leaves the meaning undefined, an engine's answer also names an access that is safe for the
//! site. This access is not judged.

use robots_core::fetch::{Access, FetchResult};
use robots_core::{Edition, Parser};
use serde_yaml::Value;

use super::contract::{Kind, NotAnAnswer};
use super::fetched::{self, fetch_text};
use super::keys::{KeyGroup, Reading, one};
use super::word::Word as _;
use super::{Answer, Member, Role};

/// The data of a question of the kind `access`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AccessQuestion {
    /// The result of fetching robots.txt.
    pub fetch: FetchResult,
}

impl Kind for AccessQuestion {
    type Answer = Access;
    type Expected = Access;

    const ROLE: Option<Role> = Some(Role::Crawler);
    const KEYS: &'static [KeyGroup] = &[fetched::KEYS];
    const ANSWERS: &'static str = "`follow-redirect`, `full-allow`, `full-disallow`, `conditional-allow`, \
                                    `use-cached-copy` or `undefined`";
    const TEMPLATE: (&'static str, &'static str) =
        ("    fetch: { status: 200 }\n", "conditional-allow");

    fn read(case: &mut Reading<'_>) -> Vec<Member> {
        one(case.fetch().map(|fetch| Self { fetch }))
    }

    fn answer<P: Parser>(&self, _: &P, edition: Edition) -> Result<Self::Answer, Answer> {
        Ok(edition.access(&self.fetch))
    }

    fn expected(value: &Value) -> Result<Access, NotAnAnswer> {
        Access::expected(value)
    }

    fn is_open(stated: &[&Access]) -> bool {
        Access::are_all(stated)
    }

    /// Returns the access as a case states it. In an undefined access, the safe access is always replaced by the same
    /// value, because it is not compared.
    fn stated(answer: &Access) -> Access {
        match answer {
            Access::Undefined { .. } => Access::Undefined { safe: &Access::FullDisallow },
            defined => *defined,
        }
    }

    fn question(&self) -> String {
        format!("what does this fetch result mean: {}?", fetch_text(&self.fetch))
    }

    fn text(expected: &Access) -> String {
        expected.word().into_owned()
    }

    fn yaml(expected: &Access) -> Value {
        expected.word().into_owned().into()
    }
}

#[cfg(feature = "process")]
impl fetched::wire::OfFetch for AccessQuestion {
    const ANSWER: &'static str = "access";

    fn of(fetch: FetchResult) -> Self {
        Self { fetch }
    }

    fn fetch(&self) -> &FetchResult {
        &self.fetch
    }
}
