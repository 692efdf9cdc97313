//! Path patterns, and the part of a URL that they are matched against.
//!
//! Start at [`Pattern`] and [`PathAndQuery`]. `normalise` defines the form in which patterns and URLs are compared, and
//! `octet_set` skips patterns that cannot match.

pub(crate) mod normalise;
pub(crate) mod octet_set;
pub(crate) mod path_and_query;
pub(crate) mod pattern;

pub use path_and_query::{PathAndQuery, split_url};
pub use pattern::Pattern;
