#![doc = include_str!("../README.md")]
#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]

extern crate alloc;
// The unit tests need `std`, because a failing test prints its input.
#[cfg(test)]
#[macro_use]
extern crate std;

mod bearing;
mod construct;
pub mod effect;
mod engines;
#[cfg(feature = "expect")]
pub mod expect;
mod field_name;
mod file;
mod fix;
mod groups;
mod ignored;
mod kind;
mod lengths;
mod lines;
mod one;
mod preferences;
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
pub use fix::{Fixed, fix};
pub use ignored::Ignored;
pub use kind::{FindingKind, Level};
pub use one::Finding;
pub use walk::{Findings, findings, findings_at};

pub mod error {
    //! Error types for unknown names. Each error message lists the valid names.

    pub use crate::construct::UnknownConstruct;
    pub use crate::kind::{UnknownFindingKind, UnknownLevel};
}
