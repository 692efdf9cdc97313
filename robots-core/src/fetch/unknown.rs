//! The error of a word that is none of a few: [`UnknownWord`].

use alloc::string::ToString as _;
use core::fmt;

/// The error of text that is none of the words of a type.
///
/// ```
/// use robots_core::fetch::Freshness;
/// assert_eq!("stale".parse(), Ok(Freshness::Stale));
/// let error = "old".parse::<Freshness>().unwrap_err();
/// assert_eq!(error.to_string(), "unknown word; the words are fresh, stale");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownWord(&'static str);

impl UnknownWord {
    /// Finds the value that a word is written for, given all words.
    pub(super) fn find<T: Copy + fmt::Display>(
        all: &[T],
        word: &str,
        words: &'static str,
    ) -> Result<T, Self> {
        all.iter().copied().find(|value| value.to_string() == word).ok_or(Self(words))
    }
}

impl fmt::Display for UnknownWord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "unknown word; the words are {}", self.0)
    }
}

impl core::error::Error for UnknownWord {}
