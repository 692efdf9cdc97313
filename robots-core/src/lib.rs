#![doc = include_str!("../README.md")]
#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]

extern crate alloc;

mod access;
mod agent;
mod builder;
mod edition;
mod engine;
mod group;
mod index;
mod interpreted;
mod kind_code;
mod line;
mod meaning;
mod observed;
mod parser;
mod path;
mod profile;
mod robots_txt;
#[cfg(feature = "scope")]
mod robots_url;
mod scope;
mod short_line;
mod target;
mod verdict;

pub use access::{
    Access, CachedCopy, DAY, Failure, FetchEnd, FetchResult, Freshness, LASTING, Location, Refresh,
    Retry,
};
pub use agent::{Crawler, CrawlerRef, ProductToken};
pub use edition::{
    Edition, LastingServerError, Observed, Semantics, Stance, StatusClass, UnknownEdition,
};
pub use engine::{Answer, Engine, Question, Role, WrittenGroup};
pub use group::{Agent, Followed, Group, Rule};
pub use interpreted::{Interpreted, IsAllowed};
pub use line::{Field, Line, LineKind, Malformed, NoEffect, Remark, RuleKind, Span};
pub use parser::{Derivation, Parser, Sink};
pub use path::{Pattern, RuleSet};
pub use profile::{Profile, UnknownProfile};
pub use robots_txt::{DEFAULT_LIMIT, Options, RobotsTxt};
#[cfg(feature = "scope")]
pub use robots_url::{NotARobotsUrl, RobotsUrl, scope};
pub use scope::Scope;
pub use short_line::ShortLine;
pub use target::{NotAUrl, Target};
pub use verdict::{Reason, Verdict};
