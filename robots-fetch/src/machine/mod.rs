//! How a robots.txt is retrieved, as machines without I/O and without a clock.
//!
//! A machine says what to do next as a step, which owns all it needs. Whoever drives the machine does that and reports
//! what came of it, with the time since the Unix epoch. So the same code serves any HTTP library and any language.
//!
//! Start at [`flight`]: the look-up in a store, the lease, the retrieval, and the write to the store. The retrieval
//! itself, with its redirects and failures, is the machine of [`retrieval`].

mod body;
pub mod flight;
mod markup;
mod response;
pub mod retrieval;
mod retry;
