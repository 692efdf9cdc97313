//! The question `timeline`: which URLs does a retriever request over time, and which URLs may the crawler fetch?
//!
//! A timeline is a series of steps with a virtual clock. At each step, the crawler asks the retriever which of certain
//! URLs the crawler may fetch. The retriever sends the requests that it needs, and the [`Network`] answers them. Start
//! at [`TimelineQuestion::run`], which calls a [`Retrieve`] at each step and keeps a record of its requests. A parser
//! cannot answer this question, because it does not fetch.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use super::network::{Delivered, Network, NetworkFailure, SentRequest};
use super::table::Kind;
use super::{Agents, Answer, Interpreted, Role, UsageAnswer};
use crate::edition::Edition;
use crate::fetch::Basis;
use crate::parser::Parser;

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

/// The requests and verdicts of a retriever, step by step.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TimelineAnswer {
    /// The answers to the steps of the question, one for each step.
    pub steps: Vec<StepAnswer>,
}

/// The requests and verdicts of a retriever at one step.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StepAnswer {
    /// The requests that the retriever sent, in order.
    pub requests: Vec<SentRequest>,
    /// The verdicts, one for each URL of the step.
    pub verdicts: Vec<RetrievedVerdict>,
}

/// A verdict of a retriever.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RetrievedVerdict {
    /// Whether the URL may be fetched.
    pub allowed: bool,
    /// The basis of the verdict, if the retriever knows it.
    pub basis: Option<Basis>,
    /// The preferences about the use of the content. `None` if the step does not ask about preferences.
    pub usage: Option<UsageAnswer>,
}

/// The interface of a retriever. [`TimelineQuestion::run`] calls [`Retrieve::ask`] at each step of the timeline.
pub trait Retrieve {
    /// Forgets everything except the stored data, as if the process had ended and started again.
    fn restart(&mut self);

    /// Returns a verdict for each URL of a step.
    ///
    /// If the step asks about the use of content, each verdict must contain the preferences about this use. If the step
    /// begins with a restart, [`TimelineQuestion::run`] calls [`Retrieve::restart`] before this function. The retriever
    /// passes every request to `send`, with the time at which it sends the request. The result of the request arrives
    /// [`Delivered::delay`] seconds later.
    ///
    /// # Errors
    /// Returns [`NoVerdicts`] if the retriever cannot answer.
    fn ask(
        &mut self,
        step: &TimelineStep,
        send: &mut dyn FnMut(SentRequest) -> Delivered,
    ) -> Result<Vec<RetrievedVerdict>, NoVerdicts>;
}

/// The reason why a retriever has no verdicts on the URLs of a step.
///
/// `Answer::from` converts this reason to the answer of an engine: [`Answer::Error`] or [`Answer::Unsupported`].
///
/// ```
/// use robots_core::engine::Answer;
/// use robots_core::error::NoVerdicts;
/// let why = NoVerdicts::Count { step: 0, verdicts: 1, urls: 2 };
/// assert_eq!(why.to_string(), "step 1 has 2 URLs, but the number of verdicts is 1");
/// assert!(matches!(Answer::from(why), Answer::Error(_)));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NoVerdicts {
    /// The retriever does not support questions of this sort. The text is the reason.
    Unsupported(String),
    /// The retriever failed. The text describes the failure.
    Failed(String),
    /// The number of verdicts differs from the number of URLs. `step` is the index of the step, from 0.
    Count {
        /// The index of the step, from 0.
        step: usize,
        /// The number of verdicts.
        verdicts: usize,
        /// The number of URLs.
        urls: usize,
    },
    /// The step asks which uses of the content are allowed, but a verdict has no usage. `step` is the index of the
    /// step, from 0.
    NoUsage {
        /// The index of the step, from 0.
        step: usize,
    },
}

impl fmt::Display for NoVerdicts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unsupported(why) | Self::Failed(why) => f.write_str(why),
            Self::Count { step, verdicts, urls } => {
                let step = step + 1;
                write!(f, "step {step} has {urls} URLs, but the number of verdicts is {verdicts}")
            }
            Self::NoUsage { step } => write!(f, "a verdict of step {} has no usage", step + 1),
        }
    }
}

impl core::error::Error for NoVerdicts {}

impl From<NoVerdicts> for Answer {
    fn from(why: NoVerdicts) -> Self {
        match why {
            NoVerdicts::Unsupported(why) => Self::Unsupported(why),
            other => Self::Error(alloc::string::ToString::to_string(&other)),
        }
    }
}

impl TimelineQuestion {
    /// The date at which a timeline starts: 2030-01-01 00:00 GMT, in seconds since the Unix epoch. The dates in header
    /// fields are computed from this date.
    pub const START: u64 = 1_893_456_000;

    /// The maximum number of requests that the network answers in one timeline. The network refuses every later
    /// request, so an endless chain of redirects ends.
    pub const MOST_REQUESTS: usize = 100;

    /// Returns whether time passes or the retriever restarts. In both cases, a program that uses the real clock cannot
    /// answer the question.
    ///
    /// ```
    /// use robots_core::engine::{Agents, Network, TimelineQuestion, TimelineStep};
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
    /// Returns the error of the retriever, or [`NoVerdicts`] if its verdicts do not pass [`TimelineStep::check`].
    pub fn run(&self, retriever: &mut dyn Retrieve) -> Result<TimelineAnswer, NoVerdicts> {
        let mut answer = TimelineAnswer::default();
        let mut count = 0;
        for (index, step) in self.steps.iter().enumerate() {
            if step.restart {
                retriever.restart();
            }
            let mut requests = Vec::new();
            let mut send = |request: SentRequest| {
                count += 1;
                let delivered = if count > Self::MOST_REQUESTS {
                    Delivered::failed(NetworkFailure::Refused)
                } else {
                    self.network.deliver(index, &request)
                };
                // Only the first refused request is stored, so that the record stays small.
                if count <= Self::MOST_REQUESTS + 1 {
                    requests.push(request);
                }
                delivered
            };
            let verdicts = retriever.ask(step, &mut send)?;
            step.check(index, &verdicts)?;
            answer.steps.push(StepAnswer { requests, verdicts });
        }
        Ok(answer)
    }
}

impl TimelineStep {
    /// Checks that verdicts answer every question of this step. `index` is the index of the step, from 0.
    ///
    /// # Errors
    /// Returns [`NoVerdicts`] if the number of verdicts differs from the number of URLs, or if a verdict has no usage
    /// although the step asks for it.
    pub fn check(&self, index: usize, verdicts: &[RetrievedVerdict]) -> Result<(), NoVerdicts> {
        let (count, urls) = (verdicts.len(), self.urls.len());
        if count != urls {
            return Err(NoVerdicts::Count { step: index, verdicts: count, urls });
        }
        if self.usage.is_some() && verdicts.iter().any(|verdict| verdict.usage.is_none()) {
            return Err(NoVerdicts::NoUsage { step: index });
        }
        Ok(())
    }
}

impl Kind for TimelineQuestion {
    type Answer = TimelineAnswer;
    const ROLE: Option<Role> = Some(Role::Retriever);

    fn passes_time(&self) -> bool {
        Self::passes_time(self)
    }

    fn answer<P: Parser>(&self, _: &Interpreted<P>, _: Edition) -> Result<Self::Answer, Answer> {
        Err(Answer::unsupported("a parser does not fetch"))
    }
}
