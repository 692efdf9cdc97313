//! The kind `group`: which merged group does this crawler follow?
//!
//! An expected answer lists the rules of the group in the order of the file, or states that there is no group. The
//! agents of the group are not compared. Start at the implementation of [`Kind`]; the module `wire` reads and writes
//! the messages. The kind `groups` also uses [`rules()`], [`rules_text()`], [`rules_yaml()`] and `wire::GroupMessage`.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::Arc;

use robots_core::{Edition, Parser, RuleKind, UserAgentLine};
use serde::Deserialize;
use serde_yaml::Value;

use super::agents::{self, Agents, agents_text};
use super::contract::{Kind, NotAnAnswer};
use super::keys::{KeyGroup, Reading, one};
use super::word::Word as _;
use super::{Answer, Member, Role, file, mapping};
use robots_console::render::text;

/// The data of a question of the kind `group`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GroupQuestion {
    /// The octets of the file.
    pub robots_txt: Arc<[u8]>,
    /// The names of the crawler. Under an edition, these names are product tokens.
    pub agents: Agents,
}

/// A group as answers and expectations contain it, without line numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Group {
    /// The values of the group's user-agent lines, as written, without surrounding white space. In an expectation, they
    /// are in ASCII lower case, sorted and without duplicates, so that they compare as a set.
    pub agents: Vec<String>,
    /// The rules in the order of the file, each with its kind and its value. The value is as written, without
    /// surrounding white space, but octets that are not valid UTF-8 become U+FFFD. Rules without effect are omitted.
    pub rules: Vec<Rule>,
}

/// A rule: its kind, and its value as written without surrounding white space.
pub(crate) type Rule = (RuleKind, String);

/// Rules as a case writes them: each rule is a mapping with one pair.
pub(super) type RawRules = Vec<BTreeMap<String, String>>;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawGroup {
    agents: Option<Vec<String>>,
    #[serde(default)]
    rules: RawRules,
}

impl Kind for GroupQuestion {
    type Answer = Option<Group>;
    type Expected = Option<Vec<Rule>>;

    const ROLE: Option<Role> = Some(Role::Parser);
    const KEYS: &'static [KeyGroup] = &[file::KEYS, agents::KEYS];
    const ANSWERS: &'static str = "`{ rules: [{ disallow: /x }] }` or `none`";
    const TEMPLATE: (&'static str, &'static str) = (file::TEMPLATE, "{ rules: [{ disallow: / }] }");

    fn read(case: &mut Reading<'_>) -> Vec<Member> {
        let agents = case.agents();
        one(case.robots_txt().zip(agents).map(|(robots_txt, agents)| Self { robots_txt, agents }))
    }

    fn robots_txt(&self) -> Option<&[u8]> {
        Some(&self.robots_txt)
    }

    fn answer<P: Parser>(&self, parser: &P, edition: Edition) -> Result<Self::Answer, Answer> {
        let robots_txt = file::parsed(parser, edition, &self.robots_txt);
        let crawler = self.agents.crawler().map_err(|error| Answer::Error(error.to_string()))?;
        Ok(robots_txt.followed_by(crawler).map(|followed| {
            let agents = followed.groups().flat_map(|group| group.user_agents());
            Group::new(agents, followed.rules())
        }))
    }

    fn expected(value: &Value) -> Result<Option<Vec<Rule>>, NotAnAnswer> {
        if value.as_str() == Some("none") {
            return Ok(None);
        }
        let raw: RawGroup = serde_yaml::from_value(value.clone())?;
        if raw.agents.is_some() {
            let sentence = "the agents of a merged group are not compared; leave `agents` out";
            return Err(NotAnAnswer::Sentence(sentence.to_owned()));
        }
        rules(raw.rules).map(Some)
    }

    fn is_open(_: &[&Option<Vec<Rule>>]) -> bool {
        false
    }

    fn stated(answer: &Option<Group>) -> Option<Vec<Rule>> {
        answer.as_ref().map(|group| group.rules.clone())
    }

    fn question(&self) -> String {
        format!("which merged group does {} follow?", agents_text(&self.agents))
    }

    fn text(rules: &Option<Vec<Rule>>) -> String {
        match rules.as_deref() {
            None => "none".to_owned(),
            Some([]) => "group without rules".to_owned(),
            Some(rules) => format!("group{}", rules_text(rules)),
        }
    }

    fn yaml(rules: &Option<Vec<Rule>>) -> Value {
        match rules {
            None => "none".into(),
            Some(rules) => mapping([("rules", rules_yaml(rules))]),
        }
    }
}

/// Reads the rules of a case.
pub(super) fn rules(raw: RawRules) -> Result<Vec<Rule>, NotAnAnswer> {
    let rule = |entry: BTreeMap<String, String>| {
        let mut pairs = entry.into_iter();
        let pair = match (pairs.next(), pairs.next()) {
            (Some((kind, value)), None) => RuleKind::find(&kind).map(|kind| (kind, value)),
            _ => None,
        };
        let sentence = "a rule is one pair, `allow: /x` or `disallow: /x`";
        pair.ok_or_else(|| NotAnAnswer::Sentence(sentence.to_owned()))
    };
    raw.into_iter().map(rule).collect()
}

/// Renders rules, one on each line.
pub(super) fn rules_text(rules: &[Rule]) -> String {
    let mut out = String::new();
    for (kind, value) in rules {
        let _ = write!(out, "\n  {kind}: {}", text(value));
    }
    out
}

/// Returns rules as a case writes them.
pub(super) fn rules_yaml(rules: &[Rule]) -> Value {
    let rule = |(kind, value): &Rule| mapping([(kind.to_string().as_str(), value.as_str().into())]);
    rules.iter().map(rule).collect::<Vec<_>>().into()
}

impl Group {
    pub(super) fn new<'r>(
        agents: impl Iterator<Item = UserAgentLine<'r>>,
        rules: impl Iterator<Item = robots_core::Rule<'r>>,
    ) -> Self {
        Self {
            agents: agents.map(|agent| file::text(agent.value())).collect(),
            rules: rules.map(|rule| (rule.kind(), file::text(rule.path()))).collect(),
        }
    }

    /// Returns the group as an expectation has it: with its agents as a set.
    pub(super) fn into_expected(mut self) -> Self {
        self.agents.iter_mut().for_each(|agent| agent.make_ascii_lowercase());
        self.agents.sort();
        self.agents.dedup();
        self
    }
}

#[cfg(feature = "process")]
pub(super) mod wire {
    //! The messages of this kind, and the form of a group in them.

    use std::borrow::Cow;

    use robots_core::RuleKind;
    use serde::ser::SerializeMap;
    use serde::{Deserialize, Serialize};

    use super::{Group, GroupQuestion, Rule};
    use crate::kind::contract::Wire;
    use crate::kind::fields::{Fields, NotAQuestion, WrongKey};
    use crate::kind::vector::WriteVector;
    use crate::kind::word::wire::As;
    use crate::kind::{agents, file};

    impl Wire for GroupQuestion {
        const QUESTION_KEYS: &'static [&'static str] =
            &[file::wire::KEY, agents::wire::KEYS[0], agents::wire::KEYS[1]];
        const WRITE_VECTOR: Option<WriteVector<Self>> = Some(|question, keys| {
            keys.robots_txt(&question.robots_txt);
            keys.agents(&question.agents);
        });

        fn write<M: SerializeMap>(&self, message: &mut M) -> Result<(), M::Error> {
            file::wire::write(&self.robots_txt, message)?;
            agents::wire::write(&self.agents, message)
        }

        fn read(message: &Fields) -> Result<Self, NotAQuestion> {
            let robots_txt = file::wire::read(message)?;
            Ok(Self { robots_txt, agents: agents::wire::read(message)? })
        }

        fn write_expected<M: SerializeMap>(
            expected: &Option<Vec<Rule>>,
            message: &mut M,
        ) -> Result<(), M::Error> {
            let group = expected.as_ref().map(|rules| GroupMessage::new(None, rules));
            message.serialize_entry("group", &group)
        }

        /// Writes the agents too, although they are not judged.
        fn write_answer<M: SerializeMap>(
            answer: &Option<Group>,
            message: &mut M,
        ) -> Result<(), M::Error> {
            message.serialize_entry("group", &answer.as_ref().map(GroupMessage::from))
        }

        fn read_answer(message: &Fields) -> Result<Option<Group>, WrongKey> {
            const GROUP: &str =
                "{\"rules\":[[\"disallow\",\"/x\"]]}, or null if the crawler follows no group";
            if message.is_null("group") {
                return Ok(None);
            }
            let group: Option<GroupMessage<'static>> = message.get("group");
            let written = group.and_then(|group| group.written(false));
            written.map(Some).ok_or_else(|| WrongKey::new("group", GROUP))
        }
    }

    /// A group in a message.
    #[derive(Serialize, Deserialize)]
    pub(in crate::kind) struct GroupMessage<'a> {
        #[serde(skip_serializing_if = "Option::is_none")]
        agents: Option<Vec<Cow<'a, str>>>,
        rules: Vec<(As<RuleKind>, Cow<'a, str>)>,
    }

    impl<'a> GroupMessage<'a> {
        /// Makes the message of a group. Without `agents`, the message does not have this key.
        pub(in crate::kind) fn new(agents: Option<&'a Vec<String>>, rules: &'a [Rule]) -> Self {
            let text = |text: &'a String| Cow::Borrowed(text.as_str());
            Self {
                agents: agents.map(|agents| agents.iter().map(text).collect()),
                rules: rules.iter().map(|(kind, path)| (As(*kind), text(path))).collect(),
            }
        }

        /// Returns the group. Returns `None` if `needs_agents` is true and the message has no agents.
        pub(in crate::kind) fn written(self, needs_agents: bool) -> Option<Group> {
            let agents = match self.agents {
                Some(agents) => agents.into_iter().map(Cow::into_owned).collect(),
                None if needs_agents => return None,
                None => Vec::new(),
            };
            let rules = self.rules.into_iter().map(|(As(kind), path)| (kind, path.into_owned()));
            Some(Group { agents, rules: rules.collect() })
        }
    }

    impl<'a> From<&'a Group> for GroupMessage<'a> {
        fn from(group: &'a Group) -> Self {
            Self::new(Some(&group.agents), &group.rules)
        }
    }
}
