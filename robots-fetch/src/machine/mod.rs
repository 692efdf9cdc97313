//! The retrieval of a robots.txt, as state machines without I/O and without a clock.
//!
//! A machine returns the next step. The caller (the driver) executes the step and reports the result, with the time
//! since the Unix epoch. A step borrows nothing from the machine. So the same code works with any HTTP library and any
//! language.
//!
//! Start at [`flight`]. This machine looks in a store, takes the lease (the right to fetch the file), retrieves the
//! file, and writes to the store. For the retrieval itself, with its redirects and failures, it uses the machine in
//! [`retrieval`].

mod body;
pub mod flight;
mod markup;
mod reading;
mod refusal;
pub(crate) mod response;
pub mod retrieval;
mod retry;
