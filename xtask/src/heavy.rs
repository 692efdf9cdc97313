//! Calls the verbs of the package `xtask-heavy`, which needs additional crates. Cargo builds it only when such a verb
//! is called, so that `cargo xtask conformance` does not wait for it. The arguments are read here first, so that help,
//! mistakes and a missing target are reported before the build.

use std::env;
use std::process::{Command, ExitCode};

use xtask::invocation::{cargo, is_there, usage, workspace};

pub(crate) use self::arguments::Verb;

#[path = "../heavy/src/arguments.rs"]
mod arguments;

/// The target of the engine for the site's page.
const ENGINE: &str = "wasm32-wasip1";

pub(crate) fn run(verb: &Verb) -> ExitCode {
    if let Verb::Site(site) = verb
        && !site.no_engine
        && !is_there(&format!("rustc --print target-libdir --target {ENGINE}"))
    {
        return usage(format_args!(
            "the page that checks a file needs the target {ENGINE}; run `rustup target add {ENGINE}`, or build the site \
             without this page's engine: --no-engine"
        ));
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

#[cfg(test)]
mod tests {
    use clap::Parser as _;
    use clap::error::ErrorKind;

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
