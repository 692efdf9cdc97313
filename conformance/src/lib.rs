#![doc = include_str!("../README.md")]
//! # The crate
//!
//! Files are loaded into a [`Suite`] ([`load`], [`case`]), its cases become [`Trial`]s ([`question`]),
//! a [`Runner`] asks an [`Engine`](robots_core::Engine) and judges its answers ([`run`], [`judge`],
//! [`deviation`]), and what failed is told by [`failure`] and [`report`]. [`harness`] does all that as
//! a libtest binary, `cli` as a command. With feature `process`, [`process`] makes engines of other
//! programs, and [`serve`] makes a program of an engine. No module but the binary knows an engine by name.

#[cfg(feature = "cli")]
pub mod batch;
pub mod case;
#[cfg(feature = "cli")]
pub mod cli;
#[cfg(feature = "process")]
pub mod copy;
pub mod coverage;
pub mod deviation;
pub mod failure;
pub mod harness;
pub mod judge;
pub mod load;
#[cfg(feature = "process")]
pub mod process;
#[cfg(feature = "process")]
pub mod protocol;
pub mod question;
pub mod render;
pub mod report;
pub mod run;
#[cfg(feature = "process")]
pub mod serve;

pub use robots_core;

pub use crate::case::Suite;
pub use crate::harness::Harness;
pub use crate::question::Trial;
pub use crate::run::Runner;

/// The page of the workspace, whose examples run as tests.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
struct WorkspacePage;
