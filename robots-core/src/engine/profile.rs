//! What a question is answered by: an edition, or a library that was observed.
//!
//! Only engines and their questions know [`Profile`]. Everything below them takes an [`Edition`].

use crate::edition::Edition;

/// What a question is answered by.
///
/// A document decides what an edition expects. A library alone decides what the observed profile expects, for
/// those who port it: it differs from every edition. The crate `robots-google-cpp` answers by it.
///
/// ```
/// use robots_core::{Edition, Profile};
/// assert_eq!("google-cpp".parse(), Ok(Profile::GoogleCpp));
/// assert_eq!("rfc9309".parse(), Ok(Profile::from(Edition::Rfc9309)));
/// assert_eq!(Profile::default().to_string(), "google-2022");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Profile {
    /// As an edition says.
    Edition(Edition),
    /// As Google's published C++ library does.
    GoogleCpp,
}

impl Profile {
    /// Holds every profile: the editions, oldest first, then the observed one.
    pub const ALL: &'static [Self] = &ALL;

    /// Holds the profiles that are editions, oldest first.
    pub const EDITIONS: &'static [Self] = ALL.split_at(Edition::ALL.len()).0;

    /// Returns the id: the edition's, or `google-cpp`.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::Edition(edition) => edition.id(),
            Self::GoogleCpp => "google-cpp",
        }
    }

    /// Returns the edition, if it is one.
    ///
    /// ```
    /// use robots_core::{Edition, Profile};
    /// assert_eq!(Profile::Edition(Edition::Google2019).edition(), Some(Edition::Google2019));
    /// assert_eq!(Profile::GoogleCpp.edition(), None);
    /// ```
    #[must_use]
    pub const fn edition(self) -> Option<Edition> {
        match self {
            Self::Edition(edition) => Some(edition),
            Self::GoogleCpp => None,
        }
    }
}

impl Default for Profile {
    fn default() -> Self {
        Self::Edition(Edition::default())
    }
}

impl From<Edition> for Profile {
    fn from(edition: Edition) -> Self {
        Self::Edition(edition)
    }
}

impl PartialEq<Edition> for Profile {
    fn eq(&self, edition: &Edition) -> bool {
        self.edition() == Some(*edition)
    }
}

named!(Profile, id, UnknownProfile, "profile", "profiles");

const ALL: [Profile; Edition::ALL.len() + 1] = {
    let (mut all, mut at) = ([Profile::GoogleCpp; Edition::ALL.len() + 1], 0);
    while at < Edition::ALL.len() {
        all[at] = Profile::Edition(Edition::ALL[at]);
        at += 1;
    }
    all
};

#[cfg(test)]
mod tests {
    use alloc::string::ToString;

    use super::Profile;

    #[test]
    fn every_profile_is_read_by_its_id() {
        for profile in Profile::ALL {
            assert_eq!(profile.id().parse(), Ok(*profile));
        }
        let error = "google-1998".parse::<Profile>().unwrap_err().to_string();
        let ids = Profile::ALL
            .iter()
            .map(|profile| profile.id())
            .collect::<alloc::vec::Vec<_>>()
            .join(", ");
        assert_eq!(error, alloc::format!("unknown profile; the profiles are {ids}"));
    }
}
