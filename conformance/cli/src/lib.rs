#![doc = include_str!("../README.md")]
//! # The crate
//!
//! [`run`] is the verb of that name for any engine: its arguments, the subject it asks, what it prints.
//! [`report`] writes what it showed, [`draft`] a deviations file of it, and [`bulk`] is the filter for many
//! files, [`live`] a verb of its own: it judges real crawlers. The library `robots-conformance` does the asking and the judging. Only the binary names a parser.

#[cfg(feature = "bulk")]
pub mod bulk;
pub mod draft;
#[cfg(feature = "live")]
pub mod live;
pub mod report;
pub mod run;
