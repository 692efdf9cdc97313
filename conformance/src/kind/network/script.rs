//! Reads the script of a network from a case: [`Reading::network`]. Its lines state how requests are answered.

use std::collections::BTreeMap;

use robots_spec_cases::unescape;
use serde::Deserialize;
use serde_yaml::{Mapping, Value};

use super::{Delivered, Network, NetworkFailure, ScriptedReply, ScriptedResponse};
use crate::kind::absolute;
use crate::kind::fetched::known_word;
use crate::kind::keys::{KeyProblem, Reading};
use crate::octets::{WrittenPart, join};

/// The maximum number of lines of a script.
const LINES: usize = 200;

/// The maximum number of octets of all bodies of a script.
const OCTETS: usize = 2 << 20;

/// A line of a script as a case writes it.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(in crate::kind) struct Line {
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
    pub(in crate::kind) fn network(&mut self, lines: Vec<Line>) -> Option<Network> {
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
