#![doc = include_str!("../README.md")]
#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]

extern crate alloc;
// The unit tests need `std`, because a failing test prints its input.
#[cfg(test)]
#[macro_use]
extern crate std;

// The table of the kinds of findings.
mod kind;
// Names that no published edition defines.
mod field_name;
// The URLs that a change of a file opens or closes, or whose preferences it changes; whether a file blocks an agent.
pub mod effect;
// The search engines, and whether a file blocks them or everybody.
mod engines;
// One finding.
mod one;
// Values with a mistake.
mod values;
// The file that is checked.
mod file;
// The checks of lines that state a preference about the use of content.
mod preferences;
// Names of crawlers, and the policy tokens that name a use instead.
mod agent_name;
// Preferences about the use of content that groups lose or contradict.
mod signals;
// The checks of the whole file.
mod whole;
// The checks of user-agent lines.
mod user_agents;
// The checks of a rule.
mod rules;
// The checks of one line.
mod lines;
// The checks of lengths.
mod lengths;
// The checks of several lines: groups.
mod groups;
// The texts of findings.
mod text;
// Well-formed parts that software reads in more than one way.
mod construct;
// Comments in a file that switch findings off.
mod ignored;
// The iterator over the findings of a file.
mod walk;
// The text that fixes a finding.
mod replacement;
// A file with the fixes that change no verdict and no preference.
mod fix;
// Expectations for a file, and the check whether it meets them.
#[cfg(feature = "expect")]
pub mod expect;
// The findings that affect one answer.
mod bearing;
// Findings for serde.
#[cfg(feature = "serde")]
mod serialise;

pub use bearing::findings_for;
pub use construct::{Construct, constructs};
pub use fix::{Fixed, fix};
pub use ignored::Ignored;
pub use kind::{FindingKind, Level};
pub use one::Finding;
pub use signals::policy_tokens;
pub use walk::{Findings, findings, findings_at};
