//! The protocol between the runner and a subject: its messages, both ways.
//!
//! `PROTOCOL.md` describes it for those who write a subject. A message is one JSON object on one line;
//! [`Hello`] opens, [`question()`] and [`read_question`] write and read questions, [`reply`] and
//! [`answer()`] answers. Nothing here knows a process: [`crate::process`] asks, [`crate::serve`] answers.

mod answer;
mod hello;
mod message;
mod question;

use std::io::{self, Write};

use serde::Serialize;
use serde_json::ser::{CompactFormatter, Formatter};

pub(crate) use self::answer::ExpectedMessage;
pub use self::answer::{AnswerMessage, LONGEST_TEXT, answer, longest_answer, reply};
pub use self::hello::{Greeting, Hello, HelloMessage, greeting};
pub(crate) use self::message::shown;
pub use self::message::{Message, NotAMessage};
pub use self::question::{NotAQuestion, QuestionMessage, question, read_question};

/// The version of the protocol.
pub const VERSION: u64 = 1;

/// The JSON Schema of the messages.
pub const SCHEMA: &str = include_str!("../schema/protocol.schema.json");

/// The description of the protocol.
pub const DESCRIPTION: &str = include_str!("../PROTOCOL.md");

/// Writes a message as one line of ASCII without its line end; what is not ASCII is escaped, so that
/// no reader's locale matters.
///
/// ```
/// let message = serde_json::json!({ "url": "https://example.com/ツ" });
/// let line = robots_conformance::protocol::line(&message);
/// assert_eq!(line, r#"{"url":"https://example.com/\u30c4"}"#);
/// ```
///
/// # Panics
/// Where the message has no form as JSON, which every message of the protocol has.
#[must_use]
pub fn line(message: &impl Serialize) -> String {
    let mut out = Vec::new();
    let mut serializer = serde_json::Serializer::with_formatter(&mut out, Ascii(CompactFormatter));
    message.serialize(&mut serializer).expect("a message has a form as JSON");
    String::from_utf8(out).expect("the formatter writes ASCII")
}

/// Cuts a line that is shown in a message.
pub(crate) fn cut(text: &str) -> String {
    const LONG: usize = 200;
    match text.char_indices().nth(LONG) {
        None => text.to_owned(),
        Some((at, _)) => format!("{}… ({} octets)", &text[..at], text.len()),
    }
}

/// A compact form whose texts are ASCII.
struct Ascii(CompactFormatter);

impl Formatter for Ascii {
    fn write_string_fragment<W: ?Sized + Write>(
        &mut self,
        writer: &mut W,
        fragment: &str,
    ) -> io::Result<()> {
        let mut rest = fragment;
        while let Some(at) = rest.find(|c: char| !c.is_ascii() || c == '\u{7f}') {
            self.0.write_string_fragment(writer, &rest[..at])?;
            let c = rest[at..].chars().next().unwrap_or_default();
            for unit in c.encode_utf16(&mut [0; 2]) {
                write!(writer, "\\u{unit:04x}")?;
            }
            rest = &rest[at + c.len_utf8()..];
        }
        self.0.write_string_fragment(writer, rest)
    }
}
