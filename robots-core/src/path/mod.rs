//! Path patterns: their normal form, their matching, and the rules of one crawler compiled.

pub(crate) mod normalize;
pub(crate) mod pattern;
mod ruleset;

pub use pattern::Pattern;
pub use ruleset::RuleSet;
