//! robots.txt on the wire: cases, how one is run, and the judge.
//!
//! A [`Case`] names sites, the pages that a crawler may or may not fetch there, and what else the access log
//! must show. [`load()`] reads the cases of the suite, [`run()`] starts the web of one and lets a [`Crawler`]
//! loose on it, [`judge()`] tells from the record alone whether that conforms to an edition. [`check()`] does all of
//! it for many cases.
//!
//! ```
//! use std::time::Duration;
//! use robots_core::Edition;
//! use robots_test_web::live::{self, Ended, Outcome, Settings, Task};
//!
//! // A crawler that never comes is neither passed nor failed.
//! let idle = |_: &Task<'_>| Ok(Ended::ByItself);
//! let cases = live::load().unwrap();
//! let record = live::run(&cases[0], &idle, &Settings::default()).unwrap();
//! assert_eq!(live::judge(&cases[0], Edition::Google2022, &record).outcome, Outcome::Inconclusive);
//! ```

mod case;
mod catalogue;
mod check;
mod evidence;
mod failure;
mod judge;
mod load;
mod raw;
mod run;

pub use case::{AFTER, BEFORE, Case, Check, Expectation, Follows, HUB, Kind, Level, Page};
pub use check::{Checked, check};
pub use failure::failure;
pub use judge::{Finding, Judgement, Outcome, judge};
pub use load::{Problem, load, load_files};
pub use run::{
    Crawler, Ended, NotRun, Record, Settings, TOGETHER, Task, run, run_all, run_together,
};
