//! The protocol between the runner and a subject: the messages in both directions.
//!
//! `PROTOCOL.md` describes the protocol for authors of subjects. A message is one JSON object on one line. [`Hello`]
//! opens an exchange. [`question()`] writes questions and [`read_question`] reads them; [`reply`] writes answers and
//! [`answer()`] reads them. This module does no I/O: [`crate::process`] asks, and [`crate::serve`] answers.

mod answer;
mod hello;
mod message;
mod question;

use std::io::{self, Write};

use serde::Serialize;
use serde_json::ser::{CompactFormatter, Formatter};

pub(crate) use self::answer::reply_to_no_question;
pub use self::answer::{LONGEST_TEXT, answer, expected, longest_answer, reply};
pub use self::hello::{Hello, greeting};
pub use self::message::Message;
pub(crate) use self::message::{NotAMessage, shown};
pub use self::question::{question, read_question};

/// The version of the protocol.
pub const VERSION: u64 = 1;

/// The JSON Schema of the messages.
pub const SCHEMA: &str = include_str!("../schema/protocol.schema.json");

/// The description of the protocol.
pub const DESCRIPTION: &str = include_str!("../PROTOCOL.md");

/// Writes a message as one line of ASCII, without its line ending. Other characters are escaped, so the reader's locale
/// does not matter.
///
/// ```
/// let message = serde_json::json!({ "url": "https://example.com/ツ" });
/// let line = robots_conformance::protocol::line(&message);
/// assert_eq!(line, r#"{"url":"https://example.com/\u30c4"}"#);
/// ```
///
/// # Panics
/// Panics if the message cannot be written as JSON. Every message of the protocol can be written.
#[must_use]
pub fn line(message: &impl Serialize) -> String {
    let mut out = Vec::new();
    let mut serializer = serde_json::Serializer::with_formatter(&mut out, Ascii(CompactFormatter));
    message.serialize(&mut serializer).expect("every message can be written as JSON");
    String::from_utf8(out).expect("the formatter writes ASCII")
}

/// Shortens a line for an error message.
pub(crate) fn cut(text: &str) -> String {
    const LONG: usize = 200;
    match text.char_indices().nth(LONG) {
        None => text.to_owned(),
        Some((at, _)) => format!("{}… ({} octets)", &text[..at], text.len()),
    }
}

/// A compact format with ASCII text only.
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
