//! `lint --explain KIND`: explains a kind of finding, and shows how to switch it off. `all` lists the kinds.
//!
//! [`page`] returns the text. The page about a kind of finding has the requirement and an example. A construct is a
//! part of a file that software reads in more than one way, and its page lists the software that reads it in another
//! way than the edition.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use robots_core::{Edition, Options, Parser, RobotsTxt};
use robots_lint::{Construct, FindingKind, findings};

use super::names::unknown;
use super::portability::{Portability, Software};
use super::text::render;
use robots_console::error::Error;

/// The texts of the requirements behind the findings, by id. A test compares them with the suite.
pub(super) const REQUIREMENTS: &str = include_str!("../../requirements.json");

/// Returns the page about a kind of finding or a construct, or for `all` the list of them.
///
/// # Errors
/// Returns a message if no finding and no construct has the name.
pub fn page<P: Parser + ?Sized>(parser: &P, name: &str, edition: Edition) -> Result<String, Error> {
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
        if let Some(body) = example(kind) {
            let robots = RobotsTxt::parse(parser, body, Options::from(edition));
            if let Some(finding) = findings(&robots).find(|finding| finding.kind() == kind) {
                let _ = writeln!(
                    text,
                    "\nAn example:\n\n{}",
                    render("robots.txt", robots.body(), &finding)
                );
            }
        }
    } else if let Ok(construct) = name.parse::<Construct>() {
        let _ = writeln!(text, "{} (note)\n\n{}", construct.name(), construct.says());
        let measured = Portability::embedded()?;
        let readers = measured.readers(construct.name(), edition, Software::All);
        let readers: Vec<String> = readers
            .iter()
            .map(|reader| {
                let old = if reader.old.is_some() { ", which is old" } else { "" };
                format!("  {} {}{old}: {}", reader.name, reader.version, reader.cases.join(", "))
            })
            .collect();
        if !readers.is_empty() {
            let _ = writeln!(
                text,
                "\nThis is not a mistake. Software that reads it differently, with the cases that show it:\n{}",
                readers.join("\n")
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

/// Returns a small file that has a finding of the kind. A kind that needs a long or a binary file has no example.
#[must_use]
pub const fn example(kind: FindingKind) -> Option<&'static str> {
    use FindingKind as Kind;
    Some(match kind {
        Kind::HtmlPage => "<!DOCTYPE html>\n<title>Not found</title>\n",
        Kind::ByteOrderMark => "\u{FEFF}User-agent: *\nDisallow: /private\n",
        Kind::NoColon => "User-agent: *\nDisallow /private\n",
        Kind::NoField => "User-agent: *\n: /private\n",
        Kind::MisspeltField => "User-agent: *\nDisalow: /private\n",
        Kind::UnknownField => "User-agent: *\nRobots: /private\n",
        Kind::ExtensionField => "User-agent: *\nCrawl-delay: 5\n",
        Kind::ObsoleteField => "User-agent: *\nNoindex: /private\n",
        Kind::BareUrl => "https://example.com/sitemap.xml\n",
        Kind::LinesJoined => "User-agent: *\nDisallow: /a Disallow: /b\n",
        Kind::OddSpace => "User-agent: *\nDisallow: \u{A0}/private\n",
        Kind::ControlInField => "User-agent: *\nDis\u{1}allow: /private\n",
        Kind::ControlInValue => "User-agent: *\nDisallow: /private\u{1}\n",
        Kind::ControlInComment => "User-agent: *\nDisallow: /private # \u{1}\n",
        Kind::EmptyAgent => "User-agent:\nDisallow: /private\n",
        Kind::AgentsJoined => "User-agent: Googlebot, Bingbot\nDisallow: /private\n",
        Kind::AgentHeader => {
            "User-agent: Mozilla/5.0 (compatible; examplebot/1.0)\nDisallow: /private\n"
        }
        Kind::AgentNamesNobody => "User-agent: *bot\nDisallow: /private\n",
        Kind::AgentSuffix => "User-agent: examplebot/1.0\nDisallow: /private\n",
        Kind::AgentDigits => "User-agent: examplebot2\nDisallow: /private\n",
        Kind::AgentsRunOn => "User-agent: a\n\nUser-agent: b\nDisallow: /private\n",
        Kind::GroupRepeated => "User-agent: a\nDisallow: /x\n\nUser-agent: a\nDisallow: /y\n",
        Kind::AgentRepeated => "User-agent: a\nUser-agent: a\nDisallow: /x\n",
        Kind::RuleBeforeAgent => "Disallow: /private\nUser-agent: *\nDisallow: /x\n",
        Kind::EmptyAllow => "User-agent: *\nAllow:\n",
        Kind::EmptyDisallow => "User-agent: *\nDisallow:\nDisallow: /private\n",
        Kind::AbsoluteUrl => "User-agent: *\nDisallow: https://example.com/private\n",
        Kind::NoSlash | Kind::SlashAssumed => "User-agent: *\nDisallow: private\n",
        Kind::LeadingStar => "User-agent: *\nDisallow: *.pdf\n",
        Kind::PathsJoined => "User-agent: *\nDisallow: /a /b\n",
        Kind::RawSpace => "User-agent: *\nDisallow: /a b\n",
        Kind::NonAscii => "User-agent: *\nDisallow: /caf\u{E9}\n",
        Kind::StrayPercent => "User-agent: *\nDisallow: /100%\n",
        Kind::DollarInside => "User-agent: *\nDisallow: /a$b\n",
        Kind::UselessDollar => "User-agent: *\nDisallow: /a*$\n",
        Kind::UselessStar => "User-agent: *\nDisallow: /a*\n",
        Kind::HashInPath => "User-agent: *\nDisallow: /a#b\n",
        Kind::RobotsTxtRule => "User-agent: *\nDisallow: /robots.txt\n",
        Kind::OverriddenRule => "User-agent: *\nAllow: /a\nDisallow: /a\n",
        Kind::RedundantRule => "User-agent: *\nDisallow: /a\nDisallow: /a/b\n",
        Kind::PreferenceBetweenAgents => {
            "User-agent: *\nContent-Usage: train-ai=n\nUser-agent: examplebot\nDisallow: /\n"
        }
        Kind::PreferenceBeforeAgent => "Content-Usage: train-ai=n\nUser-agent: *\nDisallow: /x\n",
        Kind::PreferenceNotCrawled => {
            "User-agent: *\nDisallow: /private\nContent-Usage: /private/ train-ai=y\n"
        }
        Kind::UsageEmpty => "User-agent: *\nContent-Usage: /articles/\n",
        Kind::UsageInvalid => "User-agent: *\nContent-Usage: train-ai=n search=y\n",
        Kind::UsageTrailingMark => "User-agent: *\nContent-Usage: train-ai=n,\n",
        Kind::UsageQuotedHash => "User-agent: *\nContent-Usage: train-ai=n;why=\"no. #1\"\n",
        Kind::UsageCapitals => "User-agent: *\nContent-Usage: Train-AI=n\n",
        Kind::UsageValue => "User-agent: *\nContent-Usage: train-ai=no\n",
        Kind::UsageOldLabel => "User-agent: *\nContent-Usage: genai=n\n",
        Kind::UsageSignalKey => "User-agent: *\nContent-Usage: ai-train=no\n",
        Kind::SignalUsageKey => "User-agent: *\nContent-Signal: train-ai=no\n",
        Kind::SignalValue => "User-agent: *\nContent-Signal: ai-train=n\n",
        Kind::EverythingBlocked => "User-agent: *\nDisallow: /\n",
        Kind::SearchEngineBlocked => "User-agent: Googlebot\nDisallow: /\n",
        Kind::EmptySitemap => "Sitemap:\n",
        Kind::RelativeSitemap => "Sitemap: /sitemap.xml\n",
        Kind::SitemapsJoined => "Sitemap: https://example.com/a.xml https://example.com/b.xml\n",
        _ => return None,
    })
}
