//! The question `groups`: which groups does this file have, as written, before merging?
//!
//! Only engines with the role `Parser` answer this question. `RobotsTxt::groups` computes the answer. With this
//! question, a case can test where groups begin and end, without naming a crawler.

use alloc::sync::Arc;
use alloc::vec::Vec;

use super::table::Kind;
use super::{Answer, Interpreted, Role, WrittenGroup};
use crate::edition::Edition;
use crate::parser::Parser;

/// The data of a question of the kind `groups`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GroupsQuestion {
    /// The octets of the file.
    pub robots_txt: Arc<[u8]>,
}

impl Kind for GroupsQuestion {
    type Answer = Vec<WrittenGroup>;
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
        let groups = robots_txt.groups();
        Ok(groups.map(|group| WrittenGroup::new(group.user_agents(), group.rules())).collect())
    }
}
