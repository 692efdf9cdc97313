//! The error of a text that names no value of a type: [`UnknownWord`].

use alloc::string::ToString as _;
use core::fmt;

/// The error of a text that names no value of a type.
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
    /// Returns the value whose `Display` writes the word.
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
