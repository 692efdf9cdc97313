//! Who a question is put to.

/// To whom a requirement is addressed, and what an engine is.
///
/// ```
/// use robots_core::engine::{Engine, IsAllowed, Role};
/// let engine = IsAllowed { name: "open", f: |_: &[u8], _: &str, _: &str| true };
/// assert_eq!(engine.roles(), [Role::Parser]);
/// assert_eq!("crawler".parse(), Ok(Role::Crawler));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    /// To whoever is given a file, a crawler's name and a URL.
    #[default]
    Parser,
    /// To whoever also fetches: what it does with the network, a clock, a size.
    Crawler,
}

impl Role {
    /// Holds both roles.
    pub const ALL: &'static [Self] = &[Self::Parser, Self::Crawler];

    /// Returns the role as the cases and the protocol write it.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::Parser => "parser",
            Self::Crawler => "crawler",
        }
    }
}

named!(Role, id, UnknownRole, "role", "roles");
