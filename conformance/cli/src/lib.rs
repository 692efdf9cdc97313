#![doc = include_str!("../README.md")]
//! # The crate
//!
//! [`run`] is the verb `run` for any engine: its arguments, its subject, and its output. [`report`] writes the results,
//! and [`bulk`] answers many questions, one on each line. The verb [`live`] judges real crawlers, and [`fetch`] fetches
//! robots.txt files. [`lint`] reports problems in a robots.txt, and [`explain`] answers questions about it. [`diff`]
//! reports which URLs a change opens or closes, and [`check`] reports whether a file meets its expectations. [`lookup`]
//! finds a case or a requirement by name, and [`pages`] shows it. The library `robots-conformance` asks the questions
//! and judges the answers. Functions that need a parser take it as an argument, and only the binary chooses one.
#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(feature = "bulk")]
pub mod bulk;
#[cfg(feature = "lint")]
pub mod check;
#[cfg(feature = "live")]
mod choice;
pub mod copy;
pub mod crawler;
#[cfg(feature = "lint")]
pub mod diff;
mod ending;
#[cfg(feature = "lint")]
pub mod explain;
#[cfg(feature = "fetch")]
pub mod fetch;
#[cfg(feature = "lint")]
pub mod lint;
#[cfg(feature = "live")]
pub mod live;
pub mod lookup;
pub mod pages;
pub mod report;
pub mod run;
#[cfg(feature = "lint")]
mod sarif;
#[cfg(all(feature = "fetch", feature = "lint"))]
pub mod served;
pub mod vectors;
