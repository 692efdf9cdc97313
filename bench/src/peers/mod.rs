//! The subjects: our parser and its peers, each with the same interface.
//!
//! Every function, including its loop, is compiled for its subject, so that no line or path costs a call through a
//! pointer. All subjects get the same valid UTF-8 text, and paths with query instead of whole URLs, so that splitting a
//! URL is not timed.
//!
//! The timed unit of *parse* is: parse the text, read every agent, rule and sitemap of the result once into a checksum,
//! and drop the result. For our parser, the kind, span and value of every line is read too. Peers that parse for one
//! crawler store only its rules, so they have less to read; the report shows how much each subject reads.

mod fast_robots;
mod ours;
mod robots_txt;
mod robotstxt;
mod robotxt;
mod subject;
mod texting_robots;

pub use self::subject::{Asker, Subject};

/// The subject that all others are compared with, and the peers.
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

/// The name of our parser in tables.
pub const OURS: &str = ours::SUBJECT.name;

/// The name of our parser without compiled rules.
pub const UNCOMPILED: &str = ours::UNCOMPILED.name;

/// The names of the peers in targets.
pub const FAST_ROBOTS: &str = fast_robots::SUBJECT.name;
/// See [`FAST_ROBOTS`].
pub const MATCHER: &str = fast_robots::MATCHER.name;
/// See [`FAST_ROBOTS`].
pub const ROBOTXT: &str = robotxt::SUBJECT.name;
