//! The robots.txt of a question: its keys in a case, and its octets in a message.
//!
//! Every kind that asks about a file uses this module. Start at [`Reading::robots_txt`]. A case gives the file in
//! exactly one way: as text, as escaped text, as parts, as one pattern, or as a pair of rules. From a pattern or a pair
//! of rules, this module makes a file for the crawler `examplebot`. The module `wire` writes the octets of a message in
//! base64, because octets need not be UTF-8.

use std::fmt::Write as _;
use std::sync::Arc;

use robots_core::{Edition, Options, Parser, RobotsTxt};
use robots_spec_cases::unescape;
use serde::Deserialize;

use super::keys::{KeyGroup, Reading};
use crate::octets::{WrittenPart, join};

/// The keys that give a robots.txt. A case has exactly one of these keys, or both `allow` and `disallow`.
pub(super) const KEYS: KeyGroup = KeyGroup::of::<FileKeys>();

/// The beginning of a new case about a file, as YAML.
pub(super) const TEMPLATE: &str =
    "    robots: |\n      user-agent: examplebot\n      disallow: /\n";

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
struct FileKeys {
    robots: Option<String>,
    robots_escaped: Option<String>,
    robots_parts: Option<Vec<WrittenPart>>,
    pattern: Option<String>,
    allow: Option<String>,
    disallow: Option<String>,
}

impl Reading<'_> {
    /// Returns whether the case gives a robots.txt.
    pub(super) fn has_file(&self) -> bool {
        ["robots", "robots-escaped", "robots-parts", "pattern", "allow", "disallow"]
            .iter()
            .any(|key| self.has(key))
    }

    /// Reads the octets of the robots.txt.
    pub(super) fn robots_txt(&mut self) -> Option<Arc<[u8]>> {
        let keys: FileKeys = self.keys();
        let pair = keys.allow.is_some() || keys.disallow.is_some();
        let given = [
            ("robots", keys.robots.is_some()),
            ("robots-escaped", keys.robots_escaped.is_some()),
            ("robots-parts", keys.robots_parts.is_some()),
            ("pattern", keys.pattern.is_some()),
            ("allow", pair),
        ];
        let mut given = given.into_iter().filter(|(_, given)| *given).map(|(key, _)| key);
        let Some(key) = given.next() else {
            let message = "no robots.txt; give one of `robots`, `robots-escaped`, `robots-parts`, \
                           `pattern`, or `allow` and `disallow`";
            self.wrong("id", message);
            return None;
        };
        if let Some(other) = given.next() {
            self.wrong(other, format!("both `{key}` and `{other}` give the robots.txt; keep one"));
            return None;
        }
        if pair && (keys.allow.is_none() || keys.disallow.is_none()) {
            self.wrong(
                if keys.allow.is_some() { "allow" } else { "disallow" },
                "`allow` and `disallow` come as a pair; for one rule write `pattern` or `robots`",
            );
            return None;
        }
        let octets = match key {
            "robots" => Ok(keys.robots.unwrap_or_default().into_bytes()),
            "robots-escaped" => unescape(keys.robots_escaped.as_deref().unwrap_or_default())
                .map_err(|problem| problem.to_string()),
            "robots-parts" => join(keys.robots_parts.as_deref().unwrap_or_default()),
            "pattern" => Ok(file(&[("disallow", keys.pattern.as_deref())])),
            _ => Ok(file(&[
                ("allow", keys.allow.as_deref()),
                ("disallow", keys.disallow.as_deref()),
            ])),
        };
        match octets {
            Ok(octets) => Some(octets.into()),
            Err(problem) => {
                self.wrong(key, format!("`{key}`: {problem}"));
                None
            }
        }
    }
}

fn file(rules: &[(&str, Option<&str>)]) -> Vec<u8> {
    let mut text = "user-agent: examplebot\n".to_owned();
    for (field, value) in rules {
        let _ = writeln!(text, "{field}: {}", value.unwrap_or_default());
    }
    text.into_bytes()
}

/// Parses a file under an edition.
pub(super) fn parsed<'o, P: Parser>(
    parser: &P,
    edition: Edition,
    octets: &'o [u8],
) -> RobotsTxt<&'o [u8]> {
    RobotsTxt::parse(parser, octets, Options::from(edition))
}

/// Returns octets of a file as an answer contains them: octets that are not valid UTF-8 become U+FFFD.
pub(super) fn text(octets: &[u8]) -> String {
    String::from_utf8_lossy(octets).into_owned()
}

#[cfg(feature = "process")]
pub(super) mod wire {
    //! The key `robots_txt` of a message.

    use std::borrow::Cow;
    use std::sync::Arc;

    use base64::Engine as _;
    use base64::display::Base64Display;
    use base64::engine::general_purpose::STANDARD as BASE64;
    use serde::ser::SerializeMap;
    use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

    use crate::kind::fields::{Fields, NotAQuestion};

    /// The name of the key.
    pub(in crate::kind) const KEY: &str = "robots_txt";

    /// Writes the octets of a robots.txt.
    pub(in crate::kind) fn write<M: SerializeMap>(
        octets: &[u8],
        message: &mut M,
    ) -> Result<(), M::Error> {
        message.serialize_entry(KEY, &Octets::of(octets))
    }

    /// Reads the octets of a robots.txt.
    pub(in crate::kind) fn read(message: &Fields) -> Result<Arc<[u8]>, NotAQuestion> {
        let Octets(octets) = message.key(KEY)?;
        Ok(Arc::from(octets))
    }

    /// Octets that a message has in base64.
    pub(in crate::kind) struct Octets<'o>(pub(in crate::kind) Cow<'o, [u8]>);

    impl<'o> Octets<'o> {
        pub(in crate::kind) fn of(octets: &'o [u8]) -> Self {
            Self(Cow::Borrowed(octets))
        }

        pub(in crate::kind) fn into_vec(self) -> Vec<u8> {
            self.0.into_owned()
        }
    }

    impl Serialize for Octets<'_> {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            serializer.collect_str(&Base64Display::new(&self.0, &BASE64))
        }
    }

    impl<'de> Deserialize<'de> for Octets<'_> {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            let text = Cow::<str>::deserialize(deserializer)?;
            let octets = BASE64.decode(text.as_bytes());
            let octets =
                octets.map_err(|error| de::Error::custom(format_args!("not base64: {error}")));
            Ok(Self(Cow::Owned(octets?)))
        }
    }
}
