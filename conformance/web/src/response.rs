//! The responses of the server to requests for a path: one response to all of them, or a list with one response for
//! each. A response can have a fault.
//!
//! Start at [`Responses`]. In YAML, an answer has one of four forms (a text, a status, a mapping or a list), and
//! [`ResponsesVisitor`] reads all of them. The keys of a mapping are the fields of [`Keys`]. Unknown keys, and mappings
//! with more than one body, are errors. This module only describes answers; `serve` sends them.

use std::fmt;

use indexmap::IndexMap;
use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::de::{self, Deserializer, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Serialize};

/// The answers to one path. The first request gets the first answer, the second request gets the second answer, and so
/// on. The last answer is repeated.
///
/// In YAML, the value is one response or a list of responses.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Responses(pub Vec<Response>);

/// One response.
///
/// In YAML, a text means a response of status 200 with this text as its body. A number means a response with this
/// status.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Response {
    /// The status. The default is 200, or 301 if there is a `location`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<u16>,
    /// The `Location` header.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub location: Option<String>,
    /// Additional headers. A header replaces the default header with the same name. A header without a value removes
    /// the default header.
    #[serde(skip_serializing_if = "IndexMap::is_empty")]
    pub headers: IndexMap<String, Option<String>>,
    /// The body, if there is one.
    #[serde(flatten)]
    pub body: Option<Body>,
    /// The content coding of the body.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub coding: Option<Coding>,
    /// The condition under which the coding is used; the default is always.
    #[serde(skip_serializing_if = "is_default")]
    pub coded: Coded,
    /// The delay before the answer, in milliseconds.
    #[serde(skip_serializing_if = "is_default")]
    pub delay: u64,
    /// The fault of the answer, if it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fault: Option<Fault>,
}

/// The body of a response.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Body {
    /// Text, sent as UTF-8.
    Text(String),
    /// Text in which `\r`, `\n`, `\t`, `\\` and `\xNN` mean octets.
    Escaped(String),
    /// Parts that are joined.
    Parts(Vec<Part>),
    /// An HTML page with these links.
    Links(Vec<String>),
}

/// A part of a body.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Part {
    /// Text, sent as UTF-8.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// Text with escapes, as in [`Body::Escaped`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub escaped: Option<String>,
    /// The number of times that the part is repeated.
    #[serde(default = "once")]
    pub times: usize,
}

const fn once() -> usize {
    1
}

/// A content coding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Coding {
    /// gzip, RFC 1952.
    Gzip,
    /// Brotli, RFC 7932.
    Br,
    /// Zstandard, RFC 8878.
    Zstd,
}

/// The conditions under which a content coding is used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Coded {
    /// Always.
    #[default]
    Always,
    /// The body is encoded if the request's `Accept-Encoding` names this coding with a weight other than 0.
    WhenAsked,
}

/// A fault of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Fault {
    /// The connection is reset after the request.
    Reset,
    /// The connection is closed after the request.
    Close,
    /// The connection is reset in the middle of the body.
    ResetInBody,
    /// The connection is closed in the middle of the body, before the announced `Content-Length`.
    CloseInBody,
    /// The answer has no length and no chunks, and the connection is reset in the middle of its body.
    ResetWithoutLength,
    /// The answer has no length and no chunks, and the second half of its body is missing. Over TLS, the connection
    /// ends without `close_notify`. Without TLS, a client cannot know that the body is not complete.
    CutWithoutLength,
    /// The body is sent in chunks, but `Transfer-Encoding` also names gzip.
    UnknownTransferCoding,
    /// The answer declares the content coding gzip and no length, but its body is empty.
    EmptyCoding,
    /// The server sends no answer.
    Hang,
    /// The second half of the body is never sent.
    HangInBody,
    /// The body is sent one octet at a time, 2 ms apart.
    Drip,
    /// The announced `Content-Length` is half of the body's length.
    ShortContentLength,
    /// The length of the second chunk is unreadable.
    BrokenChunk,
    /// The connection is closed before the last chunk.
    CloseInChunks,
    /// The body never ends: after its octets, the server sends comment lines.
    EndlessBody,
    /// The headers never end.
    EndlessHeaders,
    /// The octets are not HTTP.
    NoHttp,
    /// The server sends interim responses (100, 103), and then a normal answer. A request of HTTP/1.0 gets only the
    /// normal answer, because a client of HTTP/1.0 need not know interim responses.
    InformationalFirst,
    /// The answer is HTTP/1.0 without a length: the end of the connection ends the body.
    #[serde(rename = "http-1.0")]
    Http10,
    /// The answer is a small gzip body, which decodes to the described body followed by 256 MiB of comments.
    GzipBomb,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Reset => "was reset",
            Self::Close => "was closed without an answer",
            Self::ResetInBody => "was reset in the middle of the body",
            Self::CloseInBody => "was closed in the middle of the body",
            Self::ResetWithoutLength => "was reset in the middle of a body without length",
            Self::CutWithoutLength => "was cut in the middle of a body without length",
            Self::UnknownTransferCoding => "came with an unknown transfer coding",
            Self::EmptyCoding => "declared gzip and was empty",
            Self::Hang => "was left without an answer",
            Self::HangInBody => "stopped in the middle of the body",
            Self::Drip => "came an octet at a time",
            Self::ShortContentLength => "announced half its length",
            Self::BrokenChunk => "came in broken chunks",
            Self::CloseInChunks => "was closed before its last chunk",
            Self::EndlessBody => "had a body without end",
            Self::EndlessHeaders => "had headers without end",
            Self::NoHttp => "was answered by something other than HTTP",
            Self::InformationalFirst => "began with interim responses",
            Self::Http10 => "was answered by HTTP/1.0",
            Self::GzipBomb => "was a gzip bomb",
        })
    }
}

impl Response {
    /// Makes a response of status 200 with an HTML page of these links.
    pub fn links<T: Into<String>>(links: impl IntoIterator<Item = T>) -> Self {
        let links = links.into_iter().map(Into::into).collect();
        Self { body: Some(Body::Links(links)), ..Self::default() }
    }

    /// Makes a response of status 200 with this text.
    pub fn text(text: impl Into<String>) -> Self {
        Self { body: Some(Body::Text(text.into())), ..Self::default() }
    }

    /// Returns the status to send.
    #[must_use]
    pub fn status(&self) -> u16 {
        self.status.unwrap_or(if self.location.is_some() { 301 } else { 200 })
    }
}

impl From<Response> for Responses {
    fn from(response: Response) -> Self {
        Self(vec![response])
    }
}

/// The keys of a response that is written as a map.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Keys {
    status: Option<u16>,
    location: Option<String>,
    #[serde(default)]
    headers: IndexMap<String, Option<String>>,
    text: Option<String>,
    escaped: Option<String>,
    parts: Option<Vec<Part>>,
    links: Option<Vec<String>>,
    coding: Option<Coding>,
    #[serde(default)]
    coded: Coded,
    #[serde(default)]
    delay: u64,
    fault: Option<Fault>,
}

impl TryFrom<Keys> for Response {
    type Error = &'static str;

    fn try_from(keys: Keys) -> Result<Self, Self::Error> {
        let bodies = [
            keys.text.map(Body::Text),
            keys.escaped.map(Body::Escaped),
            keys.parts.map(Body::Parts),
            keys.links.map(Body::Links),
        ];
        let mut bodies = bodies.into_iter().flatten();
        let body = bodies.next();
        if bodies.next().is_some() {
            return Err("a response has one of `text`, `escaped`, `parts` and `links`; keep one");
        }
        Ok(Self {
            status: keys.status,
            location: keys.location,
            headers: keys.headers,
            body,
            coding: keys.coding,
            coded: keys.coded,
            delay: keys.delay,
            fault: keys.fault,
        })
    }
}

impl<'de> Deserialize<'de> for Response {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let responses = Responses::deserialize(deserializer)?;
        let [response] = <[Self; 1]>::try_from(responses.0)
            .map_err(|_| de::Error::custom("a list of responses does not nest"))?;
        Ok(response)
    }
}

impl<'de> Deserialize<'de> for Responses {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ResponsesVisitor)
    }
}

struct ResponsesVisitor;

impl<'de> Visitor<'de> for ResponsesVisitor {
    type Value = Responses;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a body, a status, a response or a list of responses")
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Responses, E> {
        Ok(Response::text(text).into())
    }

    fn visit_u64<E: de::Error>(self, status: u64) -> Result<Responses, E> {
        let status = u16::try_from(status).ok().filter(|status| (200..1000).contains(status));
        let status = status.ok_or_else(|| E::custom("a status is a number from 200 to 999"))?;
        Ok(Response { status: Some(status), ..Response::default() }.into())
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Responses, A::Error> {
        let keys = Keys::deserialize(MapAccessDeserializer::new(map))?;
        Ok(Response::try_from(keys).map_err(de::Error::custom)?.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, sequence: A) -> Result<Responses, A::Error> {
        let responses = Vec::deserialize(SeqAccessDeserializer::new(sequence))?;
        if responses.is_empty() {
            return Err(de::Error::custom("a list of responses is empty; it needs at least one"));
        }
        Ok(Responses(responses))
    }
}

/// Returns whether a value is the default, so that serde can omit it.
pub(crate) fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}
