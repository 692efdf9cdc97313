//! Reads and writes requests and replies in messages, and writes the lines of a script in vectors.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::iter;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{Delivered, NetworkFailure, ScriptedReply, ScriptedResponse, SentRequest};
use crate::kind::file::wire::Octets;
use crate::kind::vector::VectorKeys;
use crate::kind::word::wire::As;
use crate::octets::Part;

/// The key of a subject's request.
pub(crate) const REQUEST: &str = "request";

/// The key of the reply to a request.
pub(crate) const REPLY: &str = "reply";

/// The value of `request`.
#[derive(Serialize, Deserialize)]
pub(crate) struct Request<'r> {
    /// The index of the step, from 0.
    pub(crate) step: usize,
    at: u64,
    url: Cow<'r, str>,
    #[serde(default)]
    fields: BTreeMap<Cow<'r, str>, Cow<'r, str>>,
}

impl<'r> Request<'r> {
    pub(crate) fn new(step: usize, request: &'r SentRequest) -> Self {
        let fields = request.fields.iter();
        let fields = fields.map(|(name, value)| (Cow::from(name), Cow::from(value)));
        Self { step, at: request.at, url: (&request.url).into(), fields: fields.collect() }
    }

    pub(crate) fn into_sent(self) -> SentRequest {
        let fields = self.fields.into_iter();
        let fields = fields.map(|(name, value)| (name.to_ascii_lowercase(), value.into()));
        SentRequest { at: self.at, url: self.url.into(), fields: fields.collect() }
    }
}

/// The value of `reply`.
#[derive(Serialize, Deserialize)]
pub(crate) struct Reply<'r> {
    #[serde(default, skip_serializing_if = "is_zero")]
    delay: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    status: Option<u16>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    fields: Vec<(Cow<'r, str>, Cow<'r, str>)>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    body: Option<Octets<'r>>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    cut: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    failure: Option<As<NetworkFailure>>,
}

/// Returns a line of a script in a vector.
pub(in crate::kind) fn vector_reply(line: &ScriptedReply) -> Value {
    let mut keys = VectorKeys::new(&[]);
    keys.put("url", line.url.as_str());
    if line.from > 0 {
        keys.put("from", line.from);
    }
    if let Some((name, text)) = &line.when {
        keys.put("when", json!({ "field": name, "contains": text }));
    }
    if line.reply.delay > 0 {
        keys.put("delay", line.reply.delay);
    }
    match &line.reply.end {
        Ok(response) => {
            keys.put("status", response.status);
            if !response.fields.is_empty() {
                keys.put("fields", json!(response.fields));
            }
            if !response.body.is_empty() {
                keys.octets("body", &response.body, &repeated_lines(&response.body));
            }
            if response.is_cut {
                keys.put("cut", true);
            }
        }
        Err(failure) => keys.put("failure", failure.id()),
    }
    keys.into_map().into()
}

/// Returns a body as parts: its lines, with equal neighbouring lines in one part.
fn repeated_lines(body: &[u8]) -> Vec<Part> {
    let mut lines = body.split_inclusive(|octet| *octet == b'\n').peekable();
    let next = iter::from_fn(|| {
        let line = lines.next()?;
        let mut times = 1;
        while lines.next_if_eq(&line).is_some() {
            times += 1;
        }
        Some(Part::new(line, times))
    });
    next.collect()
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde gives a reference")]
fn is_zero(number: &u64) -> bool {
    *number == 0
}

impl<'r> From<&'r Delivered> for Reply<'r> {
    fn from(delivered: &'r Delivered) -> Self {
        let (response, failure) = match &delivered.end {
            Ok(response) => (Some(response), None),
            Err(failure) => (None, Some(As(*failure))),
        };
        let fields = response.into_iter().flat_map(|response| &response.fields);
        Self {
            delay: delivered.delay,
            status: response.map(|response| response.status),
            fields: fields.map(|(name, value)| (name.into(), value.into())).collect(),
            body: response.map(|response| Octets(Cow::Borrowed(&response.body))),
            cut: response.is_some_and(|response| response.is_cut),
            failure,
        }
    }
}

impl Reply<'_> {
    /// Returns the result that the reply describes. Returns `None` if the reply has both a status and a failure, or
    /// neither.
    pub(crate) fn into_delivered(self) -> Option<Delivered> {
        let end = match (self.status, self.failure) {
            (Some(status), None) => {
                let fields = self.fields.into_iter();
                let fields = fields.map(|(name, value)| (name.into(), value.into()));
                let Octets(body) = self.body.unwrap_or(Octets(Cow::Borrowed(&[])));
                let (fields, body) = (fields.collect(), body.into());
                Ok(ScriptedResponse { status, fields, body, is_cut: self.cut })
            }
            (None, Some(As(failure))) => Err(failure),
            _ => return None,
        };
        Some(Delivered { delay: self.delay, end })
    }
}
