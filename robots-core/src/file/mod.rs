//! A stored file: a body, and an index of its lines.
//!
//! Start at [`build`]. The index stores where groups begin, but these modules do not decide about crawlers or URLs;
//! `verdict` does so with a [`View`](view::View).

pub(crate) mod build;
pub(crate) mod index;
mod options;
pub(crate) mod slot;
pub(crate) mod view;

pub use options::Options;
