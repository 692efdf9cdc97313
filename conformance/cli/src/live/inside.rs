//! Implements `--net`: reads the kind of network ([`NETS`]), and enters it.
//!
//! For `--net namespace`, the command restarts itself inside a network namespace, with the same arguments. Start at
//! [`run`].

use std::env;
use std::io;
use std::process::ExitCode;

use robots_test_web::{Namespace, Net};

use robots_console::error::Error;
use robots_console::output;

/// The start of the name of a namespace's temporary folder.
const FOLDER: &str = "robots-namespace-";

/// The values of `--net`, with their help texts.
pub(super) const NETS: &[(&str, Net, &str)] = &[
    ("loopback", Net::Loopback, "Addresses of 127.0.0.0/8, a port for each origin"),
    ("namespace", Net::Namespace, "A network namespace: host names and default ports (Linux)"),
];

/// Runs a verb on the kind of network that its arguments name, and returns its exit status.
pub(super) fn run(net: Net, verb: impl FnOnce() -> ExitCode) -> ExitCode {
    if net == Net::Namespace {
        match inside() {
            Ok(Some(status)) => return status,
            Ok(None) => {}
            Err(message) => return output::usage(&message),
        }
    }
    let status = verb();
    clear();
    status
}

/// Restarts this command in a network namespace, unless it already runs in a network namespace.
///
/// On Unix, the process keeps its id, so that signals and standard input reach the restarted command.
fn inside() -> Result<Option<ExitCode>, Error> {
    if Namespace::here().map_err(|error| Error::new(error.to_string()))?.is_some() {
        return Ok(None);
    }
    let failed = |error: io::Error| Error::new(format!("the network namespace: {error}"));
    let folder = tempfile::Builder::new().prefix(FOLDER).tempdir().map_err(failed)?;
    let program = env::current_exe().map_err(failed)?;
    let mut command = Namespace::command(program, folder.path())
        .map_err(|error| Error::new(error.to_string()))?;
    command.args(env::args_os().skip(1));
    #[cfg(unix)]
    {
        // If `exec` succeeds, it does not return. The restarted command then removes the folder in `clear`.
        let folder = folder.keep();
        let error = std::os::unix::process::CommandExt::exec(&mut command);
        let _ = std::fs::remove_dir_all(folder);
        Err(failed(error))
    }
    #[cfg(not(unix))]
    {
        let status = command.status().map_err(failed)?;
        let code = status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(1);
        Ok(Some(ExitCode::from(code)))
    }
}

/// Removes the folder of the namespace, if [`inside`] made the namespace of this process.
fn clear() {
    if let Ok(Some(namespace)) = Namespace::here()
        && let Some(folder) = namespace.hosts_file().parent()
        && folder.file_name().is_some_and(|name| name.to_string_lossy().starts_with(FOLDER))
    {
        // A folder that cannot be removed does no harm.
        let _ = std::fs::remove_dir_all(folder);
    }
}
