//! The crawler of a question: its keys in a case and in a message, and its text.

use robots_core::Crawler;
use serde::Deserialize;

use super::keys::{KeyGroup, Reading};
use crate::render::text;
use crate::yaml::OneOrMany;

/// The keys that give a crawler.
pub(super) const KEYS: KeyGroup = KeyGroup::of::<CrawlerKeys>();

#[derive(Debug, Default, Deserialize)]
struct CrawlerKeys {
    crawler: Option<OneOrMany<String>>,
    identification: Option<String>,
}

impl Reading<'_> {
    /// Reads the crawler; `examplebot` is the default.
    pub(super) fn crawler(&mut self) -> Crawler {
        let keys: CrawlerKeys = self.keys();
        let tokens = match keys.crawler {
            None => vec!["examplebot".to_owned()],
            Some(crawler) => crawler.into_vec(),
        };
        if tokens.is_empty() {
            self.wrong("crawler", "`crawler` is empty; give at least one product token");
        }
        // The observed profile takes any text; an edition wants product tokens.
        let crawler = Crawler::new(tokens.clone());
        let crawler = crawler.unwrap_or_else(|_| Crawler::as_given(tokens.clone()));
        let Some(identification) = keys.identification else {
            return crawler;
        };
        let header = identification.to_ascii_lowercase();
        if let Some(token) =
            tokens.iter().find(|token| !header.contains(&token.to_ascii_lowercase()))
        {
            let message = format!("the product token {token:?} is no part of `identification`");
            self.wrong("identification", message);
        }
        crawler.identified_as(identification)
    }
}

/// Renders a crawler.
pub(super) fn crawler_text(crawler: &Crawler) -> String {
    let tokens: Vec<String> = crawler.tokens().iter().map(|token| text(token.as_str())).collect();
    let tokens = tokens.join(", then ");
    match crawler.identification() {
        None => tokens,
        Some(identification) => format!("{tokens} (which sends {})", text(identification)),
    }
}

#[cfg(feature = "process")]
pub(super) mod wire {
    //! The keys `crawler` and `identification` of a message.

    use robots_core::{Crawler, ProductToken};
    use serde::ser::SerializeMap;

    use crate::kind::fields::{Fields, NotAQuestion};

    /// Their names.
    pub(in crate::kind) const KEYS: [&str; 2] = ["crawler", "identification"];

    /// Writes them.
    pub(in crate::kind) fn write<M: SerializeMap>(
        crawler: &Crawler,
        message: &mut M,
    ) -> Result<(), M::Error> {
        let tokens: Vec<&str> = crawler.tokens().iter().map(ProductToken::as_str).collect();
        message.serialize_entry(KEYS[0], &tokens)?;
        match crawler.identification() {
            Some(identification) => message.serialize_entry(KEYS[1], identification),
            None => Ok(()),
        }
    }

    /// Reads them.
    pub(in crate::kind) fn read(message: &Fields) -> Result<Crawler, NotAQuestion> {
        let tokens: Vec<String> = message.key(KEYS[0])?;
        if tokens.is_empty() {
            return Err(NotAQuestion::Wrong("`crawler` has no product token".to_owned()));
        }
        let tokens: Vec<&str> = tokens.iter().map(String::as_str).collect();
        // The observed profile takes any text; an edition wants product tokens.
        let crawler = Crawler::new(tokens.clone()).unwrap_or_else(|_| Crawler::as_given(tokens));
        Ok(match message.optional::<String>(KEYS[1])? {
            None => crawler,
            Some(identification) => crawler.identified_as(&*identification),
        })
    }
}
