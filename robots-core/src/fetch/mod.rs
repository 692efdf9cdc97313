//! Decides what a fetch result means, how long a copy may be used, and which robots.txt governs a URL.
//!
//! [`Edition::access`](crate::Edition::access) returns what the result of a request for robots.txt allows.
//! [`Edition::freshness`](crate::Edition::freshness) returns whether a copy may still be used. With the feature
//! `scope`, [`RobotsUrl`] is the URL of the file, and [`Policy`](crate::Policy) combines these decisions in one cache
//! entry.

pub(crate) mod access;
pub(crate) mod basis;
pub(crate) mod freshness;
#[cfg(feature = "scope")]
pub(crate) mod robots_url;
pub(crate) mod scope;

#[cfg(feature = "scope")]
pub(crate) use access::{access, retry};
#[cfg(feature = "scope")]
pub(crate) use freshness::lifetime;

pub use access::{Access, Failure, FetchEnd, FetchResult, Location, Retry};
pub use basis::Basis;
pub use freshness::{CachedCopy, Freshness, LASTING, LIFETIME, Refresh};
#[cfg(feature = "scope")]
pub use robots_url::{RobotsUrl, scope};
pub use scope::Scope;
