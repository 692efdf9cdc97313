//! The network of a timeline. A case describes the network by a script, whose lines state how requests are answered.
//! This module reads the script, and writes and reads the requests and replies of messages.
//!
//! [`Reading::network`] reads a script. `robots_core::engine::Network` decides which line answers a request.

use std::collections::BTreeMap;

use robots_core::engine::{Delivered, Network, NetworkFailure, ScriptedReply, ScriptedResponse};
use robots_spec_cases::unescape;
use serde::Deserialize;
use serde_yaml::{Mapping, Value};

use super::fetched::known_word;
use super::keys::{KeyProblem, Reading};
use crate::octets::{WrittenPart, join};
use crate::render::absolute;

/// The maximum number of lines of a script.
const LINES: usize = 200;

/// The maximum number of octets of all bodies of a script.
const OCTETS: usize = 2 << 20;

/// A line of a script as a case writes it.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Line {
    url: String,
    #[serde(default)]
    from: u64,
    when: Option<BTreeMap<String, String>>,
    #[serde(default)]
    delay: u64,
    status: Option<u16>,
    failure: Option<String>,
    fields: Option<Mapping>,
    robots: Option<String>,
    robots_escaped: Option<String>,
    robots_parts: Option<Vec<WrittenPart>>,
    cut: Option<bool>,
}

impl Reading<'_> {
    /// Makes a network from the lines of a script.
    pub(super) fn network(&mut self, lines: Vec<Line>) -> Option<Network> {
        if lines.len() > LINES {
            self.wrong("network", format!("`network` has more than {LINES} lines"));
            return None;
        }
        let mut script = Vec::new();
        for (index, line) in lines.into_iter().enumerate() {
            let line = line.scripted().map_err(|problem| KeyProblem {
                key: "network",
                message: format!("line {} of `network`: {}", index + 1, problem.message),
            });
            script.push(self.checked(line)?);
        }
        let octets = |line: &ScriptedReply| line.reply.end.as_ref().map_or(0, |it| it.body.len());
        if script.iter().map(octets).sum::<usize>() > OCTETS {
            self.wrong("network", format!("the bodies have more than {OCTETS} octets"));
            return None;
        }
        Some(Network::Script(script))
    }
}

impl Line {
    fn scripted(self) -> Result<ScriptedReply, KeyProblem> {
        let wrong = |message: &str| KeyProblem { key: "network", message: message.to_owned() };
        let when = match self.when {
            None => None,
            Some(when) if when.len() == 1 => {
                when.into_iter().next().map(|(name, text)| (name.to_ascii_lowercase(), text))
            }
            Some(_) => return Err(wrong("`when` has exactly one field")),
        };
        let failure = known_word::<NetworkFailure>("failure", self.failure.as_deref())?;
        let is_response = self.fields.is_some()
            || self.robots.is_some()
            || self.robots_escaped.is_some()
            || self.robots_parts.is_some()
            || self.cut.is_some();
        let end = match (self.status, failure) {
            (Some(status), None) => {
                let body = match (self.robots, self.robots_escaped, self.robots_parts) {
                    (None, None, None) => Ok(Vec::new()),
                    (Some(text), None, None) => Ok(text.into_bytes()),
                    (None, Some(text), None) => unescape(&text).map_err(|it| it.to_string()),
                    (None, None, Some(parts)) => join(&parts),
                    _ => Err("more than one key gives the body; keep one".to_owned()),
                };
                let fields = self.fields.map_or_else(|| Ok(Vec::new()), fields);
                Ok(ScriptedResponse {
                    status,
                    fields: fields.map_err(|message| wrong(&message))?,
                    body: body.map_err(|message| wrong(&message))?.into(),
                    is_cut: self.cut.unwrap_or_default(),
                })
            }
            (None, Some(_)) if is_response => {
                return Err(wrong("a failure has no fields and no body"));
            }
            (None, Some(failure)) => Err(failure),
            _ => return Err(wrong("it has exactly one of `status` and `failure`")),
        };
        let reply = Delivered { delay: self.delay, end };
        Ok(ScriptedReply { url: absolute(&self.url), from: self.from, when, reply })
    }
}

/// Returns the fields of a response. For a field that is sent several times, the case writes a list of values.
fn fields(written: Mapping) -> Result<Vec<(String, String)>, String> {
    let mut fields = Vec::new();
    for (name, value) in written {
        let values = match value {
            Value::Sequence(values) => values,
            value => vec![value],
        };
        let name = name.as_str().ok_or("the name of a field is text")?.to_ascii_lowercase();
        for value in values {
            let text = match &value {
                Value::String(text) => text.clone(),
                Value::Number(number) => number.to_string(),
                _ => return Err(format!("the value of {name} is text; quote it")),
            };
            fields.push((name.clone(), text));
        }
    }
    Ok(fields)
}

#[cfg(feature = "process")]
pub(crate) mod wire {
    //! Reads and writes requests and replies in messages, and writes the lines of a script in vectors.

    use std::borrow::Cow;
    use std::collections::BTreeMap;
    use std::iter;

    use robots_core::engine::{
        Delivered, NetworkFailure, ScriptedReply, ScriptedResponse, SentRequest,
    };
    use serde::{Deserialize, Serialize};
    use serde_json::{Value, json};

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
}
