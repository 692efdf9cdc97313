//! Preferences about the use of content, as the drafts of the IETF working group on AI preferences define them. This
//! module defines the categories of use, the vocabularies that contain categories, and the three values of a
//! preference. It also reads preferences from a dictionary.
//!
//! Start at [`Preferences::read`]. The two tables at the end of this source file define the categories and the
//! vocabularies. This module does not read a robots.txt. `verdict/usage.rs` finds the `content-usage` lines that decide
//! about a URL.
//!
//! Sources: draft-ietf-aipref-vocab-07, sections 3 to 6; RFC 9651, 3.2 and 4.2.

#[cfg(feature = "usage")]
mod dictionary;

use core::fmt;

/// The preference that a statement gives for a category of use.
///
/// If several statements are about a category, the greatest value wins: *disallowed*, else *allowed*, else *unknown*
/// (vocab-07, 5.1).
///
/// ```
/// use robots_core::usage::Preference;
/// assert!(Preference::Disallowed > Preference::Allowed);
/// assert_eq!("unknown".parse(), Ok(Preference::Unknown));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Preference {
    /// No statement gives a preference. The drafts give no default.
    #[default]
    Unknown,
    /// The use is allowed: `y`.
    Allowed,
    /// The use is disallowed: `n`.
    Disallowed,
}

impl Preference {
    /// Contains the three values.
    pub const ALL: &'static [Self] = &[Self::Unknown, Self::Allowed, Self::Disallowed];

    /// Returns the preference as one word.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::Unknown => "unknown",
            Self::Allowed => "allowed",
            Self::Disallowed => "disallowed",
        }
    }
}

named!(Preference, id, "preference", "preferences");

/// The preferences for all categories.
///
/// ```
/// use robots_core::usage::{Category, Preference, Preferences};
/// let preferences = Preferences::UNKNOWN.with(Category::TrainAi, Preference::Disallowed);
/// assert_eq!(preferences.get(Category::TrainAi), Preference::Disallowed);
/// assert_eq!(preferences.get(Category::Search), Preference::Unknown);
/// assert_eq!(preferences.to_string(), "train-ai disallowed");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Preferences([Preference; Category::ALL.len()]);

impl Preferences {
    /// Every category is unknown, because no statement mentions it.
    pub const UNKNOWN: Self = Self([Preference::Unknown; Category::ALL.len()]);

    /// Returns the preference for a category.
    #[must_use]
    pub const fn get(&self, category: Category) -> Preference {
        self.0[category as usize]
    }

    /// Sets the preference for a category.
    #[must_use]
    pub const fn with(mut self, category: Category, preference: Preference) -> Self {
        self.0[category as usize] = preference;
        self
    }

    /// Combines two statements. For each category, the greatest value wins: *disallowed*, else *allowed*, else
    /// *unknown* (vocab-07, 5.1).
    ///
    /// ```
    /// use robots_core::usage::{Category, Preference, Preferences};
    /// let allowed = Preferences::UNKNOWN.with(Category::Search, Preference::Allowed);
    /// let disallowed = Preferences::UNKNOWN.with(Category::Search, Preference::Disallowed);
    /// assert_eq!(allowed.and(disallowed), disallowed);
    /// assert_eq!(allowed.and(Preferences::UNKNOWN), allowed);
    /// ```
    #[must_use]
    pub fn and(mut self, other: Self) -> Self {
        for (one, other) in self.0.iter_mut().zip(other.0) {
            *one = (*one).max(other);
        }
        self
    }

    /// Returns the preferences for the categories of a vocabulary. All other categories become unknown.
    #[must_use]
    pub fn within(self, vocabulary: Vocabulary) -> Self {
        let categories = vocabulary.categories().iter();
        categories.fold(Self::UNKNOWN, |kept, category| kept.with(*category, self.get(*category)))
    }

    /// Returns the categories that are not unknown, with their preferences.
    pub fn stated(&self) -> impl Iterator<Item = (Category, Preference)> + use<> {
        let all = Category::ALL.iter().copied().zip(self.0);
        all.filter(|(_, preference)| *preference != Preference::Unknown)
    }
}

/// Writes the categories that are not unknown with their preferences, for example `train-ai disallowed, search
/// allowed`. If all categories are unknown, writes `unknown`.
impl fmt::Display for Preferences {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self == Self::UNKNOWN {
            return f.write_str("unknown");
        }
        for (position, (category, preference)) in self.stated().enumerate() {
            let comma = if position == 0 { "" } else { ", " };
            write!(f, "{comma}{category} {preference}")?;
        }
        Ok(())
    }
}

/// Splits the value of a `content-usage` line into a path and a preference. A value that does not begin with `/` has no
/// path.
///
/// The path ends before the first space or tab (attach-05, 3.2). All spaces and tabs after the path belong to the
/// separator, as in the ABNF (`1*WS`).
///
/// ```
/// use robots_core::usage::split;
/// assert_eq!(split(b"/a train-ai=n"), (Some(&b"/a"[..]), &b"train-ai=n"[..]));
/// assert_eq!(split(b"train-ai=n"), (None, &b"train-ai=n"[..]));
/// assert_eq!(split(b"/a"), (Some(&b"/a"[..]), &b""[..]));
/// ```
#[must_use]
pub fn split(value: &[u8]) -> (Option<&[u8]>, &[u8]) {
    let is_space = |octet: &u8| matches!(octet, b' ' | b'\t');
    if value.first() != Some(&b'/') {
        return (None, value);
    }
    let (path, rest) = value.split_at(value.iter().position(is_space).unwrap_or(value.len()));
    let preference = rest.iter().position(|octet| !is_space(octet)).unwrap_or(rest.len());
    (Some(path), &rest[preference..])
}

named!(Category, label, "category", "categories");
named!(Vocabulary, id, "vocabulary", "vocabularies");

macro_rules! categories {
    ($($(#[$doc:meta])* $category:ident = $label:literal;)*) => {
        /// A category of use. A preference for one category says nothing about another category.
        ///
        /// ```
        /// use robots_core::usage::Category;
        /// assert_eq!("train-ai".parse(), Ok(Category::TrainAi));
        /// ```
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum Category {
            $($(#[$doc])* $category,)*
        }

        impl Category {
            /// Contains every category of every vocabulary.
            pub const ALL: &'static [Self] = &[$(Self::$category,)*];

            /// Returns the label: the key of the category in a dictionary. Labels are case-sensitive.
            #[must_use]
            pub const fn label(self) -> &'static str {
                match self {
                    $(Self::$category => $label,)*
                }
            }
        }
    };
}

macro_rules! vocabularies {
    ($($(#[$doc:meta])* $vocabulary:ident $id:literal = [$($category:ident),*];)*) => {
        /// A vocabulary: the categories that a version of draft-ietf-aipref-vocab defines.
        ///
        /// ```
        /// use robots_core::usage::{Category, Vocabulary};
        /// let categories = Vocabulary::default().categories();
        /// assert_eq!(categories, [Category::TrainAi, Category::Search]);
        /// ```
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum Vocabulary {
            $($(#[$doc])* $vocabulary,)*
        }

        impl Vocabulary {
            /// Contains every vocabulary, oldest first.
            pub const ALL: &'static [Self] = &[$(Self::$vocabulary,)*];

            /// Returns the id, for example `vocab-07`.
            #[must_use]
            pub const fn id(self) -> &'static str {
                match self {
                    $(Self::$vocabulary => $id,)*
                }
            }

            /// Returns the categories of the vocabulary.
            #[must_use]
            pub const fn categories(self) -> &'static [Category] {
                match self {
                    $(Self::$vocabulary => &[$(Category::$category,)*],)*
                }
            }
        }
    };
}

categories! {
    /// Training of AI models.
    TrainAi = "train-ai";
    /// Search whose results lead users to the content.
    Search = "search";
    /// Use by AI, in vocab-08 only.
    AiUse = "ai-use";
}

vocabularies! {
    /// draft-ietf-aipref-vocab-07; the default.
    #[default]
    Vocab07 "vocab-07" = [TrainAi, Search];
    /// draft-ietf-aipref-vocab-08, which we know only from other texts. This vocabulary is used only if the caller
    /// names it.
    Vocab08 "vocab-08" = [TrainAi, Search, AiUse];
}
