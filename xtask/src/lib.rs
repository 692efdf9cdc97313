//! Code that is shared by the subcommands in this package and those in the package `xtask-heavy`.

pub mod invocation;
pub mod published;
pub mod sources;
pub mod written;
