//! Lines that follow a template: the format strings of Apache and nginx, and the formats that can be written as one.
//!
//! Start at [`Template::new`]. A template is a list of parts: a value, and the octets that end it. So a line is read
//! from its start to its end with one search for each part. A value between quotation marks ends at the first quotation
//! mark that has no backslash before it and the template's next octets after it, because some servers write the
//! quotation marks of a `User-Agent` as they come.

use std::borrow::Cow;

use memchr::{memchr, memmem};

use super::fields::{Field, Fields, complete, hexadecimal, unescaped};

/// A template, compiled from a format string.
#[derive(Clone, Debug)]
pub(super) struct Template {
    /// The octets before the first value.
    start: Vec<u8>,
    parts: Vec<Part>,
}

/// A value, and the octets that end it.
#[derive(Clone, Debug)]
struct Part {
    /// The field of the value, or `None` if no judgement needs it.
    field: Option<Field>,
    /// The octets between this value and the next.
    end: Vec<u8>,
    /// Finds `end`, unless it is one octet.
    finder: memmem::Finder<'static>,
    /// Whether the value is between quotation marks.
    is_quoted: bool,
}

impl Template {
    /// Compiles a format string of Apache (`%h %l %u %t "%r"`) or of nginx (`$remote_addr - $remote_user`), or the line of
    /// a configuration that has it.
    ///
    /// Returns a message if the string has no variable, or lacks the time or the URL.
    pub(super) fn new(format: &str) -> Result<Self, String> {
        let format = &*pasted(format)?;
        let pieces = if format.contains('%') { apache(format)? } else { nginx(format)? };
        let mut template = Self { start: Vec::new(), parts: Vec::new() };
        for piece in pieces {
            match piece {
                Piece::Text(text) => template.end().extend_from_slice(text.as_bytes()),
                Piece::Value(field) => {
                    let is_quoted = template.end().last() == Some(&b'"');
                    let (end, finder) = (Vec::new(), memmem::Finder::new("").into_owned());
                    template.parts.push(Part { field, end, finder, is_quoted });
                }
            }
        }
        template.join();
        let example = |field| match field {
            Field::Time => "%t or $time_local",
            Field::Status => "%>s or $status",
            _ => "%r or $request",
        };
        complete(|field| template.has(field), example)?;
        let is_unseparated = |two: &[Part]| two[0].end.is_empty();
        if let Some(at) = template.parts.windows(2).position(is_unseparated) {
            return Err(format!("nothing separates value {} from the next value", at + 1));
        }
        for part in &mut template.parts {
            part.finder = memmem::Finder::new(&part.end).into_owned();
            part.is_quoted &= part.end.first() == Some(&b'"');
        }
        Ok(template)
    }

    /// Joins values that a format writes as one: a host with its port (`%v:%p`), a path with its query (`%U%q`), and a
    /// whole URL (`$scheme://$host$request_uri`).
    fn join(&mut self) {
        use Field::{Host, Path, Port, Query, Scheme, Target};
        type Two = (Option<Field>, &'static [u8], Option<Field>);
        const JOINED: [(Two, Option<Field>); 5] = [
            ((Some(Host), b":", Some(Port)), Some(Host)),
            // The `?` before the query may be one of the decoded path, so the whole is read as a decoded path.
            ((Some(Path), b"", Some(Query)), Some(Path)),
            ((Some(Host), b"", Some(Target)), Some(Target)),
            ((Some(Scheme), b"://", Some(Target)), Some(Target)),
            ((None, b"", None), None),
        ];
        for (joined, whole) in JOINED {
            let is_joined = |two: &[Part]| (two[0].field, &two[0].end[..], two[1].field) == joined;
            while let Some(at) = self.parts.windows(2).position(is_joined) {
                self.parts[at + 1].field = whole;
                self.parts[at + 1].is_quoted = self.parts[at].is_quoted;
                self.parts.remove(at);
            }
        }
    }

    /// Returns whether a line has the field.
    pub(super) fn has(&self, field: Field) -> bool {
        self.parts.iter().any(|part| part.field == Some(field))
    }

    /// Returns the octets to which the next text belongs.
    fn end(&mut self) -> &mut Vec<u8> {
        self.parts.last_mut().map_or(&mut self.start, |part| &mut part.end)
    }

    /// Reads a line. Returns `None` if the line does not follow the template. Columns after the last one are ignored.
    pub(super) fn read<'l>(&self, line: &'l [u8]) -> Option<Fields<'l>> {
        let mut fields = Fields::default();
        let mut rest = line.strip_prefix(&self.start[..])?;
        for (index, part) in self.parts.iter().enumerate() {
            let length = part.length(rest, index + 1 == self.parts.len())?;
            let value;
            (value, rest) = rest.split_at(length);
            rest = rest.get(part.end.len()..).unwrap_or_default();
            if let Some(field) = part.field {
                fields.set(field, without_backslashes(value));
            }
        }
        Some(fields)
    }
}

impl Part {
    /// Returns the length of the value at the start of the octets.
    fn length(&self, octets: &[u8], is_last: bool) -> Option<usize> {
        if self.is_quoted {
            return self.length_quoted(octets, is_last);
        }
        match &self.end[..] {
            [] if self.field == Some(Field::Agent) => Some(octets.len()),
            [] => Some(memchr(b' ', octets).unwrap_or(octets.len())),
            [end] => memchr(*end, octets),
            _ => self.finder.find(octets),
        }
    }

    /// Returns the length of a value between quotation marks. Columns may follow the last one. They have quotation marks
    /// in pairs, which raw quotation marks in a `User-Agent` would break.
    fn length_quoted(&self, octets: &[u8], is_last: bool) -> Option<usize> {
        let is_open = is_last && self.end.len() == 1;
        let mut behind = if is_open { quotes(octets).count() } else { 0 };
        let mut first = None;
        for at in quotes(octets) {
            behind = behind.saturating_sub(1);
            match octets[at..].strip_prefix(&self.end[..]) {
                None => {}
                Some([b' ', ..]) if is_open && behind % 2 == 1 => first = first.or(Some(at)),
                Some([octet, ..]) if is_open && *octet != b' ' => {}
                Some(_) => return Some(at),
            }
        }
        first
    }
}

/// Returns the positions of quotation marks without a backslash before them.
fn quotes(octets: &[u8]) -> impl Iterator<Item = usize> {
    let is_escaped =
        |at: usize| octets[..at].iter().rev().take_while(|it| **it == b'\\').count() % 2 == 1;
    memchr::memchr_iter(b'"', octets).filter(move |at| !is_escaped(*at))
}

/// Returns the format string of a line that was copied from a configuration: `LogFormat "…" name` of Apache, or
/// `log_format name '…' '…';` of nginx, also without its name. Any other text is a format string itself.
fn pasted(text: &str) -> Result<Cow<'_, str>, String> {
    let text = text.trim();
    let format: Cow<'_, str> = if let Some(rest) = text.strip_prefix("LogFormat ") {
        let quoted = rest.split_once('"').and_then(|(_, rest)| rest.rsplit_once('"'));
        quoted.map_or("", |(format, _)| format).into()
    } else if text.starts_with("log_format ") || text.starts_with('\'') {
        text.split('\'').skip(1).step_by(2).collect::<String>().into()
    } else {
        return Ok(Cow::Borrowed(text));
    };
    if format.is_empty() {
        return Err("a line of a configuration has the format in quotation marks".to_owned());
    }
    Ok(format)
}

/// Removes the escapes that Apache and nginx write: `\"`, `\\`, `\xHH`, and the letters of C.
fn without_backslashes(value: &[u8]) -> Cow<'_, [u8]> {
    unescaped(value, memchr(b'\\', value), |octets| match octets {
        [b'\\', b'x', high, low, ..] => Some((hexadecimal(*high, *low)?, 4)),
        [b'\\', b'n', ..] => Some((b'\n', 2)),
        [b'\\', b'r', ..] => Some((b'\r', 2)),
        [b'\\', b't', ..] => Some((b'\t', 2)),
        [b'\\', octet @ (b'"' | b'\\'), ..] => Some((*octet, 2)),
        _ => None,
    })
}

/// A piece of a format string.
enum Piece {
    Text(String),
    Value(Option<Field>),
}

/// Divides a format string of Apache's `mod_log_config`: `%`, conditions, a parameter in braces, and a letter. The
/// string may be quoted as in a configuration file, with `\"` and `\t`.
fn apache(format: &str) -> Result<Vec<Piece>, String> {
    let mut pieces = Vec::new();
    let mut rest = format;
    while let Some(first) = rest.chars().next() {
        rest = &rest[first.len_utf8()..];
        match first {
            '\\' => {
                let escaped = rest.chars().next().unwrap_or('\\');
                rest = rest.get(escaped.len_utf8()..).unwrap_or_default();
                let octet = if escaped == 't' { '\t' } else { escaped };
                pieces.push(Piece::Text(octet.to_string()));
            }
            '%' if rest.starts_with('%') => {
                rest = &rest[1..];
                pieces.push(Piece::Text("%".to_owned()));
            }
            '%' => {
                let conditions = |c: char| c.is_ascii_digit() || "!,<>".contains(c);
                rest = rest.trim_start_matches(conditions);
                let mut parameter = "";
                if let Some(braced) = rest.strip_prefix('{') {
                    let end = braced.find('}').ok_or("a `{` has no `}` after it")?;
                    (parameter, rest) = (&braced[..end], &braced[end + 1..]);
                }
                rest = rest.trim_start_matches('^');
                let letter = rest.chars().next().ok_or("the string ends after a `%`")?;
                rest = &rest[letter.len_utf8()..];
                let value = Piece::Value(directive(letter, parameter)?);
                if letter == 't' && matches!(parameter, "" | "begin") {
                    // The value of `%t` is between brackets, which belong to the octets between the values.
                    let bracket = |text: &str| Piece::Text(text.to_owned());
                    pieces.extend([bracket("["), value, bracket("]")]);
                } else {
                    pieces.push(value);
                }
            }
            other => pieces.push(Piece::Text(other.to_string())),
        }
    }
    Ok(pieces)
}

/// Returns the field of a directive of Apache.
fn directive(letter: char, parameter: &str) -> Result<Option<Field>, String> {
    /// The times whose values `time.rs` reads, by their beginnings.
    const READ: [&str; 7] = ["sec", "msec", "usec", "%s", "%Y-%m-%d", "%FT%T", "%d/%b/%Y:%H:%M:%S"];
    Ok(Some(match (letter, parameter) {
        ('h' | 'a', _) => Field::Address,
        ('v' | 'V', _) => Field::Host,
        ('p', _) => Field::Port,
        ('r', _) => Field::Request,
        ('m', _) => Field::Method,
        ('U', _) => Field::Path,
        ('q', _) => Field::Query,
        ('s', _) => Field::Status,
        ('b' | 'B', _) => Field::Octets,
        ('X', _) => Field::Connection,
        ('i', header) if header.eq_ignore_ascii_case("user-agent") => Field::Agent,
        ('i', header) if header.eq_ignore_ascii_case("host") => Field::Host,
        ('i', header) if header.eq_ignore_ascii_case("x-forwarded-proto") => Field::Scheme,
        ('t', "" | "begin") => Field::Time,
        ('t', time) => {
            let time = time.strip_prefix("begin:").unwrap_or(time);
            if !READ.iter().any(|read| time.starts_with(read)) {
                return Err(format!(
                    "the time %{{{time}}}t is not supported; write %t or %{{sec}}t"
                ));
            }
            Field::Time
        }
        _ => return Ok(None),
    }))
}

/// Divides a format string of nginx's `log_format`: `$name` or `${name}`.
fn nginx(format: &str) -> Result<Vec<Piece>, String> {
    let mut parts = format.split('$');
    let mut pieces = vec![Piece::Text(parts.next().unwrap_or_default().to_owned())];
    for part in parts {
        let (name, text) = if let Some(braced) = part.strip_prefix('{') {
            braced.split_once('}').ok_or("a `{` has no `}` after it")?
        } else {
            let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
            part.split_at(part.find(|c| !is_name(c)).unwrap_or(part.len()))
        };
        // The `?` between a path and its query.
        if name != "is_args" {
            pieces.push(Piece::Value(variable(name)));
        }
        pieces.push(Piece::Text(text.to_owned()));
    }
    if pieces.len() == 1 {
        return Err("it has no variable, such as %r or $request".to_owned());
    }
    Ok(pieces)
}

/// Returns the field of a variable of nginx.
pub(super) fn variable(name: &str) -> Option<Field> {
    Some(match name {
        "remote_addr" | "realip_remote_addr" => Field::Address,
        "host" | "http_host" | "server_name" => Field::Host,
        "server_port" => Field::Port,
        "scheme" | "http_x_forwarded_proto" => Field::Scheme,
        "request" => Field::Request,
        "request_method" => Field::Method,
        // `$uri` is not a URL of the client, because nginx writes the result of rewrites there.
        "request_uri" => Field::Target,
        "status" => Field::Status,
        "body_bytes_sent" => Field::Octets,
        "time_local" | "time_iso8601" | "msec" => Field::Time,
        "http_user_agent" => Field::Agent,
        _ => return None,
    })
}
