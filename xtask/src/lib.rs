//! Code that the verbs of `cargo xtask` share with those in the package `xtask-heavy`.

pub mod invocation;
pub mod published;
pub mod sources;
