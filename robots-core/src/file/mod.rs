//! A stored file: a body, and an index of its lines.
//!
//! Start at [`build`]. The index stores where groups begin. These modules do not decide about crawlers or URLs. The
//! module `verdict` decides about them, and reads the file through a [`View`](view::View).

pub(crate) mod build;
pub(crate) mod index;
mod options;
pub(crate) mod slot;
pub(crate) mod view;

pub use options::Options;
