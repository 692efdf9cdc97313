//! The subjects: the parser of this repository and its peers, each behind the same few functions.
//!
//! Every function is compiled for its subject, loop included, so that no call through a pointer is paid
//! per line or per path. All subjects get the same text, valid UTF-8, and paths with query, never whole
//! URLs: nobody is timed splitting a URL.
//!
//! The timed unit of *parse* is: parse the text, read every agent, rule and sitemap of the result once
//! into a checksum, drop the result. Of ours every line's kind, span and value is read as well. Peers
//! that parse for one crawler hold its rules only and have less to read; what each one reads is counted
//! in the report.

mod fast_robots;
mod ours;
mod robots_txt;
mod robotstxt;
mod robotxt;
mod texting_robots;

use crate::slow::Items;

/// A parsed file, ready for questions of [`CRAWLER`](crate::corpus::CRAWLER).
pub trait Asker {
    /// Asks for each path and returns how many are allowed.
    fn ask(&self, paths: &[String]) -> usize;
}

/// One entry point of one crate.
#[derive(Clone, Copy)]
pub struct Subject {
    /// What the tables call it.
    pub name: &'static str,
    /// The crate, as the lock file names it.
    pub package: &'static str,
    /// What is timed as *parse*; `None` where this entry point does not differ from another subject's.
    pub parse: Option<&'static str>,
    /// What is timed as *verdict with compiled rules*; `None` where nothing can be compiled or kept.
    pub verdict: Option<&'static str>,
    /// Parses the text and reads the result once; returns the checksum.
    pub read: fn(&str) -> u64,
    /// Returns what [`read`](Self::read) reads, gathered by other means, and the checksum it must give.
    pub slow: fn(&str) -> (Items, u64),
    /// Parses the text and asks about one path.
    pub ask_once: fn(&str, &str) -> bool,
    /// Parses the text and compiles the rules.
    pub compile: fn(&str),
    /// Parses the text and keeps the result for good.
    pub leak: fn(&'static str),
    /// Parses the text, compiles the rules and keeps both for good.
    pub leak_compiled: fn(&'static str),
    /// Parses and compiles; the result takes questions.
    pub open: fn(&'static str) -> Box<dyn Asker>,
}

/// The subject all others are compared with, and the peers.
pub const SUBJECTS: [Subject; 8] = [
    ours::SUBJECT,
    ours::UNCOMPILED,
    fast_robots::SUBJECT,
    fast_robots::MATCHER,
    robotxt::SUBJECT,
    texting_robots::SUBJECT,
    robots_txt::SUBJECT,
    robotstxt::SUBJECT,
];

/// The name of the parser of this repository in tables.
pub const OURS: &str = ours::SUBJECT.name;

/// The name of it where nothing is compiled.
pub const UNCOMPILED: &str = ours::UNCOMPILED.name;

/// The names of the peers that targets are set against.
pub const FAST_ROBOTS: &str = fast_robots::SUBJECT.name;
/// See [`FAST_ROBOTS`].
pub const MATCHER: &str = fast_robots::MATCHER.name;
/// See [`FAST_ROBOTS`].
pub const ROBOTXT: &str = robotxt::SUBJECT.name;

/// Keeps a value for the rest of the process.
fn forever<T>(value: T) -> &'static T {
    Box::leak(Box::new(value))
}
