//! Writes the manual pages: a page about the command, and a page about each verb.
//!
//! `clap_mangen` renders a page from the definitions in `command.rs`. [`page`] prints one page, and [`pages`] writes
//! all pages into a folder.

use std::fs;
use std::path::Path;

use clap::CommandFactory as _;
use clap_mangen::Man;
use robots_conformance_cli::console::{self, print};
use robots_conformance_cli::error::Error;
use robots_conformance_cli::lookup::hint;

use crate::command::{Command, NAME};

/// Prints the page about the command, or about a verb.
///
/// # Errors
/// Returns a message if no verb has the name, or if the page cannot be written.
pub(crate) fn page(verb: Option<&str>) -> Result<(), Error> {
    let command = built();
    let Some(verb) = verb else { return print(&rendered(command)?) };
    if let Some(found) = command.find_subcommand(verb) {
        return print(&rendered(found.clone())?);
    }
    let verbs: Vec<&str> = command.get_subcommands().map(clap::Command::get_name).collect();
    let hint = hint(verb, "verbs", verbs.iter().copied());
    Err(Error::new(format!("there is no verb {verb:?}; {hint}")))
}

/// Writes every page into a folder, `robots-conformance.1` and `robots-conformance-VERB.1`.
///
/// # Errors
/// Returns a message if a file cannot be written.
pub(crate) fn pages(folder: &Path) -> Result<(), Error> {
    let failed = |error| Error::new(format!("--into {}: {error}", folder.display()));
    fs::create_dir_all(folder).map_err(failed)?;
    let command = built();
    let verbs: Vec<clap::Command> = command.get_subcommands().cloned().collect();
    let count = verbs.len() + 1;
    for page in std::iter::once(command).chain(verbs) {
        let name = format!("{}.1", page.get_display_name().unwrap_or(NAME));
        fs::write(folder.join(name), rendered(page)?).map_err(failed)?;
    }
    console::remark(&format!("{count} manual pages in {}", folder.display()));
    Ok(())
}

/// Returns the command after clap has added the names and the common options to its verbs.
fn built() -> clap::Command {
    let mut command = Command::command().disable_help_subcommand(true);
    command.build();
    command
}

fn rendered(page: clap::Command) -> Result<String, Error> {
    let mut out = Vec::new();
    Man::new(page)
        .source(concat!("robots-conformance ", env!("CARGO_PKG_VERSION")))
        .render(&mut out)
        .map_err(|error| Error::new(error.to_string()))?;
    Ok(String::from_utf8_lossy(&out).into_owned())
}
