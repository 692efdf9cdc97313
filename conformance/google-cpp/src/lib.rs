#![doc = include_str!("../README.md")]
#![no_std]

extern crate alloc;
// The unit tests need `std`, because a failing test prints its input.
#[cfg(test)]
#[macro_use]
extern crate std;

mod engine;
mod line;
mod path;
mod pattern;
mod verdict;

pub use engine::{GoogleCpp, WithGoogleCpp};
pub use verdict::{Verdict, verdict};
