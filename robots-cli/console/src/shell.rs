//! Prints the completions of a command for a shell, and its manual pages: a page about the command, and a page about
//! each verb.
//!
//! `clap_complete` and `clap_mangen` render them from the definition of the command.

use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;
use clap_mangen::Man;

use crate::error::Error;
use crate::output::{print, remark};
use crate::render::hint;

/// The arguments of the verb `completions`.
#[derive(Args, Clone, Copy, Debug)]
pub struct CompletionsArgs {
    /// The shell
    shell: clap_complete::Shell,
}

/// The arguments of the verb `man`.
#[derive(Args, Clone, Debug)]
pub struct ManArgs {
    /// The verb
    verb: Option<String>,
    /// Writes all pages as files into this folder, named after the command and the verb
    #[arg(long, value_name = "DIR", conflicts_with = "verb")]
    into: Option<PathBuf>,
}

/// Prints the completions of a command.
///
/// # Errors
/// Returns a message if the text cannot be written.
pub fn completions(mut command: clap::Command, arguments: CompletionsArgs) -> Result<(), Error> {
    let mut script = Vec::new();
    let name = command.get_name().to_owned();
    clap_complete::generate(arguments.shell, &mut command, name, &mut script);
    print(&String::from_utf8_lossy(&script))
}

/// Prints the page about a command or about a verb, or writes all pages into a folder.
///
/// # Errors
/// Returns a message if no verb has the name, or if a page cannot be written.
pub fn man(command: clap::Command, arguments: &ManArgs) -> Result<(), Error> {
    // clap adds the names and the common options to the verbs.
    let mut command = command.disable_help_subcommand(true);
    command.build();
    match (&arguments.into, &arguments.verb) {
        (Some(folder), _) => pages(command, folder),
        (None, None) => print(&rendered(command)?),
        (None, Some(verb)) => {
            let Some(found) = command.find_subcommand(verb) else {
                let verbs: Vec<&str> =
                    command.get_subcommands().map(clap::Command::get_name).collect();
                let hint = hint(verb, "verbs", verbs.iter().copied());
                return Err(Error::new(format!("there is no verb {verb:?}; {hint}")));
            };
            print(&rendered(found.clone())?)
        }
    }
}

/// Writes every page into a folder, `COMMAND.1` and `COMMAND-VERB.1`.
fn pages(command: clap::Command, folder: &Path) -> Result<(), Error> {
    let failed = |error| Error::new(format!("--into {}: {error}", folder.display()));
    fs::create_dir_all(folder).map_err(failed)?;
    let verbs: Vec<clap::Command> = command.get_subcommands().cloned().collect();
    let count = verbs.len() + 1;
    for page in std::iter::once(command).chain(verbs) {
        let name = format!("{}.1", page.get_display_name().unwrap_or(page.get_name()));
        fs::write(folder.join(name), rendered(page)?).map_err(failed)?;
    }
    remark(&format!("{count} manual pages in {}", folder.display()));
    Ok(())
}

fn rendered(page: clap::Command) -> Result<String, Error> {
    let mut out = Vec::new();
    let name = page.get_display_name().unwrap_or(page.get_name());
    let command = name.strip_suffix(&format!("-{}", page.get_name())).unwrap_or(name).to_owned();
    Man::new(page)
        .source(format!("{command} {}", env!("CARGO_PKG_VERSION")))
        .render(&mut out)
        .map_err(|error| Error::new(error.to_string()))?;
    Ok(String::from_utf8_lossy(&out).into_owned())
}
