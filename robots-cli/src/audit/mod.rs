//! The verb `audit`: reports from access logs which crawlers obey a robots.txt.
//!
//! [`robots_audit`] reads lines and judges requests. `arguments.rs` has the command line. `lines.rs` and `logs.rs` read
//! the logs, `history.rs` reads the robots.txt files, and `audited.rs` has the result, from which each format is written.

mod arguments;
mod audited;
mod csv;
mod history;
mod html;
mod json;
mod lines;
mod logs;
mod text;

use std::io::Write;
use std::process::ExitCode;
use std::{fs, path::Path};

use robots_audit::{Agents, Audit, LogReader, Ranges, Request};
use robots_console::error::Error;
use robots_console::{file, output, render};
use robots_core::{Crawler, Options};
use robots_fetch::CacheKey;
use robots_lint::expect::{EVERYONE, Expectations, What};

pub(crate) use self::arguments::AuditArgs;
use self::arguments::AuditFormat;
use self::audited::Audited;
use self::logs::Logs;

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
    let (scheme, host) = arguments.host.as_deref().map(origin).transpose()?.unwrap_or_default();
    let is_undated = files.history.is_undated();
    let mut audit = Audit::new(arguments.edition, files.history, files.agents)
        .with_ranges(ranges)
        .with_max_age(arguments.max_age.unwrap_or_default());
    logs.read(|request| {
        let (scheme, host) = (request.scheme.or(scheme), request.host.or(host));
        audit.request(&Request { scheme, host, ..*request });
    })?;
    logs.check(arguments.allow_unreadable)?;
    Audited::new(arguments, logs, audit.finish(), (!is_undated).then_some(files.versions))
}

/// Divides the value of `--host` into scheme and host.
fn origin(text: &str) -> Result<(Option<&str>, Option<&str>), Error> {
    let (scheme, host) = match text.split_once("://") {
        Some((scheme, host)) => (Some(scheme), host.trim_end_matches('/')),
        None => (None, text),
    };
    let is_host = matches!(scheme, None | Some("http" | "https"))
        && !host.contains(['/', '@', '?', '#'])
        && CacheKey::of(&format!("https://{host}")).is_ok();
    if !is_host {
        return Err(Error::new(format!(
            "--host {}: it is not a host; write example.com or https://example.com",
            render::name(text)
        )));
    }
    Ok((scheme, Some(host)))
}

/// Adds the crawlers that a file of expectations names, with the groups that they follow.
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
    for crawler in expectations.crawlers {
        agents.add(crawler);
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
