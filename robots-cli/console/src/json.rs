//! Writes JSON without invisible characters: [`line()`] and [`pretty`] escape each invisible character.
//!
//! A robots.txt may contain the direction marks of Unicode, which make a terminal or browser show the characters of a
//! line in another order. JSON permits a writer to escape any character of a string, and a reader gets the same string.
//! In `##[`, the `[` is escaped too, because GitHub Actions would execute a line with this text as a command. Raw
//! values, for example the `id` of a bulk question, are copied unchanged.

use std::io::{self, BufWriter, Write};

use serde::Serialize;
use serde_json::Serializer;
use serde_json::ser::{CompactFormatter, Formatter, PrettyFormatter};

use crate::render::is_visible;

/// Writes a value on one line, without a line ending.
///
/// ```
/// let mut out = Vec::new();
/// robots_console::json::line("é\u{202e}", &mut out)?;
/// assert_eq!(out, "\"é\\u202e\"".as_bytes());
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
/// Returns an error if the writer fails or the value cannot be written as JSON.
pub fn line<T: Serialize + ?Sized>(value: &T, out: impl Write) -> io::Result<()> {
    Ok(value.serialize(&mut Serializer::with_formatter(out, Visible(CompactFormatter)))?)
}

/// Writes a value on several lines, indented by two spaces, with a line ending.
///
/// # Errors
/// Returns an error if the writer fails or the value cannot be written as JSON.
pub fn pretty<T: Serialize + ?Sized>(value: &T, out: impl Write) -> io::Result<()> {
    let mut out = BufWriter::new(out);
    let formatter = Visible(PrettyFormatter::new());
    value.serialize(&mut Serializer::with_formatter(&mut out, formatter))?;
    out.write_all(b"\n")?;
    out.flush()
}

/// Returns whether a number is 0. Some numbers are left out of JSON then.
#[must_use]
pub const fn is_zero(count: &usize) -> bool {
    *count == 0
}

/// A formatter that escapes the invisible characters of strings and uses another formatter for the rest.
struct Visible<F>(F);

/// Implements the methods that [`PrettyFormatter`] overrides. Each implementation calls the same method of the inner
/// formatter.
macro_rules! pass_on {
    ($($method:ident($($argument:ident: $type:ty),*)),* $(,)?) => {$(
        fn $method<W: ?Sized + Write>(&mut self, out: &mut W, $($argument: $type),*) -> io::Result<()> {
            self.0.$method(out, $($argument),*)
        }
    )*};
}

impl<F: Formatter> Formatter for Visible<F> {
    pass_on! {
        begin_array(),
        end_array(),
        begin_array_value(first: bool),
        end_array_value(),
        begin_object(),
        end_object(),
        begin_object_key(first: bool),
        begin_object_value(),
        end_object_value(),
    }

    fn write_string_fragment<W: ?Sized + Write>(
        &mut self,
        out: &mut W,
        fragment: &str,
    ) -> io::Result<()> {
        let mut written = 0;
        let is_command = |at, c| c == '[' && fragment[..at].ends_with("##");
        let escaped =
            fragment.char_indices().filter(|(at, c)| !is_visible(*c) || is_command(*at, *c));
        for (at, c) in escaped {
            out.write_all(&fragment.as_bytes()[written..at])?;
            for unit in c.encode_utf16(&mut [0; 2]) {
                write!(out, "\\u{unit:04x}")?;
            }
            written = at + c.len_utf8();
        }
        out.write_all(&fragment.as_bytes()[written..])
    }
}

#[cfg(test)]
mod tests {
    use serde_json::value::RawValue;
    use serde_json::{Value, json};

    use super::{line, pretty};

    #[test]
    fn what_cannot_be_seen_is_escaped_and_reads_as_it_was() {
        let value =
            json!({ "a\u{202e}": ["\u{e0001}\u{7f}\u{200b}é/ツ\"\\\n", 1, {}, "[##[error]"] });
        let (mut short, mut long) = (Vec::new(), Vec::new());
        line(&value, &mut short).unwrap();
        pretty(&value, &mut long).unwrap();
        let expected =
            r#"{"a\u202e":["\udb40\udc01\u007f\u200bé/ツ\"\\\n",1,{},"[##\u005berror]"]}"#;
        assert_eq!(String::from_utf8(short).unwrap(), expected);
        assert!(long.starts_with(b"{\n  \"a\\u202e\": [\n    \""), "{long:?}");
        assert_eq!(serde_json::from_slice::<Value>(&long).unwrap(), value);
    }

    #[test]
    fn a_raw_value_stays_as_it_came() {
        let raw = RawValue::from_string("\"\u{202e}\"".to_owned()).unwrap();
        let mut out = Vec::new();
        line(&raw, &mut out).unwrap();
        assert_eq!(out, "\"\u{202e}\"".as_bytes());
    }
}
