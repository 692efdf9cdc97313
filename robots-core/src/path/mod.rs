//! Path patterns: their normal form, their matching, and the part of a URL they are matched against.

pub(crate) mod normalise;
pub(crate) mod octet_set;
pub(crate) mod path_and_query;
pub(crate) mod pattern;

pub use path_and_query::{PathAndQuery, split_url};
pub use pattern::Pattern;
