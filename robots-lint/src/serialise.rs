//! Implements the traits of [`serde`](https://serde.rs) for findings, and for their kinds and levels. The feature
//! `serde` adds this module.
//!
//! Keys have the names of the methods that return the values. Line numbers count from 1, and spans are in octets.

use serde_core::ser::{Serialize, SerializeStruct as _, Serializer};

use super::kind::{FindingKind, Level};
use super::one::Finding;

robots_core::as_text!(Level, FindingKind);

/// The values of `cause` and `fix` are text. The value of `other` is the number of another line that the finding
/// mentions.
impl Serialize for Finding<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_struct("Finding", 9)?;
        fields.serialize_field("kind", &self.kind())?;
        fields.serialize_field("level", &self.level())?;
        fields.serialize_field("line", &self.line())?;
        fields.serialize_field("span", &self.span())?;
        fields.serialize_field("cause", &alloc::format!("{}", self.cause()))?;
        fields.serialize_field("fix", &alloc::format!("{}", self.fix()))?;
        fields.serialize_field("replacement", &self.replacement())?;
        fields.serialize_field("other", &self.other().map(|(line, _)| line))?;
        fields.serialize_field("source", &self.source())?;
        fields.end()
    }
}
