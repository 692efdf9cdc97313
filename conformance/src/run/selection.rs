//! Selects the trials of a run: [`Selection`].
//!
//! Runs of questions and runs of crawls use the same selection: by profile, by area and by a part of the name.

use crate::engine::Profile;

/// Selects trials by profile, area and name. By default, it selects every trial about a published edition.
///
/// ```
/// use robots_conformance::run::selection::Selection;
/// use robots_conformance::engine::Profile;
/// use robots_core::Edition;
///
/// let mut selection = Selection::default();
/// assert!(selection.has_profile(Edition::Rfc9309.into()));
/// assert!(!selection.has_profile(Profile::GoogleCpp), "the observed profile must be named");
/// assert!(!selection.has_profile(Edition::Aipref2026_08.into()), "a draft must be named");
/// selection.filter = Some("::prefix::".to_owned());
/// assert!(selection.has_name("mine::path-matching::prefix::rfc9309"));
/// assert!(selection.is_part());
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Selection {
    /// The editions, and the observed profile if it is requested. An empty list means every published edition.
    pub profiles: Vec<Profile>,
    /// The areas. An empty list means every area.
    pub areas: Vec<String>,
    /// A text that must occur in the full name of a selected trial.
    pub filter: Option<String>,
}

impl Selection {
    /// Returns whether trials of a profile are selected.
    #[must_use]
    pub fn has_profile(&self, profile: Profile) -> bool {
        match &*self.profiles {
            [] => profile.is_usual(),
            named => named.contains(&profile),
        }
    }

    /// Returns whether trials of an area are selected.
    #[must_use]
    pub fn has_area(&self, area: &str) -> bool {
        self.areas.is_empty() || self.areas.iter().any(|named| named == area)
    }

    /// Returns whether the full name of a trial, `subject::area::case::edition[::member]`, contains the text of
    /// [`Self::filter`]. The result is true if there is no filter.
    #[must_use]
    pub fn has_name(&self, full_name: &str) -> bool {
        self.filter.as_ref().is_none_or(|text| full_name.contains(text))
    }

    /// Returns whether the selection leaves out some trials of the selected profiles.
    #[must_use]
    pub fn is_part(&self) -> bool {
        self.filter.is_some() || !self.areas.is_empty()
    }
}
