#![doc = include_str!("../README.md")]
#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(feature = "blocking")]
pub mod blocking;
#[cfg(feature = "client")]
mod client;
mod entry;
mod error;
pub mod guard;
mod key;
mod lifetime;
mod machine;
pub mod record;
mod settings;
mod standing;
#[cfg(feature = "client")]
pub mod store;
#[cfg(feature = "client")]
mod transport;
mod verdict;

#[cfg(feature = "client")]
pub use client::{Builder, Client, Counts};
pub use error::{Error, ErrorKind};
pub use guard::Guard;
pub use key::CacheKey;
pub use machine::{flight, retrieval};
pub use record::Record;
pub use robots_core;
pub use settings::Settings;
pub use standing::Basis;
pub use verdict::{Origin, Verdict};

// The page for crawler authors is a test.
#[cfg(doctest)]
#[doc = include_str!("../../docs/fetching.md")]
struct Fetching;
