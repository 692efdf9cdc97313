//! The question `verdict`: may this crawler fetch this URL?

use alloc::string::{String, ToString as _};
use alloc::sync::Arc;

use super::table::Kind;
use super::{Answer, Interpreted, Role};
use crate::agent::Crawler;
use crate::edition::Profile;
use crate::parser::Parser;

/// A question for a verdict.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VerdictQuestion {
    /// The octets of the file.
    pub robots_txt: Arc<[u8]>,
    /// The crawler.
    pub crawler: Crawler,
    /// The URL, or its path and query.
    pub url: String,
}

/// A verdict, with what the engine says about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VerdictAnswer {
    /// Whether the URL may be fetched.
    pub allowed: bool,
    /// The number of the deciding line, from 1, if the engine knows it.
    pub line: Option<u32>,
    /// The engine's reason in words; shown, never judged.
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
        profile: Profile,
    ) -> Result<Self::Answer, Answer> {
        let robots_txt = engine.parse(profile, &self.robots_txt);
        match robots_txt.try_verdict(&self.crawler, &self.url) {
            Ok(verdict) => Ok(VerdictAnswer {
                allowed: verdict.is_allowed(),
                line: verdict.rule().map(|rule| rule.line().number.get()),
                evidence: Some(verdict.to_string()),
            }),
            Err(error) => Err(Answer::Error(error.to_string())),
        }
    }
}
