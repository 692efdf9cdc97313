//! `lint --explain KIND`: explains a kind of finding, and shows how to switch it off. `all` lists the kinds.
//!
//! [`page`] returns the text. The page about a kind of finding has the requirement, a small file, and what is wrong in
//! it. A construct is a part of a file that software reads in more than one way, and its page lists the software that
//! reads it in another way than the edition.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use robots_core::{Edition, Options, Parser, RobotsTxt};
use robots_lint::{Construct, FindingKind, findings};

use super::names::unknown;
use super::portability::{Portability, Software};
use super::text::render;
use robots_console::error::Error;
use robots_console::render::octets;

/// The texts of the requirements behind the findings, by id. A test compares them with the suite.
pub(super) const REQUIREMENTS: &str = include_str!("../../requirements.json");

/// Returns the page about a kind of finding or a construct, or for `all` the list of them.
///
/// # Errors
/// Returns a message if no finding and no construct has the name.
pub(crate) fn page<P: Parser + ?Sized>(
    parser: &P,
    name: &str,
    edition: Edition,
) -> Result<String, Error> {
    let mut text = String::new();
    if name == "all" {
        for kind in FindingKind::ALL {
            let _ = writeln!(text, "{kind} ({}): {}", kind.level(), kind.summary());
        }
        for construct in Construct::ALL {
            let _ = writeln!(text, "{} (note): {}", construct.name(), construct.says());
        }
        return Ok(text);
    }
    if let Ok(kind) = name.parse::<FindingKind>() {
        let _ = writeln!(text, "{} ({})\n\n{}", kind.name(), kind.level(), kind.summary());
        if let Some(source) = kind.source(edition) {
            let texts: BTreeMap<&str, String> = serde_json::from_str(REQUIREMENTS)
                .map_err(|error| Error::new(format!("requirements.json: {error}")))?;
            let id = source.requirement();
            let says = texts.get(id).map_or("", String::as_str);
            let _ = writeln!(text, "\nThe rule behind it: {says}\n{source} ({id})");
        }
        if let Some(body) = kind.example() {
            let found = |edition: &Edition| {
                let robots = RobotsTxt::parse(parser, body, Options::from(*edition));
                let finding = findings(&robots).find(|finding| finding.kind() == kind)?;
                Some(render("robots.txt", robots.body(), &finding))
            };
            // Some kinds exist only in some editions, for example a first slash that the edition assumes.
            let found = [edition].iter().chain(Edition::ALL).find_map(found).unwrap_or_default();
            let _ = writeln!(
                text,
                "\nA file with this finding:\n\n{}\n{found}",
                octets(body.as_bytes())
            );
        }
    } else if let Ok(construct) = name.parse::<Construct>() {
        let (name, says) = (construct.name(), construct.says());
        let file = octets(construct.example().as_bytes());
        let _ = writeln!(text, "{name} (note)\n\n{says}\n\nA file that has it:\n\n{file}");
        let measured = Portability::embedded()?;
        let readers = measured.readers(name, edition, Software::All);
        let readers = readers.iter().map(|reader| {
            let old = if reader.old.is_some() { ", which is old" } else { "" };
            format!("  {} {}{old}\n", reader.name, reader.version)
        });
        let readers: String = readers.collect();
        if !readers.is_empty() {
            let _ = writeln!(
                text,
                "This is not a mistake, and `lint` reports it only with --portability. Software that reads it \
                 differently:\n{}",
                readers.trim_end()
            );
        }
    } else {
        return Err(unknown("--explain", name));
    }
    let _ = writeln!(
        text,
        "\nTo switch it off: --ignore {name}, `ignore: [{name}]` in .robots-lint.yaml, or a comment in the file:\n\
         `# robots-lint: ignore {name}` on a line of its own, or after a rule for that line only."
    );
    Ok(text)
}
