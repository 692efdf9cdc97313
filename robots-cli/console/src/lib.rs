#![doc = include_str!("../README.md")]
#![cfg_attr(docsrs, feature(doc_cfg))]

// Files of limited length.
pub mod file;
// Lines of limited length.
pub mod lines;
// Markdown that does not mislead.
pub mod markdown;
// Text that does not mislead.
pub mod render;
// The error of a command.
pub mod error;
// JSON without invisible characters.
#[cfg(feature = "json")]
pub mod json;
// The output of a command.
#[cfg(feature = "output")]
pub mod output;
// Completions and manual pages.
#[cfg(feature = "shell")]
pub mod shell;
