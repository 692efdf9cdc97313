//! The robots.txt files that crawlers could read while the logs were written: [`read`].
//!
//! The files come from one file for the whole log, from a folder of dated files, from a web archive (WARC), or from the
//! commits of a git repository.

use std::collections::HashMap;
use std::fs;
use std::ops::RangeInclusive;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use robots_audit::{Agents, History};
use robots_console::error::Error;
use robots_console::{file, render};
use robots_core::Options;
use robots_core::fetch::Access;
use robots_fetch::warc::{Answer, Archive, Meaning};
use robots_fetch::{CacheKey, Settings};
use time::{Date, Month};

use super::arguments::AuditArgs;
use crate::lint::revision;

/// The files over time, and the crawlers that they name.
pub(super) struct Files {
    pub(super) history: History,
    pub(super) agents: Agents,
    /// The number of versions.
    pub(super) versions: usize,
}

/// Reads the files that the arguments name.
pub(super) fn read(arguments: &AuditArgs) -> Result<Files, Error> {
    let mut files = Files { history: History::default(), agents: Agents::default(), versions: 0 };
    if let Some(input) = &arguments.robots {
        files.add(&[None], Duration::ZERO..=Duration::ZERO, Some(&input.read()?));
    } else if let Some(path) = &arguments.robots_history {
        if path.is_dir() {
            files.folder(path, &[None])?;
        } else {
            files.archive(path, &Settings::default().edition(arguments.edition))?;
        }
    } else if let Some(path) = &arguments.robots_git {
        files.commits(path, arguments.deployed_after.unwrap_or_default())?;
    }
    Ok(files)
}

impl Files {
    /// Adds a version that crawlers could read from a time of a period on.
    fn add(
        &mut self,
        origins: &[Option<String>],
        period: RangeInclusive<Duration>,
        octets: Option<&[u8]>,
    ) {
        if let Some(octets) = octets {
            self.agents.add_file(octets);
        }
        for origin in origins {
            let (earliest, from) = (*period.start(), *period.end());
            self.history.add_between(origin.as_deref(), earliest, from, octets.map(<[u8]>::to_vec));
        }
        self.versions += 1;
    }

    /// Adds the files of a folder. The name of a file has its date: `2026-01-31.txt`, or with a time in UTC. Without
    /// a time, the file changed at some time of this day. A folder inside has the name of a host, and the files of this
    /// host.
    fn folder(&mut self, folder: &Path, origins: &[Option<String>]) -> Result<(), Error> {
        let cannot = |path: &Path, error| {
            Error::new(format!(
                "cannot read {}: {error}",
                render::name(&path.display().to_string())
            ))
        };
        let before = self.versions;
        for entry in fs::read_dir(folder).map_err(|error| cannot(folder, error))? {
            let path = entry.map_err(|error| cannot(folder, error))?.path();
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            if name.starts_with('.') {
                continue;
            }
            if path.is_dir() && origins[0].is_none() {
                let of = ["http", "https"].map(|scheme| Some(format!("{scheme}://{name}")));
                self.folder(&path, &of)?;
                continue;
            }
            let period = date(&name).ok_or_else(|| {
                Error::new(format!(
                    "{}: the name of a file in the history has its date, for example 2026-01-31.txt or \
                     2026-01-31T120000.txt (UTC)",
                    render::name(&path.display().to_string())
                ))
            })?;
            let octets = file::octets(&path, Options::MAX as u64);
            self.add(origins, period, Some(&octets.map_err(|error| cannot(&path, error))?));
        }
        if self.versions == before {
            return Err(Error::new(format!("{} has no dated files", folder.display())));
        }
        Ok(())
    }

    /// Adds the answers of a web archive. An answer that shows no file and no absence of a file is left out. The file of
    /// an answer may be there since the answer before.
    fn archive(&mut self, path: &Path, settings: &Settings) -> Result<(), Error> {
        let name = render::name(&path.display().to_string());
        let cannot =
            |error: &dyn std::fmt::Display| Error::new(format!("cannot read {name}: {error}"));
        let archive = Archive::open(path, settings).map_err(|error| cannot(&error))?;
        let mut answers: Vec<Answer> =
            archive.collect::<Result<_, _>>().map_err(|error| cannot(&error))?;
        answers.sort_by_key(|answer| answer.date);
        // An archive of one site also applies to lines that have no host.
        let host = |answer: &Answer| answer.url.split_once("://").map(|(_, rest)| rest.to_owned());
        let is_one = answers.iter().all(|answer| host(answer) == host(&answers[0]));
        let mut before = HashMap::new();
        for answer in &answers {
            let octets = match &answer.meaning {
                Meaning::Decided(Access::FullAllow, _) => None,
                meaning => match meaning.file() {
                    Some(octets) => Some(octets),
                    None => continue,
                },
            };
            let origin = (!is_one).then(|| answer.url.clone());
            let key = origin.as_deref().and_then(|origin| CacheKey::of(origin).ok());
            let earliest = before.insert(key, answer.date).unwrap_or(answer.date);
            self.add(&[origin], earliest..=answer.date, octets);
        }
        if self.versions == 0 {
            return Err(Error::new(format!("{name} has no usable answer for a robots.txt")));
        }
        Ok(())
    }

    /// Adds the version of each commit that changed a file. A version is valid `after` the time of its commit.
    fn commits(&mut self, path: &Path, after: Duration) -> Result<(), Error> {
        let folder = match path.parent() {
            Some(parent) if !parent.as_os_str().is_empty() => parent,
            _ => Path::new("."),
        };
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let failed = |why: &str| {
            let path = render::name(&path.display().to_string());
            Error::new(format!("--robots-git {path}: {why}"))
        };
        if path.is_dir() {
            return Err(failed("it is a folder; name the robots.txt in it"));
        }
        if !folder.is_dir() {
            return Err(failed("there is no such folder"));
        }
        // A site deploys the commits of its branch, so a merge counts with its own time.
        let options = ["log", "--first-parent", "-m", "--format=%H %ct", "--name-status", "--"];
        let mut git = Command::new("git");
        git.current_dir(folder).args(options).arg(&*name).stdin(Stdio::null());
        let run = git.output();
        let run = run.map_err(|error| Error::new(format!("git does not start: {error}")))?;
        let mut commit = None;
        for line in String::from_utf8_lossy(&run.stdout).lines() {
            let words: Vec<&str> = line.split_whitespace().collect();
            match (&words[..], &commit) {
                ([hash, seconds], _) if hash.len() >= 40 => {
                    let seconds = seconds.parse().map(Duration::from_secs).unwrap_or_default();
                    commit = Some(((*hash).to_owned(), seconds));
                }
                ([change, ..], Some((hash, time))) => {
                    let octets = if change.starts_with('D') {
                        None
                    } else {
                        let object = format!("{hash}:./{name}");
                        Some(revision::read_in(folder, &object, Options::MAX as u64)?)
                    };
                    let from = time.saturating_add(after);
                    self.add(&[None], from..=from, octets.as_deref());
                    commit = None;
                }
                _ => {}
            }
        }
        if self.versions > 0 {
            return Ok(());
        }
        let words = String::from_utf8_lossy(&run.stderr);
        let why = if words.trim().is_empty() { "no commit has this file" } else { words.trim() };
        Err(failed(&render::message(why)))
    }
}

/// The time from the first to the last second of a day.
const DAY: Duration = Duration::from_secs(24 * 60 * 60 - 1);

/// Reads the date of a file's name, and its time if there is one: the digits of the name. Returns the period that they
/// state: the whole day if there is no time.
fn date(name: &str) -> Option<RangeInclusive<Duration>> {
    let digits: String = name.chars().filter(char::is_ascii_digit).collect();
    let number =
        |from: usize, to: usize| digits.get(from..to).map_or(Some(0), |part| part.parse().ok());
    if !matches!(digits.len(), 8 | 12 | 14) {
        return None;
    }
    let month = Month::try_from(number(4, 6)?).ok()?;
    let date = Date::from_calendar_date(digits[..4].parse().ok()?, month, number(6, 8)?).ok()?;
    let time = date.with_hms(number(8, 10)?, number(10, 12)?, number(12, 14)?).ok()?;
    let first = Duration::from_secs(u64::try_from(time.assume_utc().unix_timestamp()).ok()?);
    let length = if digits.len() == 8 { DAY } else { Duration::ZERO };
    Some(first..=first.saturating_add(length))
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::date;

    #[rstest]
    #[trace]
    #[case("2026-01-31.txt", Some((1_769_817_600, 1_769_903_999)))]
    #[case("robots.20260131120000.txt", Some((1_769_860_800, 1_769_860_800)))]
    #[case("robots_2026-01-31T12:00Z", Some((1_769_860_800, 1_769_860_800)))]
    #[case("2026-02-30.txt", None)]
    #[case("robots.txt", None)]
    #[case("v2-2026-01-31.txt", None)]
    fn a_name_has_a_date(#[case] name: &str, #[case] seconds: Option<(u64, u64)>) {
        let period = date(name).map(|period| (period.start().as_secs(), period.end().as_secs()));
        assert_eq!(period, seconds);
    }
}
