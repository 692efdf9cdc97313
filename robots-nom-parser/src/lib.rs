#![doc = include_str!("../README.md")]
#![no_std]

extern crate alloc;

mod derive;
mod grammar;
mod lines;
mod scan;
mod spelling;

pub use lines::NomParser;
pub use robots_core;
pub use scan::ScanParser;

use robots_core::{Edition, Options, RobotsTxt};

/// Parses a robots.txt by the default edition, google-2022.
///
/// The body is the octets as fetched, borrowed or owned; nothing needs to be decoded or trimmed. Any
/// octets give a result.
///
/// ```
/// let robots = robots_nom_parser::parse("user-agent: *\ndisallow: /private\n");
/// let verdict = robots.verdict("examplebot", "https://example.com/private/page");
/// assert!(!verdict.is_allowed());
/// assert_eq!(verdict.rule().map(|rule| rule.line().number), Some(2));
/// ```
///
/// For another edition there is [`parse_for`]; for another limit than 500 KiB, [`RobotsTxt::parse`].
#[must_use]
pub fn parse<B: AsRef<[u8]>>(body: B) -> RobotsTxt<B> {
    RobotsTxt::parse(&ScanParser, body, Options::default())
}

/// Parses a robots.txt by the given edition.
///
/// ```
/// use robots_nom_parser::{parse_for, robots_core::Edition};
/// // Without its slash a path is a rule in google-2018 only.
/// let body = "user-agent: *\ndisallow: private\n";
/// let allowed = |edition| parse_for(body, edition).verdict("examplebot", "/private").is_allowed();
/// assert!(!allowed(Edition::Google2018));
/// assert!(allowed(Edition::Google2022));
/// ```
#[must_use]
pub fn parse_for<B: AsRef<[u8]>>(body: B, edition: Edition) -> RobotsTxt<B> {
    RobotsTxt::parse(&ScanParser, body, Options::default().edition(edition))
}
