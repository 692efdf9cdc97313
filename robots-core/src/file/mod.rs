//! A stored file: a body, and an index of its lines.
//!
//! Start at [`build`]. These modules do not know groups, rules or verdicts; `verdict` reads those from a
//! [`View`](view::View).

pub(crate) mod build;
pub(crate) mod index;
mod options;
pub(crate) mod slot;
pub(crate) mod view;

pub use options::Options;
