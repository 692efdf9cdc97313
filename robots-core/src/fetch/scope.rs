//! The answer whether the file at a robots.txt URL governs another URL. `robots_url` computes it, with feature `scope`.

use core::fmt;
use core::str::FromStr;

use super::unknown::UnknownWord;

/// Whether the file at a robots.txt URL governs another URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scope {
    /// The rules of the file apply to the URL.
    Governs,
    /// The rules of the file do not apply to the URL.
    DoesNotGovern,
    /// The URL is not the URL of a robots.txt.
    NotARobotsUrl,
}

impl Scope {
    /// Contains all three values.
    ///
    /// ```
    /// use robots_core::fetch::Scope;
    /// let ids = ["governs", "does-not-govern", "not-a-robots-url"];
    /// assert!(Scope::ALL.iter().map(Scope::to_string).eq(ids));
    /// ```
    pub const ALL: &'static [Self] = &[Self::Governs, Self::DoesNotGovern, Self::NotARobotsUrl];
}

impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Governs => "governs",
            Self::DoesNotGovern => "does-not-govern",
            Self::NotARobotsUrl => "not-a-robots-url",
        })
    }
}

impl FromStr for Scope {
    type Err = UnknownWord;

    /// Reads the word that its `Display` writes.
    ///
    /// # Errors
    /// Returns [`UnknownWord`] if the text is not one of the three words.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        UnknownWord::find(Self::ALL, text, "governs, does-not-govern, not-a-robots-url")
    }
}
