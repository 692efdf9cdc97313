//! The results of a run as plain data.
//!
//! The subject of a report is the engine or the crawler that is tested. A trial is a question to an engine, or a crawl
//! that is judged under one edition. [`TrialRecord`] describes how one trial ended, for questions and for crawls.
//! [`CaseRecord`] is a case as reports show it: text only. Reports are rendered from these two types, so a renderer
//! does not know the kinds of question. `Totals` counts trials, and `RequirementRecord` says whether a requirement is
//! kept. A `record::RunRecord` has the trials and the counts of a run; each format that a command writes
//! from it is a module.

#[cfg(feature = "report")]
mod badge;
mod case;
#[cfg(feature = "report")]
mod counts;
pub mod failure;
#[cfg(feature = "report")]
mod format;
#[cfg(feature = "html")]
pub mod html;
#[cfg(feature = "report")]
pub mod jsonl;
#[cfg(feature = "junit")]
pub mod junit;
#[cfg(feature = "report")]
pub mod markdown;
#[cfg(feature = "report")]
pub mod record;
#[cfg(feature = "report")]
mod requirement;
#[cfg(feature = "report")]
mod sources;
#[cfg(feature = "report")]
pub mod terminal;
mod trial;
#[cfg(feature = "report")]
mod words;

pub use self::case::{CaseRecord, Cases, ExpectRecord, FileRecord, MemberRecord};
#[cfg(feature = "report")]
pub use self::counts::{AreaRecord, EditionRecord, Totals};
#[cfg(feature = "report")]
pub use self::format::{ReportFormat, write};
#[cfg(feature = "report")]
pub use self::requirement::{RequirementRecord, RequirementState};
#[cfg(feature = "report")]
pub use self::sources::Sources;
pub use self::trial::{Finding, TrialRecord};
