//! The example is in `tests/vectors.rs`; this crate is empty.
