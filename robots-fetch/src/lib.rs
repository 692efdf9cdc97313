#![doc = include_str!("../README.md")]
#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(feature = "blocking")]
pub mod blocking;
mod body;
#[cfg(feature = "client")]
mod builder;
#[cfg(feature = "client")]
mod client;
mod entry;
mod error;
pub mod guard;
mod key;
mod life;
pub mod record;
pub mod retrieval;
mod retry;
mod settings;
#[cfg(feature = "client")]
mod shared;
mod standing;
#[cfg(feature = "client")]
pub mod store;
#[cfg(feature = "client")]
mod transport;
mod verdict;

#[cfg(feature = "client")]
pub use client::{Builder, Client};
pub use error::{Error, ErrorKind};
pub use guard::Guard;
pub use key::CacheKey;
pub use record::Record;
pub use robots_core;
pub use settings::Settings;
#[cfg(feature = "client")]
pub use shared::Counts;
pub use standing::Basis;
pub use verdict::{Origin, Verdict};

// The page for crawler authors is a test.
#[cfg(doctest)]
#[doc = include_str!("../../docs/fetching.md")]
struct Fetching;
