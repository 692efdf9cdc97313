//! The messages of this kind: [`Wire`].

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::num::NonZeroU32;
use std::sync::Arc;

use robots_core::fetch::Basis;
use serde::ser::SerializeMap;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::expected::{ids, word};
use super::{
    ExpectedStep, RetrievedVerdict, STEPS, StepAnswer, TimelineQuestion, TimelineStep, URLS,
};
use crate::kind::contract::Wire;
use crate::kind::fields::{Fields, NotAQuestion, WrongKey};
use crate::kind::file::wire::Octets;
use crate::kind::network::wire::{REPLY, REQUEST, vector_reply};
use crate::kind::usage::wire::{ASK, Applied, Flat, Lines, numbers, vector_header};
use crate::kind::vector::WriteVector;
use crate::kind::word::wire::As;
use crate::kind::{Delivered, Network, NetworkFailure, UsageAnswer, agents};

/// A step of the question.
#[derive(Serialize, Deserialize)]
struct Step<'s> {
    at: u64,
    urls: Cow<'s, [String]>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    restart: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    ask: Option<Cow<'s, str>>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    content_usage: Vec<Octets<'s>>,
}

/// One verdict of the answer, with its reason and its usage.
#[derive(Serialize, Deserialize)]
struct Judged {
    verdict: Word,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    because: Option<As<Basis>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    usage: Option<Applied>,
    /// The numbers of the lines that decide the usage.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    lines: Option<Lines>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Word {
    Allow,
    Disallow,
}

impl Wire for TimelineQuestion {
    const QUESTION_KEYS: &'static [&'static str] =
        &[agents::wire::KEYS[0], agents::wire::KEYS[1], "steps"];
    const ANSWER_KEYS: &'static [&'static str] = &[REQUEST, REPLY];
    const WRITE_VECTOR: Option<WriteVector<Self>> = Some(|question, keys| {
        keys.agents(&question.agents);
        if question.passes_time() {
            keys.put("passes_time", true);
        }
        let network = question.network.script();
        keys.put("network", network.iter().map(vector_reply).collect::<Vec<_>>());
        keys.put("steps", question.steps.iter().map(vector_step).collect::<Vec<_>>());
    });

    /// Writes the question without the script of the network. A subject does not get the script, because the runner
    /// answers its requests.
    fn write<M: SerializeMap>(&self, message: &mut M) -> Result<(), M::Error> {
        agents::wire::write(&self.agents, message)?;
        message.serialize_entry("steps", &self.steps.iter().map(Step::from).collect::<Vec<_>>())
    }

    fn read(message: &Fields) -> Result<Self, NotAQuestion> {
        let steps: Vec<Step<'static>> = message.key("steps")?;
        let urls: usize = steps.iter().map(|step| step.urls.len()).sum();
        if steps.is_empty() || steps.len() > STEPS || urls > URLS {
            let wrong = format!("`steps` has 1 to {STEPS} steps and at most {URLS} URLs");
            return Err(NotAQuestion::Wrong(wrong));
        }
        // `serve` replaces this network with a network that sends the requests to the runner.
        let nobody = |_: usize, _: &_| Delivered::failed(NetworkFailure::Refused);
        Ok(Self {
            agents: agents::wire::read(message)?,
            steps: steps.into_iter().map(Step::read).collect::<Result<_, _>>()?,
            network: Network::Elsewhere(Arc::new(nobody)),
        })
    }

    fn write_expected<M: SerializeMap>(
        expected: &Vec<ExpectedStep>,
        message: &mut M,
    ) -> Result<(), M::Error> {
        message.serialize_entry("timeline", &expected.iter().map(flat).collect::<Vec<_>>())
    }

    /// Writes only the verdicts, because the runner already knows the requests.
    fn write_answer<M: SerializeMap>(
        answer: &Vec<StepAnswer>,
        message: &mut M,
    ) -> Result<(), M::Error> {
        let steps = answer.iter();
        let steps = steps.map(|step| step.verdicts.iter().map(Judged::from).collect());
        message.serialize_entry("timeline", &steps.collect::<Vec<Vec<Judged>>>())
    }

    fn read_answer(message: &Fields) -> Result<Vec<StepAnswer>, WrongKey> {
        let steps: Option<Vec<Vec<Judged>>> = message.get("timeline");
        let wrong = || {
            WrongKey::new(
                "timeline",
                "for each step a list of {\"verdict\":\"allow\",\"because\":\"rules\"}",
            )
        };
        let step = |verdicts: Vec<Judged>| StepAnswer {
            requests: Vec::new(),
            verdicts: verdicts.into_iter().map(Judged::read).collect(),
        };
        let steps = steps.ok_or_else(wrong)?;
        Ok(steps.into_iter().map(step).collect())
    }
}

impl<'s> From<&'s TimelineStep> for Step<'s> {
    fn from(step: &'s TimelineStep) -> Self {
        let header = step.usage.iter().flatten();
        Self {
            at: step.at,
            urls: Cow::Borrowed(&step.urls),
            restart: step.restart,
            ask: step.usage.is_some().then_some(ASK.into()),
            content_usage: header.map(|line| Octets::of(line)).collect(),
        }
    }
}

impl Step<'_> {
    fn read(self) -> Result<TimelineStep, NotAQuestion> {
        let header = self.content_usage.into_iter().map(Octets::into_vec);
        let usage = match self.ask.as_deref() {
            None => None,
            Some(ASK) => Some(header.collect()),
            Some(other) => {
                return Err(NotAQuestion::Unknown(format!("a step that asks {other:?}")));
            }
        };
        let urls = self.urls.into_owned();
        Ok(TimelineStep { at: self.at, urls, restart: self.restart, usage })
    }
}

/// Returns a step of the question in a vector.
fn vector_step(TimelineStep { at, urls, restart, usage }: &TimelineStep) -> Value {
    let mut step = json!({ "at": at, "urls": urls });
    if *restart {
        step["restart"] = true.into();
    }
    if let Some(header) = usage {
        step["ask"] = ASK.into();
        if let Some((key, lines)) = vector_header(header) {
            step[key] = lines;
        }
    }
    step
}

impl From<&RetrievedVerdict> for Judged {
    fn from(verdict: &RetrievedVerdict) -> Self {
        let usage = verdict.usage.as_ref();
        let lines = usage.and_then(|usage| usage.lines.as_ref());
        Self {
            verdict: if verdict.allowed { Word::Allow } else { Word::Disallow },
            because: verdict.basis.map(As),
            usage: usage.map(|usage| Applied(usage.preferences)),
            lines: lines
                .map(|lines| lines.iter().filter_map(|number| NonZeroU32::new(*number)).collect()),
        }
    }
}

impl Judged {
    fn read(self) -> RetrievedVerdict {
        let lines = self.lines.map(numbers);
        let usage = self.usage.map(|Applied(preferences)| UsageAnswer {
            preferences,
            lines,
            evidence: None,
        });
        RetrievedVerdict {
            allowed: matches!(self.verdict, Word::Allow),
            basis: self.because.map(|As(basis)| basis),
            usage,
        }
    }
}

/// Returns the expectation for a step as JSON, with the same keys as in a case.
fn flat(step: &ExpectedStep) -> Value {
    let mut keys = serde_json::Map::new();
    let mut put = |key: &str, value: Value| drop(keys.insert(key.to_owned(), value));
    if let Some(requests) = &step.requests {
        let request = |it: &super::ExpectedRequest| {
            let mut request = json!({ "url": it.url });
            if !it.with.is_empty() {
                request["with"] = json!(it.with.iter().cloned().collect::<BTreeMap<_, _>>());
            }
            if !it.without.is_empty() {
                request["without"] = json!(it.without);
            }
            if let Some(time) = it.not_before {
                request["not_before"] = time.into();
            }
            request
        };
        put("requests", requests.iter().map(request).collect());
    }
    for (key, number) in [("at_least", step.at_least), ("at_most", step.at_most)] {
        if let Some(number) = number {
            put(key, number.into());
        }
    }
    if !step.verdicts.is_empty() {
        put("verdicts", step.verdicts.iter().map(|it| word(*it)).collect());
    }
    if !step.because.is_empty() {
        put("because", ids(&step.because).into());
    }
    if !step.usage.is_empty() {
        put("usage", json!(step.usage.iter().map(Flat).collect::<Vec<_>>()));
    }
    Value::Object(keys)
}
