#![doc = include_str!("../README.md")]
//! # The crate
//!
//! [`suite`] reads the files into a [`Suite`]: requirements and cases. [`kind`] defines the kinds of question, one file
//! for each. [`run`] makes a [`Trial`] of a case and an edition; its [`Runner`] asks an
//! [`Engine`](robots_core::engine::Engine), judges the answer, and applies the deviations. [`failure`] renders a failed
//! trial. [`harness`] does all that as a test binary; the crate `robots-conformance-cli` does it as a command and writes
//! reports. With feature `process`, [`process`](mod@process) makes engines of other programs, and
//! [`serve`](mod@serve) makes a program of an engine; both speak [`protocol`]. No module knows an engine by name.
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
