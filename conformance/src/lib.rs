#![doc = include_str!("../README.md")]
//! # The crate
//!
//! [`suite`] reads the files into a [`Suite`](suite::Suite): requirements and cases. [`kind`] defines the kinds of
//! question, one file for each. [`run`] makes a [`Trial`](run::trial::Trial) from a case and an edition; its
//! [`Runner`](run::Runner) asks an [`Engine`](crate::engine::Engine), judges the answer, and applies the
//! deviations. [`report`] stores trials, cases and counts as plain data, renders a failed trial, and writes the formats of
//! reports. [`coverage`] finds requirements and table rows without cases. [`harness`] runs the suite as
//! a test binary; the crate `robots-conformance-cli` runs it as a command and writes reports. With feature `process`,
//! `process` makes engines from other programs, and `serve` makes a program from an engine. Both speak `protocol`.
//!
//! Small modules serve the others. [`problem`] describes a mistake in a file and its place. [`octets`] reads the octets
//! that a YAML file describes by escapes and by parts that repeat.
//!
//! No module knows an engine by name. Each public item has only one path.
#![cfg_attr(docsrs, feature(doc_cfg))]

// Reads YAML key by key.
mod yaml;
// Positions of mistakes.
pub mod problem;
// Octets with escapes.
pub mod octets;
// The kinds of question, one file for each.
pub mod kind;
// The interface to a subject: engines, questions and their profiles.
pub mod engine;
// Requirements and cases as a model, and the loader.
pub mod suite;
// Trials, outcomes, deviations; the runner.
pub mod run;
// Trials, cases and counts as records, a failed trial as text, and the formats of reports.
pub mod report;
// The messages between the runner and a subject.
#[cfg(feature = "process")]
pub mod protocol;
// A program as an engine.
#[cfg(feature = "process")]
pub mod process;
// An engine as a program.
#[cfg(feature = "process")]
pub mod serve;
// Lists what no case tests.
pub mod coverage;
// The suite as a test binary.
pub mod harness;

pub use robots_core;

/// The README of the workspace, whose examples run as tests.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
struct WorkspacePage;
