//! The contract of a kind of question: its traits, and the macro behind the table of the kinds.
//!
//! `kinds!` generates the enums that have a variant for each kind, such as [`Ask`](super::Ask), and the functions that
//! work for every kind. Each function passes its arguments to the implementation of the kind. No other code lists the
//! kinds. Start at [`Kind`].

use robots_core::{Edition, Parser};
#[cfg(feature = "process")]
use serde::ser::SerializeMap;
use serde_yaml::{Mapping, Value};

use super::keys::{KeyGroup, Reading};
#[cfg(feature = "process")]
use super::vector::WriteVector;
use super::{Answer, Member, Role};
#[cfg(feature = "process")]
use crate::kind::fields::{Fields, NotAQuestion, WrongKey};

/// A kind of question. The type of the kind's questions implements this trait.
pub(crate) trait Kind: Sized {
    /// The type of an engine's answers.
    type Answer;
    /// The type of the expected answers of a case.
    type Expected: PartialEq;

    /// The only role whose engines answer questions of this kind, or `None` if parsers and crawlers answer them.
    const ROLE: Option<Role>;
    /// The keys of a case that belong to this kind.
    const KEYS: &'static [KeyGroup];
    /// The keys that are lists; each member of a list is asked separately.
    const LISTS: &'static [&'static str] = &[];
    /// The answers that a case can state, as text for messages.
    const ANSWERS: &'static str;
    /// The keys and the answer of a new case, as YAML.
    const TEMPLATE: (&'static str, &'static str);
    /// The editions that a new case states: the editions whose documents define this kind.
    const EDITIONS: &'static [Edition] = Edition::ALL;
    /// Whether a requirement needs cases with two different answers. This constant is false for the kinds about groups,
    /// sitemaps, timelines and fetch results, because they do not have two opposite answers.
    const HAS_TWO_SIDES: bool = false;

    /// Reads the questions of a case.
    fn read(case: &mut Reading<'_>) -> Vec<Member>;

    /// Returns the octets of the robots.txt that the question is about, if it is about one.
    fn robots_txt(&self) -> Option<&[u8]> {
        None
    }

    /// Returns whether time passes or a retriever restarts while the engine answers the question.
    fn passes_time(&self) -> bool {
        false
    }

    /// Answers the question with a parser and the semantics of an edition.
    ///
    /// # Errors
    /// Returns [`Answer::Unsupported`] or [`Answer::Error`].
    fn answer<P: Parser>(&self, parser: &P, edition: Edition) -> Result<Self::Answer, Answer>;

    /// Reads an answer that a case or a deviations file states.
    ///
    /// # Errors
    /// Returns the reason why the value is not an answer.
    fn expected(value: &Value) -> Result<Self::Expected, NotAnAnswer>;

    /// Adds to an expected answer the facts that follow from the keys of the case.
    fn complete(_case: &Mapping, expected: Self::Expected) -> Self::Expected {
        expected
    }

    /// Returns whether every well-formed answer conforms to one of the stated answers.
    fn is_open(stated: &[&Self::Expected]) -> bool;

    /// Returns an answer as an expectation states it.
    fn stated(answer: &Self::Answer) -> Self::Expected;

    /// Returns whether an answer agrees with every part that the expectation states.
    fn conforms(expected: &Self::Expected, answer: &Self::Answer) -> bool {
        *expected == Self::stated(answer)
    }

    /// Returns whether an answer is exactly the answer that a deviations entry states. `right` contains the conforming
    /// answers. If an expectation of this kind may leave out parts, the kind must override this function, because the
    /// entry must state what is wrong.
    fn is_deviation(
        stated: &Self::Expected,
        _right: &[&Self::Expected],
        answer: &Self::Answer,
    ) -> bool {
        Self::conforms(stated, answer)
    }

    /// Renders the question without the robots.txt.
    fn question(&self) -> String;

    /// Renders an expected answer, one fact on each line.
    fn text(expected: &Self::Expected) -> String;

    /// Returns an expected answer as a case states it.
    fn yaml(expected: &Self::Expected) -> Value;

    /// Renders an expected answer without details such as deciding lines.
    fn side(expected: &Self::Expected) -> String {
        Self::text(expected)
    }

    /// Returns the engine's reason in words, if it gave one.
    fn evidence(_answer: &Self::Answer) -> Option<&str> {
        None
    }
}

/// The form of a kind of question in the protocol and in the flat files.
#[cfg(feature = "process")]
pub(crate) trait Wire: Kind {
    /// The keys of the question.
    const QUESTION_KEYS: &'static [&'static str];
    /// The keys of the answer, in addition to the key with the name of the kind.
    const ANSWER_KEYS: &'static [&'static str] = &[];
    /// The function that writes the keys of the question in a vector. `None` means that the flat files do not contain
    /// this kind.
    const WRITE_VECTOR: Option<WriteVector<Self>> = None;

    /// Writes the keys of the question.
    ///
    /// # Errors
    /// Returns the errors of the serializer.
    fn write<M: SerializeMap>(&self, message: &mut M) -> Result<(), M::Error>;

    /// Reads the keys of the question.
    ///
    /// # Errors
    /// Returns [`NotAQuestion`] if a key is missing or wrong.
    fn read(message: &Fields) -> Result<Self, NotAQuestion>;

    /// Writes the keys of an expected answer.
    ///
    /// # Errors
    /// Returns the errors of the serializer.
    fn write_expected<M: SerializeMap>(
        expected: &Self::Expected,
        message: &mut M,
    ) -> Result<(), M::Error>;

    /// Writes the keys of an answer.
    ///
    /// # Errors
    /// Returns the errors of the serializer.
    fn write_answer<M: SerializeMap>(
        answer: &Self::Answer,
        message: &mut M,
    ) -> Result<(), M::Error> {
        Self::write_expected(&Self::stated(answer), message)
    }

    /// Reads an answer. The message must have the key that is named after the kind.
    ///
    /// # Errors
    /// Returns the key with a wrong value, and the expected form of the value.
    fn read_answer(message: &Fields) -> Result<Self::Answer, WrongKey>;
}

/// The reason why a value is not an answer to a kind of question.
pub(crate) enum NotAnAnswer {
    /// The value does not have the form of an answer. The text is the reason, if there is one.
    Form(Option<String>),
    /// The value has the right form, but its content is wrong. The text describes the problem.
    Sentence(String),
}

impl NotAnAnswer {
    /// The value does not have the form of an answer. No reason is given.
    pub(crate) const FORM: Self = Self::Form(None);
}

impl From<serde_yaml::Error> for NotAnAnswer {
    fn from(error: serde_yaml::Error) -> Self {
        Self::Form(Some(error.to_string()))
    }
}

macro_rules! kinds {
    ($(
        $(#[doc = $asks:literal])*
        $kind:ident $id:literal: $question:ty => $answer:ty, $expected:ty;
    )*) => {
        /// The kind of a question and its data. The octets of a file are as fetched, with line endings and byte order
        /// mark. URLs are text that is neither encoded nor decoded.
        #[derive(Clone, Debug, PartialEq, Eq)]
        #[non_exhaustive]
        pub enum Ask {
            $($(#[doc = $asks])* $kind($question),)*
        }

        /// An engine's answer.
        #[derive(Clone, Debug, PartialEq, Eq)]
        #[non_exhaustive]
        pub enum Answer {
            $(
                #[doc = concat!("Answers [`Ask::", stringify!($kind), "`]:")]
                $(#[doc = $asks])*
                $kind($answer),
            )*
            /// The engine does not answer this question; the text gives the reason.
            Unsupported(String),
            /// The engine failed to answer; the text describes the failure.
            Error(String),
            /// The engine did not answer in time; the text names the time limit.
            TimedOut(String),
        }

        /// The kinds of question.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum QuestionKind {
            $(
                #[doc = concat!("The kind of [`Ask::", stringify!($kind), "`].")]
                $kind,
            )*
        }

        impl QuestionKind {
            /// Contains every kind.
            pub const ALL: &'static [Self] = &[$(Self::$kind),*];

            /// Returns the kind as the cases and the protocol write it.
            #[must_use]
            pub const fn id(self) -> &'static str {
                match self {
                    $(Self::$kind => $id,)*
                }
            }

            /// Returns the only role whose engines answer questions of this kind, or `None` if parsers and crawlers
            /// answer them.
            ///
            /// A crawler answers questions about answers of servers, about elapsed time, and about the hosts of a file.
            /// A parser answers questions about a file or a preference. Parsers and crawlers answer verdict questions.
            /// A retriever answers timelines.
            ///
            /// ```
            /// use robots_conformance::kind::{QuestionKind, Role};
            /// assert_eq!(QuestionKind::Freshness.role(), Some(Role::Crawler));
            /// assert_eq!(QuestionKind::Verdict.role(), None);
            /// ```
            #[must_use]
            pub const fn role(self) -> Option<Role> {
                match self {
                    $(Self::$kind => <$question as contract::Kind>::ROLE,)*
                }
            }
        }

        impl Ask {
            /// Returns the kind of question.
            #[must_use]
            pub const fn kind(&self) -> QuestionKind {
                match self {
                    $(Self::$kind(_) => QuestionKind::$kind,)*
                }
            }

            /// Returns whether time passes or a retriever restarts while the engine answers the question. If so, the
            /// suite does not ask the question of engines that have their own clock ([`Engine::takes_clock`](crate::engine::Engine::takes_clock)).
            #[must_use]
            pub fn passes_time(&self) -> bool {
                match self {
                    $(Self::$kind(question) => contract::Kind::passes_time(question),)*
                }
            }

            /// Returns the octets of the robots.txt that the question is about, if it is about one.
            #[must_use]
            pub fn robots_txt(&self) -> Option<&[u8]> {
                match self {
                    $(Self::$kind(question) => contract::Kind::robots_txt(question),)*
                }
            }
        }

        impl Answer {
            /// Returns the kind of question that this answer belongs to, or `None` for
            /// [`Unsupported`](Self::Unsupported), [`Error`](Self::Error) and [`TimedOut`](Self::TimedOut).
            #[must_use]
            pub const fn kind(&self) -> Option<QuestionKind> {
                match self {
                    $(Self::$kind(_) => Some(QuestionKind::$kind),)*
                    Self::Unsupported(_) | Self::Error(_) | Self::TimedOut(_) => None,
                }
            }
        }

        $(
            impl From<$question> for Ask {
                fn from(question: $question) -> Self {
                    Self::$kind(question)
                }
            }
        )*

        /// An answer that a case states.
        #[derive(Clone, Debug, PartialEq, Eq)]
        #[non_exhaustive]
        pub enum Expected {
            $(
                #[doc = concat!("Is the answer to [`Ask::", stringify!($kind), "`]:")]
                $(#[doc = $asks])*
                $kind($expected),
            )*
        }

        /// Answers a question with a parser and the semantics of an edition.
        pub(crate) fn answer<P: Parser>(ask: &Ask, parser: &P, edition: Edition) -> Answer {
            match ask {
                $(Ask::$kind(ask) => match contract::Kind::answer(ask, parser, edition) {
                    Ok(answer) => Answer::$kind(answer),
                    Err(other) => other,
                },)*
            }
        }

        /// Returns the keys of a case that belong to a kind of question.
        pub(crate) const fn keys(kind: QuestionKind) -> &'static [keys::KeyGroup] {
            match kind {
                $(QuestionKind::$kind => <$question as contract::Kind>::KEYS,)*
            }
        }

        /// Returns the keys of a kind that are lists; each member of a list is asked separately.
        pub(crate) const fn lists(kind: QuestionKind) -> &'static [&'static str] {
            match kind {
                $(QuestionKind::$kind => <$question as contract::Kind>::LISTS,)*
            }
        }

        /// Returns the keys and the answer of a new case of a kind, as YAML.
        #[must_use]
        pub const fn template(kind: QuestionKind) -> (&'static str, &'static str) {
            match kind {
                $(QuestionKind::$kind => <$question as contract::Kind>::TEMPLATE,)*
            }
        }

        /// Returns the editions that a new case of a kind states.
        #[must_use]
        pub const fn editions(kind: QuestionKind) -> &'static [Edition] {
            match kind {
                $(QuestionKind::$kind => <$question as contract::Kind>::EDITIONS,)*
            }
        }

        /// Returns whether a requirement needs cases of this kind with two different answers.
        pub(crate) const fn has_two_sides(kind: QuestionKind) -> bool {
            match kind {
                $(QuestionKind::$kind => <$question as contract::Kind>::HAS_TWO_SIDES,)*
            }
        }

        /// Reads the questions of a case.
        fn read(kind: QuestionKind, case: &mut keys::Reading<'_>) -> Vec<Member> {
            match kind {
                $(QuestionKind::$kind => <$question as contract::Kind>::read(case),)*
            }
        }

        const fn answers(kind: QuestionKind) -> &'static str {
            match kind {
                $(QuestionKind::$kind => <$question as contract::Kind>::ANSWERS,)*
            }
        }

        fn read_expected(kind: QuestionKind, value: &Value) -> Result<Expected, contract::NotAnAnswer> {
            match kind {
                $(QuestionKind::$kind => <$question as contract::Kind>::expected(value).map(Expected::$kind),)*
            }
        }

        /// Adds to an expected answer the facts that follow from the keys of its case.
        pub(crate) fn complete(case: &Mapping, expected: Expected) -> Expected {
            match expected {
                $(Expected::$kind(expected) => {
                    Expected::$kind(<$question as contract::Kind>::complete(case, expected))
                })*
            }
        }

        /// Returns whether every well-formed answer to a question of this kind conforms to one of the stated answers.
        pub(crate) fn is_open(kind: QuestionKind, stated: &[&Expected]) -> bool {
            match kind {
                $(QuestionKind::$kind => {
                    let of_kind = |stated: &&'_ Expected| match stated {
                        Expected::$kind(stated) => Some(stated.clone()),
                        _ => None,
                    };
                    let stated: Vec<$expected> = stated.iter().filter_map(of_kind).collect();
                    <$question as contract::Kind>::is_open(&stated.iter().collect::<Vec<_>>())
                })*
            }
        }

        /// Returns an answer as an expectation states it, or `None` if the answer is `Unsupported`, `Error` or
        /// `TimedOut`.
        #[must_use]
        pub fn stated(answer: &Answer) -> Option<Expected> {
            match answer {
                $(Answer::$kind(answer) => {
                    Some(Expected::$kind(<$question as contract::Kind>::stated(answer)))
                })*
                Answer::Unsupported(_) | Answer::Error(_) | Answer::TimedOut(_) => None,
            }
        }

        /// Returns whether an answer agrees with every part that the expectation states.
        ///
        /// Agents are compared as sets in ASCII lower case, and rules in order. A deciding line is judged only if the
        /// expectation and the answer both name one.
        #[must_use]
        pub fn conforms(expected: &Expected, answer: &Answer) -> bool {
            match (expected, answer) {
                $((Expected::$kind(expected), Answer::$kind(answer)) => {
                    <$question as contract::Kind>::conforms(expected, answer)
                })*
                _ => false,
            }
        }

        /// Returns whether an answer is exactly the answer that a deviations entry states.
        pub(crate) fn is_deviation(stated: &Expected, right: &[&Expected], answer: &Answer) -> bool {
            match (stated, answer) {
                $((Expected::$kind(stated), Answer::$kind(answer)) => {
                    let of_kind = |right: &&'_ Expected| match right {
                        Expected::$kind(right) => Some(right.clone()),
                        _ => None,
                    };
                    let right: Vec<$expected> = right.iter().filter_map(of_kind).collect();
                    let right: Vec<_> = right.iter().collect();
                    <$question as contract::Kind>::is_deviation(stated, &right, answer)
                })*
                _ => false,
            }
        }

        /// Renders a question without the robots.txt: on one line, or one fact on each line.
        #[must_use]
        pub fn question_text(ask: &Ask) -> String {
            match ask {
                $(Ask::$kind(question) => contract::Kind::question(question),)*
            }
        }

        /// Renders an expected answer, one fact on each line.
        #[must_use]
        pub fn text(expected: &Expected) -> String {
            match expected {
                $(Expected::$kind(expected) => <$question as contract::Kind>::text(expected),)*
            }
        }

        /// Returns an expected answer as a case states it.
        pub(crate) fn yaml(expected: &Expected) -> Value {
            match expected {
                $(Expected::$kind(expected) => <$question as contract::Kind>::yaml(expected),)*
            }
        }

        /// Renders an expected answer without details such as deciding lines.
        pub(crate) fn side(expected: &Expected) -> String {
            match expected {
                $(Expected::$kind(expected) => <$question as contract::Kind>::side(expected),)*
            }
        }

        /// Returns the engine's reason in words, if its answer has one.
        #[must_use]
        pub fn evidence(answer: &Answer) -> Option<&str> {
            match answer {
                $(Answer::$kind(answer) => <$question as contract::Kind>::evidence(answer),)*
                _ => None,
            }
        }

        #[cfg(feature = "process")]
        pub(crate) mod wire {
            //! The functions of the table for messages and vectors.

            use serde::ser::SerializeMap;

            use super::*;
            use crate::kind::fields::{Fields, NotAQuestion, WrongKey};
            use crate::kind::vector::VectorKeys;

            /// Returns the keys of questions and answers of a kind, without the keys that every message has.
            pub(crate) fn keys(kind: QuestionKind) -> impl Iterator<Item = &'static str> {
                let (question, answer) = match kind {
                    $(QuestionKind::$kind => (
                        <$question as contract::Wire>::QUESTION_KEYS,
                        <$question as contract::Wire>::ANSWER_KEYS,
                    ),)*
                };
                question.iter().chain(answer).copied().chain([kind.id()])
            }

            /// Writes the keys of a question.
            pub(crate) fn write<M: SerializeMap>(ask: &Ask, message: &mut M) -> Result<(), M::Error> {
                match ask {
                    $(Ask::$kind(question) => contract::Wire::write(question, message),)*
                }
            }

            /// Returns whether the flat files contain questions of a kind.
            pub(crate) const fn has_vectors(kind: QuestionKind) -> bool {
                match kind {
                    $(QuestionKind::$kind => <$question as contract::Wire>::WRITE_VECTOR.is_some(),)*
                }
            }

            /// Writes the keys of a question in a vector, or nothing if the flat files do not contain its kind.
            pub(crate) fn write_vector(ask: &Ask, keys: &mut VectorKeys<'_>) {
                match ask {
                    $(Ask::$kind(question) => {
                        if let Some(write) = <$question as contract::Wire>::WRITE_VECTOR {
                            write(question, keys);
                        }
                    })*
                }
            }

            /// Reads the keys of a question of a kind.
            pub(crate) fn read(kind: QuestionKind, message: &Fields) -> Result<Ask, NotAQuestion> {
                match kind {
                    $(QuestionKind::$kind => <$question as contract::Wire>::read(message).map(Ask::$kind),)*
                }
            }

            /// Writes the keys of an answer, or nothing for `Unsupported`, `Error` and `TimedOut`.
            pub(crate) fn write_answer<M: SerializeMap>(
                answer: &Answer,
                message: &mut M,
            ) -> Result<(), M::Error> {
                match answer {
                    $(Answer::$kind(answer) => <$question as contract::Wire>::write_answer(answer, message),)*
                    _ => Ok(()),
                }
            }

            /// Writes the keys of an expected answer.
            pub(crate) fn write_expected<M: SerializeMap>(
                expected: &Expected,
                message: &mut M,
            ) -> Result<(), M::Error> {
                match expected {
                    $(Expected::$kind(expected) => <$question as contract::Wire>::write_expected(expected, message),)*
                }
            }

            /// Reads the keys of an answer to a question of a kind.
            pub(crate) fn read_answer(
                kind: QuestionKind,
                message: &Fields,
            ) -> Result<Answer, WrongKey> {
                match kind {
                    $(QuestionKind::$kind => {
                        <$question as contract::Wire>::read_answer(message).map(Answer::$kind)
                    })*
                }
            }
        }
    };
}
