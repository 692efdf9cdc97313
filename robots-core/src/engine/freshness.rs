//! The question `freshness`: may this cached copy still be used?
//!
//! Only engines with the role `Crawler` answer this question. `Edition::freshness` computes the answer; this module
//! connects that function to the table of kinds in `engine/mod.rs`.

use super::table::Kind;
use super::{Answer, Interpreted, Role};
use crate::edition::Edition;
use crate::fetch::{CachedCopy, Freshness};
use crate::parser::Parser;

/// The data of a question of the kind `freshness`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FreshnessQuestion {
    /// The cached copy.
    pub copy: CachedCopy,
}

impl Kind for FreshnessQuestion {
    type Answer = Freshness;
    const ROLE: Option<Role> = Some(Role::Crawler);

    fn answer<P: Parser>(
        &self,
        _: &Interpreted<P>,
        edition: Edition,
    ) -> Result<Self::Answer, Answer> {
        Ok(edition.freshness(&self.copy))
    }
}
