//! The crates of the workspace that are published.

use std::path::Path;

use serde_json::Value;

use crate::invocation::{command, workspace};

/// A crate that is published.
#[derive(Clone, Debug)]
pub(crate) struct Crate {
    /// The name in the registry.
    pub(crate) name: String,
    /// The path of its folder in the workspace.
    pub(crate) folder: String,
    /// Whether the crate is a library. Otherwise it is a command, which has no interface in Rust.
    pub(crate) is_library: bool,
}

/// Returns the crates whose manifest does not forbid publishing them.
///
/// # Errors
/// Returns a message if Cargo cannot read the workspace.
pub(crate) fn crates() -> Result<Vec<Crate>, String> {
    let output = command("cargo metadata --no-deps --format-version 1")
        .output()
        .map_err(|error| format!("cargo did not start: {error}"))?;
    if !output.status.success() {
        return Err(format!("cargo metadata: {}", String::from_utf8_lossy(&output.stderr)));
    }
    let metadata: Value = serde_json::from_slice(&output.stdout)
        .map_err(|error| format!("the output of cargo metadata: {error}"))?;
    let packages = metadata["packages"].as_array().into_iter().flatten();
    let published = packages.filter(|package| package["publish"].is_null());
    Ok(published.filter_map(of_package).collect())
}

fn of_package(package: &Value) -> Option<Crate> {
    let folder = Path::new(package["manifest_path"].as_str()?).parent()?;
    let folder = folder.strip_prefix(workspace()).ok()?;
    // The parts are joined by `/`, so that a path in a message is the same on every system.
    let parts: Vec<_> = folder.iter().map(|part| part.to_string_lossy()).collect();
    let mut targets = package["targets"].as_array()?.iter();
    let is_library = targets.any(|target| target["kind"] == serde_json::json!(["lib"]));
    Some(Crate { name: package["name"].as_str()?.to_owned(), folder: parts.join("/"), is_library })
}
