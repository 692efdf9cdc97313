//! The answer to a question of the kind `timeline`.

use robots_core::fetch::Basis;

use crate::kind::UsageAnswer;
use crate::kind::network::SentRequest;

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
