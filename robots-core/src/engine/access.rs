//! The question `access`: what does this result of fetching robots.txt mean?
//!
//! Only engines with the role `Crawler` answer this question. `Edition::access` computes the answer; this module
//! connects that function to the table of kinds in `engine/mod.rs`.

use super::table::Kind;
use super::{Answer, Interpreted, Role};
use crate::edition::Edition;
use crate::fetch::{Access, FetchResult};
use crate::parser::Parser;

/// The data of a question of the kind `access`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AccessQuestion {
    /// The result of fetching robots.txt.
    pub fetch: FetchResult,
}

impl Kind for AccessQuestion {
    type Answer = Access;
    const ROLE: Option<Role> = Some(Role::Crawler);

    fn answer<P: Parser>(
        &self,
        _: &Interpreted<P>,
        edition: Edition,
    ) -> Result<Self::Answer, Answer> {
        Ok(edition.access(&self.fetch))
    }
}
