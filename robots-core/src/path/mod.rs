//! Path patterns: their normal form, their matching, and the rules of one crawler compiled.

pub(crate) mod best;
pub(crate) mod normalize;
pub(crate) mod octet_set;
pub(crate) mod pattern;
mod ruleset;

pub use pattern::Pattern;
pub use ruleset::RuleSet;
