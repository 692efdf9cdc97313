//! Defines the profile of a question: an edition, or the observed behaviour of a library.
//!
//! Only engines and their questions use [`Profile`]. The code that computes answers takes an [`Edition`].

use robots_core::Edition;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// The behaviour that an answer must follow.
///
/// For an edition, a document decides which answer is right. For the observed profile, Google's published C++ library
/// decides, and some answers differ from those of every edition. The observed profile is for people who port that
/// library. The crate `robots-google-cpp` contains an engine for this profile.
///
/// ```
/// use robots_conformance::engine::Profile;
/// use robots_core::Edition;
/// assert_eq!("google-cpp".parse(), Ok(Profile::GoogleCpp));
/// assert_eq!("rfc9309".parse(), Ok(Profile::from(Edition::Rfc9309)));
/// assert_eq!(Profile::default().to_string(), "google-2022");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Profile {
    /// The behaviour that an edition specifies.
    Edition(Edition),
    /// The observed behaviour of Google's published C++ library.
    GoogleCpp,
}

impl Profile {
    /// Contains every profile: the published editions, oldest first, then the drafts, then the observed profile.
    pub const ALL: &'static [Self] = &ALL;

    /// Contains the profiles that are published editions, oldest first.
    pub const EDITIONS: &'static [Self] = ALL.split_at(Edition::ALL.len()).0;

    /// Contains the profiles that are editions, both published editions and drafts.
    pub const WITH_DRAFTS: &'static [Self] = ALL.split_at(DOCUMENTS).0;

    /// Returns the id of the edition, or `google-cpp`.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::Edition(edition) => edition.id(),
            Self::GoogleCpp => "google-cpp",
        }
    }

    /// Returns the edition, or `None` for the observed profile.
    ///
    /// ```
    /// use robots_conformance::engine::Profile;
    /// use robots_core::Edition;
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

impl Profile {
    /// Returns whether the suite asks questions under the profile by default. By default, the suite asks questions
    /// under published editions only.
    ///
    /// ```
    /// use robots_conformance::engine::Profile;
    /// use robots_core::Edition;
    /// assert!(Profile::Edition(Edition::Rfc9309).is_usual());
    /// assert!(!Profile::Edition(Edition::Aipref2026_08).is_usual());
    /// assert!(!Profile::GoogleCpp.is_usual());
    /// ```
    #[must_use]
    pub const fn is_usual(self) -> bool {
        matches!(self, Self::Edition(edition) if !edition.is_draft())
    }

    /// Returns the text that marks a draft in lists that people read: ` (draft)`. For any other profile, the text is
    /// empty.
    #[must_use]
    pub const fn mark(self) -> &'static str {
        match self {
            Self::Edition(edition) => edition.mark(),
            Self::GoogleCpp => "",
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

robots_core::named!(
    Profile,
    id,
    "profile",
    "profiles",
    |text| Profile::ALL.iter().copied().find(|known| known.id() == text),
    Profile::ALL.iter().copied(),
    Profile::mark
);

impl Serialize for Profile {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Profile {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(de::Error::custom)
    }
}

/// The number of editions, both published editions and drafts.
const DOCUMENTS: usize = Edition::ALL.len() + Edition::DRAFTS.len();

const ALL: [Profile; DOCUMENTS + 1] = {
    let (mut all, mut at) = ([Profile::GoogleCpp; DOCUMENTS + 1], 0);
    while at < DOCUMENTS {
        let published = Edition::ALL.len();
        let edition =
            if at < published { Edition::ALL[at] } else { Edition::DRAFTS[at - published] };
        all[at] = Profile::Edition(edition);
        at += 1;
    }
    all
};

#[cfg(test)]
mod tests {
    use super::Profile;

    #[test]
    fn every_profile_is_read_by_its_id() {
        for profile in Profile::ALL {
            assert_eq!(profile.id().parse(), Ok(*profile));
        }
        let error = "google-1998".parse::<Profile>().unwrap_err().to_string();
        let ids = Profile::ALL
            .iter()
            .map(|profile| format!("{profile}{}", profile.mark()))
            .collect::<Vec<_>>()
            .join(", ");
        assert_eq!(error, format!("unknown profile; the profiles are {ids}"));
    }
}
