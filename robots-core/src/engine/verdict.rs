//! The question `verdict`: may this crawler fetch this URL?
//!
//! Engines with the role `Parser` or `Crawler` answer this question. `RobotsTxt::try_verdict` computes the answer. If
//! the URL or a product token is invalid, the answer is `Answer::Error`.

use alloc::string::{String, ToString as _};
use alloc::sync::Arc;

use super::table::Kind;
use super::{Agents, Answer, Interpreted, Role};
use crate::edition::Edition;
use crate::parser::Parser;

/// The data of a question of the kind `verdict`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VerdictQuestion {
    /// The octets of the file.
    pub robots_txt: Arc<[u8]>,
    /// The names of the crawler. Under an edition, these names are product tokens.
    pub agents: Agents,
    /// The URL, or its path and query.
    pub url: String,
}

/// A verdict, with the deciding line and the reason, if the engine gives them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VerdictAnswer {
    /// Whether the URL may be fetched.
    pub allowed: bool,
    /// The number of the deciding line, from 1, if the engine knows it.
    pub line: Option<u32>,
    /// The engine's reason as text. Reports show this text, but the suite does not check it.
    pub evidence: Option<String>,
}

impl Kind for VerdictQuestion {
    type Answer = VerdictAnswer;
    const ROLE: Option<Role> = None;

    fn robots_txt(&self) -> Option<&[u8]> {
        Some(&self.robots_txt)
    }

    fn answer<P: Parser>(
        &self,
        engine: &Interpreted<P>,
        edition: Edition,
    ) -> Result<Self::Answer, Answer> {
        let robots_txt = engine.parse(edition, &self.robots_txt);
        let crawler = self.agents.crawler().map_err(|error| Answer::Error(error.to_string()))?;
        match robots_txt.try_verdict(crawler, &self.url) {
            Ok(verdict) => Ok(VerdictAnswer {
                allowed: verdict.is_allowed(),
                line: verdict.rule().map(|rule| rule.line().number.get()),
                evidence: Some(verdict.to_string()),
            }),
            Err(error) => Err(Answer::Error(error.to_string())),
        }
    }
}
