//! The question `sitemaps`: which sitemaps does this file name?
//!
//! Only engines with the role `Parser` answer this question. `RobotsTxt::sitemaps` computes the answer. The answer
//! contains the values as written. This module does not resolve the values against the URL of the robots.txt, and does
//! not check that they are URLs.

use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

use super::table::Kind;
use super::{Answer, Interpreted, Role};
use crate::edition::Edition;
use crate::parser::Parser;
use crate::text::text;

/// The data of a question of the kind `sitemaps`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SitemapsQuestion {
    /// The octets of the file.
    pub robots_txt: Arc<[u8]>,
}

impl Kind for SitemapsQuestion {
    type Answer = Vec<String>;
    const ROLE: Option<Role> = Some(Role::Parser);

    fn robots_txt(&self) -> Option<&[u8]> {
        Some(&self.robots_txt)
    }

    fn answer<P: Parser>(
        &self,
        engine: &Interpreted<P>,
        edition: Edition,
    ) -> Result<Self::Answer, Answer> {
        let robots_txt = engine.parse(edition, &self.robots_txt);
        Ok(robots_txt.sitemaps().map(|(value, _)| text(value)).collect())
    }
}
