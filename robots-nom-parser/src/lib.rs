#![doc = include_str!("../README.md")]
#![no_std]

extern crate alloc;

mod derive;
mod grammar;
mod lenient;
mod scan;

pub use robots_core;

use robots_core::syntax::{Grammar, GrammarMatch, Report};
use robots_core::{Edition, Options, Parser, RobotsTxt};

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
    RobotsTxt::parse(&NomParser, body, Options::default())
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
    RobotsTxt::parse(&NomParser, body, Options::default().edition(edition))
}

/// The parser: lenient lines from any octets, and a recogniser for two grammars.
///
/// Lines end in CR, LF or CR LF. In a line, the field stands before the first colon and the value behind
/// it, both without the spaces and tabs around them; the comment begins at the first `#`. A byte order
/// mark at the very start belongs to the span of line 1, not to its content. Spans have 32 bits, so the
/// octets must be fewer than 4 GiB; [`RobotsTxt`] sees to that.
///
/// ```
/// use robots_nom_parser::{NomParser, robots_core::Parser};
/// let octets = b"Disallow : /x # why\r\nno colon";
/// let mut lines = Vec::new();
/// NomParser.parse(octets, &mut |line| lines.push(line));
/// assert_eq!(lines.len(), 2);
/// assert_eq!(&octets[lines[0].value.unwrap().range()], b"/x");
/// assert_eq!(&octets[lines[0].comment.unwrap().range()], b"# why");
/// assert_eq!(lines[1].field, None);
/// ```
///
/// The recogniser, [`Parser::derives`], has the grammars of RFC 9309 (section 2.2) and of google-2018
/// ("formal syntax"). It judges a file by `robotstxt`, and a line on its own, with its ending, by
/// `startgroupline`, `rule` and `emptyline`, or in google-2018 by `startgroupline`, `groupmemberline`,
/// `nongroupline` and `comment`. Comments have no ending in google-2018: a comment line derives only
/// where it is the last and ends with the file.
///
/// ```
/// use robots_nom_parser::{NomParser, robots_core::{Edition, Parser}};
/// let derivation = NomParser.derives(Edition::Rfc9309, b"user-agent: a\nsitemap: b\n").unwrap();
/// assert!(!derivation.file);
/// assert_eq!(derivation.lines, [true, false]);
/// assert_eq!(NomParser.derives(Edition::Google2019, b""), None);
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct NomParser;

impl Parser for NomParser {
    fn name(&self) -> &'static str {
        "nom"
    }

    fn parse(&self, octets: &[u8], report: &mut Report<'_>) {
        scan::report(octets, report);
    }

    fn derives(&self, grammar: Grammar, octets: &[u8]) -> Option<GrammarMatch> {
        derive::derivation(grammar, octets)
    }
}
