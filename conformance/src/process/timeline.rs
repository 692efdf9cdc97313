//! The runner's side of a timeline: this module answers the requests of a subject from the script, and records these
//! requests.
//!
//! A subject reports only its verdicts; the runner records the requests itself. Start at [`Timeline::reply`], which
//! checks and answers a request. [`Timeline::completed`] combines requests and verdicts into the answer.

use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::kind::{
    Answer, Ask, Delivered, NetworkFailure, SentRequest, StepAnswer, TimelineQuestion, TimelineStep,
};

use crate::kind::network::wire::{REPLY, REQUEST, Reply, Request};
use crate::protocol::{self, Message};

/// The maximum length of a request in octets.
const LONGEST: usize = 64 * 1024;

/// If a subject sends more than [`TimelineQuestion::MAX_REQUESTS`] requests, this number of further requests is
/// refused. After one more request, the subject is killed.
const REFUSED_REQUESTS: usize = 100;

/// A timeline question that a subject is answering.
pub(super) struct Timeline<'q> {
    question: &'q TimelineQuestion,
    /// The requests so far, each with the index of its step.
    sent: Mutex<Vec<(usize, SentRequest)>>,
}

impl<'q> Timeline<'q> {
    /// Returns the timeline, if the question is a timeline.
    pub(super) fn of(ask: &'q Ask) -> Option<Self> {
        match ask {
            Ask::Timeline(question) => Some(Self { question, sent: Mutex::default() }),
            _ => None,
        }
    }

    /// Removes the recorded requests, because the question may have been asked before.
    pub(super) fn begin(&self) {
        self.sent().clear();
    }

    /// Returns the length to pass to [`protocol::longest_answer`], so that the maximum length of the answer is enough
    /// for its verdicts.
    pub(super) fn octets(&self) -> usize {
        // A verdict with its reason has at most 70 octets; a usage has at most 150 more, and its lines.
        let of_step = |step: &TimelineStep| {
            let each = if step.usage.is_some() { 32 } else { 8 };
            8 + each * step.urls.len()
        };
        self.question.steps.iter().map(of_step).sum()
    }

    /// Returns the line that answers a request.
    ///
    /// # Errors
    /// Returns a message about the mistake in the request.
    pub(super) fn reply(&self, id: u64, message: &Message) -> Result<String, String> {
        let request: Request<'static> = message.get(REQUEST).ok_or_else(|| {
            let shown = message.shown();
            format!("a request of the wrong type: {shown}; it has `step`, `at`, `url` and `fields`")
        })?;
        let step = request.step;
        if message.length() > LONGEST {
            return Err(format!("a request of more than {LONGEST} octets"));
        }
        if step >= self.question.steps.len() {
            return Err(format!("a request of step {step}, which the timeline does not have"));
        }
        let sent = request.into_sent();
        let mut before = self.sent();
        let delivered = if before.len() < TimelineQuestion::MAX_REQUESTS {
            self.question.network.deliver(step, &sent)
        } else {
            Delivered::failed(NetworkFailure::Refused)
        };
        before.push((step, sent));
        if before.len() > TimelineQuestion::MAX_REQUESTS + REFUSED_REQUESTS {
            return Err(format!("more than {} requests in one timeline", before.len() - 1));
        }
        let reply = serde_json::json!({ "id": id, REPLY: Reply::from(&delivered) });
        Ok(protocol::line(&reply))
    }

    /// Adds the requests to the verdicts of a subject.
    pub(super) fn completed(&self, answer: Vec<StepAnswer>) -> Answer {
        let urls = self.question.steps.iter().map(|step| step.urls.len());
        if !answer.iter().map(|step| step.verdicts.len()).eq(urls) {
            return Answer::Error(
                "an answer of the wrong length: `timeline` has a list for each step, with a verdict for each URL"
                    .to_owned(),
            );
        }
        let mut steps = answer.iter().zip(&self.question.steps).enumerate();
        if let Err(why) =
            steps.try_for_each(|(index, (answer, step))| step.check(index, &answer.verdicts))
        {
            return Answer::Error(format!("{why}; the step asks for `usage`"));
        }
        let sent = self.sent();
        let of_step = |index| sent.iter().filter(move |(step, _)| *step == index);
        let steps = answer.into_iter().enumerate().map(|(index, step)| StepAnswer {
            requests: of_step(index).map(|(_, request)| request.clone()).collect(),
            ..step
        });
        Answer::Timeline(steps.collect())
    }

    fn sent(&self) -> MutexGuard<'_, Vec<(usize, SentRequest)>> {
        self.sent.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
