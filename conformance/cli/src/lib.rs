#![doc = include_str!("../README.md")]
//! # The crate
//!
//! [`run`] is the verb `run` for any engine: its arguments, its subject, and its output. [`report`] writes the results.
//! The verb [`live`] judges real crawlers. [`lookup`] finds a case or a requirement by name, and [`pages`] shows it. The
//! library `robots-conformance` asks the questions and judges the answers. Only the binary chooses a parser.
#![cfg_attr(docsrs, feature(doc_cfg))]

// The search for a case or requirement by name.
pub mod lookup;
// Signals.
mod ending;
// Options with named values.
#[cfg(feature = "live")]
mod choice;
// The pages of `list` and `show`.
pub mod pages;
// The suite as a flat file.
pub mod vectors;
// The suite as a copy for others.
pub mod copy;
// The report formats of `run` and `live`.
pub mod report;
// The verb that asks an engine.
pub mod run;
// The verb that runs a crawler.
#[cfg(feature = "live")]
pub mod live;
