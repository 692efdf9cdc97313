//! Questions: the runner writes them ([`question`]), and a subject reads them ([`read_question`]). The kind of the
//! question writes and reads its own keys.

use crate::engine::Profile;
use crate::engine::Question;
use crate::kind::{Answer, QuestionKind};
use serde::ser::SerializeMap as _;
use serde::{Serialize, Serializer};

use super::message::Message;
use crate::kind::fields::NotAQuestion;
use crate::kind::wire;

/// Makes the message of a question: its number, its kind, its edition, and the keys of its kind. The numbers of sent
/// questions begin at 1.
///
/// ```
/// use robots_core::Edition;
/// use robots_conformance::engine::Question;
/// use robots_conformance::kind::{Ask, SitemapsQuestion};
/// use robots_conformance::protocol::{line, question};
///
/// let ask = Ask::Sitemaps(SitemapsQuestion { robots_txt: (*b"\xFF").into() });
/// let asked = Question { profile: Edition::Rfc9309.into(), ask };
/// assert_eq!(
///     line(&question(7, &asked)),
///     r#"{"id":7,"ask":"sitemaps","edition":"rfc9309","robots_txt":"/w=="}"#
/// );
/// ```
#[must_use]
pub fn question(id: u64, question: &Question) -> impl Serialize {
    QuestionMessage { id, question }
}

struct QuestionMessage<'q> {
    id: u64,
    question: &'q Question,
}

impl Serialize for QuestionMessage<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Question { profile, ask } = self.question;
        let mut message = serializer.serialize_map(None)?;
        message.serialize_entry("id", &self.id)?;
        message.serialize_entry("ask", ask.kind().id())?;
        message.serialize_entry("edition", profile.id())?;
        wire::write(ask, &mut message)?;
        message.end()
    }
}

/// Reads a question. Keys that do not belong to the question's kind are ignored.
///
/// # Errors
/// Returns the answer to a message that is not a question: [`Answer::Error`] if a key is missing or wrong, and
/// [`Answer::Unsupported`] if this version does not know the kind or the edition.
///
/// ```
/// use robots_conformance::kind::Answer;
/// use robots_conformance::protocol::{Message, read_question};
/// let line = br#"{"id":1,"ask":"sitemaps","edition":"rfc9309"}"#;
/// let missing = read_question(&Message::read(line).unwrap());
/// assert_eq!(missing, Err(Answer::Error("`robots_txt` is missing".to_owned())));
/// ```
pub fn read_question(message: &Message) -> Result<Question, Answer> {
    read(message).map_err(|error| match error {
        NotAQuestion::Unknown(what) => Answer::Unsupported(what),
        NotAQuestion::Wrong(what) => Answer::Error(what),
    })
}

fn read(message: &Message) -> Result<Question, NotAQuestion> {
    let fields = message.fields();
    let word: String = fields.key("ask")?;
    let Ok(kind) = word.parse() else {
        let message = format!("questions of kind {word:?} are not known here");
        return Err(NotAQuestion::Unknown(message));
    };
    let edition: String = fields.key("edition")?;
    let profile: Profile = edition.parse().map_err(|error: robots_core::error::UnknownName| {
        NotAQuestion::Unknown(format!("{edition:?}: {error}"))
    })?;
    if profile == Profile::GoogleCpp && kind != QuestionKind::Verdict {
        let message = format!("{profile} has verdict questions only, not {kind}");
        return Err(NotAQuestion::Unknown(message));
    }
    Ok(Question { profile, ask: wire::read(kind, fields)? })
}
