#![doc = include_str!("../README.md")]

// One line of an access log.
mod request;
// The formats of access logs.
mod log;
// Which crawlers are recognised, and how.
mod agents;
// The published addresses of crawlers.
mod ranges;
// The results.
mod report;
// The robots.txt files over time.
mod history;
// The robots.txt files, parsed.
mod files;
// The origins of a log.
mod origins;
// One crawler at one origin: what it may know.
mod timeline;
// Judges a request by what the crawler may know.
mod judge;
// One crawler of the report.
mod row;
// Judges the requests of a log.
mod audit;

pub use agents::Agents;
pub use audit::Audit;
pub use history::History;
pub use log::{LONGEST_LINE, Line, LogReader, NotAFormat};
pub use ranges::{Address, NotRanges, Ranges};
pub use report::{
    Cause, Class, CrawlerReport, Day, DecidingRule, Distance, Example, Reason, Report,
};
pub use request::Request;
pub use robots_core;
