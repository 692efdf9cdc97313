//! What a robots.txt URL has to do with another URL; decided in `robots_url`, behind feature `scope`.

use core::fmt;
use core::str::FromStr;

use super::unknown::UnknownWord;

/// What a robots.txt URL has to do with another URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scope {
    /// The rules of the file apply to the URL.
    Governs,
    /// They do not.
    DoesNotGovern,
    /// There is no robots.txt at such a URL.
    NotARobotsUrl,
}

impl Scope {
    /// Holds all three.
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
    /// [`UnknownWord`] where the text is none of the three.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        UnknownWord::find(Self::ALL, text, "governs, does-not-govern, not-a-robots-url")
    }
}
