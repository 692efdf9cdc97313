//! The kind `freshness`: may this cached copy still be used?
//!
//! A case gives the copy as `copy`: its age, its `max-age` and the state of its refresh. The answer is one word. Start
//! at the implementation of [`Kind`]; the module `wire` reads and writes the messages.

use std::time::Duration;

use robots_core::fetch::{CachedCopy, Freshness, Refresh};
use robots_core::{Edition, Parser};
use serde::Deserialize;
use serde_yaml::Value;

use super::contract::{Kind, NotAnAnswer};
use super::fetched::known_word;
use super::keys::{KeyGroup, KeyProblem, Reading, one};
use super::word::Word as _;
use super::{Answer, Member, Role};

/// The data of a question of the kind `freshness`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FreshnessQuestion {
    /// The cached copy.
    pub copy: CachedCopy,
}

#[derive(Debug, Default, Deserialize)]
struct Keys {
    copy: Option<Copy>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Copy {
    age: Option<u64>,
    max_age: Option<u64>,
    refresh: Option<String>,
}

impl Kind for FreshnessQuestion {
    type Answer = Freshness;
    type Expected = Freshness;

    const ROLE: Option<Role> = Some(Role::Crawler);
    const KEYS: &'static [KeyGroup] = &[KeyGroup::of::<Keys>()];
    const ANSWERS: &'static str = "`fresh` or `stale`";
    const TEMPLATE: (&'static str, &'static str) = ("    copy: { age: 3600 }\n", "fresh");
    const HAS_TWO_SIDES: bool = true;

    fn read(case: &mut Reading<'_>) -> Vec<Member> {
        let Some(copy) = case.keys::<Keys>().copy else {
            case.wrong("id", "nothing is asked; give `copy`");
            return Vec::new();
        };
        one(case.checked(copy.cached_copy()).map(|copy| Self { copy }))
    }

    fn answer<P: Parser>(&self, _: &P, edition: Edition) -> Result<Self::Answer, Answer> {
        Ok(edition.freshness(&self.copy))
    }

    fn expected(value: &Value) -> Result<Freshness, NotAnAnswer> {
        Freshness::expected(value)
    }

    fn is_open(stated: &[&Freshness]) -> bool {
        Freshness::are_all(stated)
    }

    fn stated(answer: &Freshness) -> Freshness {
        *answer
    }

    fn question(&self) -> String {
        let copy = &self.copy;
        let max_age = copy.max_age.map_or_else(
            || "no max-age".to_owned(),
            |max_age| format!("max-age {} s", max_age.as_secs()),
        );
        let (age, refresh) = (copy.age.as_secs(), copy.refresh.word());
        format!("may this copy still be used: {age} s old, {max_age}, refresh {refresh}?")
    }

    fn text(freshness: &Freshness) -> String {
        freshness.to_string()
    }

    fn yaml(freshness: &Freshness) -> Value {
        freshness.to_string().into()
    }
}

impl Copy {
    fn cached_copy(self) -> Result<CachedCopy, KeyProblem> {
        let refresh: Option<Refresh> = known_word("refresh", self.refresh.as_deref())?;
        let Some(age) = self.age else {
            let message = "`copy` needs its `age` in seconds".to_owned();
            return Err(KeyProblem { key: "copy", message });
        };
        let mut copy = CachedCopy::of_age(Duration::from_secs(age));
        copy.max_age = self.max_age.map(Duration::from_secs);
        copy.refresh = refresh.unwrap_or_default();
        Ok(copy)
    }
}

#[cfg(feature = "process")]
mod wire {
    use std::time::Duration;

    use robots_core::fetch::{CachedCopy, Freshness, Refresh};
    use serde::ser::SerializeMap;
    use serde::{Deserialize, Serialize};

    use super::FreshnessQuestion;
    use crate::kind::contract::Wire;
    use crate::kind::fields::{Fields, NotAQuestion, WrongKey};
    use crate::kind::word::wire::{self, As};

    /// The value of `copy`; times are in seconds.
    #[derive(Serialize, Deserialize)]
    struct Copy {
        age: u64,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        max_age: Option<u64>,
        #[serde(default)]
        refresh: Option<As<Refresh>>,
    }

    impl Wire for FreshnessQuestion {
        const QUESTION_KEYS: &'static [&'static str] = &["copy"];

        fn write<M: SerializeMap>(&self, message: &mut M) -> Result<(), M::Error> {
            let CachedCopy { age, max_age, refresh, .. } = self.copy;
            let max_age = max_age.map(|age| age.as_secs());
            let copy = Copy { age: age.as_secs(), max_age, refresh: Some(As(refresh)) };
            message.serialize_entry("copy", &copy)
        }

        fn read(message: &Fields) -> Result<Self, NotAQuestion> {
            let Copy { age, max_age, refresh } = message.key("copy")?;
            let mut copy = CachedCopy::of_age(Duration::from_secs(age));
            copy.max_age = max_age.map(Duration::from_secs);
            copy.refresh = refresh.map(|As(refresh)| refresh).unwrap_or_default();
            Ok(Self { copy })
        }

        fn write_expected<M: SerializeMap>(
            expected: &Freshness,
            message: &mut M,
        ) -> Result<(), M::Error> {
            message.serialize_entry("freshness", &As(*expected))
        }

        fn read_answer(message: &Fields) -> Result<Freshness, WrongKey> {
            wire::answer(message, "freshness")
        }
    }
}
