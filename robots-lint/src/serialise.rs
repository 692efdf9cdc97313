//! Findings for [`serde`](https://serde.rs), behind feature `serde`.
//!
//! Names are those of the accessors. The numbers of lines count from 1, spans are in octets.

use serde_core::de::{self, Deserialize, Deserializer};
use serde_core::ser::{Serialize, SerializeStruct as _, Serializer};

use super::kind::{FindingKind, Level};
use super::one::Finding;

macro_rules! as_text {
    ($($type:ty),*) => {$(
        impl Serialize for $type {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = alloc::string::String::deserialize(deserializer)?;
                text.parse().map_err(de::Error::custom)
            }
        }
    )*};
}

as_text!(Level, FindingKind);

/// With cause and mend as text; `other` is the number of another line that the finding names.
impl Serialize for Finding<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_struct("Finding", 9)?;
        fields.serialize_field("kind", &self.kind())?;
        fields.serialize_field("level", &self.level())?;
        fields.serialize_field("line", &self.line())?;
        fields.serialize_field("span", &self.span())?;
        fields.serialize_field("cause", &alloc::format!("{}", self.cause()))?;
        fields.serialize_field("mend", &alloc::format!("{}", self.mend()))?;
        fields.serialize_field("replacement", &self.replacement())?;
        fields.serialize_field("other", &self.other().map(|(line, _)| line))?;
        fields.serialize_field("source", &self.source())?;
        fields.end()
    }
}
