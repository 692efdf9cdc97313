//! The question `scope`: does the file at this robots.txt URL govern this URL?
//!
//! Only engines with the role `Crawler` answer this question. `fetch::scope` computes the answer. Without the feature
//! `scope`, the answer is `unsupported`.

use alloc::string::String;

use super::table::Kind;
use super::{Answer, Interpreted, Role};
use crate::edition::Edition;
use crate::fetch::Scope;
use crate::parser::Parser;

/// The data of a question of the kind `scope`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScopeQuestion {
    /// The URL of the robots.txt that was requested.
    pub robots_url: String,
    /// The URL from which the file came, if redirects led to another URL than the requested one.
    pub came_from: Option<String>,
    /// The URL to be crawled.
    pub url: String,
}

impl Kind for ScopeQuestion {
    type Answer = Scope;
    const ROLE: Option<Role> = Some(Role::Crawler);

    /// Does not use `came_from`: after a redirect, the file governs the origin of the URL that was requested (RFC 9309,
    /// 2.3.1.2).
    #[cfg(feature = "scope")]
    fn answer<P: Parser>(&self, _: &Interpreted<P>, _: Edition) -> Result<Self::Answer, Answer> {
        Ok(crate::fetch::scope(&self.robots_url, &self.url))
    }

    #[cfg(not(feature = "scope"))]
    fn answer<P: Parser>(&self, _: &Interpreted<P>, _: Edition) -> Result<Self::Answer, Answer> {
        Err(Answer::unsupported("built without the feature `scope`"))
    }
}
