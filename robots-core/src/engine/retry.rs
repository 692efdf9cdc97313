//! The question `retry`: when is robots.txt fetched again after this result?
//!
//! It is a question for crawlers. `Edition::retry` computes the answer; this module connects that function to the table
//! of kinds in `engine/mod.rs`.

use super::table::Kind;
use super::{Answer, Interpreted, Role};
use crate::edition::Edition;
use crate::fetch::{FetchResult, Retry};
use crate::parser::Parser;

/// The question of the kind `retry`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RetryQuestion {
    /// The result of fetching robots.txt.
    pub fetch: FetchResult,
}

impl Kind for RetryQuestion {
    type Answer = Retry;
    const ROLE: Option<Role> = Some(Role::Crawler);

    fn answer<P: Parser>(
        &self,
        _: &Interpreted<P>,
        edition: Edition,
    ) -> Result<Self::Answer, Answer> {
        Ok(edition.retry(&self.fetch))
    }
}
