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
    /// The URL, or its path.
    Target,
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
        ("URL", has(Field::Target) || has(Field::Request), Field::Request),
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
        let stored = &mut self.values[field as usize];
        if !stored.is_empty() {
            return;
        }
        if *value != *b"-" {
            *stored = value;
        } else if field == Field::Octets {
            *stored = Cow::Borrowed(b"0");
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

    /// Reads the meaning of the values. Moves the query to the path.
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
        if !self.of(Field::Query).is_empty() && !self.of(Field::Target).is_empty() {
            let query = self.of(Field::Query);
            let query = query.strip_prefix(b"?").unwrap_or(query);
            let joined = [self.of(Field::Target), query].join(&b'?');
            self.values[Field::Target as usize] = Cow::Owned(joined);
        }
        let (method, target) = match (self.of(Field::Request), self.of(Field::Target)) {
            (request, b"") => request_line(request),
            (_, target) => (self.of(Field::Method), target),
        };
        let method = if method.is_empty() { b"GET" } else { method };
        // A proxy and a load balancer get whole URLs (RFC 9112, 3.2.2).
        let (origin, target) = match split_url(target) {
            Some((origin, path)) if target[0] != b'/' => (str::from_utf8(origin).ok(), path),
            _ if target.first() == Some(&b'/') => (None, target),
            _ => return Meaning::NoUrl,
        };
        let origin = origin.and_then(|origin| origin.split_once("://"));
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
