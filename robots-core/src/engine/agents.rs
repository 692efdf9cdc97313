//! The names of the crawler that a question is about: [`Agents`].
//!
//! Under an edition, the names are product tokens. Google's published library accepts any text. So this type accepts
//! any text too, but limits the number and the length of the names.

use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

use crate::agent::{Crawler, NotAProductToken, ProductToken};

/// The names of the crawler that a question is about, most specific first.
///
/// An edition accepts the names if they are product tokens ([`crawler`](Self::crawler)). Google's published library
/// accepts any text, so a question may contain any text.
///
/// ```
/// use robots_core::engine::Agents;
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
    /// Returns [`NotAgents`] if there are no texts or more than [`Crawler::MOST`], or if a text has more than
    /// [`ProductToken::LONGEST`] octets. The number is limited because each name is compared with every user-agent
    /// line.
    pub fn new<T: Into<String>>(texts: impl IntoIterator<Item = T>) -> Result<Self, NotAgents> {
        let texts = texts.into_iter().take(Crawler::MOST + 1).map(Into::into);
        let texts: Vec<String> = texts.collect();
        let is_bounded = (1..=Crawler::MOST).contains(&texts.len())
            && texts.iter().all(|text| text.len() <= ProductToken::LONGEST);
        if !is_bounded {
            return Err(NotAgents(()));
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

/// The error for texts that cannot be the names of a crawler: there are no texts or too many, or a text is too long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotAgents(());

impl fmt::Display for NotAgents {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "a crawler has 1 to {} names of at most {} octets each",
            Crawler::MOST,
            ProductToken::LONGEST
        )
    }
}

impl core::error::Error for NotAgents {}

#[cfg(test)]
mod tests {
    use alloc::string::String;
    use alloc::vec::Vec;

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
        assert!(Agents::new(core::iter::repeat("a")).is_err());
    }
}
