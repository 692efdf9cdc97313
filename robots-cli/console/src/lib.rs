#![doc = include_str!("../README.md")]
#![cfg_attr(docsrs, feature(doc_cfg))]

pub mod error;
pub mod file;
#[cfg(feature = "json")]
pub mod json;
pub mod lines;
pub mod markdown;
#[cfg(feature = "output")]
pub mod output;
pub mod render;
#[cfg(feature = "shell")]
pub mod shell;
