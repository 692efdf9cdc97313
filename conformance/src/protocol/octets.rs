//! Octets in a message: a robots.txt, in base64.

use std::borrow::Cow;

use base64::Engine as _;
use base64::display::Base64Display;
use base64::engine::general_purpose::STANDARD as BASE64;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// Octets that a message has in base64.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Octets<'o>(pub(super) Cow<'o, [u8]>);

impl Serialize for Octets<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&Base64Display::new(&self.0, &BASE64))
    }
}

impl<'de> Deserialize<'de> for Octets<'_> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = Cow::<str>::deserialize(deserializer)?;
        let octets = BASE64.decode(text.as_bytes());
        let octets = octets.map_err(|error| de::Error::custom(format_args!("no base64: {error}")));
        Ok(Self(Cow::Owned(octets?)))
    }
}
