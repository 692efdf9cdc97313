//! The kind `groups`: which groups does this file have, as written, before merging?
//!
//! An answer lists the agents and the rules of each group. Agents are compared as a set, and rules in their order.
//! Start at the implementation of [`Kind`]; the module `wire` reads and writes the messages.

use std::sync::Arc;

use robots_core::{Edition, Parser};
use serde::Deserialize;
use serde_yaml::Value;

use super::contract::{Kind, NotAnAnswer};
use super::group::{Group, RawRules, rules, rules_text, rules_yaml};
use super::keys::{KeyGroup, Reading, one};
use super::{Answer, Member, Role, file, mapping};
use robots_console::render::text;

/// The data of a question of the kind `groups`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GroupsQuestion {
    /// The octets of the file.
    pub robots_txt: Arc<[u8]>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawGroup {
    agents: Option<Vec<String>>,
    #[serde(default)]
    rules: RawRules,
}

impl Kind for GroupsQuestion {
    type Answer = Vec<Group>;
    type Expected = Vec<Group>;

    const ROLE: Option<Role> = Some(Role::Parser);
    const KEYS: &'static [KeyGroup] = &[file::KEYS];
    const ANSWERS: &'static str = "a list of `{ agents: [a], rules: [{ disallow: /x }] }`";
    const TEMPLATE: (&'static str, &'static str) =
        (file::TEMPLATE, "[{ agents: [examplebot], rules: [{ disallow: / }] }]");

    fn read(case: &mut Reading<'_>) -> Vec<Member> {
        one(case.robots_txt().map(|robots_txt| Self { robots_txt }))
    }

    fn robots_txt(&self) -> Option<&[u8]> {
        Some(&self.robots_txt)
    }

    fn answer<P: Parser>(&self, parser: &P, edition: Edition) -> Result<Self::Answer, Answer> {
        let robots_txt = file::parsed(parser, edition, &self.robots_txt);
        let groups = robots_txt.groups();
        Ok(groups.map(|group| Group::new(group.user_agents(), group.rules())).collect())
    }

    fn expected(value: &Value) -> Result<Vec<Group>, NotAnAnswer> {
        let raw: Vec<RawGroup> = serde_yaml::from_value(value.clone())?;
        let group = |group: RawGroup| match group.agents {
            Some(agents) => Ok(Group { agents, rules: rules(group.rules)? }.into_expected()),
            None => Err(NotAnAnswer::Sentence("a group of `groups` needs `agents`".to_owned())),
        };
        raw.into_iter().map(group).collect()
    }

    fn is_open(_: &[&Vec<Group>]) -> bool {
        false
    }

    fn stated(answer: &Vec<Group>) -> Vec<Group> {
        answer.iter().cloned().map(Group::into_expected).collect()
    }

    fn question(&self) -> String {
        "which groups does the file have, as written?".to_owned()
    }

    fn text(groups: &Vec<Group>) -> String {
        if groups.is_empty() {
            return "no groups".to_owned();
        }
        let group = |group: &Group| {
            let agents: Vec<String> = group.agents.iter().map(|agent| text(agent)).collect();
            format!("group of {}{}", agents.join(", "), rules_text(&group.rules))
        };
        groups.iter().map(group).collect::<Vec<_>>().join("\n")
    }

    fn yaml(groups: &Vec<Group>) -> Value {
        let group = |group: &Group| {
            let agents: Vec<Value> = group.agents.iter().map(|a| a.as_str().into()).collect();
            mapping([("agents", agents.into()), ("rules", rules_yaml(&group.rules))])
        };
        groups.iter().map(group).collect::<Vec<_>>().into()
    }
}

#[cfg(feature = "process")]
mod wire {
    use serde::ser::SerializeMap;

    use super::{Group, GroupsQuestion};
    use crate::kind::contract::Wire;
    use crate::kind::fields::{Fields, NotAQuestion, WrongKey};
    use crate::kind::file;
    use crate::kind::group::wire::GroupMessage;

    impl Wire for GroupsQuestion {
        const QUESTION_KEYS: &'static [&'static str] = &[file::wire::KEY];

        fn write<M: SerializeMap>(&self, message: &mut M) -> Result<(), M::Error> {
            file::wire::write(&self.robots_txt, message)
        }

        fn read(message: &Fields) -> Result<Self, NotAQuestion> {
            Ok(Self { robots_txt: file::wire::read(message)? })
        }

        fn write_expected<M: SerializeMap>(
            expected: &Vec<Group>,
            message: &mut M,
        ) -> Result<(), M::Error> {
            let groups = expected.iter().map(|it| GroupMessage::new(Some(&it.agents), &it.rules));
            message.serialize_entry("groups", &groups.collect::<Vec<_>>())
        }

        /// Writes the agents as the engine reported them.
        fn write_answer<M: SerializeMap>(
            answer: &Vec<Group>,
            message: &mut M,
        ) -> Result<(), M::Error> {
            let groups: Vec<_> = answer.iter().map(GroupMessage::from).collect();
            message.serialize_entry("groups", &groups)
        }

        fn read_answer(message: &Fields) -> Result<Vec<Group>, WrongKey> {
            const GROUPS: &str = "a list of {\"agents\":[\"a\"],\"rules\":[[\"disallow\",\"/x\"]]}";
            let groups: Option<Vec<GroupMessage<'static>>> = message.get("groups");
            let written = |groups: Vec<GroupMessage<'_>>| {
                groups.into_iter().map(|it| it.written(true)).collect()
            };
            groups.and_then(written).ok_or_else(|| WrongKey::new("groups", GROUPS))
        }
    }
}
