//! The kind `preference`: which preferences do these octets state? The kind `usage` also uses this module for
//! preferences and the vocabulary, in a case and in a message.
//!
//! Only drafts define this kind. If a case or a message leaves out a category, the preference for that category is
//! unknown. In a case, an unknown label is an error. In a message, an unknown label is ignored, because it may belong
//! to a later vocabulary. Start at the implementation of [`Kind`]; the module `wire` reads and writes the messages.

use std::sync::Arc;

use robots_core::usage::{Preferences, Vocabulary};
use robots_core::{Edition, Parser};
use robots_spec_cases::unescape;
use serde::Deserialize;
use serde_yaml::{Mapping, Value};

use super::contract::{Kind, NotAnAnswer};
use super::keys::{KeyGroup, Reading, one};
use super::{Answer, Member, Role};
use robots_console::render;

/// The data of a question of the kind `preference`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PreferenceQuestion {
    /// The octets of the preference: the value of a `content-usage` line without its path, or the value of an HTTP
    /// field with the name `Content-Usage`.
    pub octets: Arc<[u8]>,
    /// The vocabulary that defines the categories.
    pub vocabulary: Vocabulary,
}

/// The key that names the vocabulary.
pub(super) const VOCABULARY: KeyGroup = KeyGroup::of::<VocabularyKey>();

#[derive(Debug, Default, Deserialize)]
struct VocabularyKey {
    vocabulary: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
struct Keys {
    preference: Option<String>,
}

impl Reading<'_> {
    /// Reads the vocabulary; the default is the vocabulary of the draft edition.
    pub(super) fn vocabulary(&mut self) -> Vocabulary {
        let keys: VocabularyKey = self.keys();
        match keys.vocabulary.as_deref().map(str::parse) {
            None => Vocabulary::default(),
            Some(Ok(vocabulary)) => vocabulary,
            Some(Err(error)) => {
                self.wrong("vocabulary", format!("`vocabulary`: {error}"));
                Vocabulary::default()
            }
        }
    }

    /// Returns the octets of an escaped text.
    pub(super) fn unescaped(&mut self, key: &'static str, text: &str) -> Option<Vec<u8>> {
        match unescape(text) {
            Ok(octets) => Some(octets),
            Err(problem) => {
                self.wrong(key, format!("`{key}`: {problem}"));
                None
            }
        }
    }
}

impl Kind for PreferenceQuestion {
    type Answer = Preferences;
    type Expected = Preferences;

    const ROLE: Option<Role> = Some(Role::Parser);
    const KEYS: &'static [KeyGroup] = &[KeyGroup::of::<Keys>(), VOCABULARY];
    const ANSWERS: &'static str =
        "`unknown` or `{ train-ai: disallowed, search: allowed }`, without what is unknown";
    const TEMPLATE: (&'static str, &'static str) =
        ("    preference: train-ai=n\n", "{ train-ai: disallowed }");
    const EDITIONS: &'static [Edition] = Edition::DRAFTS;
    const HAS_TWO_SIDES: bool = true;

    fn read(case: &mut Reading<'_>) -> Vec<Member> {
        let keys: Keys = case.keys();
        let vocabulary = case.vocabulary();
        let Some(text) = keys.preference else {
            case.wrong("id", "no octets; give them as `preference`, escaped");
            return Vec::new();
        };
        let octets = case.unescaped("preference", &text);
        one(octets.map(|octets| Self { octets: octets.into(), vocabulary }))
    }

    #[cfg(feature = "usage")]
    fn answer<P: Parser>(&self, _: &P, _: Edition) -> Result<Self::Answer, Answer> {
        Ok(Preferences::read(&self.octets).within(self.vocabulary))
    }

    #[cfg(not(feature = "usage"))]
    fn answer<P: Parser>(&self, _: &P, _: Edition) -> Result<Self::Answer, Answer> {
        Err(without_feature())
    }

    fn expected(value: &Value) -> Result<Preferences, NotAnAnswer> {
        match (value.as_str(), value.as_mapping()) {
            (Some("unknown"), _) => Ok(Preferences::UNKNOWN),
            (_, Some(mapping)) => preferences(mapping),
            _ => Err(NotAnAnswer::FORM),
        }
    }

    fn is_open(_: &[&Preferences]) -> bool {
        false
    }

    fn stated(answer: &Preferences) -> Preferences {
        *answer
    }

    fn question(&self) -> String {
        let octets = render::text(&String::from_utf8_lossy(&self.octets));
        format!("what does <{octets}> say{}?", by(self.vocabulary))
    }

    fn text(expected: &Preferences) -> String {
        expected.to_string().replace(", ", "\n")
    }

    fn yaml(expected: &Preferences) -> Value {
        yaml(*expected, []).unwrap_or_else(|| "unknown".into())
    }
}

/// Returns ` by` and the vocabulary, for the end of a question's text. The result is empty for the default vocabulary.
pub(super) fn by(vocabulary: Vocabulary) -> String {
    if vocabulary == Vocabulary::default() { String::new() } else { format!(" by {vocabulary}") }
}

/// Reads preferences from a mapping of labels. A category whose label is missing is unknown.
///
/// # Errors
/// Returns an error that names the unknown label or word.
pub(super) fn preferences(mapping: &Mapping) -> Result<Preferences, NotAnAnswer> {
    let mut preferences = Preferences::UNKNOWN;
    for (label, word) in mapping {
        let sentence = |error: &dyn std::fmt::Display| NotAnAnswer::Sentence(error.to_string());
        let label = label.as_str().unwrap_or_default().parse().map_err(|error| sentence(&error))?;
        let word = word.as_str().unwrap_or_default().parse().map_err(|error| sentence(&error))?;
        preferences = preferences.with(label, word);
    }
    Ok(preferences)
}

/// Writes preferences as a mapping of labels, followed by other pairs; returns `None` if there is no pair.
pub(super) fn yaml(
    preferences: Preferences,
    more: impl IntoIterator<Item = (&'static str, Value)>,
) -> Option<Value> {
    let pairs = preferences
        .stated()
        .map(|(category, preference)| (category.label(), preference.id().into()));
    let pairs: Mapping = pairs.chain(more).map(|(key, value)| (Value::from(key), value)).collect();
    (!pairs.is_empty()).then_some(Value::Mapping(pairs))
}

/// Returns the answer of a build without the feature `usage`, which cannot read a preference.
#[cfg(not(feature = "usage"))]
pub(super) fn without_feature() -> Answer {
    Answer::unsupported("robots-core was built without the feature `usage`")
}

#[cfg(feature = "process")]
pub(super) mod wire {
    use robots_core::usage::{Preferences, Vocabulary};
    use serde::ser::SerializeMap;
    use serde::{Serialize, Serializer};
    use serde_json::Value;

    use super::PreferenceQuestion;
    use crate::kind::contract::Wire;
    use crate::kind::fields::{Fields, NotAQuestion, WrongKey};
    use crate::kind::file::wire::Octets;
    use crate::kind::vector::{VectorKeys, WriteVector};

    /// The key of the vocabulary.
    pub(in crate::kind) const VOCABULARY: &str = "vocabulary";

    /// Writes the vocabulary, if it is not the default.
    pub(in crate::kind) fn write_vocabulary<M: SerializeMap>(
        vocabulary: Vocabulary,
        message: &mut M,
    ) -> Result<(), M::Error> {
        if vocabulary == Vocabulary::default() {
            return Ok(());
        }
        message.serialize_entry(VOCABULARY, vocabulary.id())
    }

    /// Writes the vocabulary in a vector, if it is not the default.
    pub(in crate::kind) fn vector_vocabulary(vocabulary: Vocabulary, keys: &mut VectorKeys<'_>) {
        if vocabulary != Vocabulary::default() {
            keys.put(VOCABULARY, vocabulary.id());
        }
    }

    /// Reads the vocabulary.
    pub(in crate::kind) fn vocabulary(message: &Fields) -> Result<Vocabulary, NotAQuestion> {
        if message.is_null(VOCABULARY) {
            return Ok(Vocabulary::default());
        }
        let id: String = message.key(VOCABULARY)?;
        id.parse().map_err(|error| NotAQuestion::Unknown(format!("{id:?}: {error}")))
    }

    /// Preferences in a message: an object with the labels of the categories that are not unknown.
    pub(in crate::kind) struct Written(pub(in crate::kind) Preferences);

    impl Serialize for Written {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            serializer.collect_map(
                self.0.stated().map(|(category, preference)| (category.label(), preference.id())),
            )
        }
    }

    /// Reads an object of labels. An unknown label may belong to a later vocabulary, so it is ignored.
    pub(in crate::kind) fn preferences(value: &Value) -> Option<Preferences> {
        let mut preferences = Preferences::UNKNOWN;
        for (label, word) in value.as_object()? {
            let word = word.as_str()?.parse().ok()?;
            if let Ok(category) = label.parse() {
                preferences = preferences.with(category, word);
            }
        }
        Some(preferences)
    }

    impl Wire for PreferenceQuestion {
        const QUESTION_KEYS: &'static [&'static str] = &["octets", VOCABULARY];
        const WRITE_VECTOR: Option<WriteVector<Self>> = Some(|question, keys| {
            keys.octets("preference", &question.octets, &[]);
            vector_vocabulary(question.vocabulary, keys);
        });

        fn write<M: SerializeMap>(&self, message: &mut M) -> Result<(), M::Error> {
            message.serialize_entry("octets", &Octets::of(&self.octets))?;
            write_vocabulary(self.vocabulary, message)
        }

        fn read(message: &Fields) -> Result<Self, NotAQuestion> {
            let octets: Octets<'_> = message.key("octets")?;
            Ok(Self { octets: octets.into_vec().into(), vocabulary: vocabulary(message)? })
        }

        fn write_expected<M: SerializeMap>(
            expected: &Preferences,
            message: &mut M,
        ) -> Result<(), M::Error> {
            message.serialize_entry("preference", &Written(*expected))
        }

        fn read_answer(message: &Fields) -> Result<Preferences, WrongKey> {
            const FORM: &str = "an object like {\"train-ai\":\"disallowed\"}";
            let value: Option<Value> = message.get("preference");
            let read = value.and_then(|value| preferences(&value));
            read.ok_or_else(|| WrongKey::new("preference", FORM))
        }
    }
}
