//! The observed profile `google-cpp`: records how Google's published library answers the suite, and compares the engine
//! of `robots-google-cpp` with the library on random questions.
//!
//! Start at [`run()`]. The comparison needs Python and the adapter of the library from `conformance/peers`.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{SystemTime, UNIX_EPOCH};

use cargo_metadata::MetadataCommand;
use robots_conformance::suite::load;
use robots_conformance_cli::copy;

use crate::arguments::Observe as Arguments;
use crate::manifests::Manifest;
use crate::peers::manifest::Peer;
use xtask::invocation::{cargo, workspace};
use xtask::written::settle;

/// The peer that runs the library, and the file with its answers.
const ORACLE: &str = "jwm.robotstxt";
const OBSERVED: &str = "spec-cases/observed/google-cpp.yaml";

pub(crate) fn run(arguments: &Arguments) -> Result<bool, String> {
    let folders = crate::peers::folders();
    let manifest: Manifest<Peer> = Manifest::read(&folders.manifest)?;
    let oracle = manifest.listed.iter().find(|peer| peer.name == ORACLE);
    let oracle = oracle.ok_or_else(|| format!("peers.toml has no {ORACLE}"))?;
    manifest.install(oracle, &folders)?;
    let python = manifest.adapter(oracle, &folders)?.swap_remove(0);
    let (script, install) = (folders.manifest.join("observe.py"), &folders.install);

    let answers = answers(&python, &script, install)?;
    let texts = [(OBSERVED.to_owned(), answers)];
    if !settle("observe", &workspace(), &texts, arguments.check)? {
        return Ok(false);
    }

    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
    let (seed, count) = (arguments.seed.unwrap_or(now).to_string(), arguments.count.to_string());
    anstream::println!("{count} made-up questions of seed {seed}");
    let subject = subject()?;
    let status = Command::new(&python)
        .arg(&script)
        .args(["compare", &seed, &count, "--", &subject, "serve"])
        .status()
        .map_err(|error| format!("{python} did not start: {error}"))?;
    if !status.success() {
        anstream::eprintln!(
            "error: the engine differs from the library: append these lines to \
             conformance/google-cpp/tests/triples.tsv, which the engine's test reads, and correct the engine"
        );
    }
    Ok(status.success())
}

/// Asks the library the verdict questions of the suite, and returns its answers as YAML.
fn answers(python: &str, script: &Path, install: &Path) -> Result<String, String> {
    let suite = load::embedded()?;
    let folder = install.join("suite");
    if folder.exists() {
        fs::remove_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    }
    copy::copy(&suite, &folder)?;
    let output = Command::new(python)
        .arg(script)
        .arg("cases")
        .arg(&folder)
        .stderr(Stdio::inherit())
        .output()
        .map_err(|error| format!("{python} did not start: {error}"))?;
    if !output.status.success() {
        return Err("observe.py could not ask the library".to_owned());
    }
    String::from_utf8(output.stdout).map_err(|error| error.to_string())
}

/// Builds the command `robots-conformance`, and returns its path. The subcommand `serve` answers with the
/// engine of `robots-google-cpp` under the profile `google-cpp`.
fn subject() -> Result<String, String> {
    let build = Command::new(cargo())
        .current_dir(workspace())
        .args(["build", "--quiet", "--release", "--package", "robots-conformance-cli"])
        .status();
    if !build.is_ok_and(|status| status.success()) {
        return Err("robots-conformance-cli does not build".to_owned());
    }
    let metadata =
        MetadataCommand::new().manifest_path(workspace().join("Cargo.toml")).no_deps().exec();
    let metadata = metadata.map_err(|error| error.to_string())?;
    Ok(metadata.target_directory.join("release/robots-conformance").into_string())
}
