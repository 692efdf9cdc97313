//! How a file is kept: a body, and an index of its lines.
//!
//! Start at [`build`]. What groups, rules and verdicts are is not known here; `verdict` reads them from a
//! [`View`](view::View).

pub(crate) mod build;
pub(crate) mod index;
mod options;
pub(crate) mod slot;
pub(crate) mod view;

pub use options::Options;
