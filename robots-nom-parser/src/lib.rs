#![doc = include_str!("../README.md")]
#![no_std]

extern crate alloc;
// The unit tests need `std`, because a failing test prints its input.
#[cfg(test)]
#[macro_use]
extern crate std;

// The grammars: a function for each production.
mod grammar;
// Decides whether a file derives from an edition's grammar.
mod derive;
// `NomParser`: reads lines with the lenient grammar.
mod lines;
// A field's name and colon, compared as whole words.
mod spelling;
// `ScanParser`: finds lines many octets at a time.
mod scan;

pub use lines::NomParser;
pub use robots_core;
pub use scan::ScanParser;

use robots_core::{Options, RobotsTxt};

/// Parses a robots.txt under the default edition, google-2022.
///
/// The body is the octets as fetched, borrowed or owned. You need not decode or trim the octets. Any octets are valid.
///
/// ```
/// let robots = robots_nom_parser::parse("user-agent: *\ndisallow: /private\n");
/// let verdict = robots.verdict("examplebot", "https://example.com/private/page");
/// assert!(!verdict.is_allowed());
/// assert_eq!(verdict.rule().unwrap().line().number, 2);
/// ```
///
/// For another edition, or a limit other than 500 KiB, use [`parse_with`].
#[must_use]
pub fn parse<B: AsRef<[u8]>>(body: B) -> RobotsTxt<B> {
    RobotsTxt::parse(&ScanParser, body, Options::default())
}

/// Parses a robots.txt under an edition, or with options.
///
/// ```
/// use robots_nom_parser::parse_with;
/// use robots_nom_parser::robots_core::{Edition, Options};
/// // Only google-2018 accepts a rule whose path begins with neither a slash nor a star.
/// let body = "user-agent: *\ndisallow: private\n";
/// assert!(!parse_with(body, Edition::Google2018).verdict("examplebot", "/private").is_allowed());
/// assert!(parse_with(body, Edition::Google2022).verdict("examplebot", "/private").is_allowed());
/// let robots = parse_with(body, Options::default().with_limit(16));
/// assert_eq!(robots.truncated_at(), Some(14));
/// ```
#[must_use]
pub fn parse_with<B: AsRef<[u8]>>(body: B, options: impl Into<Options>) -> RobotsTxt<B> {
    RobotsTxt::parse(&ScanParser, body, options.into())
}
