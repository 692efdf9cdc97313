//! The question `retry`: when is robots.txt fetched again after this result?
//!
//! Only engines with the role `Crawler` answer this question. `Edition::retry` computes the answer; this module
//! connects that function to the table of kinds in `engine/mod.rs`.

use super::table::Kind;
use super::{Answer, Interpreted, Role};
use crate::edition::Edition;
use crate::fetch::{FetchResult, Retry};
use crate::parser::Parser;

/// The data of a question of the kind `retry`.
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
