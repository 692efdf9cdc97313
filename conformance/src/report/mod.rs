//! The results of a run as plain data.
//!
//! The subject of a report is the engine or the crawler that is tested. A trial is a question to an engine, or a crawl
//! that is judged under one edition. [`TrialRecord`] describes how one trial ended, for questions and for crawls.
//! [`CaseRecord`] is a case as reports show it: text only. Reports are rendered from these two types, so a renderer
//! does not know the kinds of question. [`Totals`] and [`Counts`] count trials. [`grouped`]
//! joins values that a report shows together. This module writes no report.

mod case;
mod counts;
mod trial;

pub use self::case::{CaseRecord, Cases, ExpectRecord, FileRecord, MemberRecord};
pub use self::counts::{AreaRecord, Counts, EditionRecord, Totals};
pub use self::trial::{Finding, TrialRecord};
pub use robots_console::render::grouped;
