//! Measures the parser, its peers, and the cost of hostile files.
//!
//! The program is `main.rs`. [`corpus`] and [`adversarial`] provide the files, and [`peers`] provides the subjects.
//! [`rounds`] times the subjects, and [`report`] prints the results. The program `memory` counts allocations in a
//! separate process, so that counting does not slow down timed code.

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
