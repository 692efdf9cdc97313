#![doc = include_str!("../README.md")]
#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]

extern crate alloc;
// A unit test that fails prints its input.
#[cfg(test)]
#[macro_use]
extern crate std;

mod bearing;
mod construct;
mod field_name;
mod file;
mod groups;
mod kind;
mod lengths;
mod lines;
mod one;
mod replacement;
mod rules;
#[cfg(feature = "serde")]
mod serialise;
mod text;
mod user_agents;
mod values;
mod walk;
mod whole;

pub use bearing::findings_for;
pub use construct::{Construct, constructs};
pub use kind::{FindingKind, Level};
pub use one::Finding;
pub use walk::{Findings, findings};

pub mod error {
    //! Error types: what a text that names nothing should have been.

    pub use crate::construct::UnknownConstruct;
    pub use crate::kind::{UnknownFindingKind, UnknownLevel};
}
