//! Decides what a fetch result means, how long a copy may be used, and which robots.txt governs a URL.
//!
//! [`Edition::access`](crate::Edition::access) returns the access that the result of a request for robots.txt gives to
//! a crawler. [`Edition::freshness`](crate::Edition::freshness) returns whether a copy may still be used. With the
//! feature `scope`, `RobotsUrl` decides which URLs a file governs. The crate `robots-fetch` combines all these decisions
//! in the cache entry of a crawler.

mod access;
mod basis;
mod freshness;
#[cfg(feature = "scope")]
pub(crate) mod robots_url;
mod scope;

pub use access::{Access, Failure, FetchEnd, FetchResult, Location, Retry};
pub use basis::Basis;
pub use freshness::{CachedCopy, Freshness, LASTING, LIFETIME, Refresh};
#[cfg(feature = "scope")]
pub use robots_url::{RobotsUrl, scope};
pub use scope::Scope;
