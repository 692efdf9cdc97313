#![doc = include_str!("../README.md")]
//! # The crate
//!
//! [`run`] is the verb `run` for any engine: its arguments, its subject, and its output. [`report`] writes the results.
//! The verb [`live`] judges real crawlers. [`lookup`] finds a case or a requirement by name, and [`pages`] shows it. The
//! library `robots-conformance` asks the questions and judges the answers. Only the binary chooses a parser.
#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(feature = "live")]
mod choice;
pub mod copy;
mod ending;
#[cfg(feature = "live")]
pub mod live;
pub mod lookup;
pub mod pages;
pub mod report;
pub mod run;
pub mod vectors;
