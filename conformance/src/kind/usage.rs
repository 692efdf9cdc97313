//! The kind `usage`: may this crawler fetch this URL, and which uses of its content are allowed?
//!
//! Only drafts define this kind. If the URL may not be fetched, no preference applies and no line decides. For such a
//! URL, a case states only that no preference applies, and [`Kind::complete`] adds that no line decides. The deciding
//! lines are compared only if the case and the answer both name them. Start at the implementation of [`Kind`]; the
//! module `wire` reads and writes the messages. A step of a timeline can ask the same question, so [`ExpectedUsage`]
//! has functions for such steps.

use std::fmt::Write as _;
use std::sync::Arc;

#[cfg(feature = "usage")]
use robots_core::usage::Usage;
use robots_core::usage::{Preferences, Vocabulary};
use robots_core::{Edition, Parser};
use serde::Deserialize;
use serde_yaml::{Mapping, Value};

use super::agents::{self, Agents, agents_text};
use super::contract::{Kind, NotAnAnswer};
use super::keys::{KeyGroup, Reading, one};
use super::preference::{VOCABULARY, by, preferences, yaml};
use super::{Answer, Member, Role, file};
use crate::kind::absolute;
use crate::yaml::OneOrMany;
use robots_console::render::{elided, text};

/// The data of a question of the kind `usage`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UsageQuestion {
    /// The octets of the file.
    pub robots_txt: Arc<[u8]>,
    /// The names of the crawler. Under an edition, these names are product tokens.
    pub agents: Agents,
    /// The URL, or its path and query.
    pub url: String,
    /// The values of the `Content-Usage` field lines of the HTTP response, in order; empty if the response has no such
    /// line.
    pub header: Vec<Vec<u8>>,
    /// The vocabulary that defines the categories.
    pub vocabulary: Vocabulary,
}

/// The preferences about the use of a URL's content, with the deciding lines and the reason, if the engine gives them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UsageAnswer {
    /// The preferences for the categories of the vocabulary; `None` if the URL may not be fetched, because then no
    /// preference applies.
    pub preferences: Option<Preferences>,
    /// The numbers of the deciding `content-usage` lines, from 1, if the engine knows them.
    pub lines: Option<Vec<u32>>,
    /// The engine's reason as text. Reports show this text, but the suite does not check it.
    pub evidence: Option<String>,
}

#[cfg(feature = "usage")]
impl From<&Usage<'_>> for UsageAnswer {
    fn from(usage: &Usage<'_>) -> Self {
        Self {
            preferences: usage.preferences(),
            lines: Some(
                usage.statements().map(|statement| statement.line().number.get()).collect(),
            ),
            evidence: Some(usage.to_string()),
        }
    }
}

/// The answer that a case expects to a question about the use of a URL's content.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ExpectedUsage {
    /// The preferences; `None` if the URL may not be fetched, because then no preference applies.
    pub preferences: Option<Preferences>,
    /// All deciding lines; `None` if they are not judged.
    pub lines: Option<Vec<u32>>,
}

/// The functions of this kind for a step of a timeline, which can ask about usage too.
impl ExpectedUsage {
    /// Reads the answer that a step states. The error is a message.
    pub(super) fn of_step(value: &Value) -> Result<Self, String> {
        let expected = UsageQuestion::expected(value);
        let complete = |expected| UsageQuestion::complete(&Mapping::new(), expected);
        expected.map(complete).map_err(|why| match why {
            NotAnAnswer::Sentence(why) => format!("`usage`: {why}"),
            NotAnAnswer::Form(_) => format!("`usage` is {}", UsageQuestion::ANSWERS),
        })
    }

    pub(super) fn stated(answer: &UsageAnswer) -> Self {
        UsageQuestion::stated(answer)
    }

    /// Returns whether a deviations entry states what is wrong: the preferences, or else the lines. The answer
    /// `not-applicable` has no form with lines.
    pub(super) fn is_whole(&self, right: &Self) -> bool {
        self.preferences != right.preferences || self.preferences.is_none() || self.lines.is_some()
    }

    pub(super) fn is_met(&self, answer: &UsageAnswer) -> bool {
        UsageQuestion::conforms(self, answer)
    }

    /// Renders the expected answer on one line.
    pub(super) fn line(&self) -> String {
        UsageQuestion::text(self).replace('\n', ", ")
    }

    pub(super) fn yaml(&self) -> Value {
        UsageQuestion::yaml(self)
    }
}

#[derive(Debug, Default, Deserialize)]
struct Keys {
    url: Option<String>,
    header: Option<OneOrMany<String>>,
}

impl Kind for UsageQuestion {
    type Answer = UsageAnswer;
    type Expected = ExpectedUsage;

    const ROLE: Option<Role> = Some(Role::Parser);
    const KEYS: &'static [KeyGroup] =
        &[file::KEYS, agents::KEYS, KeyGroup::of::<Keys>(), VOCABULARY];
    const ANSWERS: &'static str = "`not-applicable`, `unknown` or `{ train-ai: disallowed, lines: [3] }`, without \
                                   the categories that are unknown";
    const TEMPLATE: (&'static str, &'static str) = (
        "    robots: |\n      user-agent: examplebot\n      content-usage: train-ai=n\n    url: /\n",
        "{ train-ai: disallowed, lines: [2] }",
    );
    const EDITIONS: &'static [Edition] = Edition::DRAFTS;
    const HAS_TWO_SIDES: bool = true;

    fn read(case: &mut Reading<'_>) -> Vec<Member> {
        let Keys { url, header } = case.keys();
        let vocabulary = case.vocabulary();
        let (robots_txt, agents) = (case.robots_txt(), case.agents());
        let Some(url) = url else {
            case.wrong("id", "nothing is asked; give `url`");
            return Vec::new();
        };
        let header = header.map(OneOrMany::into_vec).unwrap_or_default();
        let header = header.iter().filter_map(|line| case.unescaped("header", line)).collect();
        let question = robots_txt.zip(agents).map(|(robots_txt, agents)| Self {
            robots_txt,
            agents,
            url: absolute(&url),
            header,
            vocabulary,
        });
        one(question)
    }

    fn robots_txt(&self) -> Option<&[u8]> {
        Some(&self.robots_txt)
    }

    #[cfg(feature = "usage")]
    fn answer<P: Parser>(&self, parser: &P, edition: Edition) -> Result<Self::Answer, Answer> {
        let robots_txt = file::parsed(parser, edition, &self.robots_txt);
        let crawler = self.agents.crawler().map_err(|error| Answer::Error(error.to_string()))?;
        let header: Vec<&[u8]> = self.header.iter().map(Vec::as_slice).collect();
        match robots_txt.try_usage(crawler, &self.url, &header) {
            Ok(usage) => Ok(UsageAnswer::from(&usage.by(self.vocabulary))),
            Err(error) => Err(Answer::Error(error.to_string())),
        }
    }

    #[cfg(not(feature = "usage"))]
    fn answer<P: Parser>(&self, _: &P, _: Edition) -> Result<Self::Answer, Answer> {
        Err(super::preference::without_feature())
    }

    fn expected(value: &Value) -> Result<ExpectedUsage, NotAnAnswer> {
        let all = |preferences| Ok(ExpectedUsage { preferences, lines: None });
        match (value.as_str(), value.as_mapping()) {
            (Some("not-applicable"), _) => all(None),
            (Some("unknown"), _) => all(Some(Preferences::UNKNOWN)),
            (_, Some(mapping)) => {
                let mut labels = mapping.clone();
                let lines = labels.remove("lines");
                let lines = lines.map(serde_yaml::from_value::<Vec<u32>>).transpose()?;
                Ok(ExpectedUsage { preferences: Some(preferences(&labels)?), lines })
            }
            _ => Err(NotAnAnswer::FORM),
        }
    }

    /// If no preference applies, adds that no line decides.
    fn complete(_case: &Mapping, mut expected: ExpectedUsage) -> ExpectedUsage {
        if expected.preferences.is_none() {
            expected.lines = Some(Vec::new());
        }
        expected
    }

    fn is_open(_: &[&ExpectedUsage]) -> bool {
        false
    }

    fn stated(answer: &UsageAnswer) -> ExpectedUsage {
        ExpectedUsage { preferences: answer.preferences, lines: answer.lines.clone() }
    }

    fn conforms(expected: &ExpectedUsage, answer: &UsageAnswer) -> bool {
        let lines = expected.lines.as_ref().zip(answer.lines.as_ref());
        expected.preferences == answer.preferences
            && lines.is_none_or(|(stated, named)| stated == named)
    }

    /// Returns whether the entry covers the answer. If only the lines are wrong, the entry must state the lines.
    fn is_deviation(
        stated: &ExpectedUsage,
        right: &[&ExpectedUsage],
        answer: &UsageAnswer,
    ) -> bool {
        right.iter().all(|right| stated.is_whole(right)) && Self::conforms(stated, answer)
    }

    fn question(&self) -> String {
        let url = elided(&self.url);
        let mut question = format!(
            "which uses of <{url}> are allowed to {}{}?",
            agents_text(&self.agents),
            by(self.vocabulary)
        );
        for line in &self.header {
            let line = text(&String::from_utf8_lossy(line));
            let _ = write!(question, "\nits header: Content-Usage: {line}");
        }
        question
    }

    fn text(ExpectedUsage { preferences, lines }: &ExpectedUsage) -> String {
        let Some(preferences) = preferences else { return "not applicable".to_owned() };
        let mut text = preferences.to_string().replace(", ", "\n");
        match lines.as_deref() {
            None => {}
            Some([]) => text.push_str("\nno line decides"),
            Some(lines) => {
                let lines: Vec<String> = lines.iter().map(ToString::to_string).collect();
                let _ = write!(text, "\nline {}", lines.join(" and "));
            }
        }
        text
    }

    fn yaml(ExpectedUsage { preferences, lines }: &ExpectedUsage) -> Value {
        let Some(preferences) = preferences else { return "not-applicable".into() };
        let lines = lines.clone().map(|lines| ("lines", lines.into()));
        yaml(*preferences, lines).unwrap_or_else(|| "unknown".into())
    }

    fn side(expected: &ExpectedUsage) -> String {
        Self::text(&ExpectedUsage { lines: None, ..expected.clone() })
    }

    fn evidence(answer: &UsageAnswer) -> Option<&str> {
        answer.evidence.as_deref()
    }
}

#[cfg(feature = "process")]
pub(super) mod wire {
    use std::num::NonZeroU32;

    use robots_core::usage::Preferences;
    use serde::de::{Deserialize, Deserializer, Error as _};
    use serde::ser::{Serialize, SerializeMap, Serializer};
    use serde_json::{Value, json};

    use super::{ExpectedUsage, UsageAnswer, UsageQuestion};
    use crate::kind::contract::Wire;
    use crate::kind::fields::{Fields, NotAQuestion, WrongKey};
    use crate::kind::file::wire::Octets;
    use crate::kind::preference::wire::{
        VOCABULARY, Written, preferences, vector_vocabulary, vocabulary, write_vocabulary,
    };
    use crate::kind::vector::WriteVector;
    use crate::kind::{QuestionKind, agents, file};

    /// The value of `ask` in a step of a timeline that also asks about usage.
    pub(in crate::kind) const ASK: &str = QuestionKind::Usage.id();

    const HEADER: &str = "content_usage";
    const NOT_APPLICABLE: &str = "not-applicable";

    /// Preferences in a message, or the word for "no preference applies".
    pub(in crate::kind) struct Applied(pub(in crate::kind) Option<Preferences>);

    impl Serialize for Applied {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            match self.0 {
                Some(preferences) => Written(preferences).serialize(serializer),
                None => serializer.serialize_str(NOT_APPLICABLE),
            }
        }
    }

    impl<'de> Deserialize<'de> for Applied {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            match Value::deserialize(deserializer)? {
                Value::String(word) if word == NOT_APPLICABLE => Ok(Self(None)),
                value => {
                    let read = preferences(&value).ok_or_else(|| D::Error::custom(FORM))?;
                    Ok(Self(Some(read)))
                }
            }
        }
    }

    /// The numbers of deciding lines in a message, from 1.
    pub(in crate::kind) type Lines = Vec<NonZeroU32>;

    /// An expected answer as JSON, as one line of `other.json` contains it.
    pub(in crate::kind) struct Flat<'e>(pub(in crate::kind) &'e ExpectedUsage);

    impl Serialize for Flat<'_> {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            let mut message = serializer.serialize_map(None)?;
            UsageQuestion::write_expected(self.0, &mut message)?;
            message.end()
        }
    }

    impl Wire for UsageQuestion {
        const QUESTION_KEYS: &'static [&'static str] = &[
            file::wire::KEY,
            agents::wire::KEYS[0],
            agents::wire::KEYS[1],
            "url",
            HEADER,
            VOCABULARY,
        ];
        const ANSWER_KEYS: &'static [&'static str] = &["lines", "evidence"];
        const WRITE_VECTOR: Option<WriteVector<Self>> = Some(|question, keys| {
            keys.robots_txt(&question.robots_txt);
            keys.agents(&question.agents);
            keys.url(&question.url);
            if let Some((key, lines)) = vector_header(&question.header) {
                keys.put(key, lines);
            }
            vector_vocabulary(question.vocabulary, keys);
        });

        fn write<M: SerializeMap>(&self, message: &mut M) -> Result<(), M::Error> {
            file::wire::write(&self.robots_txt, message)?;
            agents::wire::write(&self.agents, message)?;
            message.serialize_entry("url", &self.url)?;
            if !self.header.is_empty() {
                let lines: Vec<Octets<'_>> =
                    self.header.iter().map(|line| Octets::of(line)).collect();
                message.serialize_entry(HEADER, &lines)?;
            }
            write_vocabulary(self.vocabulary, message)
        }

        fn read(message: &Fields) -> Result<Self, NotAQuestion> {
            let header: Vec<Octets<'_>> =
                if message.is_null(HEADER) { Vec::new() } else { message.key(HEADER)? };
            Ok(Self {
                robots_txt: file::wire::read(message)?,
                agents: agents::wire::read(message)?,
                url: message.key("url")?,
                header: header.into_iter().map(Octets::into_vec).collect(),
                vocabulary: vocabulary(message)?,
            })
        }

        fn write_expected<M: SerializeMap>(
            expected: &ExpectedUsage,
            message: &mut M,
        ) -> Result<(), M::Error> {
            message.serialize_entry("usage", &Applied(expected.preferences))?;
            match &expected.lines {
                Some(lines) if expected.preferences.is_some() => {
                    message.serialize_entry("lines", lines)
                }
                _ => Ok(()),
            }
        }

        fn write_answer<M: SerializeMap>(
            answer: &UsageAnswer,
            message: &mut M,
        ) -> Result<(), M::Error> {
            message.serialize_entry("usage", &Applied(answer.preferences))?;
            if let Some(lines) = &answer.lines {
                message.serialize_entry("lines", lines)?;
            }
            if let Some(evidence) = &answer.evidence {
                message.serialize_entry("evidence", evidence)?;
            }
            Ok(())
        }

        fn read_answer(message: &Fields) -> Result<UsageAnswer, WrongKey> {
            let Applied(preferences) =
                message.get("usage").ok_or_else(|| WrongKey::new("usage", FORM))?;
            let lines = if message.is_null("lines") {
                None
            } else {
                let wrong = || WrongKey::new("lines", "the numbers of the deciding lines, from 1");
                Some(numbers(message.get("lines").ok_or_else(wrong)?))
            };
            Ok(UsageAnswer { preferences, lines, evidence: message.get("evidence") })
        }
    }

    /// Returns the key and the value for the `Content-Usage` field lines of a response in a vector, or `None` if there
    /// are no lines.
    pub(in crate::kind) fn vector_header(header: &[Vec<u8>]) -> Option<(&'static str, Value)> {
        let lines = || header.iter().map(|line| json!(Octets::of(line))).collect();
        (!header.is_empty()).then(|| ("content_usage_base64", lines()))
    }

    /// Converts line numbers to plain integers.
    pub(in crate::kind) fn numbers(lines: Lines) -> Vec<u32> {
        lines.into_iter().map(NonZeroU32::get).collect()
    }

    const FORM: &str = "\"not-applicable\" or an object like {\"train-ai\":\"disallowed\"}";
}
