//! The kind `retry`: when is robots.txt fetched again after this result?

use robots_core::engine::RetryQuestion;
use robots_core::fetch::Retry;
use serde_yaml::Value;

use super::Member;
use super::fetched::{self, fetch_text};
use super::keys::{KeyGroup, Reading, one};
use super::table::{Kind, NotAnAnswer};
use super::word::Word as _;

impl Kind for RetryQuestion {
    type Answer = Retry;
    type Expected = Retry;

    const KEYS: &'static [KeyGroup] = &[fetched::KEYS];
    const ANSWERS: &'static str = "`when-stale`, `until-answered` or `frequently`";
    const TEMPLATE: (&'static str, &'static str) = ("    fetch: { status: 503 }\n", "frequently");

    fn read(case: &mut Reading<'_>) -> Vec<Member> {
        one(case.fetch().map(|fetch| Self { fetch }))
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

    /// `frequently` implies `until-answered`.
    fn conforms(expected: &Retry, answer: &Retry) -> bool {
        match expected {
            Retry::UntilAnswered => *answer != Retry::WhenStale,
            other => other == answer,
        }
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
mod wire {
    use robots_core::engine::RetryQuestion;
    use robots_core::fetch::Retry;
    use serde::ser::SerializeMap;

    use crate::kind::fetched;
    use crate::kind::fields::{Fields, NotAQuestion, WrongKey};
    use crate::kind::table::Wire;
    use crate::kind::word::wire::{self, As};

    impl Wire for RetryQuestion {
        const QUESTION_KEYS: &'static [&'static str] = &[fetched::wire::KEY];

        fn write<M: SerializeMap>(&self, message: &mut M) -> Result<(), M::Error> {
            fetched::wire::write(&self.fetch, message)
        }

        fn read(message: &Fields) -> Result<Self, NotAQuestion> {
            Ok(Self { fetch: fetched::wire::read(message)? })
        }

        fn write_expected<M: SerializeMap>(
            expected: &Retry,
            message: &mut M,
        ) -> Result<(), M::Error> {
            message.serialize_entry("retry", &As(*expected))
        }

        fn read_answer(message: &Fields) -> Result<Retry, WrongKey> {
            wire::answer(message, "retry")
        }
    }
}
