#![doc = include_str!("../README.md")]
#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(feature = "blocking")]
pub mod blocking;
mod body;
#[cfg(feature = "transport")]
mod builder;
#[cfg(feature = "client")]
mod client;
mod entry;
mod error;
#[cfg(all(feature = "ftp", feature = "transport"))]
mod ftp;
pub mod guard;
mod key;
mod life;
#[cfg(feature = "transport")]
mod proxy;
pub mod record;
pub mod retrieval;
mod retry;
mod settings;
#[cfg(feature = "transport")]
mod shared;
#[cfg(feature = "transport")]
pub mod store;
#[cfg(feature = "client")]
mod tls;
#[cfg(feature = "transport")]
mod transport;
mod verdict;

#[cfg(feature = "client")]
pub use client::{Builder, Client};
pub use entry::Basis;
pub use error::{Error, ErrorKind};
pub use guard::Guard;
pub use key::CacheKey;
pub use record::Record;
pub use robots_core;
pub use settings::Settings;
#[cfg(feature = "transport")]
pub use shared::Counts;
pub use verdict::{Origin, Verdict};

// The page for crawler authors is a test.
#[cfg(doctest)]
#[doc = include_str!("../../docs/fetching.md")]
struct Fetching;
