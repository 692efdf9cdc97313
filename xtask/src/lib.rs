//! Code that is shared by the verbs in this package and the verbs in the package `xtask-heavy`.

pub mod invocation;
pub mod published;
pub mod sources;
