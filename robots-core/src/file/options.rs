//! The settings for reading a file: [`Options`].
//!
//! The settings are the edition whose rules apply, and the maximum number of octets that are read. If the caller sets
//! no maximum, the limit of the edition applies. No limit can exceed [`Options::MAX`].

use crate::edition::Edition;

/// The settings for reading a file: the edition, which defines how the file is read and how verdicts are made, and the
/// maximum number of octets to read.
///
/// ```
/// use robots_core::{Edition, Options};
/// let options = Options::from(Edition::Rfc9309).with_limit(1024 * 1024);
/// assert_eq!((options.edition(), options.limit()), (Edition::Rfc9309, 1024 * 1024));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Options {
    edition: Edition,
    /// The maximum number of octets to read, if the caller set one.
    limit: Option<usize>,
}

impl Options {
    /// The maximum number of octets that are read of any file, whatever the limit: 512 MiB.
    pub const MAX: usize = 512 * 1024 * 1024;

    /// Sets the maximum number of octets that are read. The rest of the file is ignored. The default is the edition's
    /// limit, 500 KiB. The maximum is [`MAX`](Self::MAX).
    ///
    /// ```
    /// use robots_core::Options;
    /// assert_eq!(Options::default().limit(), 512_000);
    /// assert_eq!(Options::default().with_limit(usize::MAX).limit(), Options::MAX);
    /// ```
    #[must_use]
    pub const fn with_limit(self, octets: usize) -> Self {
        Self { limit: Some(octets), ..self }
    }

    /// Returns the maximum number of octets that are read.
    #[must_use]
    pub fn limit(&self) -> usize {
        self.limit.unwrap_or(self.edition.limit()).min(Self::MAX)
    }

    /// Returns the edition.
    #[must_use]
    pub const fn edition(&self) -> Edition {
        self.edition
    }
}

impl From<Edition> for Options {
    fn from(edition: Edition) -> Self {
        Self { edition, limit: None }
    }
}
