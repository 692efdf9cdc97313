//! Short constructors for the answers that engines return most often.
//!
//! The table in `engine/mod.rs` defines [`Answer`]. [`Answer::verdict`] makes a verdict without a line and a reason,
//! and [`Answer::unsupported`] makes the answer to a question that the engine does not support.

use alloc::string::String;

use super::{Answer, VerdictAnswer};

impl Answer {
    /// Makes a verdict that names no deciding line and gives no reason.
    #[must_use]
    pub const fn verdict(allowed: bool) -> Self {
        Self::Verdict(VerdictAnswer { allowed, line: None, evidence: None })
    }

    /// Makes the answer to a question that the engine does not support.
    #[must_use]
    pub fn unsupported(reason: impl Into<String>) -> Self {
        Self::Unsupported(reason.into())
    }
}
