//! How a trial of a crawl ends: [`Outcome`].

/// How a trial ended.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Outcome {
    /// Everything was as it must be.
    Passed,
    /// Something was not; or a deviation is no longer what its entry says, which the text tells.
    Failed(Option<String>),
    /// It failed as the deviations file says, for this reason.
    Deviation(String),
    /// Nothing could have been wrong.
    Open,
    /// The crawler did not come by the controls.
    Inconclusive,
    /// It was still at work, or waiting, at the limit.
    Waited,
    /// It could not be run here, for this reason.
    NotRun(String),
}

impl Outcome {
    /// Holds the names of all outcomes.
    pub const NAMES: [&str; 7] =
        ["passed", "failed", "deviation", "open", "inconclusive", "waited", "not-run"];

    /// Returns the name, one of [`Self::NAMES`].
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Passed => "passed",
            Self::Failed(_) => "failed",
            Self::Deviation(_) => "deviation",
            Self::Open => "open",
            Self::Inconclusive => "inconclusive",
            Self::Waited => "waited",
            Self::NotRun(_) => "not-run",
        }
    }

    /// Returns whether it makes a run fail.
    #[must_use]
    pub const fn is_failure(&self) -> bool {
        matches!(self, Self::Failed(_))
    }
}
