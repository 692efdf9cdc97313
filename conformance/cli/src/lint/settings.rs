//! What `lint` looks for: the arguments, and the config file where an argument is not given.

use std::path::{Path, PathBuf};

use robots_conformance::render;
use robots_conformance::suite::load;
use robots_core::Edition;
use robots_core::syntax::LineNumber;
use robots_lint::{Construct, FindingKind, Ignored, Level};
use serde::Deserialize;

use super::portability::Software;
use super::{FailOn, LintArgs};
use crate::error::Error;

/// The config file that is read from the current folder without `--config`.
const FILE: &str = ".robots-lint.yaml";

/// What is looked for.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The edition by which files are read.
    pub edition: Edition,
    /// The lowest level that is shown.
    pub level: Level,
    /// The lowest level that makes the status 1.
    pub fail_on: FailOn,
    /// The software that portability notes are about.
    pub portability: Software,
    /// Where the file is served: scheme, host and port.
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
    /// Reads the config file and puts the arguments over it.
    ///
    /// # Errors
    /// A message if the config file cannot be read, or if a name in it or in the arguments is unknown.
    pub fn of(arguments: &LintArgs) -> Result<Self, Error> {
        let (config, path) = config(arguments.config.as_deref())?;
        let in_config =
            |key: &str, error: String| Error::new(format!("{}: {key}: {error}", path.display()));
        let read = |key: &'static str, text: &Option<String>| text.clone().map(|text| (key, text));
        macro_rules! either {
            ($given:expr, $key:literal, $text:expr, $default:expr) => {
                match ($given, read($key, &$text)) {
                    (Some(given), _) => given,
                    (None, Some((key, text))) => {
                        text.parse().map_err(|error| in_config(key, format!("{error}")))?
                    }
                    (None, None) => $default,
                }
            };
        }
        let all = arguments.no_portability.then_some(Software::Nobody);
        let settings = Self {
            edition: either!(arguments.edition, "edition", config.edition, Edition::default()),
            level: either!(arguments.level, "level", config.level, Level::Note),
            fail_on: either!(
                arguments.fail_on,
                "fail-on",
                config.fail_on,
                FailOn(Some(Level::Error))
            ),
            portability: either!(
                all.or(arguments.portability),
                "portability",
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
        for (option, names) in [("--select", &settings.select), ("--ignore", &settings.ignore)] {
            if let Some(name) = names.iter().find(|name| !is_known(name)) {
                return Err(unknown(option, name));
            }
        }
        Ok(settings)
    }

    /// Returns whether findings of a kind, or notes about a construct, are wanted on a line.
    pub(super) fn wants(&self, name: &str, line: LineNumber, ignored: &Ignored) -> bool {
        let lists = |names: &[String]| names.iter().any(|known| known == name);
        (self.select.is_empty() || lists(&self.select))
            && !lists(&self.ignore)
            && !ignored.covers(name, line)
    }
}

/// Returns whether a finding or a construct has the name.
fn is_known(name: &str) -> bool {
    name.parse::<FindingKind>().is_ok() || name.parse::<Construct>().is_ok()
}

/// The error about a name that no finding has.
pub(super) fn unknown(place: &str, name: &str) -> Error {
    let names = || {
        let kinds = FindingKind::ALL.iter().map(|kind| kind.name());
        kinds.chain(Construct::ALL.iter().map(|construct| construct.name()))
    };
    match render::nearest(name, names()) {
        Some(near) => {
            Error::new(format!("{place}: there is no finding {name:?}; did you mean {near:?}?"))
        }
        None => Error::new(format!(
            "{place}: there is no finding {name:?}; the findings are {}",
            names().collect::<Vec<_>>().join(", ")
        )),
    }
}

/// Reads the config file that is named, or the one in the current folder if there is one.
fn config(named: Option<&Path>) -> Result<(Config, PathBuf), Error> {
    let path = named.unwrap_or(Path::new(FILE));
    if named.is_none() && !path.is_file() {
        return Ok((Config::default(), path.to_owned()));
    }
    let file = path.display().to_string();
    let text = load::text(path)
        .map_err(|error| Error::new(format!("cannot read the config file {file}: {error}")))?;
    let config = load::settings(&file, &text)
        .map_err(|problems| Error::new(render::message(&problems.to_string())))?;
    Ok((config, path.to_owned()))
}

/// Returns an origin without the slash at its end.
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
