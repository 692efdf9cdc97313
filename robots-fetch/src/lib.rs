#![doc = include_str!("../README.md")]
#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(feature = "blocking")]
pub mod blocking;
#[cfg(feature = "cache")]
mod cache;
#[cfg(feature = "client")]
mod client;
mod entry;
mod error;
pub mod guard;
mod key;
mod lifetime;
mod machine;
pub mod record;
mod retriever;
mod settings;
mod standing;
pub mod store;
#[cfg(all(test, feature = "blocking"))]
mod timelines;
#[cfg(feature = "client")]
mod transport;
mod verdict;

#[cfg(feature = "cache")]
pub use cache::Cache;
#[cfg(feature = "client")]
pub use client::{Builder, Client, Counts};
pub use error::{Error, ErrorKind};
pub use guard::Guard;
pub use key::CacheKey;
pub use machine::{flight, retrieval};
pub use record::Record;
pub use retriever::Retriever;
pub use robots_core;
pub use robots_core::fetch::Basis;
pub use settings::Settings;
pub use verdict::{Origin, Verdict};

// The examples of the page for crawler authors run as tests.
#[cfg(doctest)]
#[doc = include_str!("../../docs/fetching.md")]
struct Fetching;
