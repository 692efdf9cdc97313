//! Measures the parser, its peers and what hostile files cost.
//!
//! The program is `main.rs`. What is measured on: [`corpus`] and [`adversarial`]; what is measured:
//! [`peers`]; how: [`rounds`]; what is printed: [`report`]. The program `memory` counts allocations in a
//! process of its own, so that counting slows no one that is timed.

pub mod adversarial;
pub mod corpus;
pub mod hostile;
pub mod instructions;
pub mod machine;
pub mod memory;
pub mod peers;
pub mod report;
pub mod rounds;
pub mod slow;
pub mod sweeps;
