//! What a reader of a robots.txt should be told about it: findings.
//!
//! Start at [`RobotsTxt::findings`](crate::RobotsTxt::findings). A [`Finding`] has a line, a span, a cause, a
//! mend and the section that says so. What a line means is told elsewhere (`meaning`); this room only says what
//! follows from it for a person, and each thing once: a line without effect has one finding, why.
//!
//! ```
//! # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/dialect/line_parser.rs"));
//! # fn main() {
//! # use robots_core::{Options, RobotsTxt};
//! let body = "user-agent: *\ndisalow: /private\n";
//! let robots = RobotsTxt::parse(&LineParser, body, Options::default());
//! let finding = robots.findings().next().unwrap();
//! assert_eq!(finding.kind().name(), "misspelt-field");
//! assert_eq!(finding.line(), 2);
//! assert_eq!(&body.as_bytes()[finding.span().range()], b"disalow");
//! assert_eq!(finding.replacement().as_deref(), Some("Disallow"));
//! assert_eq!(finding.mend().to_string(), "did you mean `Disallow`?");
//! assert_eq!(finding.source().unwrap().to_string(), "google-2022, \"Syntax\"");
//! # }
//! ```
//!
//! Findings are found in one walk over the lines, after one over the user-agent lines and one over the rules of
//! each group, which are sorted. They are made as they are asked for; what is kept is what the walks found, a
//! few octets for each rule.

mod bearing;
mod construct;
mod field_name;
mod file;
mod groups;
mod kind;
mod lengths;
mod lines;
mod one;
mod replacement;
mod rules;
mod source;
mod text;
mod user_agents;
mod values;
mod walk;
mod whole;

pub use construct::{Construct, UnknownConstruct};
pub use kind::{FindingKind, Level, UnknownFindingKind, UnknownLevel};
pub use one::Finding;
pub use source::Source;
pub use walk::Findings;
