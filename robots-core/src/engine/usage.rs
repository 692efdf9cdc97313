//! The question `usage`: may this crawler fetch this URL, and which uses of its content are allowed?
//!
//! Only engines with the role `Parser` answer this question. `RobotsTxt::try_usage` computes the answer. Without the
//! feature `usage`, the answer is `unsupported`.

use alloc::string::String;
#[cfg(feature = "usage")]
use alloc::string::ToString as _;
use alloc::sync::Arc;
use alloc::vec::Vec;

use super::table::Kind;
use super::{Agents, Answer, Interpreted, Role};
use crate::edition::Edition;
use crate::parser::Parser;
use crate::preference::{Preferences, Vocabulary};
#[cfg(feature = "usage")]
use crate::verdict::Usage;

/// The data of a question of the kind `usage`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UsageQuestion {
    /// The octets of the file.
    pub robots_txt: Arc<[u8]>,
    /// The names of the crawler. Under an edition, these names are product tokens.
    pub agents: Agents,
    /// The URL, or its path and query.
    pub url: String,
    /// The values of the `Content-Usage` field lines of the HTTP response, in order; empty if the response has no such
    /// line.
    pub header: Vec<Vec<u8>>,
    /// The vocabulary that defines the categories.
    pub vocabulary: Vocabulary,
}

/// The preferences about the use of a URL's content, with the deciding lines and the reason, if the engine gives them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UsageAnswer {
    /// The preferences for the categories of the vocabulary; `None` if the URL may not be fetched, because then no
    /// preference applies.
    pub preferences: Option<Preferences>,
    /// The numbers of the deciding `content-usage` lines, from 1, if the engine knows them.
    pub lines: Option<Vec<u32>>,
    /// The engine's reason as text. Reports show this text, but the suite does not check it.
    pub evidence: Option<String>,
}

#[cfg(feature = "usage")]
impl From<&Usage<'_>> for UsageAnswer {
    fn from(usage: &Usage<'_>) -> Self {
        Self {
            preferences: usage.preferences(),
            lines: Some(
                usage.statements().map(|statement| statement.line().number.get()).collect(),
            ),
            evidence: Some(usage.to_string()),
        }
    }
}

impl Kind for UsageQuestion {
    type Answer = UsageAnswer;
    const ROLE: Option<Role> = Some(Role::Parser);

    fn robots_txt(&self) -> Option<&[u8]> {
        Some(&self.robots_txt)
    }

    #[cfg(feature = "usage")]
    fn answer<P: Parser>(
        &self,
        engine: &Interpreted<P>,
        edition: Edition,
    ) -> Result<Self::Answer, Answer> {
        let robots_txt = engine.parse(edition, &self.robots_txt);
        let crawler = self.agents.crawler().map_err(|error| Answer::Error(error.to_string()))?;
        let header: Vec<&[u8]> = self.header.iter().map(Vec::as_slice).collect();
        match robots_txt.try_usage(crawler, &self.url, &header) {
            Ok(usage) => Ok(UsageAnswer::from(&usage.by(self.vocabulary))),
            Err(error) => Err(Answer::Error(error.to_string())),
        }
    }

    #[cfg(not(feature = "usage"))]
    fn answer<P: Parser>(
        &self,
        _engine: &Interpreted<P>,
        _edition: Edition,
    ) -> Result<Self::Answer, Answer> {
        Err(super::preference::without_feature())
    }
}
