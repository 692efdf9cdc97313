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

pub mod case;
mod clock;
#[cfg(feature = "process")]
pub mod copy;
pub mod coverage;
pub mod deviation;
pub mod draft;
pub mod failure;
pub mod harness;
pub mod judge;
pub mod kind;
#[cfg(feature = "process")]
pub mod lines;
pub mod load;
mod octets;
pub mod problem;
#[cfg(feature = "process")]
pub mod process;
#[cfg(feature = "process")]
pub mod protocol;
pub mod question;
pub mod render;
pub mod run;
#[cfg(feature = "process")]
pub mod serve;
#[cfg(feature = "process")]
pub mod vectors;
mod yaml;

pub use robots_core;

pub use crate::case::Suite;
pub use crate::harness::Harness;
pub use crate::question::Trial;
pub use crate::run::Runner;

/// The page of the workspace, whose examples run as tests.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
struct WorkspacePage;
