//! The expectation of a case for each step of a timeline: [`ExpectedStep`].
//!
//! Start at [`ExpectedStep::is_met`], which judges the requests and verdicts of a step. A part that an expectation
//! leaves out is not judged. [`RawStep`] is the form of a step in YAML.

use std::fmt::Write as _;

use robots_core::fetch::Basis;
use serde::Deserialize;
use serde_yaml::{Mapping, Value};

use super::answer::StepAnswer;
use crate::kind::absolute;
use crate::kind::network::SentRequest;
use crate::kind::usage::ExpectedUsage;
use crate::kind::word::Word as _;
use crate::yaml::OneOrMany;
use robots_console::render::{self, counted};

/// The expectation of a case for one step of a timeline.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ExpectedStep {
    /// The requests in order. `None` means that the requests are not compared with a list. In that case, `at_least` and
    /// `at_most` may still limit their number.
    pub requests: Option<Vec<ExpectedRequest>>,
    /// The minimum number of requests.
    pub at_least: Option<usize>,
    /// The maximum number of requests.
    pub at_most: Option<usize>,
    /// Whether each URL may be fetched; `None` means that both verdicts conform. A single value applies to all URLs. If
    /// the list is empty, verdicts are not judged.
    pub verdicts: Vec<Option<bool>>,
    /// The reasons that a verdict may have. If the list is empty, reasons are not judged.
    pub because: Vec<Basis>,
    /// The preferences about the use of each URL's content. A single value applies to all URLs. If the list is empty,
    /// preferences are not judged.
    pub usage: Vec<ExpectedUsage>,
}

/// A request that a case expects.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ExpectedRequest {
    /// The URL.
    pub url: String,
    /// Header fields that the request must have, each with a text that its value must contain.
    pub with: Vec<(String, String)>,
    /// The names of header fields that the request must not have.
    pub without: Vec<String>,
    /// The earliest time at which the request may be sent, in seconds from the start.
    pub not_before: Option<u64>,
}

impl ExpectedStep {
    /// Returns whether every behaviour of a retriever meets the expectation.
    pub(super) fn judges_nothing(&self) -> bool {
        self.requests.is_none()
            && self.at_least.is_none()
            && self.at_most.is_none()
            && self.because.is_empty()
            && self.usage.is_empty()
            && self.verdicts.iter().all(Option::is_none)
    }

    /// Returns whether this expectation states each part that the right one judges: the list of requests, every verdict,
    /// the reason and the usage. It need not state a reason or a usage that the answer does not have, nor the times and
    /// the fields of requests, which a draft leaves out.
    pub(super) fn is_whole(&self, right: &Self, answer: &StepAnswer) -> bool {
        let judges_requests =
            right.requests.is_some() || right.at_least.is_some() || right.at_most.is_some();
        let judges_verdicts = right.verdicts.iter().any(Option::is_some);
        let has_reasons = answer.verdicts.iter().all(|verdict| verdict.basis.is_some());
        let states_usage =
            |index: usize| match (usage_at(&right.usage, index), usage_at(&self.usage, index)) {
                (Some(right), Some(stated)) => stated.is_whole(right),
                (Some(_), None) => answer.verdicts.iter().any(|verdict| verdict.usage.is_none()),
                (None, _) => true,
            };
        let states_verdicts =
            !self.verdicts.is_empty() && self.verdicts.iter().all(Option::is_some);
        (!judges_requests || self.requests.is_some())
            && (!judges_verdicts || states_verdicts)
            && (right.because.is_empty() || !self.because.is_empty() || !has_reasons)
            && (0..answer.verdicts.len()).all(states_usage)
    }

    /// Returns whether the requests and verdicts of a step meet the expectation.
    pub(super) fn is_met(&self, step: &StepAnswer) -> bool {
        let sent = &step.requests;
        let are_met = |requests: &Vec<ExpectedRequest>| {
            requests.len() == sent.len()
                && requests.iter().zip(sent).all(|(expected, sent)| expected.is_met(sent))
        };
        let allowed = |index: usize| match self.verdicts[..] {
            [all] => all,
            ref each => each.get(index).copied().flatten(),
        };
        let verdicts = &step.verdicts;
        self.requests.as_ref().is_none_or(are_met)
            && self.at_least.is_none_or(|least| sent.len() >= least)
            && self.at_most.is_none_or(|most| sent.len() <= most)
            && (self.verdicts.len() < 2 || self.verdicts.len() == verdicts.len())
            && verdicts.iter().enumerate().all(|(index, verdict)| {
                allowed(index).is_none_or(|allowed| allowed == verdict.allowed)
                    && verdict.basis.is_none_or(|basis| self.permits(basis))
            })
            && (self.usage.len() < 2 || self.usage.len() == verdicts.len())
            && verdicts.iter().enumerate().all(|(index, verdict)| {
                usage_at(&self.usage, index).is_none_or(|expected| {
                    verdict.usage.as_ref().is_some_and(|usage| expected.is_met(usage))
                })
            })
    }

    fn permits(&self, basis: Basis) -> bool {
        self.because.is_empty() || self.because.contains(&basis)
    }

    /// Describes the expectation on one line.
    pub(super) fn text(&self) -> String {
        let mut facts = Vec::new();
        match self.requests.as_deref() {
            None => {}
            Some([]) => facts.push("no request".to_owned()),
            Some(requests) => {
                let requests: Vec<String> = requests.iter().map(ExpectedRequest::text).collect();
                facts.push(format!("requests {}", requests.join(", ")));
            }
        }
        for (word, number) in [("at least", self.at_least), ("at most", self.at_most)] {
            facts.extend(number.map(|number| format!("{word} {}", counted(number, "request"))));
        }
        if !self.verdicts.is_empty() {
            facts.push(self.verdicts.iter().map(|it| word(*it)).collect::<Vec<_>>().join(", "));
        }
        if !self.because.is_empty() {
            facts.push(format!("because {}", ids(&self.because).join(" or ")));
        }
        if !self.usage.is_empty() {
            let texts: Vec<String> = self.usage.iter().map(ExpectedUsage::line).collect();
            facts.push(format!("usage {}", texts.join(" and ")));
        }
        if facts.is_empty() { "anything".to_owned() } else { facts.join("; ") }
    }

    /// Writes the expectation with the keys of a case.
    pub(super) fn yaml(&self) -> Value {
        let mut keys = Mapping::new();
        let mut put = |key: &str, value: Value| drop(keys.insert(key.into(), value));
        if let Some(requests) = &self.requests {
            put("requests", requests.iter().map(ExpectedRequest::yaml).collect::<Vec<_>>().into());
        }
        for (key, number) in [("at-least", self.at_least), ("at-most", self.at_most)] {
            if let Some(number) = number {
                put(key, number.into());
            }
        }
        if !self.verdicts.is_empty() {
            let words: Vec<Value> = self.verdicts.iter().map(|it| word(*it).into()).collect();
            put("verdict", words.into());
        }
        if !self.because.is_empty() {
            put("because", ids(&self.because).into_iter().map(Value::from).collect());
        }
        if !self.usage.is_empty() {
            put("usage", self.usage.iter().map(ExpectedUsage::yaml).collect::<Vec<_>>().into());
        }
        Value::Mapping(keys)
    }
}

impl From<&StepAnswer> for ExpectedStep {
    /// Makes the expectation that states the actions of the retriever: its requests with their `If-` fields, but
    /// without their times, and its verdicts with reasons and usages. If one verdict has no reason, the expectation
    /// states no reasons. If one verdict has no usage, the expectation states no usages.
    fn from(step: &StepAnswer) -> Self {
        let request = |sent: &SentRequest| ExpectedRequest {
            url: sent.url.clone(),
            with: sent.fields.iter().filter(|(name, _)| name.starts_with("if-")).cloned().collect(),
            without: Vec::new(),
            not_before: None,
        };
        let bases: Option<Vec<Basis>> = step.verdicts.iter().map(|verdict| verdict.basis).collect();
        let mut because: Vec<Basis> = Vec::new();
        for basis in bases.unwrap_or_default() {
            if !because.contains(&basis) {
                because.push(basis);
            }
        }
        let usage = step.verdicts.iter().map(|verdict| verdict.usage.as_ref());
        let usage: Option<Vec<_>> = usage.map(|answer| answer.map(ExpectedUsage::stated)).collect();
        Self {
            requests: Some(step.requests.iter().map(request).collect()),
            verdicts: step.verdicts.iter().map(|verdict| Some(verdict.allowed)).collect(),
            because,
            usage: usage.unwrap_or_default(),
            ..Self::default()
        }
    }
}

impl ExpectedRequest {
    fn is_met(&self, sent: &SentRequest) -> bool {
        let has = |(name, text): &(String, String)| {
            sent.field(name).is_some_and(|value| value.contains(&**text))
        };
        self.url == sent.url
            && self.with.iter().all(has)
            && self.without.iter().all(|name| sent.field(name).is_none())
            && self.not_before.is_none_or(|time| sent.at >= time)
    }

    fn text(&self) -> String {
        let mut text = format!("<{}>", render::elided(&self.url));
        for (name, value) in &self.with {
            let _ = write!(text, " with {name}: {}", render::text(value));
        }
        for name in &self.without {
            let _ = write!(text, " without {name}");
        }
        if let Some(time) = self.not_before {
            let _ = write!(text, " not before {time} s");
        }
        text
    }

    fn yaml(&self) -> Value {
        let bare = Self { url: self.url.clone(), ..Self::default() };
        if *self == bare {
            return self.url.as_str().into();
        }
        let mut keys = Mapping::from_iter([("url".into(), self.url.as_str().into())]);
        if !self.with.is_empty() {
            let with =
                self.with.iter().map(|(name, text)| (name.as_str().into(), text.as_str().into()));
            keys.insert("with".into(), Value::Mapping(with.collect()));
        }
        if !self.without.is_empty() {
            keys.insert("without".into(), self.without.iter().map(String::as_str).collect());
        }
        if let Some(time) = self.not_before {
            keys.insert("not-before".into(), time.into());
        }
        Value::Mapping(keys)
    }
}

/// Returns the expected usage for the URL at an index. A single expectation is for all URLs.
fn usage_at(usage: &[ExpectedUsage], index: usize) -> Option<&ExpectedUsage> {
    if let [all] = usage { Some(all) } else { usage.get(index) }
}

/// Returns the word for a verdict, or `either`.
pub(super) fn word(allowed: Option<bool>) -> &'static str {
    match allowed {
        Some(true) => "allow",
        Some(false) => "disallow",
        None => "either",
    }
}

/// Returns the words for the reasons.
pub(super) fn ids(bases: &[Basis]) -> Vec<&'static str> {
    bases.iter().map(|basis| basis.id()).collect()
}

/// The expectation for a step, as a case writes it.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct RawStep {
    requests: Option<Vec<RawRequest>>,
    at_least: Option<usize>,
    at_most: Option<usize>,
    verdict: Option<OneOrMany<String>>,
    because: Option<OneOrMany<String>>,
    /// One answer, or a list of answers.
    usage: Option<Value>,
}

#[derive(Debug, Deserialize)]
#[serde(untagged, expecting = "expected a URL, or a mapping with `url`")]
enum RawRequest {
    Bare(String),
    Full(FullRequest),
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct FullRequest {
    url: String,
    with: Option<Mapping>,
    without: Option<OneOrMany<String>>,
    not_before: Option<u64>,
}

impl RawStep {
    /// Returns the expectation, or a message about the mistake in it.
    pub(super) fn expected(self) -> Result<ExpectedStep, String> {
        let requests = self.requests.map(|requests| {
            requests.into_iter().map(RawRequest::expected).collect::<Result<_, _>>()
        });
        let verdict = |word: String| match word.as_str() {
            "allow" => Ok(Some(true)),
            "disallow" => Ok(Some(false)),
            "either" => Ok(None),
            _ => Err(format!("{word:?} is not a verdict; write `allow`, `disallow` or `either`")),
        };
        let verdicts = self.verdict.map(OneOrMany::into_vec).unwrap_or_default();
        let basis = |word: String| {
            let known = || format!("{word:?} is not a reason; known here: {}", Basis::known());
            Basis::find(&word).ok_or_else(known)
        };
        let because = self.because.map(OneOrMany::into_vec).unwrap_or_default();
        let usage = match self.usage {
            Some(Value::Sequence(each)) => each,
            all => all.into_iter().collect(),
        };
        Ok(ExpectedStep {
            requests: requests.transpose()?,
            at_least: self.at_least,
            at_most: self.at_most,
            verdicts: verdicts.into_iter().map(verdict).collect::<Result<_, _>>()?,
            because: because.into_iter().map(basis).collect::<Result<_, _>>()?,
            usage: usage.iter().map(ExpectedUsage::of_step).collect::<Result<_, _>>()?,
        })
    }
}

impl RawRequest {
    fn expected(self) -> Result<ExpectedRequest, String> {
        let full = match self {
            Self::Bare(url) => {
                return Ok(ExpectedRequest { url: absolute(&url), ..ExpectedRequest::default() });
            }
            Self::Full(full) => full,
        };
        let text = |value: &Value| value.as_str().map(str::to_ascii_lowercase);
        let with = full.with.unwrap_or_default().into_iter().map(|(name, value)| {
            let pair = text(&name).zip(value.as_str().map(str::to_owned));
            pair.ok_or_else(|| "`with` has names and texts; quote them".to_owned())
        });
        let without = full.without.map(OneOrMany::into_vec).unwrap_or_default();
        Ok(ExpectedRequest {
            url: absolute(&full.url),
            with: with.collect::<Result<_, _>>()?,
            without: without.into_iter().map(|name| name.to_ascii_lowercase()).collect(),
            not_before: full.not_before,
        })
    }
}

#[cfg(test)]
mod tests;
