//! Writes the report for readers: a table of the crawlers, then what was disobeyed, then the notes.
//!
//! The report of an ordinary log fits on one screen. `--explain` shows all causes of one crawler, with the requests.

use std::io::{self, Write};

use anstyle::AnsiColor;
use robots_audit::{Cause, Class, CrawlerReport, Example};
use robots_console::output;
use robots_console::render::{self, counted};

use super::audited::{Audited, address, name, requests, why};
use crate::utc::{date, time};

/// The largest number of crawlers that the table shows.
const ROWS: usize = 20;

/// The largest number of causes of disobedience that are shown for all crawlers together.
const CAUSES: usize = 6;

pub(super) fn write(audited: &Audited<'_>, out: &mut dyn Write) -> io::Result<()> {
    let report = &audited.report;
    let is_one = audited.arguments.explain.is_some();
    let crawlers: Vec<&CrawlerReport> =
        report.crawlers.iter().filter(|it| !it.is_for_a_person).collect();
    if !crawlers.is_empty() {
        table(&crawlers[..crawlers.len().min(ROWS)], out)?;
    }
    if let Some(rest @ [_, ..]) = crawlers.get(ROWS..) {
        let requests: u64 = rest.iter().map(|crawler| crawler.requests).sum();
        writeln!(
            out,
            "and {} with {}; the other formats have all",
            counted(rest.len(), "crawler"),
            self::requests(requests)
        )?;
    }
    let is_shown = |cause: &Cause| is_one || cause.class == Class::Disobeyed;
    let causes = report.crawlers.iter().flat_map(|crawler| {
        crawler.causes.iter().filter(|cause| is_shown(cause)).map(move |cause| (crawler, cause))
    });
    let most = if is_one { usize::MAX } else { CAUSES };
    for (crawler, cause) in causes.clone().take(most) {
        self::cause(crawler, cause, if is_one { usize::MAX } else { 1 }, out)?;
    }
    let left_out = causes.count().saturating_sub(most);
    if left_out > 0 {
        writeln!(
            out,
            "and {} more; --explain CRAWLER shows those of one crawler",
            counted(left_out, "disobeyed rule")
        )?;
    }
    if is_one {
        report.crawlers.iter().try_for_each(|crawler| self::more(crawler, out))?;
    }
    if output::is_quiet() {
        return Ok(());
    }
    writeln!(out)?;
    for crawler in report.crawlers.iter().filter(|crawler| crawler.is_for_a_person) {
        let token = render::name(&crawler.token);
        writeln!(
            out,
            "{token} fetches pages for a person: {}, not judged",
            requests(crawler.requests)
        )?;
    }
    for note in audited.notes() {
        writeln!(out, "{}", render::message(&note))?;
    }
    if let (Some(first), Some(last)) = (report.first, report.last) {
        let (all, of_crawlers) = (report.requests, report.requests - report.of_others);
        let (first, last) = (date(first), date(last));
        writeln!(
            out,
            "{first} to {last} (UTC): {}, {of_crawlers} of them by crawlers",
            requests(all)
        )?;
    } else {
        writeln!(out, "the logs have no requests")?;
    }
    Ok(())
}

/// Writes the table of the crawlers.
fn table(crawlers: &[&CrawlerReport], out: &mut dyn Write) -> io::Result<()> {
    let width = crawlers.iter().map(|it| name(it).chars().count()).max().unwrap_or(0).max(7);
    let bold = anstyle::Style::new().bold();
    writeln!(
        out,
        "{bold}{:width$}  {:>8}  {:>10}  {:>8}  {:>9}  {:>13}  {:>7}  {:>6}  address{bold:#}",
        "crawler",
        "requests",
        "robots.txt",
        "obeyed",
        "disobeyed",
        "not yet known",
        "unknown",
        "open"
    )?;
    for crawler in crawlers {
        let count = |class| crawler.count(class);
        let disobeyed = count(Class::Disobeyed);
        let red =
            if disobeyed > 0 { AnsiColor::Red.on_default().bold() } else { anstyle::Style::new() };
        writeln!(
            out,
            "{:width$}  {:>8}  {:>10}  {:>8}  {red}{disobeyed:>9}{red:#}  {:>13}  {:>7}  {:>6}  {}",
            name(crawler),
            crawler.requests,
            crawler.robots_txt_requests,
            count(Class::Obeyed),
            count(Class::NotYetKnown),
            count(Class::Unknown),
            count(Class::Open),
            address(crawler)
        )?;
    }
    Ok(())
}

/// Writes a cause with its first requests, at most `most`.
fn cause(
    crawler: &CrawlerReport,
    cause: &Cause,
    most: usize,
    out: &mut dyn Write,
) -> io::Result<()> {
    let color = if cause.class == Class::Disobeyed { AnsiColor::Red } else { AnsiColor::Cyan };
    let style = color.on_default().bold();
    let (class, mark) = (
        cause.class.id().replace('_', " "),
        if crawler.is_contradicted { ", not its address" } else { "" },
    );
    let (first, last) = (date(cause.first), date(cause.last));
    let days = if first == last { first } else { format!("{first} to {last}") };
    writeln!(
        out,
        "\n{style}{class}{style:#} by {}{mark}: {}, {days}",
        render::name(&crawler.token),
        requests(cause.requests)
    )?;
    let origin = if cause.origin.is_empty() {
        String::new()
    } else {
        format!("{}: ", render::name(&cause.origin))
    };
    writeln!(out, "  {origin}{}", render::message(&why(cause)))?;
    cause.examples.iter().take(most).try_for_each(|example| self::example(example, out))
}

fn example(example: &Example, out: &mut dyn Write) -> io::Result<()> {
    let Example { method, target, status, .. } = example;
    let (method, target) = (render::name(method), render::elided(target));
    write!(out, "  {} {method} {target} {status}", time(example.time))?;
    if let Some(address) = example.address {
        write!(out, " from {address}")?;
    }
    if let Some(read) = example.read {
        write!(out, ", robots.txt answered {}", time(read))?;
    }
    writeln!(out)
}

/// Writes what else is known about a crawler.
fn more(crawler: &CrawlerReport, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "\n{}", name(crawler))?;
    let (asked, answered) = (requests(crawler.robots_txt_requests), crawler.robots_txt_reads);
    writeln!(out, "  {asked} for robots.txt, {answered} of them answered completely")?;
    if crawler.while_failing > 0 {
        writeln!(
            out,
            "  {} for pages while robots.txt failed with 5xx",
            requests(crawler.while_failing)
        )?;
    }
    if let Some(distance) = crawler.distance {
        let [lowest, median] = [distance.lowest, distance.median].map(|it| it.as_secs_f64());
        let delay = match crawler.crawl_delay {
            Some(delay) => format!("its Crawl-delay is {} s", delay.as_secs_f64()),
            None => "its group has no Crawl-delay".to_owned(),
        };
        writeln!(
            out,
            "  between its requests: {lowest} s at least, {median} s in the median; {delay}"
        )?;
    }
    Ok(())
}
