//! The settings of `lint`. A setting comes from the arguments or, if the argument is not given, from the config file;
//! only the kinds to ignore come from both.
//!
//! Start at [`Settings::of`], which first reads the whole config file. [`Config::read`] reports every wrong key and value
//! with its line. [`Settings::wants`] decides whether a finding is reported.

use std::fmt::Display;
use std::path::Path;
use std::str::FromStr;

use robots_console::error::Error;
use robots_console::file;
use robots_console::render::{self, hint};
use robots_core::Edition;
use robots_core::syntax::LineNumber;
use robots_lint::{Ignored, Level};
use robots_yaml::{Mistake, Node};

use super::names::{is_known, no_finding, unknown};
use super::portability::Software;
use super::{FailOn, LintArgs};

/// The name of the config file in the current folder that is read if `--config` is not given.
const FILE: &str = ".robots-lint.yaml";

/// The settings of a call: how files are read, and which findings are reported.
#[derive(Clone, Debug)]
pub(crate) struct Settings {
    /// The edition that defines how files are read.
    pub edition: Edition,
    /// The lowest level that is shown.
    pub level: Level,
    /// The lowest level that makes the status 1.
    pub fail_on: FailOn,
    /// The software that portability notes are about.
    pub portability: Software,
    /// The origin that serves the file: scheme, host and port.
    pub origin: Option<String>,
    select: Vec<String>,
    ignore: Vec<String>,
}

/// The settings of the config file.
#[derive(Clone, Debug, Default)]
struct Config {
    edition: Option<Edition>,
    level: Option<Level>,
    fail_on: Option<FailOn>,
    portability: Option<Software>,
    origin: Option<String>,
    select: Vec<String>,
    ignore: Vec<String>,
}

impl Settings {
    /// Makes the settings from the config file and the arguments. An argument replaces the value of the config file,
    /// but `--ignore` adds to the list `ignore` of the config file.
    ///
    /// # Errors
    /// Returns a message if the config file cannot be read, or if a name in it or in the arguments is unknown.
    pub(crate) fn of(arguments: &LintArgs) -> Result<Self, Error> {
        let config = config(arguments.config.as_deref())?;
        let portability = arguments.portability.or(config.portability);
        let fail_on = arguments.fail_on.or(config.fail_on);
        let settings = Self {
            edition: arguments.edition.or(config.edition).unwrap_or_default(),
            level: arguments.level.or(config.level).unwrap_or(Level::Note),
            fail_on: fail_on.unwrap_or(FailOn(Some(Level::Error))),
            portability: portability.unwrap_or(Software::Nobody),
            origin: match arguments.origin.clone().or(config.origin) {
                Some(origin) => Some(checked(&origin)?),
                None => None,
            },
            select: if arguments.select.is_empty() {
                config.select
            } else {
                arguments.select.clone()
            },
            ignore: [&config.ignore[..], &arguments.ignore[..]].concat(),
        };
        for (option, names) in [("--select", &arguments.select), ("--ignore", &arguments.ignore)] {
            if let Some(name) = names.iter().find(|name| !is_known(name)) {
                return Err(unknown(option, name));
            }
        }
        Ok(settings)
    }

    /// Returns whether a finding of a kind, or a note about a construct, is reported if it is on this line.
    pub(super) fn wants(&self, name: &str, line: LineNumber, ignored: &Ignored) -> bool {
        let lists = |names: &[String]| names.iter().any(|known| known == name);
        (self.select.is_empty() || lists(&self.select))
            && !lists(&self.ignore)
            && !ignored.covers(name, line)
    }
}

/// Reads the config file with the given path. If no path is given, reads the config file in the current folder, if it
/// exists.
fn config(named: Option<&Path>) -> Result<Config, Error> {
    let path = named.unwrap_or(Path::new(FILE));
    if named.is_none() && !path.is_file() {
        return Ok(Config::default());
    }
    let file = path.display().to_string();
    let text = file::text(path)
        .map_err(|error| Error::new(format!("cannot read the config file {file}: {error}")))?;
    Config::read(&text).map_err(|mistakes| {
        let lines = mistakes.iter().map(|Mistake { place, message, .. }| {
            render::message(&format!("{file}:{}: {message}", place.line))
        });
        Error::new(lines.collect::<Vec<_>>().join("\n"))
    })
}

/// The keys of the config file.
const KEYS: [&str; 7] =
    ["edition", "level", "fail-on", "portability", "origin", "select", "ignore"];

impl Config {
    /// Reads the text of a config file. A missing key has its default value.
    ///
    /// # Errors
    /// Returns every mistake, with its line.
    fn read(text: &str) -> Result<Self, Vec<Mistake>> {
        let mut config = Self::default();
        let root = robots_yaml::read(text).map_err(|mistake| vec![mistake])?;
        let Some(root) = root else { return Ok(config) };
        let keys = root.map("settings are keys with values").map_err(|mistake| vec![mistake])?;
        let mut mistakes = Vec::new();
        for (key, value) in keys {
            let name = key.text().unwrap_or_default();
            let read = match name {
                "edition" => parsed(value).map(|edition| config.edition = Some(edition)),
                "level" => parsed(value).map(|level| config.level = Some(level)),
                "fail-on" => parsed(value).map(|level| config.fail_on = Some(level)),
                "portability" => parsed(value).map(|software| config.portability = Some(software)),
                "origin" => text_of(value)
                    .and_then(|origin| checked(origin).map_err(|error| error.to_string()))
                    .map(|origin| config.origin = Some(origin)),
                "select" => kinds(value).map(|kinds| config.select = kinds),
                "ignore" => kinds(value).map(|kinds| config.ignore = kinds),
                _ => {
                    let shown = render::name(name);
                    let hint = hint(name, "keys", KEYS.into_iter());
                    mistakes.push(key.mistake(format!("unknown key `{shown}`; {hint}")));
                    continue;
                }
            };
            mistakes.extend(read.err().map(|message| key.mistake(format!("`{name}`: {message}"))));
        }
        if mistakes.is_empty() { Ok(config) } else { Err(mistakes) }
    }
}

fn text_of(value: &Node) -> Result<&str, String> {
    value.text().ok_or_else(|| "write a text".to_owned())
}

fn parsed<T: FromStr<Err: Display>>(value: &Node) -> Result<T, String> {
    text_of(value)?.parse().map_err(|error: T::Err| error.to_string())
}

/// Reads names of findings.
fn kinds(value: &Node) -> Result<Vec<String>, String> {
    let known = |node| {
        let name = text_of(node)?;
        if is_known(name) { Ok(name.to_owned()) } else { Err(no_finding(name)) }
    };
    value.list().iter().map(known).collect()
}

/// Checks an origin, and returns it without a slash at its end.
fn checked(origin: &str) -> Result<String, Error> {
    let origin = origin.strip_suffix('/').unwrap_or(origin);
    let host = origin.strip_prefix("https://").or_else(|| origin.strip_prefix("http://"));
    match host {
        Some(host) if !host.is_empty() && !host.contains(['/', '?', '#']) => Ok(origin.to_owned()),
        _ => Err(Error::new(format!(
            "{origin:?} is not the address of a site; write https://example.com"
        ))),
    }
}
