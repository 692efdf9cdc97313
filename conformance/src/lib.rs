#![doc = include_str!("../README.md")]
//! # The crate
//!
//! Files are loaded into a [`Suite`] ([`load`], [`case`]), its cases become [`Trial`]s ([`question`]),
//! a [`Runner`] asks an [`Engine`](robots_core::Engine) and judges its answers ([`run`], [`judge`],
//! [`deviation`]), and what failed is told by [`failure`] and [`report`]. [`harness`] does all that as
//! a libtest binary, `cli` as a command. No module but the binary knows an engine by name.

pub mod case;
#[cfg(feature = "cli")]
pub mod cli;
pub mod coverage;
pub mod deviation;
pub mod failure;
pub mod harness;
pub mod judge;
pub mod load;
pub mod question;
pub mod render;
pub mod report;
pub mod run;

pub use robots_core;

pub use crate::case::Suite;
pub use crate::harness::Harness;
pub use crate::question::Trial;
pub use crate::run::Runner;

/// The page of the workspace, whose examples run as tests.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
struct WorkspacePage;
