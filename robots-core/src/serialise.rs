//! Implements the traits of [`serde`](https://serde.rs) for verdicts, and for the rules, groups and lines that they
//! name. This module exists only with the feature `serde`. Start at the implementation for [`Verdict`]. Most keys have
//! the names of the methods that return the values. Octets become text, and octets that are not valid UTF-8 become
//! U+FFFD. Line numbers count from 1, and spans are in octets.

use alloc::string::String;
use alloc::vec::Vec;

use serde_core::de::{self, Deserialize, Deserializer};
use serde_core::ser::{Serialize, SerializeStruct as _, Serializer};

use crate::agent::{Crawler, ProductToken};
use crate::edition::{Edition, Section};
use crate::line::{LineKind, LineNumber, RuleKind, Span};
use crate::verdict::{Group, MergedGroup, Reason, Record, Rule, UserAgentLine, Verdict};

as_text!(Edition, RuleKind, ProductToken);

/// Serialises the crawler as a list of product tokens, most specific first.
impl Serialize for Crawler {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.tokens())
    }
}

impl<'de> Deserialize<'de> for Crawler {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let tokens = Vec::<String>::deserialize(deserializer)?;
        Self::new(tokens).map_err(de::Error::custom)
    }
}

impl Serialize for LineNumber {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u32(self.get())
    }
}

impl Serialize for Span {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_struct("Span", 2)?;
        fields.serialize_field("start", &self.start())?;
        fields.serialize_field("end", &self.end())?;
        fields.end()
    }
}

/// Serialises the reason as one word, for example `longest-rule`.
impl Serialize for Reason {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.id())
    }
}

impl Serialize for UserAgentLine<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let line = self.line();
        let mut fields = serializer.serialize_struct("UserAgentLine", 3)?;
        fields.serialize_field("value", &text(self.value()))?;
        fields.serialize_field("line", &line.number)?;
        fields.serialize_field("span", &line.span)?;
        fields.end()
    }
}

impl Serialize for Rule<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let line = self.line();
        let mut fields = serializer.serialize_struct("Rule", 4)?;
        fields.serialize_field("kind", &self.kind())?;
        fields.serialize_field("path", &text(self.path()))?;
        fields.serialize_field("line", &line.number)?;
        fields.serialize_field("span", &line.span)?;
        fields.end()
    }
}

impl Serialize for Record<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let line = self.line();
        let has_effect = matches!(self.kind(), LineKind::Record { effect: Ok(()), .. });
        let mut fields = serializer.serialize_struct("Record", 5)?;
        fields.serialize_field("name", &text(self.name()))?;
        fields.serialize_field("value", &text(self.value()))?;
        fields.serialize_field("has_effect", &has_effect)?;
        fields.serialize_field("line", &line.number)?;
        fields.serialize_field("span", &line.span)?;
        fields.end()
    }
}

impl Serialize for Group<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_struct("Group", 2)?;
        fields.serialize_field("user_agents", &List(self.user_agents().collect()))?;
        fields.serialize_field("rules", &List(self.rules().collect()))?;
        fields.end()
    }
}

/// Serialises the list of the groups that were merged.
impl Serialize for MergedGroup<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.groups())
    }
}

impl Serialize for Verdict<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_struct("Verdict", 4)?;
        fields.serialize_field("is_allowed", &self.is_allowed())?;
        fields.serialize_field("reason", &self.reason())?;
        fields.serialize_field("rule", &self.rule())?;
        fields.serialize_field("user_agent", &self.user_agent())?;
        fields.end()
    }
}

impl Serialize for Section {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_struct("Section", 3)?;
        fields.serialize_field("requirement", self.requirement())?;
        fields.serialize_field("edition", &self.edition())?;
        fields.serialize_field("section", self.section())?;
        fields.end()
    }
}

struct List<T>(alloc::vec::Vec<T>);

impl<T: Serialize> Serialize for List<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(&self.0)
    }
}

/// Returns the octets as text. Octets that are not valid UTF-8 become U+FFFD.
fn text(octets: &[u8]) -> String {
    String::from_utf8_lossy(octets).into_owned()
}
