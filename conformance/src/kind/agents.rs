//! The names of the crawler that a question is about: [`Agents`], their keys in a case and in a message, and their text.
//! Every kind of question about a crawler uses this module.
//!
//! Under an edition, the names are product tokens. Google's published library accepts any text. So this type accepts
//! any text too, but limits the number and the length of the names.

use std::fmt;

use robots_core::error::NotAProductToken;
use robots_core::{Crawler, ProductToken};
use serde::Deserialize;

use super::keys::{KeyGroup, Reading};
use crate::yaml::OneOrMany;
use robots_console::error::Error;
use robots_console::render::text;

/// The names of the crawler that a question is about, most specific first.
///
/// An edition accepts the names if they are product tokens ([`crawler`](Self::crawler)). Google's published library
/// accepts any text, so a question may contain any text.
///
/// ```
/// use robots_conformance::kind::Agents;
/// let agents = Agents::new(["examplebot"]).unwrap();
/// assert!(agents.crawler().is_ok());
/// let agents = Agents::new(["examplebot/1.0", ""]).unwrap();
/// assert_eq!(agents.texts(), ["examplebot/1.0", ""]);
/// assert!(agents.crawler().is_err());
/// assert!(Agents::new(["a"; 33]).is_err());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Agents {
    texts: Vec<String>,
    crawler: Result<Crawler, NotAProductToken>,
}

impl Agents {
    /// Makes the names of a crawler from their texts, most specific first.
    ///
    /// # Errors
    /// Returns an error if there are no texts or more than [`Crawler::MAX`], or if a text has more than
    /// [`ProductToken::MAX`] octets. The number is limited because each name is compared with every user-agent
    /// line.
    pub fn new<T: Into<String>>(texts: impl IntoIterator<Item = T>) -> Result<Self, Error> {
        let texts = texts.into_iter().take(Crawler::MAX + 1).map(Into::into);
        let texts: Vec<String> = texts.collect();
        let is_bounded = (1..=Crawler::MAX).contains(&texts.len())
            && texts.iter().all(|text| text.len() <= ProductToken::MAX);
        if !is_bounded {
            return Err(Error::new(format!(
                "a crawler has 1 to {} names of at most {} octets each",
                Crawler::MAX,
                ProductToken::MAX
            )));
        }
        let crawler = Crawler::new(texts.iter().map(String::as_str));
        Ok(Self { texts, crawler })
    }

    /// Returns the texts of the names, most specific first.
    #[must_use]
    pub fn texts(&self) -> &[String] {
        &self.texts
    }

    /// Adds the identification string that the crawler sends; see [`Crawler::identified_as`]. If a name is not a
    /// product token, there is no crawler, and this function adds nothing.
    #[must_use]
    pub fn identified_as(self, identification: &str) -> Self {
        let crawler = self.crawler.map(|crawler| crawler.identified_as(identification));
        Self { crawler, ..self }
    }

    /// Returns the identification string, if the crawler has one.
    #[must_use]
    pub fn identification(&self) -> Option<&str> {
        self.crawler().ok()?.identification()
    }

    /// Returns the crawler whose product tokens are these names.
    ///
    /// # Errors
    /// Returns [`NotAProductToken`] if a name is not a product token.
    pub fn crawler(&self) -> Result<&Crawler, NotAProductToken> {
        self.crawler.as_ref().map_err(|error| *error)
    }
}

impl From<Crawler> for Agents {
    fn from(crawler: Crawler) -> Self {
        let texts = crawler.tokens().iter().map(ToString::to_string).collect();
        Self { texts, crawler: Ok(crawler) }
    }
}

impl fmt::Display for Agents {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (position, text) in self.texts.iter().enumerate() {
            write!(f, "{}{text}", if position == 0 { "" } else { ", " })?;
        }
        Ok(())
    }
}

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

    use serde::ser::SerializeMap;

    use super::Agents;
    use crate::kind::fields::{Fields, NotAQuestion};
    use crate::kind::vector::VectorKeys;

    /// The names of the keys.
    pub(in crate::kind) const KEYS: [&str; 2] = ["crawler", "identification"];

    impl VectorKeys<'_> {
        /// Writes the product tokens of the crawler, and the string that it sends to identify itself, if there is one.
        pub(in crate::kind) fn agents(&mut self, agents: &Agents) {
            self.put("tokens", agents.texts());
            if let Some(identification) = agents.identification() {
                self.put("identification", identification);
            }
        }
    }

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

#[cfg(test)]
mod tests {
    use super::Agents;

    #[test]
    fn agents_are_bounded() {
        assert!(Agents::new(Vec::<String>::new()).is_err());
        assert!(Agents::new([""]).is_ok());
        assert!(Agents::new(["/"; 32]).is_ok());
        assert!(Agents::new(["/"; 33]).is_err());
        assert!(Agents::new(["/".repeat(256)]).is_ok());
        assert!(Agents::new(["/".repeat(257)]).is_err());
        // `new` reads only one name more than the limit, so it refuses an endless iterator too.
        assert!(Agents::new(std::iter::repeat("a")).is_err());
    }
}
