//! How a verb is invoked: in which workspace, by which Cargo, and what it says about wrong usage.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Returns the workspace's folder.
pub(crate) fn workspace() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.ancestors().nth(2).expect("the package lies in xtask, in the workspace").to_owned()
}

/// Prints a message about wrong usage; the status is 2, for 1 stands for failed checks.
pub(crate) fn usage(message: impl std::fmt::Display) -> ExitCode {
    anstream::eprintln!("error: {message}");
    ExitCode::from(2)
}

/// Returns the Cargo that runs this.
pub(crate) fn cargo() -> String {
    std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned())
}
