//! How a file is read: [`Options`].

use crate::edition::Edition;

/// How a file is read.
///
/// ```
/// use robots_core::{Edition, Options};
/// let options = Options::default().edition(Edition::Rfc9309).limit(1024 * 1024);
/// assert_eq!(options, Options::default().limit(1024 * 1024).edition(Edition::Rfc9309));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Options {
    edition: Edition,
    /// The octets to read, where it was said.
    limit: Option<usize>,
}

impl Options {
    /// The octets that are read of any file at most, whatever the limit: 512 MiB.
    pub const MOST: usize = 512 * 1024 * 1024;

    /// Sets the edition by which the file is read and questions are answered.
    #[must_use]
    pub const fn edition(self, edition: Edition) -> Self {
        Self { edition, ..self }
    }

    /// Sets how many octets are read; the rest is ignored. Unless set it is the edition's limit, 500 KiB.
    /// Never more than [`MOST`](Self::MOST) are read.
    ///
    /// ```
    /// use robots_core::Options;
    /// assert_eq!(Options::default().octets(), 512_000);
    /// assert_eq!(Options::default().limit(usize::MAX).octets(), Options::MOST);
    /// ```
    #[must_use]
    pub const fn limit(self, octets: usize) -> Self {
        Self { limit: Some(octets), ..self }
    }

    /// Returns how many octets of a file are read at most.
    #[must_use]
    pub fn octets(&self) -> usize {
        self.limit.unwrap_or(self.edition.limit()).min(Self::MOST)
    }

    /// Returns the edition.
    #[must_use]
    pub const fn by(&self) -> Edition {
        self.edition
    }
}

impl From<Edition> for Options {
    fn from(edition: Edition) -> Self {
        Self::default().edition(edition)
    }
}
