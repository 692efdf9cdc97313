#![doc = include_str!("../README.md")]
//! # The crate
//!
//! The field `form` of a [`Case`] is a [`CrawlPlan`]: the sites, the links, and what the access log must show. The
//! expectations of a case list the pages that a crawler must, must not or may fetch from the sites. [`load()`] reads
//! the cases of the suite, and [`verdicts`] makes cases from the suite's verdict questions. [`run()`] starts a test
//! server for one case and runs a [`Crawler`] against it. [`judge()`] decides from the record of that crawl alone
//! whether it conforms to an edition.
//!
//! [`check()`] runs and judges many cases, for the tests of a crawler. [`Run`] is for programs: it selects cases by
//! [`Options`], crawls and judges them, and returns a [`CrawlReport`]. No module of this crate reads a command line or
//! renders a report.
//!
//! ```
//! use robots_conformance::run::outcome::Outcome;
//! use robots_conformance::suite;
//! use robots_conformance_live::{self as live, Ended, Settings, Task};
//! use robots_core::Edition;
//!
//! // A crawler that sends no request neither passes nor fails.
//! let idle = |_: &Task<'_>| Ok(Ended::ByItself);
//! let cases = live::load(&suite::load::embedded().unwrap()).unwrap();
//! let record = live::run(&cases[0], &idle, &Settings::default()).unwrap();
//! assert_eq!(live::judge(&cases[0], Edition::Google2022, &record).outcome, Outcome::Inconclusive);
//! ```

// The pages that an expectation lists.
mod probes;
// A case.
mod case;
// The keys of a case file.
mod raw;
// The page where a crawl begins.
mod start;
// The sites that are served.
mod served;
// Runs a crawler on the test server.
mod run;
// Expectations as text.
mod text;
// The crawler.
mod subject;
// The options of a run.
mod options;
// The access log as evidence.
mod evidence;
// What the log says about one crawl.
mod crawl;
// The judge.
mod judge;
// Cases read from files.
mod load;
// Cases made from the suite's verdict cases.
pub mod verdicts;
// A crawl judged under an edition.
mod trial;
// A failed crawl as text.
mod failure;
// The results of a run.
mod report;
// Finished crawls that are judged again.
mod kept;
// A crawler that is a command.
mod command;
// Many cases in one call, for a crawler's own tests.
mod check;
// Which cases and editions a run has.
mod selected;
// The crawls of a run.
mod crawling;
// A whole run.
mod measure;

pub use case::{Case, Check, CrawlPlan, Expectation, Follows, Kind};
pub use check::{Checked, check};
pub use command::CrawlerCommand;
pub use crawl::Crawl;
pub use failure::{case_record, failure};
pub use judge::{Judgement, judge};
pub use kept::Kept;
pub use load::{load, load_file};
pub use measure::Run;
pub use options::{CaseSelection, Options};
pub use probes::{Page, Probes};
pub use report::CrawlReport;
pub use robots_conformance;
pub use run::{
    CrawlRecord, Crawler, Ended, NotRun, Settings, TOGETHER, Task, run, run_all, run_together,
};
pub use served::{NEUTRAL, served};
pub use start::{AFTER, BEFORE, HUB, start};
pub use subject::Subject;
pub use text::request;
pub use trial::Trial;
