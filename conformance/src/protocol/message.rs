//! A line of the protocol as it was read: [`Message`]. A [`Message`] keeps the known keys with their values, the length
//! of the line, and the beginning of the line for error messages.

use serde::de::{DeserializeOwned, IgnoredAny};

use crate::kind::fields::Fields;
use robots_console::render;

use robots_console::error::Error;

/// A message as it was read.
#[derive(Clone, Debug)]
pub struct Message {
    fields: Fields,
    /// The length of the line in octets.
    length: usize,
    /// The beginning of the line, for error messages.
    shown: String,
}

/// The reason why a line is not a message.
#[derive(Clone, Copy)]
pub(crate) enum NotAMessage {
    /// The line is not JSON.
    NoJson,
    /// The line is JSON, but not an object.
    NoObject,
}

impl Message {
    /// Reads a line.
    ///
    /// # Errors
    /// Returns an error if the line is not a JSON object.
    pub fn read(line: &[u8]) -> Result<Self, Error> {
        Self::parse(line).map_err(|error| {
            Error::from(match error {
                NotAMessage::NoJson => "the line is not JSON",
                NotAMessage::NoObject => "the line is JSON, but not an object",
            })
        })
    }

    /// Reads a line. The caller describes the error.
    pub(crate) fn parse(line: &[u8]) -> Result<Self, NotAMessage> {
        let fields = serde_json::from_slice(line).map_err(|_| {
            match serde_json::from_slice::<IgnoredAny>(line) {
                Ok(_) => NotAMessage::NoObject,
                Err(_) => NotAMessage::NoJson,
            }
        })?;
        Ok(Self { fields, length: line.len(), shown: shown(line) })
    }

    /// Returns the length of the line in octets.
    #[must_use]
    pub fn length(&self) -> usize {
        self.length
    }

    /// Returns the beginning of the line, as an error message shows it.
    #[must_use]
    pub fn shown(&self) -> &str {
        &self.shown
    }

    /// Returns the known keys with their values.
    pub(crate) fn fields(&self) -> &Fields {
        &self.fields
    }

    /// Reads the value of a key. Returns `None` if the key is missing or its value has another type.
    pub(crate) fn get<T: DeserializeOwned>(&self, key: &str) -> Option<T> {
        self.fields.get(key)
    }

    /// Returns whether a key is missing or null.
    pub(crate) fn is_null(&self, key: &str) -> bool {
        self.fields.is_null(key)
    }
}

/// Renders the beginning of a line.
pub(crate) fn shown(line: &[u8]) -> String {
    /// The number of octets that are rendered. The rest of the line is not rendered.
    const BEGINNING: usize = 1024;
    let beginning = String::from_utf8_lossy(&line[..line.len().min(BEGINNING)]);
    match super::cut(&render::visible(&beginning)) {
        shown if line.len() <= BEGINNING => shown,
        shown => {
            let shown = shown.split_once('…').map_or(&*shown, |(shown, _)| shown);
            format!("{shown}… ({} octets)", line.len())
        }
    }
}
