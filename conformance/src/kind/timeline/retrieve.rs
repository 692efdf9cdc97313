//! The interface of a retriever, [`Retrieve`], and the reason why it has no verdicts, [`NoVerdicts`].

use std::fmt;

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
/// use robots_conformance::kind::{Answer, NoVerdicts};
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

impl std::error::Error for NoVerdicts {}

impl From<NoVerdicts> for Answer {
    fn from(why: NoVerdicts) -> Self {
        match why {
            NoVerdicts::Unsupported(why) => Self::Unsupported(why),
            other => Self::Error(other.to_string()),
        }
    }
}
