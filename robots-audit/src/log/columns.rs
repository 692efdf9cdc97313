//! Lines of columns that the log itself names: the W3C extended format of IIS, and the logs of `CloudFront`.
//!
//! Start at [`Columns::read`]. The directive `#Fields:` names the columns of the lines after it, and may come again with
//! other columns. IIS separates columns with spaces and writes a space in a value as `+`; `CloudFront` separates them with
//! tabs and encodes values with `%`.

use std::borrow::Cow;

use memchr::{memchr, memchr2, memmem};

use super::fields::{Field, Fields, complete, hexadecimal, unescaped};

/// The columns that the last `#Fields:` has named.
#[derive(Clone, Debug, Default)]
pub(super) struct Columns {
    fields: Vec<Option<Field>>,
    /// Whether a line has all that is necessary.
    is_complete: bool,
    is_of_cloudfront: bool,
    /// The date of the last `#Date:`, for lines that have only a time.
    date: Vec<u8>,
}

impl Columns {
    /// Reads a line that starts with `#`. Only `#Fields:` and `#Date:` change how lines are read.
    pub(super) fn directive(&mut self, line: &[u8]) {
        if let Some(names) = line.strip_prefix(b"#Fields:") {
            let names = names.split(u8::is_ascii_whitespace).filter(|name| !name.is_empty());
            self.fields = names.map(field).collect();
            self.is_complete = complete(|it| self.has(it) || it == Field::Date, |_| "").is_ok();
            // CloudFront has the name of the distribution first, and later the host that the visitor asked for.
            self.is_of_cloudfront = memmem::find(line, b"x-edge-location").is_some();
            let is_host = |it: &Option<Field>| *it == Some(Field::Host);
            if memmem::find(line, b"x-host-header").is_some()
                && let Some(first) = self.fields.iter().position(is_host)
            {
                self.fields[first] = None;
            }
        } else if let Some(date) = line.strip_prefix(b"#Date:") {
            let mut words = date.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
            self.date = words.next().unwrap_or_default().to_vec();
        }
    }

    /// Returns whether the last `#Fields:` names columns of `CloudFront`.
    pub(super) fn is_of_cloudfront(&self) -> bool {
        self.is_of_cloudfront
    }

    /// Returns whether a line has the field.
    pub(super) fn has(&self, field: Field) -> bool {
        self.fields.contains(&Some(field))
    }

    /// Reads a line of values. Returns `None` if no `#Fields:` with the time, the URL and the status came before it, or
    /// if it has another number of columns.
    pub(super) fn read<'l>(&'l self, line: &'l [u8]) -> Option<Fields<'l>> {
        let mut fields = Fields::default();
        let separator = if memchr(b'\t', line).is_some() { b'\t' } else { b' ' };
        let mut values = line.split(|octet| *octet == separator);
        for field in &self.fields {
            let value = values.next()?;
            let plus = if separator == b' ' { b' ' } else { b'+' };
            match field {
                Some(Field::Agent) => fields.set(Field::Agent, decoded(value, plus)),
                // CloudFront does not decode paths, but it may have encoded the `%` of one.
                Some(Field::Path) if self.is_of_cloudfront && memchr(b'%', value).is_none() => {
                    fields.set(Field::Target, Cow::Borrowed(value));
                }
                Some(field) => fields.set(*field, Cow::Borrowed(value)),
                None => {}
            }
        }
        if !self.is_complete || values.next().is_some() {
            return None;
        }
        fields.set(Field::Date, Cow::Borrowed(&self.date));
        Some(fields)
    }
}

/// Returns the field of a column.
fn field(name: &[u8]) -> Option<Field> {
    Some(match name {
        b"date" => Field::Date,
        b"time" => Field::Clock,
        b"c-ip" => Field::Address,
        b"cs-method" => Field::Method,
        b"cs-uri-stem" => Field::Path,
        b"cs-uri" => Field::Target,
        b"cs-uri-query" => Field::Query,
        b"sc-status" => Field::Status,
        // `sc-bytes` counts the head of the answer too, so it is not the length of the body.
        b"cs(User-Agent)" => Field::Agent,
        b"cs-host" | b"cs(Host)" | b"x-host-header" => Field::Host,
        b"cs-protocol" => Field::Scheme,
        b"s-port" => Field::Port,
        b"sc-win32-status" | b"x-edge-detailed-result-type" => Field::Connection,
        _ => return None,
    })
}

/// Decodes the `+` and `%HH` of a value.
fn decoded(value: &[u8], plus: u8) -> Cow<'_, [u8]> {
    unescaped(value, memchr2(b'+', b'%', value), |octets| match octets {
        [b'%', high, low, ..] => Some((hexadecimal(*high, *low)?, 3)),
        [b'+', ..] => Some((plus, 1)),
        _ => None,
    })
}
