//! The question `timeline`: what does a retriever ask for, and what may the crawler fetch, over time?
//!
//! A timeline is a script with a virtual clock. At each step the crawler asks about URLs. The retriever requests what
//! it needs; the [`Network`] answers. Start at [`TimelineQuestion::run`], which drives a [`Retrieve`] and keeps a record
//! of its requests. A parser cannot answer this question, because it does not fetch.

use alloc::string::String;
use alloc::vec::Vec;

use super::network::{Delivered, Network, NetworkFailure, SentRequest};
use super::table::Kind;
use super::{Agents, Answer, Interpreted, Role};
use crate::edition::Edition;
use crate::fetch::Basis;
use crate::parser::Parser;

/// The question what a retriever does over time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TimelineQuestion {
    /// The names of the crawler.
    pub agents: Agents,
    /// What the crawler asks, in order.
    pub steps: Vec<TimelineStep>,
    /// What answers the requests.
    pub network: Network,
}

/// The questions of a crawler at one time.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TimelineStep {
    /// The time in seconds from the start. It may be before the time of the last step: then the clock was set back.
    pub at: u64,
    /// The URLs that the crawler wants to fetch. It asks about all of them at once.
    pub urls: Vec<String>,
    /// Whether the retriever ends before this step, and starts again with only what it has stored.
    pub restart: bool,
}

/// What a retriever did, step by step.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TimelineAnswer {
    /// One for each step of the question.
    pub steps: Vec<StepAnswer>,
}

/// What a retriever did at one step.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StepAnswer {
    /// The requests that it sent, in order.
    pub requests: Vec<SentRequest>,
    /// Its verdicts, one for each URL of the step.
    pub verdicts: Vec<RetrievedVerdict>,
}

/// A verdict of a retriever.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RetrievedVerdict {
    /// Whether the URL may be fetched.
    pub allowed: bool,
    /// The reason, if the retriever knows it.
    pub basis: Option<Basis>,
}

/// A retriever that [`TimelineQuestion::run`] drives.
pub trait Retrieve {
    /// Forgets everything except what is stored, as if the process had ended and started again.
    fn restart(&mut self);

    /// Returns a verdict for each URL. `at` is the time in seconds from the start.
    ///
    /// Every request goes to `send`, which gets the time at which it is sent. The answer arrives [`Delivered::delay`]
    /// seconds later.
    ///
    /// # Errors
    /// Why there are no verdicts.
    fn ask(
        &mut self,
        at: u64,
        urls: &[String],
        send: &mut dyn FnMut(SentRequest) -> Delivered,
    ) -> Result<Vec<RetrievedVerdict>, String>;
}

impl TimelineQuestion {
    /// The date of the start: 2030-01-01 00:00 GMT, in seconds since the Unix epoch. Dates in fields refer to it.
    pub const START: u64 = 1_893_456_000;

    /// The most requests of one timeline that are answered. Every later one is refused, so that a retriever that follows
    /// redirects for ever ends.
    pub const MOST_REQUESTS: usize = 100;

    /// Returns whether time passes or the retriever restarts. A subject with a real clock cannot be asked such a
    /// question.
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

    /// Drives a retriever through the steps, and keeps a record of its requests.
    ///
    /// # Errors
    /// What the retriever returns, or a sentence if the number of its verdicts is wrong.
    pub fn run(&self, retriever: &mut dyn Retrieve) -> Result<TimelineAnswer, String> {
        let mut answer = TimelineAnswer::default();
        let mut count = 0;
        for (step, TimelineStep { at, urls, restart }) in self.steps.iter().enumerate() {
            if *restart {
                retriever.restart();
            }
            let mut requests = Vec::new();
            let mut send = |request: SentRequest| {
                count += 1;
                let delivered = if count > Self::MOST_REQUESTS {
                    Delivered::failed(NetworkFailure::Refused)
                } else {
                    self.network.deliver(step, &request)
                };
                // Requests without an answer are not stored, so that the record stays small.
                if count <= Self::MOST_REQUESTS + 1 {
                    requests.push(request);
                }
                delivered
            };
            let verdicts = retriever.ask(*at, urls, &mut send)?;
            if verdicts.len() != urls.len() {
                return Err(alloc::format!(
                    "{} verdicts for {} URLs of step {}",
                    verdicts.len(),
                    urls.len(),
                    step + 1
                ));
            }
            answer.steps.push(StepAnswer { requests, verdicts });
        }
        Ok(answer)
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
