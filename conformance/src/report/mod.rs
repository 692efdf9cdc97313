//! What a run showed, as plain data.
//!
//! A trial is a question to an engine or a crawl to be judged. [`TrialRecord`] is how one trial ended, the same for both.
//! [`CaseRecord`] is a case as readers see it: texts, no types of a question. A report is rendered from these two alone, so
//! that no renderer knows what was asked or how. [`Totals`] and [`Counts`] count trials. Nothing here renders.

mod case;
mod counts;
mod trial;

pub use self::case::{CaseRecord, Cases, ExpectRecord, FileRecord, MemberRecord};
pub use self::counts::{AreaRecord, Counts, EditionRecord, Totals};
pub use self::trial::{Finding, TrialRecord};
