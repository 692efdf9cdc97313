#![doc = include_str!("../README.md")]
//! # The crate
//!
//! Files are loaded into a [`Suite`] ([`load`], [`case`]), its cases become [`Trial`]s ([`question`]),
//! a [`Runner`] asks an [`Engine`](robots_core::engine::Engine) and judges its answers ([`run`], [`judge`],
//! [`deviation`]), and what failed is told by [`failure`]. [`harness`] does all that as a libtest binary;
//! the crate `robots-conformance-cli` does it as a command and writes reports. With feature `process`,
//! [`process`](mod@process) makes engines of other programs, and [`serve`](mod@serve) makes a program of an
//! engine. No module knows an engine by name.
#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(feature = "process")]
pub mod copy;
pub mod coverage;
pub mod failure;
pub mod harness;
pub mod kind;
#[cfg(feature = "process")]
pub mod lines;
mod octets;
pub mod problem;
#[cfg(feature = "process")]
pub mod process;
#[cfg(feature = "process")]
pub mod protocol;
pub mod render;
pub mod report;
pub mod run;
#[cfg(feature = "process")]
pub mod serve;
pub mod suite;
#[cfg(feature = "process")]
pub mod vectors;
mod yaml;

pub use robots_core;

pub mod case {
    //! The model of the suite, under one name.

    pub use crate::suite::Suite;
    pub use crate::suite::case::*;
    pub use crate::suite::requirement::*;
}

pub use crate::run::{deviations as deviation, draft, outcome as judge, trial as question};
pub use crate::suite::load;

pub use crate::harness::Harness;
pub use crate::run::Runner;
pub use crate::run::trial::Trial;
pub use crate::suite::Suite;

/// The page of the workspace, whose examples run as tests.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
struct WorkspacePage;
