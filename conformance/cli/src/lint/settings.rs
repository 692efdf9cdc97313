//! The settings of `lint`. A setting comes from the arguments or, if the argument is not given, from the config file;
//! only the kinds to ignore come from both.
//!
//! Start at [`Settings::of`], which first reads the whole config file. [`Config::check`] reports every wrong value at
//! its key. So the code after this check can parse each value. The loader of the suite reads the YAML, so messages
//! about the config file have the same form as messages about a case. [`Settings::wants`] decides whether a finding is
//! reported.

use std::fmt::Display;
use std::path::Path;
use std::str::FromStr;

use robots_conformance::render;
use robots_conformance::suite::load;
use robots_console::file;
use robots_core::Edition;
use robots_core::syntax::LineNumber;
use robots_lint::{Construct, FindingKind, Ignored, Level};
use serde::Deserialize;

use super::portability::Software;
use super::{FailOn, LintArgs};
use robots_console::error::Error;
use robots_console::render::hint;

/// The name of the config file in the current folder that is read if `--config` is not given.
const FILE: &str = ".robots-lint.yaml";

/// The settings of a call: how files are read, and which findings are reported.
#[derive(Clone, Debug)]
pub struct Settings {
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

/// The keys of the config file.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
struct Config {
    edition: Option<String>,
    level: Option<String>,
    fail_on: Option<String>,
    portability: Option<String>,
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
    pub fn of(arguments: &LintArgs) -> Result<Self, Error> {
        let config = config(arguments.config.as_deref())?;
        macro_rules! either {
            ($given:expr, $text:expr, $default:expr) => {
                $given.or_else(|| $text.as_ref()?.parse().ok()).unwrap_or($default)
            };
        }
        let all = arguments.no_portability.then_some(Software::Nobody);
        let settings = Self {
            edition: either!(arguments.edition, config.edition, Edition::default()),
            level: either!(arguments.level, config.level, Level::Note),
            fail_on: either!(arguments.fail_on, config.fail_on, FailOn(Some(Level::Error))),
            portability: either!(
                all.or(arguments.portability),
                config.portability,
                Software::Current
            ),
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

/// Returns whether a kind of finding or a construct has the name.
fn is_known(name: &str) -> bool {
    name.parse::<FindingKind>().is_ok() || name.parse::<Construct>().is_ok()
}

/// Returns the error about a name that no kind of finding and no construct has.
pub(super) fn unknown(place: &str, name: &str) -> Error {
    Error::new(format!("{place}: {}", no_finding(name)))
}

/// Returns the sentence about a name that no kind of finding and no construct has.
fn no_finding(name: &str) -> String {
    let kinds = FindingKind::ALL.iter().map(|kind| kind.name());
    let names = kinds.chain(Construct::ALL.iter().map(|construct| construct.name()));
    let shown = render::name(name);
    format!("there is no finding {shown:?}; {}", hint(name, "findings", names))
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
    load::settings(&file, &text, Config::check)
        .map_err(|problems| Error::new(render::message(&problems.to_string())))
}

impl Config {
    /// Reports each wrong value at its key.
    fn check(&self, report: &mut dyn FnMut(&str, String)) {
        fn value<T: FromStr<Err: Display>>(text: Option<&String>) -> Option<String> {
            text?.parse::<T>().err().map(|error| error.to_string())
        }
        let values = [
            ("edition", value::<Edition>(self.edition.as_ref())),
            ("level", value::<Level>(self.level.as_ref())),
            ("fail-on", value::<FailOn>(self.fail_on.as_ref())),
            ("portability", value::<Software>(self.portability.as_ref())),
            (
                "origin",
                self.origin
                    .as_deref()
                    .and_then(|origin| checked(origin).err())
                    .map(|error| error.to_string()),
            ),
        ];
        for (key, error) in values {
            if let Some(error) = error {
                report(key, format!("`{key}`: {}", render::message(&error)));
            }
        }
        for (key, names) in [("select", &self.select), ("ignore", &self.ignore)] {
            if let Some(name) = names.iter().find(|name| !is_known(name)) {
                report(key, format!("`{key}`: {}", no_finding(name)));
            }
        }
    }
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
