//! `cargo xtask install`: builds the packages that users install from a registry, and installs them from this checkout.
//!
//! The package managers do the work: Cargo for the commands, pip for the wheels, npm for the packages. All three build
//! with the profile `local`, which compiles faster than `release`, and share the compiled commands.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Instant;
use std::{env, fs};

use clap::ValueEnum;

use crate::invocation::{built, cargo, usage, workspace};

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The package to install
    what: What,
    /// The place of the installation: the root of a command (default: Cargo's), the virtual environment of `python` and
    /// `pip` (default: the active one), the project of `npm` (default: this folder)
    #[arg(long, value_name = "DIR")]
    into: Option<PathBuf>,
}

#[derive(Clone, Copy, ValueEnum)]
enum What {
    /// The command `robots`, for a site or a crawler
    Robots,
    /// The command `robots-conformance`, for an implementation in any language
    Conformance,
    /// The wheel `robots-verdicts`, the parser and the clients for a crawler in Python
    Python,
    /// The wheels `robots-conformance` and `robots-cli`, the commands with their packages for Python
    Pip,
    /// The npm packages `robots-conformance` and `robots-cli`, the commands with their packages for JavaScript
    Npm,
}

pub(crate) fn run(arguments: &Arguments) -> ExitCode {
    let start = Instant::now();
    let into = arguments.into.as_deref();
    let installed = match arguments.what {
        What::Robots => command("robots", "robots-cli", into),
        What::Conformance => command("robots-conformance", "conformance/cli", into),
        What::Python => wheels(&["packages/python"], into),
        What::Pip => {
            wheels(&["packages/pypi/robots-conformance", "packages/pypi/robots-cli"], into)
        }
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

fn command(name: &str, folder: &str, root: Option<&Path>) -> Result<String, Failed> {
    let mut install = Command::new(cargo());
    install.args(["install", "--locked", "--force", "--profile", PROFILE, "--path"]);
    install.arg(workspace().join(folder));
    if let Some(root) = root {
        install.arg("--root").arg(root);
    }
    tool(&mut install, "https://rustup.rs")?;
    Ok(format!("the command {name}"))
}

fn wheels(folders: &[&str], environment: Option<&Path>) -> Result<String, Failed> {
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
    pip.args(folders.iter().map(|folder| workspace().join(folder)));
    pip.env("MATURIN_PEP517_ARGS", format!("--locked --profile {PROFILE}"));
    tool(&mut pip, "pip belongs to Python's virtual environments")?;
    Ok(format!("the wheels of {} into {}", folders.join(" and "), environment.display()))
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
    let build =
        ["--profile", PROFILE, "--package", "robots-conformance-cli", "--package", "robots-cli"];
    let commands = built(&build, ["robots-conformance", "robots"]).map_err(Failed::Tool)?;
    let out = workspace().join("target/npm");
    let _ = fs::remove_dir_all(&out);
    fs::create_dir_all(&out)
        .map_err(|error| Failed::Tool(format!("{} cannot be made: {error}", out.display())))?;
    let platform = platform();
    let node = || {
        let mut node = Command::new("node");
        node.arg(workspace().join("packages/npm/build.mjs"));
        node
    };
    let mut folders = Vec::new();
    for (package, command) in ["robots-conformance", "robots-cli"].into_iter().zip(commands) {
        tool(node().args(["platform", package]).arg(command).arg(&platform).arg(&out), NODE)?;
        // Only the package for this platform exists here, so the main package names no package for another platform.
        tool(node().args(["main", package]).arg(&out).arg(&platform), NODE)?;
        folders.extend([platform.as_str(), package].map(|folder| out.join(package).join(folder)));
    }

    let npm = if cfg!(windows) { "npm.cmd" } else { "npm" };
    let mut pack = Command::new(npm);
    pack.args(["pack", "--silent"]).args(folders);
    tool(pack.current_dir(&out), NODE)?;
    let mut archives: Vec<PathBuf> = fs::read_dir(&out)
        .map_err(|error| Failed::Tool(format!("{} cannot be read: {error}", out.display())))?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "tgz"))
        .collect();
    archives.sort();
    let mut install = Command::new(npm);
    install.args(["install", "--save-dev", "--no-audit", "--no-fund"]).args(archives);
    tool(install.current_dir(&project), NODE)?;
    Ok(format!("the packages robots-conformance and robots-cli into {}", project.display()))
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
