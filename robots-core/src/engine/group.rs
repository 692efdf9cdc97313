//! The question `group`: which merged group does this crawler follow?
//!
//! Only engines with the role `Parser` answer this question. `RobotsTxt::followed_by` computes the answer.
//! [`WrittenGroup`] is the form of a group in the answers to this question and to the question `groups`.

use alloc::string::{String, ToString as _};
use alloc::sync::Arc;
use alloc::vec::Vec;

use super::table::Kind;
use super::{Agents, Answer, Interpreted, Role};
use crate::edition::Edition;
use crate::line::RuleKind;
use crate::parser::Parser;
use crate::text::text;
use crate::verdict::{Rule, UserAgentLine};

/// The data of a question of the kind `group`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GroupQuestion {
    /// The octets of the file.
    pub robots_txt: Arc<[u8]>,
    /// The names of the crawler. Under an edition, these names are product tokens.
    pub agents: Agents,
}

/// A group as answers contain it, without line numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WrittenGroup {
    /// The values of the group's user-agent lines, as written, without surrounding white space.
    pub agents: Vec<String>,
    /// The rules in the order of the file, each with its kind and its value. The value is as written, without
    /// surrounding white space, but octets that are not valid UTF-8 become U+FFFD. Rules without effect are omitted.
    pub rules: Vec<(RuleKind, String)>,
}

impl Kind for GroupQuestion {
    type Answer = Option<WrittenGroup>;
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
        let crawler = self.agents.crawler().map_err(|error| Answer::Error(error.to_string()))?;
        Ok(robots_txt.followed_by(crawler).map(|followed| {
            let agents = followed.groups().flat_map(|group| group.user_agents());
            WrittenGroup::new(agents, followed.rules())
        }))
    }
}

impl WrittenGroup {
    pub(super) fn new<'r>(
        agents: impl Iterator<Item = UserAgentLine<'r>>,
        rules: impl Iterator<Item = Rule<'r>>,
    ) -> Self {
        Self {
            agents: agents.map(|agent| text(agent.value())).collect(),
            rules: rules.map(|rule| (rule.kind(), text(rule.path()))).collect(),
        }
    }
}
