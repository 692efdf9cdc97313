//! Defines [`Scope`]: whether the file at a robots.txt URL governs another URL. The module `robots_url` computes the
//! value, but exists only with the feature `scope`. The type is in a separate module, because the answers of engines
//! contain it even without that feature.

/// Whether the file at a robots.txt URL governs another URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scope {
    /// The rules of the file apply to the URL.
    Governs,
    /// The rules of the file do not apply to the URL.
    DoesNotGovern,
    /// The text given as the robots.txt URL is not the URL of a robots.txt.
    NotARobotsUrl,
}

impl Scope {
    /// Contains all three values.
    ///
    /// ```
    /// use robots_core::fetch::Scope;
    /// let ids: Vec<&str> = Scope::ALL.iter().map(|scope| scope.id()).collect();
    /// assert_eq!(ids, ["governs", "does-not-govern", "not-a-robots-url"]);
    /// ```
    pub const ALL: &'static [Self] = &[Self::Governs, Self::DoesNotGovern, Self::NotARobotsUrl];

    /// Returns the value as one word.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::Governs => "governs",
            Self::DoesNotGovern => "does-not-govern",
            Self::NotARobotsUrl => "not-a-robots-url",
        }
    }
}

named!(Scope, id, "scope", "scopes");
