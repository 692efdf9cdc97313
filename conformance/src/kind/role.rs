//! The roles of engines: [`Role`].
//!
//! An engine has one or more roles. Each question is for parsers, for crawlers, for parsers and crawlers, or for
//! retrievers. So the roles of an engine decide which questions the suite asks it.

/// The kind of program to which a requirement is addressed. An engine has one or more roles.
///
/// The questions for crawlers contain the fetch results, so an engine can answer them without sending requests. An
/// engine that answers the questions for parsers and for crawlers in this way has the roles
/// [`PARSER_AND_CRAWLER`](Self::PARSER_AND_CRAWLER).
///
/// ```
/// use robots_conformance::engine::{Engine, IsAllowed};
/// use robots_conformance::kind::Role;
/// let engine = IsAllowed { name: "open", f: |_: &[u8], _: &str, _: &str| true };
/// assert_eq!(engine.roles(), [Role::Parser]);
/// assert_eq!("crawler".parse(), Ok(Role::Crawler));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    /// A program that receives a file, a crawler's name and a URL.
    #[default]
    Parser,
    /// A program that also fetches. A crawler answers questions about the network, about a clock, or about the size
    /// limit.
    Crawler,
    /// A program that sends requests. It answers timelines.
    Retriever,
}

impl Role {
    /// Contains every role.
    pub const ALL: &'static [Self] = &[Self::Parser, Self::Crawler, Self::Retriever];

    /// Contains the roles of an engine that answers the questions for parsers and for crawlers, but does not fetch.
    pub const PARSER_AND_CRAWLER: &'static [Self] = &[Self::Parser, Self::Crawler];

    /// Returns the role as the cases and the protocol write it.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::Parser => "parser",
            Self::Crawler => "crawler",
            Self::Retriever => "retriever",
        }
    }
}

robots_core::named!(Role, id, "role", "roles");
