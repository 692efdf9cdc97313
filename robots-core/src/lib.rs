#![doc = include_str!("../README.md")]
#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]

extern crate alloc;

mod agent;
mod edition;
pub mod engine;
pub mod fetch;
mod file;
mod line;
mod meaning;
mod parser;
pub mod path;
#[cfg(feature = "scope")]
mod policy;
mod robots_txt;
mod text;
mod verdict;

pub mod syntax {
    //! Lines and the parsers that report them.
    //!
    //! A [`Parser`] reports [`Line`]s or, faster, [`CompactLine`]s and records to a [`Report`]; the core says
    //! what they mean ([`LineKind`]).

    pub use crate::edition::Grammar;
    pub use crate::line::{
        CompactLine, Field, Line, LineKind, LineNumber, Malformed, NoEffect, Remark, Span,
        UnknownField,
    };
    pub use crate::parser::{GrammarMatch, Parser, Report, lines};
}

pub use agent::{Crawler, CrawlerRef, NotAProductToken, ProductToken};
pub use edition::{Edition, Profile, UnknownEdition, UnknownProfile};
pub use engine::Engine;
pub use file::Options;
pub use line::RuleKind;
pub use parser::Parser;
#[cfg(feature = "scope")]
pub use policy::{Fetched, Ground, NotGoverned, Permission, Policy};
pub use robots_txt::{NotAQuestion, RobotsTxt};
pub use verdict::{Group, MergedGroup, Reason, Record, Rule, RuleSet, UserAgentLine, Verdict};
