//! Values that are written as one word of a known list, in cases and in messages: [`Word`]. The call of `words!` lists
//! the types. `wire` writes and reads the words in messages.

use std::borrow::Cow;

use crate::kind::NetworkFailure;
use robots_core::RuleKind;
use robots_core::fetch::{Access, Basis, Failure, Freshness, Location, Refresh, Retry, Scope};
use serde_yaml::Value;

use super::contract::NotAnAnswer;

/// A value that is written as one word.
pub(super) trait Word: Clone + PartialEq + 'static {
    /// Every value.
    const ALL: &'static [Self];

    /// Returns the word.
    fn word(&self) -> Cow<'static, str>;

    /// Returns the value that is written as this word.
    fn find(word: &str) -> Option<Self> {
        Self::ALL.iter().find(|value| value.word() == word).cloned()
    }

    /// Reads an expected answer that is written as one word.
    ///
    /// # Errors
    /// Returns [`NotAnAnswer`] if the value is not one of the words.
    fn expected(value: &Value) -> Result<Self, NotAnAnswer> {
        value.as_str().and_then(Self::find).ok_or(NotAnAnswer::FORM)
    }

    /// Returns whether the answers contain every value.
    fn are_all(answers: &[&Self]) -> bool {
        Self::ALL.iter().all(|value| answers.contains(&value))
    }

    /// Lists the words, for messages.
    fn known() -> String {
        Self::ALL.iter().map(Self::word).collect::<Vec<_>>().join(", ")
    }
}

/// Every meaning that a fetch result can have.
const ACCESSES: [Access; 6] = [
    Access::FollowRedirect,
    Access::FullAllow,
    Access::FullDisallow,
    Access::ConditionalAllow,
    Access::UseCachedCopy,
    Access::Undefined { safe: &Access::FullDisallow },
];

macro_rules! words {
    ($($type:ty: $all:expr, $word:expr;)*) => {$(
        impl Word for $type {
            const ALL: &'static [Self] = $all;

            fn word(&self) -> Cow<'static, str> {
                let word: fn(&Self) -> Cow<'static, str> = $word;
                word(self)
            }
        }
    )*};
}

words! {
    RuleKind: &[Self::Allow, Self::Disallow], |kind| kind.name().into();
    Location: Location::ALL, |location| location.id().into();
    Failure: Failure::ALL, |failure| failure.id().into();
    NetworkFailure: NetworkFailure::ALL, |failure| failure.id().into();
    Basis: Basis::ALL, |basis| basis.id().into();
    Refresh: Refresh::ALL, |refresh| refresh.id().into();
    Scope: Scope::ALL, |scope| scope.id().into();
    Access: &ACCESSES, |access| match access {
        Access::Undefined { .. } => "undefined".into(),
        defined => defined.to_string().into(),
    };
    Retry: Retry::ALL, |retry| retry.id().into();
    Freshness: Freshness::ALL, |freshness| freshness.id().into();
}

#[cfg(feature = "process")]
pub(super) mod wire {
    //! A word in a message.

    use std::borrow::Cow;

    use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

    use super::Word;
    use crate::kind::fields::{Fields, WrongKey};

    /// A value of a message, written as its word.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub(in crate::kind) struct As<T>(pub(in crate::kind) T);

    impl<T: Word> Serialize for As<T> {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            serializer.serialize_str(&self.0.word())
        }
    }

    impl<'de, T: Word> Deserialize<'de> for As<T> {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            let text = Cow::<str>::deserialize(deserializer)?;
            T::find(&text).map(Self).ok_or_else(|| {
                de::Error::custom(format_args!("{text:?} is not known; known here: {}", T::known()))
            })
        }
    }

    /// Reads an answer that is written as one word.
    ///
    /// # Errors
    /// Returns the key, and the words that it can have.
    pub(in crate::kind) fn answer<T: Word>(
        message: &Fields,
        key: &'static str,
    ) -> Result<T, WrongKey> {
        let word: Option<As<T>> = message.get(key);
        let wrong = || WrongKey::new(key, format!("one of {}", T::known()));
        word.map(|As(value)| value).ok_or_else(wrong)
    }
}
