//! Answers: a subject writes them ([`reply`]), and the runner reads them ([`answer`]). An expected answer of a case has
//! nearly the same form ([`expected`]). The length of texts and of answers is limited.

use crate::kind::{Answer, QuestionKind};
use serde::ser::SerializeMap as _;
use serde::{Serialize, Serializer};

use super::message::{Message, shown};
use crate::kind::{Expected, wire};
use robots_console::error::Error;

/// Makes the message of an answer: the number of the question, and the keys that an answer of its kind has.
///
/// ```
/// use robots_conformance::kind::Answer;
/// use robots_conformance::protocol::{line, reply};
/// assert_eq!(line(&reply(7, &Answer::verdict(true))), r#"{"id":7,"verdict":"allow"}"#);
/// ```
#[must_use]
pub fn reply(id: u64, answer: &Answer) -> impl Serialize {
    AnswerMessage { id: Some(id), answer }
}

/// Makes the answer to a line that is not a question. This answer has no number.
pub(crate) fn reply_to_no_question(answer: &Answer) -> impl Serialize {
    AnswerMessage { id: None, answer }
}

struct AnswerMessage<'a> {
    id: Option<u64>,
    answer: &'a Answer,
}

impl Serialize for AnswerMessage<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut message = serializer.serialize_map(None)?;
        message.serialize_entry("id", &self.id)?;
        match self.answer {
            Answer::Unsupported(reason) => message.serialize_entry("unsupported", reason)?,
            Answer::Error(error) | Answer::TimedOut(error) => {
                message.serialize_entry("error", error)?;
            }
            answer => wire::write_answer(answer, &mut message)?,
        }
        message.end()
    }
}

/// Makes the message of an answer that a case expects. It has no number.
///
/// ```
/// use robots_conformance::kind::Expected;
/// use robots_conformance::protocol::{expected, line};
/// let answer = Expected::Sitemaps(vec!["https://example.com/a.xml".to_owned()]);
/// assert_eq!(line(&expected(&answer)), r#"{"sitemaps":["https://example.com/a.xml"]}"#);
/// ```
#[must_use]
pub fn expected(answer: &Expected) -> impl Serialize {
    ExpectedMessage(answer)
}

struct ExpectedMessage<'e>(&'e Expected);

impl Serialize for ExpectedMessage<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut message = serializer.serialize_map(None)?;
        wire::write_expected(self.0, &mut message)?;
        message.end()
    }
}

/// The maximum length in octets of the value of `unsupported`, `error` or `evidence`, measured as JSON.
pub const LONGEST_TEXT: usize = 8 * 1024;

/// Returns the maximum length in octets of an answer. `file` is the length of the robots.txt that the question is
/// about.
#[must_use]
pub fn longest_answer(file: usize) -> usize {
    file.saturating_mul(16).saturating_add(16 * 1024)
}

/// Reads the answer to a question of this kind. Keys that do not belong to the kind are ignored.
///
/// # Errors
/// Returns an error, which describes the message and the expected form.
///
/// ```
/// use robots_conformance::protocol::{Message, answer};
/// use robots_conformance::kind::QuestionKind;
/// let line = br#"{ "id": 7, "verdict": true }"#;
/// let wrong = answer(QuestionKind::Verdict, &Message::read(line).unwrap());
/// assert_eq!(
///     wrong.unwrap_err().to_string(),
///     "an answer of the wrong type: `verdict` is true; it is \"allow\" or \"disallow\"",
/// );
/// ```
pub fn answer(ask: QuestionKind, message: &Message) -> Result<Answer, Error> {
    read_answer(ask, message).map_err(Error::from)
}

fn read_answer(ask: QuestionKind, message: &Message) -> Result<Answer, String> {
    let fields = message.fields();
    let wrong = |key: &str, what: &str| {
        let is = fields.raw(key).map(|value| shown(value.as_bytes())).unwrap_or_default();
        format!("an answer of the wrong type: `{key}` is {is}; it is {what}")
    };
    for key in ["unsupported", "error", "evidence"] {
        if let Some(length) = fields.raw(key).map(str::len).filter(|it| *it > LONGEST_TEXT) {
            return Err(format!(
                "`{key}` has {length} octets; {LONGEST_TEXT} are the maximum, so shorten it"
            ));
        }
    }
    for (key, answer) in
        [("unsupported", Answer::Unsupported as fn(String) -> _), ("error", Answer::Error)]
    {
        if fields.raw(key).is_some() {
            return fields.get(key).map(answer).ok_or_else(|| wrong(key, "a text with the reason"));
        }
    }
    let key = ask.id();
    if fields.raw(key).is_none() {
        let has = |other: &&QuestionKind| fields.raw(other.id()).is_some();
        return Err(match QuestionKind::ALL.iter().find(has) {
            Some(other) => format!(
                "an answer to a question not asked: the question was of kind {key}, the answer has \
                 `{other}`"
            ),
            None => {
                format!("an answer without `{key}`, `unsupported` or `error`: {}", message.shown())
            }
        });
    }
    wire::read_answer(ask, fields).map_err(|error| wrong(error.key, &error.expected))
}
