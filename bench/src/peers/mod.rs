//! The subjects: our parser and its peers, each with the same interface.
//!
//! Every function of a subject contains the whole loop over the lines or paths, so that no line or path needs a call
//! through a function pointer. All subjects get the same valid UTF-8 text, and paths with query instead of whole URLs,
//! so that splitting a URL is not timed.
//!
//! The time of *parse* includes three steps: parse the text, read every agent, rule and sitemap of the result once into
//! a checksum, and drop the result. For our parser, the second step also reads the kind, span and value of every line.
//! Peers that parse for one crawler store only the rules of this crawler, so they have less to read. The report shows
//! how much each subject reads.

mod fast_robots;
mod ours;
mod robots_txt;
mod robotstxt;
mod robotxt;
mod subject;
mod texting_robots;

pub use self::subject::{Asker, Subject};

/// The subjects. The first is our parser, with which all others are compared.
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

/// The name of our parser without compiled rules, in tables.
pub const UNCOMPILED: &str = ours::UNCOMPILED.name;

/// The name of a peer for which the report has targets.
pub const FAST_ROBOTS: &str = fast_robots::SUBJECT.name;
/// See [`FAST_ROBOTS`].
pub const MATCHER: &str = fast_robots::MATCHER.name;
/// See [`FAST_ROBOTS`].
pub const ROBOTXT: &str = robotxt::SUBJECT.name;
