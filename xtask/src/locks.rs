//! `cargo xtask locks` brings every `Cargo.lock` of the repository up to date, or checks them.
//!
//! Some packages are outside the workspace, such as the Python package, and have a lock file of their own. A change of
//! a dependency makes these files stale. A command that builds such a package with `--locked`, for example
//! `cargo xtask install`, fails if the lock file is stale.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use crate::invocation::{cargo, workspace};
use crate::written::Check;

pub(crate) fn run(arguments: &Check) -> ExitCode {
    let mut status = ExitCode::SUCCESS;
    for folder in locked_packages() {
        let manifest = folder.join("Cargo.toml");
        // With `--workspace` Cargo changes only the versions that the manifests need to change.
        let mut update = Command::new(cargo());
        update.args(["update", "--workspace", "--quiet", "--manifest-path"]).arg(&manifest);
        if arguments.check {
            update.arg("--locked");
        }
        if !update.status().is_ok_and(|exit| exit.success()) {
            let what = if arguments.check { "is not up to date" } else { "could not be updated" };
            anstream::eprintln!("error: {} {what}", folder.join("Cargo.lock").display());
            status = ExitCode::FAILURE;
        }
    }
    if arguments.check && status == ExitCode::FAILURE {
        anstream::eprintln!("Run `cargo xtask locks` and commit the changed files.");
    }
    status
}

/// Returns the folders of the packages and workspaces that have a lock file in the repository.
///
/// # Panics
/// Panics if the checkout is not a git repository.
fn locked_packages() -> Vec<PathBuf> {
    let list = Command::new("git")
        .current_dir(workspace())
        .args(["ls-files", "--", "Cargo.lock", "*/Cargo.lock"])
        .output()
        .expect("git is installed");
    assert!(list.status.success(), "the checkout is a git repository");
    let files = String::from_utf8(list.stdout).expect("the paths are UTF-8");
    let folder = |file: &str| workspace().join(Path::new(file).parent().expect("a file"));
    files.lines().map(folder).collect()
}
