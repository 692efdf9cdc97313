//! The kind `timeline`: what does a retriever ask for, and what may the crawler fetch, over time?
//!
//! A case has the script of a network and the steps of a crawler. For each step, the case states the expected requests,
//! verdicts and reasons (`expected.rs`). `network` reads the script. Start at the implementation of [`Kind`]; the
//! module `wire` reads and writes the messages.

mod answer;
mod expected;
mod retrieve;
#[cfg(feature = "process")]
mod wire;

use std::fmt::Write as _;

use robots_core::{Edition, Parser};
use serde::Deserialize;
use serde_yaml::Value;

pub use self::answer::{RetrievedVerdict, StepAnswer};
use self::expected::RawStep;
pub use self::expected::{ExpectedRequest, ExpectedStep};
pub use self::retrieve::Retrieve;
use super::agents::{self, Agents, agents_text};
use super::contract::{Kind, NotAnAnswer};
use super::keys::{KeyGroup, Reading, one};
use super::network::script::Line;
use super::network::{Delivered, Network, NetworkFailure, SentRequest};
use super::{Answer, Member, Role};
use crate::kind::absolute;
use crate::yaml::OneOrMany;
use robots_console::error::Error;
use robots_console::render;

/// The data of a question of the kind `timeline`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TimelineQuestion {
    /// The names of the crawler.
    pub agents: Agents,
    /// The steps in order: the crawler's questions, and their times.
    pub steps: Vec<TimelineStep>,
    /// The network, which answers the requests.
    pub network: Network,
}

/// One step of a timeline: the questions of the crawler at one time.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TimelineStep {
    /// The time of the step, in seconds from the start of the timeline. The time may be before the time of the previous
    /// step, if the clock was set back.
    pub at: u64,
    /// The URLs that the crawler wants to fetch. The crawler asks about all of these URLs at once.
    pub urls: Vec<String>,
    /// Whether the retriever ends before this step, and starts again with only its stored data.
    pub restart: bool,
    /// The values of the `Content-Usage` field lines in the HTTP responses for these URLs, in order, if the crawler
    /// also asks about the use of their content. `None` if it does not. An empty list means that the responses have no
    /// such line.
    pub usage: Option<Vec<Vec<u8>>>,
}

/// The maximum number of steps of a timeline.
const STEPS: usize = 100;

/// The maximum number of URLs of a timeline.
const URLS: usize = 500;

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

impl Kind for TimelineQuestion {
    type Answer = Vec<StepAnswer>;
    type Expected = Vec<ExpectedStep>;

    const ROLE: Option<Role> = Some(Role::Retriever);
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
        let steps: Vec<TimelineStep> = steps.map(|keys| step(keys, case)).collect();
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

    fn passes_time(&self) -> bool {
        Self::passes_time(self)
    }

    fn answer<P: Parser>(&self, _: &P, _: Edition) -> Result<Vec<StepAnswer>, Answer> {
        Err(Answer::unsupported("a parser does not fetch"))
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

    /// Returns whether one expectation judges nothing. Also returns true if one expectation states only *allow* for a
    /// single step, and another expectation states only *disallow*.
    fn is_open(stated: &[&Vec<ExpectedStep>]) -> bool {
        let judges_nothing =
            |steps: &&&Vec<ExpectedStep>| steps.iter().all(ExpectedStep::judges_nothing);
        let bare = |allowed| {
            vec![ExpectedStep { verdicts: vec![Some(allowed)], ..ExpectedStep::default() }]
        };
        stated.iter().any(|steps| judges_nothing(&steps))
            || [true, false].iter().all(|side| stated.contains(&&bare(*side)))
    }

    fn stated(answer: &Vec<StepAnswer>) -> Vec<ExpectedStep> {
        answer.iter().map(ExpectedStep::from).collect()
    }

    fn conforms(expected: &Vec<ExpectedStep>, answer: &Vec<StepAnswer>) -> bool {
        expected.len() == answer.len()
            && expected.iter().zip(answer).all(|(expected, step)| expected.is_met(step))
    }

    fn is_deviation(
        stated: &Vec<ExpectedStep>,
        right: &[&Vec<ExpectedStep>],
        answer: &Vec<StepAnswer>,
    ) -> bool {
        let is_whole = |right: &&Vec<ExpectedStep>| {
            let steps = stated.iter().zip(*right).zip(answer);
            steps.into_iter().all(|((stated, right), step)| stated.is_whole(right, step))
        };
        right.iter().all(is_whole) && Self::conforms(stated, answer)
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

impl TimelineQuestion {
    /// The date at which a timeline starts: 2030-01-01 00:00 GMT, in seconds since the Unix epoch. The dates in header
    /// fields are computed from this date.
    pub const START: u64 = 1_893_456_000;

    /// The maximum number of requests that the network answers in one timeline. The network refuses every later
    /// request, so an endless chain of redirects ends.
    pub const MAX_REQUESTS: usize = 100;

    /// Returns whether time passes or the retriever restarts. In both cases, a program that uses the real clock cannot
    /// answer the question.
    ///
    /// ```
    /// use robots_conformance::kind::{Agents, Network, TimelineQuestion, TimelineStep};
    /// let step = |at| TimelineStep { at, ..TimelineStep::default() };
    /// let agents = Agents::new(["examplebot"]).unwrap();
    /// let network = Network::default();
    /// let mut question = TimelineQuestion { agents, steps: vec![step(0)], network };
    /// assert!(!question.passes_time());
    /// question.steps.push(step(60));
    /// assert!(question.passes_time());
    /// ```
    #[must_use]
    pub fn passes_time(&self) -> bool {
        self.steps.iter().any(|step| step.at != self.steps[0].at || step.restart)
            || self.network.script().iter().any(|line| line.reply.delay > 0)
    }

    /// Calls a retriever at each step, and keeps a record of its requests.
    ///
    /// # Errors
    /// Returns the error of the retriever, or [`Answer::Error`] if its verdicts do not pass [`TimelineStep::check`].
    pub fn run(&self, retriever: &mut dyn Retrieve) -> Result<Vec<StepAnswer>, Answer> {
        let mut answer = Vec::new();
        let mut count = 0;
        for (index, step) in self.steps.iter().enumerate() {
            if step.restart {
                retriever.restart();
            }
            let mut requests = Vec::new();
            let mut send = |request: SentRequest| {
                count += 1;
                let delivered = if count > Self::MAX_REQUESTS {
                    Delivered::failed(NetworkFailure::Refused)
                } else {
                    self.network.deliver(index, &request)
                };
                // Only the first refused request is stored, so that the record stays small.
                if count <= Self::MAX_REQUESTS + 1 {
                    requests.push(request);
                }
                delivered
            };
            let verdicts = retriever.ask(step, &mut send)?;
            step.check(index, &verdicts).map_err(|why| Answer::Error(why.into()))?;
            answer.push(StepAnswer { requests, verdicts });
        }
        Ok(answer)
    }
}

impl TimelineStep {
    /// Checks that verdicts answer every question of this step. `index` is the index of the step, from 0.
    ///
    /// # Errors
    /// Returns an error if the number of verdicts differs from the number of URLs, or if a verdict has no usage
    /// although the step asks for it.
    pub fn check(&self, index: usize, verdicts: &[RetrievedVerdict]) -> Result<(), Error> {
        let (step, count, urls) = (index + 1, verdicts.len(), self.urls.len());
        if count != urls {
            return Err(Error::new(format!(
                "step {step} has {urls} URLs, but the number of verdicts is {count}"
            )));
        }
        if self.usage.is_some() && verdicts.iter().any(|verdict| verdict.usage.is_none()) {
            return Err(Error::new(format!("a verdict of step {step} has no usage")));
        }
        Ok(())
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
