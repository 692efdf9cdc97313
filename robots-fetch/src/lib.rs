#![doc = include_str!("../README.md")]
#![cfg_attr(docsrs, feature(doc_cfg))]

// Errors, with what the caller can do about each.
mod error;
// Decides which addresses may be connected to.
pub mod guard;
// The cache key of a robots.txt.
mod key;
// The settings of a client.
mod settings;
// The stored data about one robots.txt, and its octets.
pub mod record;
// Decides what a record means, also in an outage; no other room makes this decision.
mod standing;
// The time at which a record must be fetched again.
mod lifetime;
// The retrieval as state machines without I/O and clock.
mod machine;
// The contract of stores, its test, and the stores.
pub mod store;
// Sends a request over HTTP or FTP.
#[cfg(feature = "client")]
mod transport;
// A record as one crawler reads it under one edition.
mod entry;
// The answer to a question, and its reason.
mod verdict;
// The responses for robots.txt in an archive.
#[cfg(feature = "warc")]
pub mod warc;
// The robots.txt files that a crawler knows, without I/O.
#[cfg(feature = "cache")]
mod cache;
// The asynchronous client: drives the machine.
#[cfg(feature = "client")]
mod client;
// The blocking client: drives the machine.
#[cfg(feature = "blocking")]
pub mod blocking;
// Tests: both clients answer the timelines over a scripted transport.
#[cfg(all(test, feature = "blocking"))]
mod timelines;

#[cfg(feature = "cache")]
pub use cache::{Cache, Lookup};
#[cfg(feature = "client")]
pub use client::{Builder, Client, Counts};
pub use error::{Error, ErrorKind};
pub use guard::Guard;
pub use key::CacheKey;
pub use machine::{flight, retrieval};
pub use record::Record;
pub use robots_core;
pub use robots_core::fetch::Basis;
pub use settings::Settings;
pub use verdict::{Origin, Verdict};

// The examples of the page for crawler authors run as tests.
#[cfg(doctest)]
#[doc = include_str!("../../docs/fetching.md")]
struct Fetching;
