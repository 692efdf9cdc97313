//! The kind `timeline`: what does a retriever ask for, and what may the crawler fetch, over time?
//!
//! A case has the script of a network and the steps of a crawler. It expects for each step the requests, the verdicts
//! and their reasons; a part that an expectation leaves out is not judged. `network` reads the script.

use std::fmt::Write as _;

use robots_core::engine::{
    SentRequest, StepAnswer, TimelineAnswer, TimelineQuestion, TimelineStep,
};
use robots_core::fetch::Basis;
use serde::Deserialize;
use serde_yaml::{Mapping, Value};

use super::agents::{self, agents_text};
use super::keys::{KeyGroup, Reading, one};
use super::network::Line;
use super::table::{Kind, NotAnAnswer};
use super::word::Word as _;
use super::{ExpectedUsage, Member};
use crate::render::{self, absolute};
use crate::yaml::OneOrMany;

/// The maximum number of steps of a timeline.
const STEPS: usize = 100;

/// The maximum number of URLs of a timeline.
const URLS: usize = 500;

/// The expectation of a case for one step of a timeline.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ExpectedStep {
    /// The requests in order; `None` if only their number is judged, or if they are not judged.
    pub requests: Option<Vec<ExpectedRequest>>,
    /// The least number of requests.
    pub at_least: Option<usize>,
    /// The greatest number of requests.
    pub at_most: Option<usize>,
    /// Whether each URL may be fetched. A single value applies to all URLs. If the list is empty, verdicts are not
    /// judged.
    pub verdicts: Vec<Option<bool>>,
    /// The reasons that a verdict may have; empty if they are not judged.
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
    /// Fields that it has, each with a text that its value contains.
    pub with: Vec<(String, String)>,
    /// Fields that it does not have.
    pub without: Vec<String>,
    /// The time before which it is not sent, in seconds from the start.
    pub not_before: Option<u64>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
struct Keys {
    network: Option<Vec<Line>>,
    steps: Option<Vec<Step>>,
}

/// A step as a case writes it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Step {
    #[serde(default)]
    at: u64,
    url: OneOrMany<String>,
    #[serde(default)]
    restart: bool,
    ask: Option<String>,
    header: Option<OneOrMany<String>>,
}

/// The expectation for a step, as a case writes it.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct RawStep {
    requests: Option<Vec<RawRequest>>,
    at_least: Option<usize>,
    at_most: Option<usize>,
    verdict: Option<OneOrMany<String>>,
    because: Option<OneOrMany<String>>,
    /// One answer, or a list of them.
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

impl Kind for TimelineQuestion {
    type Answer = TimelineAnswer;
    type Expected = Vec<ExpectedStep>;

    const KEYS: &'static [KeyGroup] = &[agents::KEYS, KeyGroup::of::<Keys>()];
    const ANSWERS: &'static str = "a list that has for each step `{ requests: [/robots.txt], verdict: allow, because: rules }`";
    const TEMPLATE: (&'static str, &'static str) = (
        "    network:\n      - { url: /robots.txt, status: 404 }\n    steps:\n      - { at: 0, url: /x }\n",
        "[{ requests: [/robots.txt], verdict: allow, because: no-file }]",
    );

    fn read(case: &mut Reading<'_>) -> Vec<Member> {
        let keys: Keys = case.keys();
        let Some(agents) = case.agents() else { return Vec::new() };
        let steps = keys.steps.unwrap_or_default().into_iter();
        let steps: Vec<TimelineStep> = steps.map(|own| step(own, case)).collect();
        if steps.is_empty() {
            case.wrong("id", "nothing is asked; give `steps`");
        }
        let urls: usize = steps.iter().map(|step| step.urls.len()).sum();
        if steps.len() > STEPS || urls > URLS {
            case.wrong("steps", format!("more than {STEPS} steps, or more than {URLS} URLs"));
        }
        let Some(network) = case.network(keys.network.unwrap_or_default()) else {
            return Vec::new();
        };
        one(Some(Self { agents, steps, network }))
    }

    fn expected(value: &Value) -> Result<Vec<ExpectedStep>, NotAnAnswer> {
        let steps: Vec<RawStep> = serde_yaml::from_value(value.clone())?;
        if steps.is_empty() {
            return Err(NotAnAnswer::FORM);
        }
        let steps = steps.into_iter().enumerate();
        let read = |(index, step): (usize, RawStep)| {
            step.expected().map_err(|why| {
                NotAnAnswer::Sentence(format!("step {} of the answer: {why}", index + 1))
            })
        };
        steps.map(read).collect()
    }

    /// Returns whether an expectation judges nothing, or the expectations state both verdicts of a single step and
    /// nothing else.
    fn is_open(stated: &[&Vec<ExpectedStep>]) -> bool {
        let judges_nothing =
            |steps: &&&Vec<ExpectedStep>| steps.iter().all(ExpectedStep::judges_nothing);
        let bare = |allowed| {
            vec![ExpectedStep { verdicts: vec![Some(allowed)], ..ExpectedStep::default() }]
        };
        stated.iter().any(|steps| judges_nothing(&steps))
            || [true, false].iter().all(|side| stated.contains(&&bare(*side)))
    }

    fn stated(answer: &TimelineAnswer) -> Vec<ExpectedStep> {
        answer.steps.iter().map(ExpectedStep::from).collect()
    }

    fn conforms(expected: &Vec<ExpectedStep>, answer: &TimelineAnswer) -> bool {
        expected.len() == answer.steps.len()
            && expected.iter().zip(&answer.steps).all(|(expected, step)| expected.is_met(step))
    }

    fn question(&self) -> String {
        let mut text = format!("what does a retriever for {} do?", agents_text(&self.agents));
        for TimelineStep { at, urls, restart, usage } in &self.steps {
            let again = if *restart { "started again, " } else { "" };
            let urls: Vec<String> =
                urls.iter().map(|url| format!("<{}>", render::elided(url))).collect();
            let _ = write!(text, "\n   at {at} s {again}{}", urls.join(", "));
            if let Some(header) = usage {
                text.push_str(", and which uses of the content are allowed?");
                for line in header {
                    let line = render::text(&String::from_utf8_lossy(line));
                    let _ = write!(text, "\n      its header: Content-Usage: {line}");
                }
            }
        }
        text
    }

    fn text(expected: &Vec<ExpectedStep>) -> String {
        let steps = expected.iter().enumerate();
        let texts = steps.map(|(index, step)| format!("step {}: {}", index + 1, step.text()));
        texts.collect::<Vec<_>>().join("\n")
    }

    fn yaml(expected: &Vec<ExpectedStep>) -> Value {
        expected.iter().map(ExpectedStep::yaml).collect::<Vec<_>>().into()
    }
}

fn step(Step { at, url, restart, ask, header }: Step, case: &mut Reading<'_>) -> TimelineStep {
    let urls = url.into_vec().iter().map(|url| absolute(url)).collect();
    let asks_usage = match ask.as_deref() {
        None | Some("verdict") => false,
        Some("usage") => true,
        Some(other) => {
            case.wrong("steps", format!("{other:?} is not asked over time; write `usage`"));
            false
        }
    };
    if header.is_some() && !asks_usage {
        case.wrong("steps", "a step with `header` has `ask: usage`");
    }
    let header = header.map(OneOrMany::into_vec).unwrap_or_default();
    let header = header.iter().filter_map(|line| case.unescaped("steps", line)).collect();
    TimelineStep { at, urls, restart, usage: asks_usage.then_some(header) }
}

impl RawStep {
    fn expected(self) -> Result<ExpectedStep, String> {
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

impl ExpectedStep {
    fn judges_nothing(&self) -> bool {
        self.requests.is_none()
            && self.at_least.is_none()
            && self.at_most.is_none()
            && self.because.is_empty()
            && self.usage.is_empty()
            && self.verdicts.iter().all(Option::is_none)
    }

    fn is_met(&self, step: &StepAnswer) -> bool {
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
                let expected =
                    if let [all] = &self.usage[..] { Some(all) } else { self.usage.get(index) };
                expected.is_none_or(|expected| {
                    verdict.usage.as_ref().is_some_and(|own| expected.is_met(own))
                })
            })
    }

    fn permits(&self, basis: Basis) -> bool {
        self.because.is_empty() || self.because.contains(&basis)
    }

    fn text(&self) -> String {
        let mut facts = Vec::new();
        match self.requests.as_deref() {
            None => {}
            Some([]) => facts.push("no request".to_owned()),
            Some(requests) => {
                let requests: Vec<String> = requests.iter().map(ExpectedRequest::text).collect();
                facts.push(format!("requests {}", requests.join(", ")));
            }
        }
        facts.extend(self.at_least.map(|least| format!("at least {least} requests")));
        facts.extend(self.at_most.map(|most| format!("at most {most} requests")));
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

    fn yaml(&self) -> Value {
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
    /// States exactly the actions of the retriever. If a verdict has no reason, the reasons of its step are left out.
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
        let usage: Option<Vec<_>> = usage.map(|own| own.map(ExpectedUsage::stated)).collect();
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

fn word(allowed: Option<bool>) -> &'static str {
    match allowed {
        Some(true) => "allow",
        Some(false) => "disallow",
        None => "either",
    }
}

fn ids(bases: &[Basis]) -> Vec<&'static str> {
    bases.iter().map(|basis| basis.id()).collect()
}

#[cfg(feature = "process")]
mod wire {
    use std::borrow::Cow;
    use std::collections::BTreeMap;
    use std::num::NonZeroU32;
    use std::sync::Arc;

    use robots_core::engine::{
        Delivered, Network, NetworkFailure, RetrievedVerdict, StepAnswer, TimelineAnswer,
        TimelineQuestion, TimelineStep, UsageAnswer,
    };
    use robots_core::fetch::Basis;
    use serde::ser::SerializeMap;
    use serde::{Deserialize, Serialize};
    use serde_json::{Value, json};

    use super::{ExpectedStep, STEPS, URLS, ids, word};
    use crate::kind::agents;
    use crate::kind::fields::{Fields, NotAQuestion, WrongKey};
    use crate::kind::file::wire::Octets;
    use crate::kind::network::wire::{REPLY, REQUEST, vector_reply};
    use crate::kind::table::Wire;
    use crate::kind::usage::wire::{ASK, Applied, Flat, Lines, numbers, vector_header};
    use crate::kind::vector::WriteVector;
    use crate::kind::word::wire::As;

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

    /// A verdict of the answer.
    #[derive(Serialize, Deserialize)]
    struct Judged {
        verdict: Word,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        because: Option<As<Basis>>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        usage: Option<Applied>,
        /// The deciding lines of the usage.
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

        /// Writes everything except the script, which the runner keeps.
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
            // `serve` replaces this with a network that sends the requests to the runner.
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
            answer: &TimelineAnswer,
            message: &mut M,
        ) -> Result<(), M::Error> {
            let steps = answer.steps.iter();
            let steps = steps.map(|step| step.verdicts.iter().map(Judged::from).collect());
            message.serialize_entry("timeline", &steps.collect::<Vec<Vec<Judged>>>())
        }

        fn read_answer(message: &Fields) -> Result<TimelineAnswer, WrongKey> {
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
            Ok(TimelineAnswer { steps: steps.into_iter().map(step).collect() })
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
                    .map(|lines| lines.iter().filter_map(|own| NonZeroU32::new(*own)).collect()),
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

    /// Returns the expectation for a step, with the keys of a case.
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
}
