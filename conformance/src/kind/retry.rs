//! The kind `retry`: when is robots.txt fetched again after this result?
//!
//! The module `fetched` reads the fetch result in cases and messages, and the module `word` reads the answer, which is
//! one word. A crawler that retries more often than `until-answered` requires conforms too.

use robots_core::fetch::{FetchResult, Retry};
use robots_core::{Edition, Parser};
use serde_yaml::Value;

use super::contract::{Kind, NotAnAnswer};
use super::fetched::{self, fetch_text};
use super::keys::{KeyGroup, Reading, one};
use super::word::Word as _;
use super::{Answer, Member, Role};

/// The data of a question of the kind `retry`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RetryQuestion {
    /// The result of fetching robots.txt.
    pub fetch: FetchResult,
}

impl Kind for RetryQuestion {
    type Answer = Retry;
    type Expected = Retry;

    const ROLE: Option<Role> = Some(Role::Crawler);
    const KEYS: &'static [KeyGroup] = &[fetched::KEYS];
    const ANSWERS: &'static str = "`when-stale`, `until-answered` or `frequently`";
    const TEMPLATE: (&'static str, &'static str) = ("    fetch: { status: 503 }\n", "frequently");

    fn read(case: &mut Reading<'_>) -> Vec<Member> {
        one(case.fetch().map(|fetch| Self { fetch }))
    }

    fn answer<P: Parser>(&self, _: &P, edition: Edition) -> Result<Self::Answer, Answer> {
        Ok(edition.retry(&self.fetch))
    }

    fn expected(value: &Value) -> Result<Retry, NotAnAnswer> {
        Retry::expected(value)
    }

    fn is_open(stated: &[&Retry]) -> bool {
        Retry::are_all(stated)
    }

    fn stated(answer: &Retry) -> Retry {
        *answer
    }

    /// If `until-answered` is expected, `frequently` conforms too.
    fn conforms(expected: &Retry, answer: &Retry) -> bool {
        match expected {
            Retry::UntilAnswered => *answer != Retry::WhenStale,
            other => other == answer,
        }
    }

    fn is_deviation(stated: &Retry, _: &[&Retry], answer: &Retry) -> bool {
        stated == answer
    }

    fn question(&self) -> String {
        format!("when is robots.txt fetched again after this result: {}?", fetch_text(&self.fetch))
    }

    fn text(expected: &Retry) -> String {
        expected.word().into_owned()
    }

    fn yaml(expected: &Retry) -> Value {
        expected.word().into_owned().into()
    }
}

#[cfg(feature = "process")]
impl fetched::wire::OfFetch for RetryQuestion {
    const ANSWER: &'static str = "retry";

    fn of(fetch: FetchResult) -> Self {
        Self { fetch }
    }

    fn fetch(&self) -> &FetchResult {
        &self.fetch
    }
}
