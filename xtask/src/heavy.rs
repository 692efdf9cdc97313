//! Calls the subcommands of the package `xtask-heavy`, which needs additional crates.
//!
//! Cargo builds that package only when one of its subcommands is called, so that `cargo xtask conformance` does not
//! wait for the build. This module reads the arguments first, so that help, mistakes and a missing target are reported
//! before the build.

use std::env;
use std::process::{Command, ExitCode};

use xtask::invocation::{cargo, is_there, usage, workspace};

pub(crate) use self::arguments::Verb;

#[path = "../heavy/src/arguments.rs"]
mod arguments;

/// The compiler's target for the engine that runs in the tester's page.
const ENGINE: &str = "wasm32-wasip1";

pub(crate) fn run(verb: &Verb) -> ExitCode {
    if let Some(fault) = missing_target(verb, is_there) {
        return usage(fault);
    }
    let mut command = Command::new(cargo());
    command.current_dir(workspace()).args(["run", "--package", "xtask-heavy"]);
    if matches!(verb, Verb::Site(_)) {
        // The site does not need the test server, so building the site does not compile it.
        command.arg("--no-default-features");
    }
    command.arg("--");
    match command.args(env::args_os().skip(1)).status() {
        Ok(status) => {
            ExitCode::from(status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(1))
        }
        Err(error) => usage(format_args!("cargo did not start: {error}")),
    }
}

/// Returns an error message if the subcommand needs the target of the engine and the target is not installed.
fn missing_target(verb: &Verb, is_there: impl Fn(&str) -> bool) -> Option<String> {
    let Verb::Site(site) = verb else { return None };
    let needs_it = !site.no_engine;
    (needs_it && !is_there(&format!("rustc --print target-libdir --target {ENGINE}"))).then(|| {
        format!(
            "the page that checks a file needs the target {ENGINE}; run `rustup target add {ENGINE}`, or build the site \
             without this page's engine: --no-engine"
        )
    })
}

#[cfg(test)]
mod tests {
    use clap::Parser as _;
    use clap::error::ErrorKind;

    use super::arguments::Command;
    use super::missing_target;

    /// Only a site with its engine needs the target.
    #[test]
    fn a_missing_target_is_reported_before_the_build() {
        let missing = |words: &[&str], is_there: bool| {
            let words = ["xtask"].iter().chain(words);
            missing_target(&Command::parse_from(words).verb, |command| {
                assert_eq!(command, "rustc --print target-libdir --target wasm32-wasip1");
                is_there
            })
        };
        insta::assert_snapshot!(missing(&["site"], false).unwrap(), @"the page that checks a file needs the target wasm32-wasip1; run `rustup target add wasm32-wasip1`, or build the site without this page's engine: --no-engine");
        assert_eq!(missing(&["site"], true), None);
        assert_eq!(missing(&["site", "--no-engine"], false), None);
        assert_eq!(missing(&["api"], false), None);
    }

    /// The help texts appear without a build of package `xtask-heavy`.
    #[test]
    fn help_is_read_here() {
        for verb in [
            "api",
            "arrows",
            "crawlers",
            "observe",
            "peers",
            "portability",
            "requirements",
            "retrievers",
            "site",
        ] {
            let help = crate::Arguments::try_parse_from(["cargo xtask", verb, "--help"]);
            assert_eq!(help.err().unwrap().kind(), ErrorKind::DisplayHelp, "{verb}");
        }
        let help = crate::Arguments::try_parse_from(["cargo xtask", "site", "--help"]);
        assert!(help.err().unwrap().to_string().contains("--no-engine"));
        let wrong = crate::Arguments::try_parse_from(["cargo xtask", "site", "--engine"]);
        assert_eq!(wrong.err().unwrap().kind(), ErrorKind::UnknownArgument);
    }
}
