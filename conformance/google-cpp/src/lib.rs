#![doc = include_str!("../README.md")]

// Lines, as the library reads them.
mod line;
// The path of a URL.
mod path;
// Patterns.
mod pattern;
// One pass over the lines, which keeps the best rules.
mod verdict;
// The engines: this reader alone, and combined with an engine for editions.
mod engine;

pub use engine::{GoogleCpp, WithGoogleCpp};
pub use verdict::{Verdict, verdict};
