//! The agents of a question: their keys in a case and in a message, and their text. Every kind of question about a
//! crawler uses this module. Start at [`Reading::agents`].

use robots_core::engine::Agents;
use serde::Deserialize;

use super::keys::{KeyGroup, Reading};
use crate::render::text;
use crate::yaml::OneOrMany;

/// The keys that give the agents.
pub(super) const KEYS: KeyGroup = KeyGroup::of::<CrawlerKeys>();

#[derive(Debug, Default, Deserialize)]
struct CrawlerKeys {
    crawler: Option<OneOrMany<String>>,
    identification: Option<String>,
}

impl Reading<'_> {
    /// Reads the agents; `examplebot` is the default.
    pub(super) fn agents(&mut self) -> Option<Agents> {
        let keys: CrawlerKeys = self.keys();
        let tokens = match keys.crawler {
            None => vec!["examplebot".to_owned()],
            Some(crawler) => crawler.into_vec(),
        };
        if tokens.is_empty() {
            self.wrong("crawler", "`crawler` is empty; give at least one product token");
            return None;
        }
        let agents = match Agents::new(tokens.iter().map(String::as_str)) {
            Ok(agents) => agents,
            Err(error) => {
                self.wrong("crawler", format!("`crawler`: {error}"));
                return None;
            }
        };
        let Some(identification) = keys.identification else {
            return Some(agents);
        };
        let header = identification.to_ascii_lowercase();
        if let Some(token) =
            tokens.iter().find(|token| !header.contains(&token.to_ascii_lowercase()))
        {
            let message = format!("the product token {token:?} does not occur in `identification`");
            self.wrong("identification", message);
        }
        Some(agents.identified_as(&identification))
    }
}

/// Renders agents.
pub(super) fn agents_text(agents: &Agents) -> String {
    let texts: Vec<String> = agents.texts().iter().map(|agent| text(agent)).collect();
    let tokens = texts.join(", then ");
    match agents.identification() {
        None => tokens,
        Some(identification) => format!("{tokens} (which sends {})", text(identification)),
    }
}

#[cfg(feature = "process")]
pub(super) mod wire {
    //! The keys `crawler` and `identification` of a message.

    use robots_core::engine::Agents;
    use serde::ser::SerializeMap;

    use crate::kind::fields::{Fields, NotAQuestion};

    /// The names of the keys.
    pub(in crate::kind) const KEYS: [&str; 2] = ["crawler", "identification"];

    /// Writes the agents.
    pub(in crate::kind) fn write<M: SerializeMap>(
        agents: &Agents,
        message: &mut M,
    ) -> Result<(), M::Error> {
        message.serialize_entry(KEYS[0], agents.texts())?;
        match agents.identification() {
            Some(identification) => message.serialize_entry(KEYS[1], identification),
            None => Ok(()),
        }
    }

    /// Reads the agents.
    pub(in crate::kind) fn read(message: &Fields) -> Result<Agents, NotAQuestion> {
        let tokens: Vec<String> = message.key(KEYS[0])?;
        if tokens.is_empty() {
            return Err(NotAQuestion::Wrong("`crawler` has no product token".to_owned()));
        }
        let agents = Agents::new(tokens)
            .map_err(|error| NotAQuestion::Wrong(format!("`crawler`: {error}")))?;
        Ok(match message.optional::<String>(KEYS[1])? {
            None => agents,
            Some(identification) => agents.identified_as(&identification),
        })
    }
}
