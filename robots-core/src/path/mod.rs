//! Defines path patterns, and the part of a URL that patterns are compared with.
//!
//! Start at [`Pattern`] and [`PathAndQuery`]. The module `normalise` defines the form in which patterns and URLs are
//! compared. With the module `octet_set`, a verdict skips patterns that cannot match.

pub(crate) mod normalise;
pub(crate) mod octet_set;
pub(crate) mod path_and_query;
pub(crate) mod pattern;

pub use path_and_query::{PathAndQuery, split_url};
pub use pattern::Pattern;
