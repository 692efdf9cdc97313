//! To whom a question is put.

use core::fmt;
use core::str::FromStr;

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

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.id())
    }
}

impl FromStr for Role {
    type Err = UnknownRole;

    /// Reads a role's id.
    fn from_str(id: &str) -> Result<Self, UnknownRole> {
        Self::ALL.iter().copied().find(|role| role.id() == id).ok_or(UnknownRole)
    }
}

/// A text that is the id of no [`Role`]; its message lists them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownRole;

impl fmt::Display for UnknownRole {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the roles are ")?;
        for (index, role) in Role::ALL.iter().enumerate() {
            write!(f, "{}{role}", if index == 0 { "" } else { ", " })?;
        }
        Ok(())
    }
}

impl core::error::Error for UnknownRole {}
