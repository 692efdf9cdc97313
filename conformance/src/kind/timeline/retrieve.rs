//! The interface of a retriever: [`Retrieve`].

use super::{RetrievedVerdict, TimelineStep};
use crate::kind::Answer;
use crate::kind::network::{Delivered, SentRequest};

/// The interface of a retriever. [`TimelineQuestion::run`](super::TimelineQuestion::run) calls [`Retrieve::ask`] at each step of the timeline.
pub trait Retrieve {
    /// Forgets everything except the stored data, as if the process had ended and started again.
    fn restart(&mut self);

    /// Returns a verdict for each URL of a step.
    ///
    /// If the step asks about the use of content, each verdict must contain the preferences about this use. If the step
    /// begins with a restart, [`TimelineQuestion::run`](crate::kind::TimelineQuestion::run) calls [`Retrieve::restart`] before this function. The retriever
    /// passes every request to `send`, with the time at which it sends the request. The result of the request arrives
    /// [`Delivered::delay`] seconds later.
    ///
    /// # Errors
    /// Returns [`Answer::Unsupported`] or [`Answer::Error`] if the retriever cannot answer.
    fn ask(
        &mut self,
        step: &TimelineStep,
        send: &mut dyn FnMut(SentRequest) -> Delivered,
    ) -> Result<Vec<RetrievedVerdict>, Answer>;
}
