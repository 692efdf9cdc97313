//! The environment of a command: the workspace, Cargo, messages about wrong usage, and the exit status.
//!
//! [`command()`] makes a command from a line of words. This function finds the Cargo that runs this program, and
//! scripts of the workspace.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

use serde_json::Value;

/// Returns the workspace's folder.
///
/// # Panics
/// Panics if this package is not in a folder of the workspace.
pub(crate) fn workspace() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().expect("xtask is in a folder of the workspace").to_owned()
}

/// Prints a message about wrong usage and returns status 2. Status 1 means that a check failed.
pub(crate) fn usage(message: impl std::fmt::Display) -> ExitCode {
    anstream::eprintln!("error: {message}");
    ExitCode::from(2)
}

/// Returns the exit status of a verb: 0 if all is well, and 1 if a check failed. Prints an error, and returns status 2.
pub(crate) fn status(settled: Result<bool, String>) -> ExitCode {
    match settled {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(message) => usage(message),
    }
}

/// Runs a command, and returns its exit status.
pub(crate) fn passed_on(command: &mut Command) -> ExitCode {
    match command.status() {
        Ok(status) => {
            ExitCode::from(status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(1))
        }
        Err(error) => {
            usage(format_args!("{} did not start: {error}", command.get_program().display()))
        }
    }
}

/// Returns the name or path of the Cargo that runs this program.
pub(crate) fn cargo() -> String {
    std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned())
}

/// Builds packages of the workspace, and returns the paths of programs that they contain. Cargo reports the paths, because
/// they depend on the user's settings, for example `CARGO_TARGET_DIR`.
///
/// # Errors
/// Returns a message if the build fails, or if it has no such program.
pub(crate) fn built<const N: usize>(
    arguments: &[&str],
    programs: [&str; N],
) -> Result<[PathBuf; N], String> {
    let mut build = Command::new(cargo());
    build.current_dir(workspace()).args(["build", "--quiet", "--locked"]).args(arguments);
    build.arg("--message-format=json-render-diagnostics").stderr(Stdio::inherit());
    let output = build
        .output()
        .map_err(|error| format!("cargo cannot be run: {error}; install it: https://rustup.rs"))?;
    if !output.status.success() {
        return Err(format!("cargo failed ({}); its output is above", output.status));
    }
    let lines = output.stdout.split(|octet| *octet == b'\n');
    let messages: Vec<Value> = lines.filter_map(|line| serde_json::from_slice(line).ok()).collect();
    let mut paths = Vec::new();
    for program in programs {
        let is_it = |message: &&Value| message["target"]["name"] == program;
        let found =
            messages.iter().filter(is_it).filter_map(|it| it["executable"].as_str()).next_back();
        paths.push(PathBuf::from(found.ok_or_else(|| format!("cargo reports no {program}"))?));
    }
    paths.try_into().map_err(|_| "cargo reports another number of programs".to_owned())
}

/// Returns whether a tool is installed: its command succeeds, and if it prints a folder, that folder exists.
pub(crate) fn is_there(probe: &str) -> bool {
    let Ok(output) = command(probe).stderr(Stdio::null()).output() else { return false };
    let printed = String::from_utf8_lossy(&output.stdout);
    // rustc prints the path of a target's library even if the target is not installed.
    output.status.success() && (!printed.starts_with('/') || Path::new(printed.trim_end()).is_dir())
}

/// Makes a command that runs in the workspace's folder. The first word is the program. `cargo` is the Cargo that runs
/// this program.
///
/// # Panics
/// Panics if there is no word.
pub(crate) fn command(words: &str) -> Command {
    let mut words = words.split_ascii_whitespace();
    let mut command = match words.next().expect("a command has a word") {
        "cargo" => Command::new(cargo()),
        script if script.contains('/') => Command::new(workspace().join(script)),
        program => Command::new(program),
    };
    command.current_dir(workspace()).args(words);
    command
}

#[cfg(test)]
mod tests {
    use super::is_there;

    #[test]
    fn a_tool_that_is_absent_is_not_there() {
        assert!(is_there("rustc --version"));
        assert!(is_there("rustc --print sysroot"));
        assert!(!is_there("rustc --no-such-option"));
        assert!(!is_there("no-such-program --version"));
        // rustc prints the folder, but no toolchain has the library.
        assert!(!is_there("rustc --print target-libdir --target armebv7r-none-eabi"));
    }
}
