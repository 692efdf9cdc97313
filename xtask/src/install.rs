//! `cargo xtask install`: builds the packages that users install from a registry, and installs them from this checkout.
//!
//! The package managers do the work: Cargo for the command, pip for the wheels, npm for the packages. All three build
//! with the profile `local`, which compiles faster than `release`, and share the compiled command.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::Instant;
use std::{env, fs};

use clap::ValueEnum;
use serde_json::Value;

use crate::invocation::{cargo, usage, workspace};

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The package to install
    what: What,
    /// The place of the installation: the virtual environment of `python` (default: the active one), the project of
    /// `npm` (default: this folder), the root of `command` (default: Cargo's)
    #[arg(long, value_name = "DIR")]
    into: Option<PathBuf>,
}

#[derive(Clone, Copy, ValueEnum)]
enum What {
    /// The command `robots-conformance`
    Command,
    /// The wheels `robots-conformance`, with the command, and `robots-verdicts`, the parser
    Python,
    /// The package `robots-conformance`, with the command for this platform
    Npm,
}

pub(crate) fn run(arguments: &Arguments) -> ExitCode {
    let start = Instant::now();
    let into = arguments.into.as_deref();
    let installed = match arguments.what {
        What::Command => command(into),
        What::Python => python(into),
        What::Npm => npm(into),
    };
    match installed {
        Ok(what) => {
            anstream::println!("installed {what} ({} s)", start.elapsed().as_secs());
            ExitCode::SUCCESS
        }
        Err(Failed::Usage(message)) => usage(message),
        Err(Failed::Tool(message)) => {
            anstream::eprintln!("error: {message}");
            ExitCode::FAILURE
        }
    }
}

enum Failed {
    /// The user's arguments cannot be used.
    Usage(String),
    /// A tool could not be run, or has failed.
    Tool(String),
}

fn command(root: Option<&Path>) -> Result<String, Failed> {
    let mut install = Command::new(cargo());
    install.args(["install", "--locked", "--force", "--profile", PROFILE, "--path"]);
    install.arg(workspace().join("conformance/cli"));
    if let Some(root) = root {
        install.arg("--root").arg(root);
    }
    tool(&mut install, "https://rustup.rs")?;
    Ok("the command robots-conformance".to_owned())
}

fn python(environment: Option<&Path>) -> Result<String, Failed> {
    let active = env::var_os("VIRTUAL_ENV").map(PathBuf::from);
    let environment = environment.map(Path::to_owned).or(active).ok_or_else(|| {
        Failed::Usage(
            "no virtual environment is active; activate one, or name one with --into DIR \
             (`python3 -m venv DIR` makes one)"
                .to_owned(),
        )
    })?;
    let folder = if cfg!(windows) { "Scripts" } else { "bin" };
    let interpreter = environment.join(folder).join(format!("python{}", env::consts::EXE_SUFFIX));
    if !interpreter.is_file() {
        return Err(Failed::Usage(format!(
            "{} is not a virtual environment, because it has no {folder}/python; `python3 -m venv DIR` makes one",
            environment.display()
        )));
    }
    let mut pip = Command::new(interpreter);
    // The version does not change between checkouts, so without this option pip would keep the installed package.
    pip.args(["-m", "pip", "install", "--force-reinstall", "--disable-pip-version-check"]);
    pip.args(
        ["packages/pypi/robots-conformance", "packages/python"].map(|path| workspace().join(path)),
    );
    pip.env("MATURIN_PEP517_ARGS", format!("--locked --profile {PROFILE}"));
    tool(&mut pip, "pip belongs to Python's virtual environments")?;
    Ok(format!(
        "the Python packages robots-conformance and robots-verdicts into {}",
        environment.display()
    ))
}

fn npm(project: Option<&Path>) -> Result<String, Failed> {
    let here = env::current_dir().map_err(|error| Failed::Usage(error.to_string()))?;
    let project = project.map_or(here, Path::to_owned);
    if !project.join("package.json").is_file() {
        return Err(Failed::Usage(format!(
            "{} has no package.json; name the project with --into DIR (`npm init --yes` makes one)",
            project.display()
        )));
    }
    let binary = build().map_err(Failed::Tool)?;
    let out = workspace().join("target/npm");
    let _ = fs::remove_dir_all(&out);
    fs::create_dir_all(&out)
        .map_err(|error| Failed::Tool(format!("{} cannot be made: {error}", out.display())))?;
    let script = workspace().join("packages/npm/build.mjs");
    let platform = platform();
    let node = || Command::new("node");
    tool(node().arg(&script).arg("platform").arg(binary).arg(&platform).arg(&out), NODE)?;
    // Only the package for this platform exists here, so the main package names no package for another platform.
    tool(node().arg(&script).arg("main").arg(&out).arg(&platform), NODE)?;

    let npm = if cfg!(windows) { "npm.cmd" } else { "npm" };
    let mut pack = Command::new(npm);
    pack.args(["pack", "--silent"]).arg(out.join(&platform)).arg(out.join("robots-conformance"));
    tool(pack.current_dir(&out), NODE)?;
    let mut archives: Vec<PathBuf> = fs::read_dir(&out)
        .map_err(|error| Failed::Tool(format!("{} cannot be read: {error}", out.display())))?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "tgz"))
        .collect();
    archives.sort();
    let mut install = Command::new(npm);
    install.args(["install", "--no-audit", "--no-fund"]).args(archives);
    tool(install.current_dir(&project), NODE)?;
    Ok(format!("the package robots-conformance into {}", project.display()))
}

/// Builds the command and returns its path, which Cargo reports. The path depends on the user's settings of Cargo, for
/// example `CARGO_TARGET_DIR`.
pub(crate) fn build() -> Result<PathBuf, String> {
    const BUILD: [&str; 7] = [
        "build",
        "--locked",
        "--profile",
        PROFILE,
        "--package",
        "robots-conformance-cli",
        "--message-format=json-render-diagnostics",
    ];
    let mut cargo = Command::new(cargo());
    let cargo = cargo.args(BUILD).current_dir(workspace()).stderr(Stdio::inherit());
    let output = cargo
        .output()
        .map_err(|error| format!("cargo cannot be run: {error}; install it: https://rustup.rs"))?;
    if !output.status.success() {
        return Err(format!("cargo failed ({}); its output is above", output.status));
    }
    let messages = output.stdout.split(|octet| *octet == b'\n');
    let messages = messages.filter_map(|line| serde_json::from_slice::<Value>(line).ok());
    let mut executables =
        messages.filter_map(|message| Some(message["executable"].as_str()?.into()));
    executables.next_back().ok_or_else(|| "cargo reports no executable".to_owned())
}

const PROFILE: &str = "local";

const NODE: &str = "https://nodejs.org, version 20 or later";

/// Returns Node's name for this platform, for example `linux-x64`.
fn platform() -> String {
    let system = match env::consts::OS {
        "macos" => "darwin",
        "windows" => "win32",
        other => other,
    };
    let processor = match env::consts::ARCH {
        "aarch64" => "arm64",
        "x86_64" => "x64",
        other => other,
    };
    format!("{system}-{processor}")
}

/// Runs a tool and waits until it ends.
fn tool(command: &mut Command, source: &str) -> Result<(), Failed> {
    let name = command.get_program().to_string_lossy().into_owned();
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(Failed::Tool(format!("{name} failed ({status}); its output is above"))),
        Err(error) => {
            Err(Failed::Tool(format!("{name} cannot be run: {error}; install it: {source}")))
        }
    }
}
