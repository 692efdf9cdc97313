//! The words of the protocol: values that a message has as one word of a known list.

use std::borrow::Cow;

use robots_core::RuleKind;
use robots_core::fetch::{Access, Failure, Freshness, Location, Refresh, Retry, Scope};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use crate::case::{ACCESSES, access_id};

/// A value that is one word in a message.
pub(super) trait Word: Clone + 'static {
    /// Every value.
    const ALL: &'static [Self];

    /// Returns the word.
    fn word(&self) -> Cow<'static, str>;
}

/// A value in a message, as its word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct As<T>(pub(super) T);

impl<T: Word> Serialize for As<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0.word())
    }
}

impl<'de, T: Word> Deserialize<'de> for As<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = Cow::<str>::deserialize(deserializer)?;
        let found = T::ALL.iter().find(|value| value.word() == text);
        found.cloned().map(Self).ok_or_else(|| {
            de::Error::custom(format_args!("{text:?} is not known; known here: {}", known::<T>()))
        })
    }
}

/// Lists the words, for messages.
pub(super) fn known<T: Word>() -> String {
    T::ALL.iter().map(Word::word).collect::<Vec<_>>().join(", ")
}

impl Word for RuleKind {
    const ALL: &'static [Self] = &[Self::Allow, Self::Disallow];

    fn word(&self) -> Cow<'static, str> {
        self.name().into()
    }
}

impl Word for Location {
    const ALL: &'static [Self] = &[Self::Present, Self::Missing, Self::Loop, Self::Disallowed];

    fn word(&self) -> Cow<'static, str> {
        let word = match self {
            Self::Present => "present",
            Self::Missing => "missing",
            Self::Loop => "loop",
            Self::Disallowed => "disallowed",
        };
        word.into()
    }
}

impl Word for Failure {
    const ALL: &'static [Self] = Failure::ALL;

    fn word(&self) -> Cow<'static, str> {
        self.id().into()
    }
}

impl Word for Refresh {
    const ALL: &'static [Self] = &[Self::Possible, Self::Failing];

    fn word(&self) -> Cow<'static, str> {
        let word = match self {
            Self::Possible => "possible",
            Self::Failing => "failing",
        };
        word.into()
    }
}

impl Word for Scope {
    const ALL: &'static [Self] = Scope::ALL;

    fn word(&self) -> Cow<'static, str> {
        self.to_string().into()
    }
}

impl Word for Access {
    const ALL: &'static [Self] = &ACCESSES;

    fn word(&self) -> Cow<'static, str> {
        access_id(self).into()
    }
}

impl Word for Retry {
    const ALL: &'static [Self] = Retry::ALL;

    fn word(&self) -> Cow<'static, str> {
        self.to_string().into()
    }
}

impl Word for Freshness {
    const ALL: &'static [Self] = &[Self::Fresh, Self::Stale];

    fn word(&self) -> Cow<'static, str> {
        self.to_string().into()
    }
}
