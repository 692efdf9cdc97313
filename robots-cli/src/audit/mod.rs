//! The verb `audit`: reports from access logs which crawlers obey a robots.txt.
//!
//! [`robots_audit`] reads lines and judges requests. `lines.rs` and `logs.rs` read the logs, `history.rs` reads the
//! robots.txt files, and `audited.rs` has the result, from which each format is written.

mod audited;
mod csv;
mod history;
mod html;
mod json;
mod lines;
mod logs;
mod text;

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;
use std::{fs, path::Path};

use clap::{ArgGroup, Args, ValueEnum};
use robots_audit::{Agents, Audit, LogReader, Ranges, Request};
use robots_console::error::Error;
use robots_console::{file, output, render};
use robots_core::{Crawler, Edition, Options};
use robots_lint::expect::{EVERYONE, Expectations, What};

use self::audited::Audited;
use self::logs::Logs;
use crate::lint::Input;

const EXAMPLES: &str = "\
Examples:
  robots audit access.log --robots robots.txt
  robots audit /var/log/nginx/access.log* --robots-git public/robots.txt --deployed-after 10m
  robots audit access.log --robots robots.txt --ranges ranges --explain GPTBot
  zcat logs/*.gz | robots audit - --robots robots.txt --anonymise --format html > report.html

A request is disobeyed only if every robots.txt that the crawler may have had at that moment disallows the URL. Not yet \
known: only a newer file disallows it, and the crawler may use its copy for 24 hours. Unknown: the log has no earlier \
request of the crawler for robots.txt. Open: the log does not decide.

The format of a log is detected; --log-format states it: combined, common, vhost-combined, vhost-common, w3c, cloudfront, \
aws-alb, caddy, cloudflare, fastly, vercel, nginx-json, the format string of Apache or nginx, or a mapping such as \
'json time=ts url=request.uri status=status agent=ua'.

The exit status is 0, or with --fail-on disobeyed 1 if a crawler disobeyed; 2 if a file cannot be read.";

/// The arguments of the verb.
#[derive(Args, Clone, Debug)]
#[command(after_help = EXAMPLES)]
#[command(group(ArgGroup::new("files").required(true).args(["robots", "robots_history", "robots_git"])))]
pub(crate) struct AuditArgs {
    /// Access logs in any order, also compressed by gzip or zstd; `-` for standard input
    #[arg(value_name = "LOG|-", required = true)]
    pub logs: Vec<PathBuf>,
    /// The robots.txt of the whole time of the logs: a file, a URL or a git revision
    #[arg(long, value_name = "FILE|URL")]
    pub robots: Option<Input>,
    /// A folder of robots.txt files by date, such as 2026-01-31.txt, with a folder for each host if they differ; or a WARC
    /// file
    #[arg(long, value_name = "DIR|WARC")]
    pub robots_history: Option<PathBuf>,
    /// A robots.txt in a git repository: each commit is a version from its time on
    #[arg(long, value_name = "PATH")]
    pub robots_git: Option<PathBuf>,
    /// How long after a commit the site serves it, such as 90s, 10m or 2h
    #[arg(long, value_name = "TIME", value_parser = duration, conflicts_with_all = ["robots", "robots_history"])]
    pub deployed_after: Option<Duration>,
    /// A folder of published address ranges, a JSON file TOKEN.json for each crawler
    #[arg(long, value_name = "DIR")]
    pub ranges: Option<PathBuf>,
    /// More crawlers to recognise: a YAML file of expectations, as `check` reads it
    #[arg(long, value_name = "FILE")]
    pub agents: Option<PathBuf>,
    /// The edition by which the files are read
    #[arg(long, value_name = "E", default_value_t)]
    pub edition: Edition,
    /// The host of lines that have none, or its origin, such as `https://example.com`
    #[arg(long, value_name = "HOST")]
    pub host: Option<String>,
    /// The format of the logs; by default, the format that reads the first lines
    #[arg(long, value_name = "FORMAT")]
    pub log_format: Option<String>,
    /// Accepts logs of which more than 5 % of the lines are not of the format
    #[arg(long)]
    pub allow_unreadable: bool,
    /// Shows one crawler with all causes and the requests behind them
    #[arg(long, value_name = "CRAWLER")]
    pub explain: Option<String>,
    /// Sets the exit status to 1 if a crawler disobeyed
    #[arg(long, value_name = "KIND")]
    pub fail_on: Option<Kind>,
    /// Leaves out addresses and queries, for a report that others may see
    #[arg(long, visible_alias = "anonymize")]
    pub anonymise: bool,
    /// The format of the report
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t)]
    pub format: AuditFormat,
}

/// A format of the report.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum AuditFormat {
    /// Text for readers
    #[default]
    Text,
    /// One JSON object
    Json,
    /// A table of the crawlers
    Csv,
    /// A page with a picture, which needs no network
    Html,
}

/// A kind of result that makes the exit status 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Kind {
    /// A request that the crawler knew to be disallowed
    Disobeyed,
}

/// Audits logs and prints the report.
///
/// The status is 0, or 1 if `--fail-on` finds something, or 2 if a file cannot be read.
pub(crate) fn run(arguments: &AuditArgs) -> ExitCode {
    let mut out = output::stdout(arguments.format == AuditFormat::Text);
    match write(arguments, &mut out) {
        Ok(is_found) => ExitCode::from(u8::from(is_found)),
        Err(message) => output::usage(&message),
    }
}

/// Audits logs, writes the report, and returns whether `--fail-on` finds something.
fn write(arguments: &AuditArgs, out: &mut dyn Write) -> Result<bool, Error> {
    let audited = audit(arguments)?;
    let written = match arguments.format {
        AuditFormat::Text => text::write(&audited, out),
        AuditFormat::Json => json::write(&audited, &mut *out),
        AuditFormat::Csv => csv::write(&audited, out),
        AuditFormat::Html => html::write(&audited, out),
    };
    output::flushed(written, "the report", out)?;
    Ok(arguments.fail_on.is_some() && audited.is_disobeyed())
}

fn audit(arguments: &AuditArgs) -> Result<Audited<'_>, Error> {
    let mut files = history::read(arguments)?;
    if let Some(path) = &arguments.agents {
        add_agents(&mut files.agents, path)?;
    }
    let ranges = arguments.ranges.as_deref().map(ranges).transpose()?.unwrap_or_default();
    let format = arguments.log_format.as_deref().map(LogReader::named).transpose();
    let format = format.map_err(|error| Error::new(format!("--log-format {error}")))?;
    let mut logs = Logs::open(&arguments.logs, format.as_ref())?;
    let (scheme, host) = match arguments.host.as_deref().map(|host| (host, host.split_once("://")))
    {
        Some((_, Some((scheme, host)))) => (Some(scheme), Some(host.trim_end_matches('/'))),
        Some((host, None)) => (None, Some(host)),
        None => (None, None),
    };
    let is_undated = files.history.is_undated();
    let mut audit = Audit::new(arguments.edition, files.history, files.agents).with_ranges(ranges);
    logs.read(|request| {
        let (scheme, host) = (request.scheme.or(scheme), request.host.or(host));
        audit.request(&Request { scheme, host, ..*request });
    })?;
    logs.check(arguments.allow_unreadable)?;
    Audited::new(arguments, logs, audit.finish(), (!is_undated).then_some(files.versions))
}

/// Adds the crawlers that a file of expectations names.
fn add_agents(agents: &mut Agents, path: &Path) -> Result<(), Error> {
    let name = path.display();
    let text =
        file::text(path).map_err(|error| Error::new(format!("cannot read {name}: {error}")))?;
    let expectations =
        Expectations::read(&text).map_err(|mistake| Error::new(format!("{name}, {mistake}")))?;
    for one in &expectations.all {
        if let What::NeverBlocked { agent } | What::Blocked { agent } | What::Url { agent, .. } =
            &one.what
            && agent != EVERYONE
            && let Ok(crawler) = Crawler::new([agent.as_str()])
        {
            agents.add(crawler);
        }
    }
    Ok(())
}

/// Reads the published address ranges of a folder.
fn ranges(folder: &Path) -> Result<Ranges, Error> {
    let cannot = |path: &Path, why: &dyn std::fmt::Display| {
        Error::new(format!("--ranges {}: {why}", render::name(&path.display().to_string())))
    };
    let (mut ranges, mut is_empty) = (Ranges::default(), true);
    for entry in fs::read_dir(folder).map_err(|error| cannot(folder, &error))? {
        let path = entry.map_err(|error| cannot(folder, &error))?.path();
        if path.extension().is_some_and(|extension| extension == "json") {
            let token = path.file_stem().unwrap_or_default().to_string_lossy();
            let json =
                file::octets(&path, Options::MAX as u64).map_err(|error| cannot(&path, &error))?;
            ranges.add(&token, &json).map_err(|error| cannot(&path, &error))?;
            is_empty = false;
        }
    }
    if is_empty {
        return Err(cannot(folder, &"it has no file TOKEN.json, such as GPTBot.json"));
    }
    Ok(ranges)
}

/// Reads a time such as `90s`, `10m`, `2h` or `1d`.
fn duration(text: &str) -> Result<Duration, Error> {
    let (number, unit) =
        text.split_at(text.len() - usize::from(text.ends_with(['s', 'm', 'h', 'd'])));
    let seconds = match unit {
        "m" => 60,
        "h" => 3600,
        "d" => 86_400,
        _ => 1,
    };
    let time = number.parse::<u64>().ok().and_then(|number| number.checked_mul(seconds));
    time.map(Duration::from_secs).ok_or_else(|| "a number with s, m, h or d, such as 10m".into())
}
