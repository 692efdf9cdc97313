//! The retrieval of a robots.txt, as state machines without I/O and without a clock.
//!
//! A machine returns the next step, which owns its data. The caller, which is the driver, does the step and reports the
//! result, with the time since the Unix epoch. So the same code works with any HTTP library and any language.
//!
//! Start at [`flight`]: the look-up in a store, the lease, the retrieval, and the write to the store. The retrieval
//! itself, with its redirects and failures, is the machine in [`retrieval`].

mod body;
pub mod flight;
mod markup;
mod reading;
mod refusal;
mod response;
pub mod retrieval;
mod retry;
