#![doc = include_str!("../README.md")]
#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]

extern crate alloc;
// Unit tests need the standard library, because a failing test prints its input.
#[cfg(test)]
#[macro_use]
extern crate std;

// A macro for types with named values: `Display`, `FromStr`, the error.
#[macro_use]
mod named;
// Functions on strings.
mod text;
// Product tokens.
mod agent;
// Lines, spans, fields and kinds.
mod line;
// The editions, the one table of their differences, and the sections that findings cite.
mod edition;
// The meaning of a fetch result, the lifetime of a copy, the robots.txt that governs a URL.
pub mod fetch;
// Patterns, and the path and query that they are matched against.
pub mod path;
// Preferences about the use of content: categories, vocabularies, the reader of a dictionary.
mod preference;
// The meaning of a line under an edition.
mod meaning;
// The storage of a parsed file: slots, index, view, and the `Report` that builds the index.
mod file;
// The interface to parsers: `Parser`.
mod parser;
// A verdict and its evidence: groups, rules, the merged group, the compiled `RuleSet`.
mod verdict;
// A parsed file.
mod robots_txt;
// Verdicts and evidence for serde.
#[cfg(feature = "serde")]
mod serialise;

pub mod syntax {
    //! Lines and the parsers that report them. A [`Parser`] reports each line to a [`Report`]: as a [`Line`], or faster
    //! as a [`CompactLine`] or as a record (see [`Report::record`]). The core decides what the lines mean
    //! ([`LineKind`]).

    pub use crate::edition::Grammar;
    pub use crate::line::{
        CompactLine, Field, Line, LineKind, LineNumber, Malformed, NoEffect, Remark, Span,
    };
    pub use crate::parser::{GrammarMatch, Parser, Report, lines};
    pub use crate::text::Shown;
}

pub mod usage {
    //! Preferences about the use of content, in the draft edition [`Aipref2026_08`](crate::Edition::Aipref2026_08).
    //! With the feature `usage`, `Preferences::read` reads them, and `RobotsTxt::usage` and `RuleSet::usage` return a
    //! `Usage`.

    pub use crate::preference::{Category, Preference, Preferences, Vocabulary, split};
    #[cfg(feature = "usage")]
    pub use crate::verdict::{Statement, Usage};
}

pub mod error {
    //! Error types. Most error messages explain how to fix the mistake.

    pub use crate::agent::NotAProductToken;
    #[cfg(feature = "scope")]
    pub use crate::fetch::robots_url::NotARobotsUrl;
    pub use crate::named::UnknownName;
    pub use crate::path::path_and_query::NotAUrl;
    pub use crate::robots_txt::NotAQuestion;
}

pub use agent::{Crawler, CrawlerRef, ProductToken};
pub use edition::{Edition, Section};
pub use file::Options;
pub use line::RuleKind;
pub use parser::Parser;
pub use robots_txt::{RobotsTxt, RobotsTxtRef};
pub use verdict::{Group, MergedGroup, Reason, Record, Rule, RuleSet, UserAgentLine, Verdict};
