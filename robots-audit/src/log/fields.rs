//! The values of a line, and their meaning: [`Fields`].
//!
//! Each family of formats finds the values of a line; [`Fields::request`] reads their meaning, once for all families.

use std::borrow::Cow;
use std::net::IpAddr;
use std::time::Duration;

use memchr::{memchr, memrchr};
use robots_core::path::split_url;

use super::time;
use crate::request::Request;

/// A field that judging needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Field {
    /// The time in one value.
    Time,
    /// The date in a column of its own.
    Date,
    /// The time of day in a column of its own.
    Clock,
    Address,
    /// The host that was asked, perhaps with a port.
    Host,
    Port,
    Scheme,
    /// The request line: method, URL, version.
    Request,
    Method,
    /// The URL, or its path, as the client sent it.
    Target,
    /// The path after the server has decoded it.
    Path,
    Query,
    Status,
    /// The length of the body that was sent.
    Octets,
    /// How the connection ended, in the words of the server.
    Connection,
    /// The `User-Agent`.
    Agent,
}

/// The number of fields.
const COUNT: usize = Field::Agent as usize + 1;

/// The words for a client that closed the connection: of Apache (`%X`), of Windows (its error codes), of `CloudFront`.
const ABORTED: [&[u8]; 5] = [b"X", b"64", b"995", b"1236", b"ClientCommError"];

/// The names of fields in a mapping.
pub(super) const NAMES: [(&str, Field); 12] = [
    ("time", Field::Time),
    ("address", Field::Address),
    ("host", Field::Host),
    ("port", Field::Port),
    ("scheme", Field::Scheme),
    ("request", Field::Request),
    ("method", Field::Method),
    ("url", Field::Target),
    ("query", Field::Query),
    ("status", Field::Status),
    ("octets", Field::Octets),
    ("agent", Field::Agent),
];

/// Checks that a format has the fields without which no request can be judged. `named` returns an example for the
/// message.
pub(super) fn complete(
    has: impl Fn(Field) -> bool,
    example: fn(Field) -> &'static str,
) -> Result<(), String> {
    let needed = [
        ("time", has(Field::Time) || (has(Field::Date) && has(Field::Clock)), Field::Time),
        ("URL", [Field::Request, Field::Target, Field::Path].into_iter().any(&has), Field::Request),
        ("status", has(Field::Status), Field::Status),
    ];
    match needed.into_iter().find(|(_, has, _)| !has) {
        None => Ok(()),
        Some((what, _, field)) => {
            Err(format!("it has no {what}; write {} at its place", example(field)))
        }
    }
}

/// The values of a line. A value that the line does not have is empty.
#[derive(Clone, Debug, Default)]
pub(super) struct Fields<'l> {
    values: [Cow<'l, [u8]>; COUNT],
    /// The rank of the source of each value.
    ranks: [u8; COUNT],
}

/// The result of reading a line.
pub(super) enum Meaning<'f> {
    Request(Request<'f>),
    /// The line has no URL, because the client sent no valid request.
    NoUrl,
    Unreadable,
}

impl<'l> Fields<'l> {
    /// Stores a value, unless the field has one already. `-` stands for no value, and for a length of zero.
    pub(super) fn set(&mut self, field: Field, value: Cow<'l, [u8]>) {
        self.set_ranked(field, 0, value);
    }

    /// Stores a value, unless the field has one already, whose source has the same rank or a lower one.
    pub(super) fn set_ranked(&mut self, field: Field, rank: u8, value: Cow<'l, [u8]>) {
        let (stored, stored_rank) =
            (&mut self.values[field as usize], &mut self.ranks[field as usize]);
        let value = match &*value {
            b"-" if field == Field::Octets => Cow::Borrowed(&b"0"[..]),
            b"" | b"-" => return,
            _ => value,
        };
        if stored.is_empty() || rank < *stored_rank {
            (*stored, *stored_rank) = (value, rank);
        }
    }

    /// Returns the number of fields that have a value.
    pub(super) fn count(&self) -> usize {
        self.values.iter().filter(|value| !value.is_empty()).count()
    }

    /// Returns the time in milliseconds since 1970.
    fn time(&self) -> Option<Duration> {
        let milliseconds = match (self.of(Field::Time), self.of(Field::Date)) {
            (b"", date) => time::columns(date, self.of(Field::Clock)),
            (time, _) => time::read(time),
        };
        Some(Duration::from_millis(u64::try_from(milliseconds?).ok()?))
    }

    /// Reads the meaning of the values. Moves the query to the URL.
    ///
    /// The request line comes before a URL of its own, because a server may write a rewritten URL there. A decoded path
    /// is used only if the line has no other URL.
    pub(super) fn request(&mut self) -> Meaning<'_> {
        let Some(time) = self.time() else { return Meaning::Unreadable };
        let status = match self.of(Field::Status) {
            b"" => 0,
            // Apache and IIS may write a second number after a slash or a full stop.
            digits => match str::from_utf8(digits).ok().and_then(|digits| digits.parse().ok()) {
                Some(status) => status,
                None => return Meaning::Unreadable,
            },
        };
        let is_path = self.of(Field::Target).is_empty();
        if is_path {
            self.values.swap(Field::Target as usize, Field::Path as usize);
        }
        let decoded = if is_path { self.of(Field::Target).len() } else { 0 };
        let has_query = !is_path && memchr(b'?', self.of(Field::Target)).is_some();
        if !self.of(Field::Query).is_empty() && !self.of(Field::Target).is_empty() && !has_query {
            let query = self.of(Field::Query);
            let query = query.strip_prefix(b"?").unwrap_or(query);
            let joined = [self.of(Field::Target), query].join(&b'?');
            self.values[Field::Target as usize] = Cow::Owned(joined);
        }
        let (method, target, decoded) = match request_line(self.of(Field::Request)) {
            (method, b"") if self.of(Field::Target).is_empty() => (method, &b""[..], 0),
            (_, b"") => (self.of(Field::Method), self.of(Field::Target), decoded),
            (method, target) => (method, target, 0),
        };
        let method = if method.is_empty() { b"GET" } else { method };
        // A proxy and a load balancer get whole URLs (RFC 9112, 3.2.2).
        let (origin, target) = match split_url(target) {
            Some((origin, path)) => (Some(origin), path),
            None if target.first() == Some(&b'/') => {
                (split_url(self.of(Field::Target)).map(|(origin, _)| origin), target)
            }
            None => return Meaning::NoUrl,
        };
        let origin = origin.and_then(|origin| str::from_utf8(origin).ok()?.split_once("://"));
        let scheme = origin.map(|(scheme, _)| scheme).or_else(|| self.text(Field::Scheme));
        let host = origin.map(|(_, host)| host).or_else(|| self.text(Field::Host));
        let (host, port) = match host.map(|host| (host, host.rsplit_once(':'))) {
            Some((_, Some((host, port @ ("80" | "443"))))) => (Some(host), Some(port)),
            // nginx writes `_` for a server without a name.
            Some((host, _)) if host != "_" => (Some(host), self.text(Field::Port)),
            _ => (None, self.text(Field::Port)),
        };
        let is = |names: [&str; 2]| {
            scheme.is_some_and(|scheme| names.iter().any(|name| scheme.eq_ignore_ascii_case(name)))
        };
        let scheme = match port {
            _ if is(["https", "on"]) => Some("https"),
            _ if is(["http", "off"]) => Some("http"),
            Some("443") => Some("https"),
            Some("80") => Some("http"),
            _ => None,
        };
        let target = if target.is_empty() { b"/" } else { target };
        Meaning::Request(Request {
            time,
            scheme,
            host,
            method,
            target,
            decoded,
            status,
            octets: self.text(Field::Octets).and_then(|octets| octets.parse().ok()),
            user_agent: self.of(Field::Agent),
            address: self.text(Field::Address).and_then(address),
            // 460 is the status of AWS for a client that left.
            is_aborted: status == 460 || ABORTED.contains(&self.of(Field::Connection)),
        })
    }

    fn of(&self, field: Field) -> &[u8] {
        &self.values[field as usize]
    }

    fn text(&self, field: Field) -> Option<&str> {
        str::from_utf8(self.of(field)).ok().filter(|text| !text.is_empty())
    }
}

/// Replaces the escapes of a value from the first one on. `escape` returns the octet of an escape at the start of octets,
/// and the length of the escape.
pub(super) fn unescaped(
    value: &[u8],
    first: Option<usize>,
    escape: impl Fn(&[u8]) -> Option<(u8, usize)>,
) -> Cow<'_, [u8]> {
    let Some((plain, mut rest)) = first.and_then(|first| value.split_at_checked(first)) else {
        return Cow::Borrowed(value);
    };
    let mut out = Vec::with_capacity(value.len());
    out.extend_from_slice(plain);
    while let [octet, ..] = rest {
        let (octet, length) = escape(rest).unwrap_or((*octet, 1));
        out.push(octet);
        rest = rest.get(length..).unwrap_or_default();
    }
    Cow::Owned(out)
}

/// Returns the octet of two hexadecimal digits.
pub(super) fn hexadecimal(high: u8, low: u8) -> Option<u8> {
    let digit = |digit: u8| char::from(digit).to_digit(16);
    u8::try_from(digit(high)? << 4 | digit(low)?).ok()
}

/// Divides a request line into method and URL. Without a version, all after the method is the URL.
fn request_line(line: &[u8]) -> (&[u8], &[u8]) {
    let Some(first) = memchr(b' ', line) else { return (line, b"") };
    let (method, rest) = (&line[..first], &line[first + 1..]);
    match memrchr(b' ', rest) {
        Some(last) if rest[last + 1..].starts_with(b"HTTP/") => (method, &rest[..last]),
        _ => (method, rest),
    }
}

/// Reads an address, which may have a port or brackets.
fn address(text: &str) -> Option<IpAddr> {
    let parse = |text: &str| text.parse().ok();
    let without_port = || text.rsplit_once(':').and_then(|(address, _)| parse(address));
    let in_brackets = || parse(text.strip_prefix('[')?.split_once(']')?.0);
    parse(text).or_else(without_port).or_else(in_brackets)
}
