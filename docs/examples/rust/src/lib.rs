//! Nothing but `tests/vectors.rs` is of interest here.
