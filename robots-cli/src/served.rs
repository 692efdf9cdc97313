//! The verb `served`: checks whether a site serves the committed robots.txt to each of several crawlers.
//!
//! `robots-fetch` does all fetching. The octets are compared first. If the files differ, `robots_lint::effect` decides
//! whether their meaning differs.

use std::fmt::Write as _;
use std::process::ExitCode;
use std::time::Duration;

use clap::{Args, ValueEnum};
use robots_console::render::quoted;
use robots_console::render::{self, counted};
use robots_core::{Edition, Options, Parser, RobotsTxt};
use robots_fetch::Record;
use robots_lint::effect::{self, Change, Effect};
use robots_lint::{FindingKind, findings};

use crate::crawler::Named;
use crate::fetch;
use crate::lint::Input;
use robots_console::error::Error;
use robots_console::output;

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// The arguments of the verb.
#[derive(Args, Clone, Debug)]
#[command(
    after_help = "Examples:\n  robots served https://example.com --expect public/robots.txt\n  \
                  robots served https://example.com --expect HEAD:robots.txt --by meaning --agent Googlebot\n\n\
                  The exit status is 0 if the served file is the expected one, 1 if not, 2 if the expected file cannot \
                  be read."
)]
pub(crate) struct ServedArgs {
    /// The site, or the URL of its robots.txt
    #[arg(value_name = "URL")]
    pub url: String,
    /// The file that is meant to be served: a file, a git revision such as `HEAD:robots.txt`, or `-`
    #[arg(long, value_name = "FILE")]
    pub expect: Input,
    /// Compare octets or meaning
    #[arg(long, value_name = "WHAT", value_enum, default_value_t)]
    pub by: By,
    /// The crawler for which the file is fetched, by its product token; repeatable. Several tokens of one crawler are
    /// separated by commas
    #[arg(long = "agent", value_name = "A", default_values = ["examplebot", "Googlebot"])]
    pub agents: Vec<String>,
    /// The edition by which the meaning is compared
    #[arg(long, value_name = "E", default_value_t)]
    pub edition: Edition,
}

/// The way to compare the two files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum By {
    /// Every octet
    #[default]
    Octets,
    /// The URLs that crawlers may fetch; comments and layout may differ
    Meaning,
}

/// Fetches the file as each crawler, compares it, and prints the differences.
pub(crate) fn run<P: Parser + ?Sized>(parser: &P, arguments: &ServedArgs) -> ExitCode {
    let compared = compare(parser, arguments).and_then(|(text, is_same)| {
        output::print(&text)?;
        Ok(ExitCode::from(u8::from(!is_same)))
    });
    compared.unwrap_or_else(|error| output::usage(&error))
}

/// Returns the text to print, and whether the site serves the expected file to every crawler.
fn compare<P: Parser + ?Sized>(
    parser: &P,
    arguments: &ServedArgs,
) -> Result<(String, bool), Error> {
    let named = arguments.agents.iter().map(|agent| Named::by_agent(agent));
    let crawlers: Vec<Named> = named.collect::<Result<_, _>>()?;
    let expected = arguments.expect.read()?;
    // The sentences about the answers, each with the robots.txt and the agent.
    let mut said: Vec<((String, String), &str)> = Vec::new();
    let mut is_same = true;
    let mut first: Option<(&str, Vec<u8>)> = None;
    for (agent, crawler) in arguments.agents.iter().zip(&crawlers) {
        let record = fetch::record(&arguments.url, &crawler.tokens)?;
        let mut problems = about_answer(&record);
        if let Some(copy) = &record.copy {
            problems.extend(about_body(parser, arguments, &expected, &copy.body, &record));
            match &first {
                Some((other, body)) if *body != copy.body => {
                    problems.push(format!("{agent} gets another file than {other}"));
                }
                Some(_) => {}
                None => first = Some((agent, copy.body.clone())),
            }
        }
        let is_good = problems.is_empty();
        let old = old(&record, is_good);
        if is_good && !(old.is_none() && output::is_quiet()) {
            problems.push("the expected file is served".to_owned());
        }
        let file = format!("{}/robots.txt", record.key);
        said.extend(problems.into_iter().chain(old).map(|line| ((file.clone(), line), &agent[..])));
        is_same &= is_good;
    }
    let mut text = String::new();
    for ((file, line), agents) in render::grouped(said) {
        let place = render::message(&format!("{file} as {}", agents.join(", ")));
        let _ = writeln!(text, "{place}: {}", render::message(&line));
    }
    Ok((text, is_same))
}

/// Returns a line about the file's age if a cache kept the file for more than a day. An old file may still be the
/// expected file, so its age is not a failure by itself.
fn old(record: &Record, is_expected: bool) -> Option<String> {
    let age = record.copy.as_ref()?.about.age.filter(|age| *age > DAY)?;
    let days = age.as_secs() / DAY.as_secs();
    let days = if days == 1 { "a day".to_owned() } else { format!("{days} days") };
    let so = if is_expected {
        "a change of the file may come late"
    } else {
        "it may be an earlier file; remove robots.txt from the cache"
    };
    Some(format!("a cache sent this copy, which is older than {days} by its Age or Date: {so}"))
}

/// Returns a line about a redirect, if there was one, and a line about an answer without a file.
fn about_answer(record: &Record) -> Vec<String> {
    let mut problems = Vec::new();
    let last = &record.last;
    if let Some(hop) = last.hops.first() {
        problems.push(format!("a redirect ({}) leads to {}", hop.status, last.url));
    }
    if record.copy.is_none() {
        problems.push(format!("no file is served: {}", last.end));
    }
    problems
}

/// Compares a served file with the expected one.
fn about_body<P: Parser + ?Sized>(
    parser: &P,
    arguments: &ServedArgs,
    expected: &[u8],
    body: &[u8],
    record: &Record,
) -> Option<String> {
    if body == expected {
        return None;
    }
    let options = Options::from(arguments.edition);
    let [old, new] = [expected, body].map(|octets| RobotsTxt::parse(parser, octets, options));
    if findings(&new).next().is_some_and(|finding| finding.kind() == FindingKind::HtmlPage) {
        let status = record.last.end.status.unwrap_or_default();
        return Some(format!("an HTML page is served with status {status}, perhaps an error page"));
    }
    let difference = effect::compare(&old, &new);
    let is_same = difference.changes().is_empty() && !difference.is_sampled();
    if is_same && arguments.by == By::Meaning {
        return None;
    }
    let at = body.len().checked_sub(expected.len());
    let is_behind = !expected.is_empty() && at.is_some_and(|at| body[at..] == *expected);
    let what = if let Some(layout) = layout(expected, body) {
        layout.to_owned()
    } else if is_behind {
        let lines = String::from_utf8_lossy(&body[..at.unwrap_or_default()]).lines().count();
        format!("a block of {} is put in front of the expected file", counted(lines, "line"))
    } else if body.starts_with(expected) {
        "text is added at the end of the expected file".to_owned()
    } else {
        let modified = record.copy.as_ref().and_then(|copy| copy.about.last_modified.as_deref());
        let since = modified.map_or(String::new(), |date| format!(", last modified {date}"));
        format!("another file is served{since}")
    };
    let is_verdict = |change: &&Change<'_>| !matches!(change.effect(), Effect::Preference(_));
    let mut changes = difference.changes().iter();
    Some(match changes.clone().find(is_verdict).or(changes.next()) {
        None if is_same => format!("{what}; crawlers may fetch the same URLs"),
        None => format!("{what}; the files are too large to compare what they mean"),
        Some(change) => {
            let patterns = counted(difference.changes().len(), "pattern");
            let (of, example) = match change.effect() {
                Effect::Preference(category) => (
                    "the preferences about the use of content",
                    format!("has another preference for {category}"),
                ),
                effect => ("what crawlers may fetch", format!("is {effect}")),
            };
            format!(
                "{what}; it changes {of} ({patterns}), for example {} {example}: see \
                 `robots diff {} {}`",
                change.example(),
                quoted(arguments.expect.name()),
                record.key,
            )
        }
    })
}

/// If two files differ only in their line endings or their byte order marks, returns a sentence about this difference.
fn layout(expected: &[u8], body: &[u8]) -> Option<&'static str> {
    const MARK: &[u8] = b"\xef\xbb\xbf";
    let [old, new] = [expected, body].map(|octets| octets.strip_prefix(MARK).unwrap_or(octets));
    if old == new {
        return Some(if body.starts_with(MARK) {
            "the expected file is served with a byte order mark (three octets) in front"
        } else {
            "the expected file is served without its byte order mark (three octets)"
        });
    }
    lines(old).eq(lines(new)).then_some("the expected file is served with other line ends")
}

/// Returns the lines of a file without their line endings (LF or CR LF).
fn lines(octets: &[u8]) -> impl Iterator<Item = &[u8]> {
    let lines = octets.split(|octet| *octet == b'\n');
    lines.map(|line| line.strip_suffix(b"\r").unwrap_or(line))
}
