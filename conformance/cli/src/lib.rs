#![doc = include_str!("../README.md")]
//! # The crate
//!
//! [`run`] is the verb of that name for any engine: its arguments, the subject it asks, what it prints.
//! [`report`] writes what it showed, and [`bulk`] is the filter for many files. [`live`] is a verb of its own: it
//! judges real crawlers. [`fetch`] fetches. [`lint`] tells what is amiss in a robots.txt, and [`explain`] what bears on
//! one answer. [`lookup`] finds what a reader names, and [`pages`] shows it. The library
//! `robots-conformance` does the asking and the judging. Only the binary names a parser.
#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(feature = "bulk")]
pub mod bulk;
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
