//! The verbs that need the suite: `conformance`, `coverage`, `case` and `seeds`, and the flat files of `bless`. Each of
//! them runs another program of the workspace, so that this package compiles without the suite.

use std::process::{Command, ExitCode};

use crate::invocation::{built, cargo, passed_on, usage, workspace};

/// The arguments of `conformance`.
#[derive(clap::Args)]
pub(crate) struct Conformance {
    /// The arguments of `robots-conformance run`; without `--parser` and `--subject`, all engines of this project are
    /// asked: both parsers and the retriever
    #[arg(value_name = "ARGUMENT", trailing_var_arg = true, allow_hyphen_values = true)]
    arguments: Vec<String>,
}

/// Runs the suite against the engines of this project, or against the subject in the arguments.
pub(crate) fn conformance(arguments: &Conformance) -> ExitCode {
    let packages = ["--package", "robots-conformance-cli", "--package", "robots-retriever"];
    let build = [&["--no-default-features"], &packages[..]].concat();
    let [command, retriever] = match built(&build, ["robots-conformance", "robots-retriever"]) {
        Ok(programs) => programs,
        Err(message) => return usage(message),
    };
    let mut run = Command::new(command);
    run.args(["run", "--called", "cargo xtask conformance"]).args(&arguments.arguments);
    let names = ["--subject", "--exec", "--parser", "--help", "-h"];
    let is_named = |argument: &String| {
        names.iter().any(|name| argument == name || argument.starts_with(&format!("{name}=")))
    };
    if !arguments.arguments.iter().any(is_named) {
        run.args(["--parser", "nom", "--parser", "scan", "--subject"]).arg(retriever);
    }
    passed_on(&mut run)
}

/// Returns the command of the suite, without the parts that compile slowly.
fn command() -> Command {
    let mut command = Command::new(cargo());
    command.current_dir(workspace()).args(["run", "--quiet", "--no-default-features"]);
    command.args(["--package", "robots-conformance-cli", "--"]);
    command
}

/// Writes the suite as flat files into `spec-cases/vectors`.
///
/// # Errors
/// Returns a message if the command fails.
pub(crate) fn write_vectors() -> Result<(), String> {
    let status = command().args(["--quiet", "copy", "--vectors", "spec-cases/vectors"]).status();
    match status {
        Ok(status) if status.success() => Ok(()),
        Ok(_) => Err("`robots-conformance copy --vectors` failed; its message is above".to_owned()),
        Err(error) => Err(format!("cargo did not start: {error}")),
    }
}

/// Runs a verb of the example `maintain` of the suite's library.
pub(crate) fn maintain(words: &[&str]) -> ExitCode {
    let mut example = Command::new(cargo());
    example.current_dir(workspace()).args(["run", "--quiet", "--package", "robots-conformance"]);
    example.args(["--features", "process", "--example", "maintain", "--"]).args(words);
    passed_on(&mut example)
}

/// The arguments of `case`.
#[derive(clap::Args)]
pub(crate) struct Case {
    #[command(subcommand)]
    verb: CaseVerb,
}

#[derive(clap::Subcommand)]
enum CaseVerb {
    /// Begin a new case at the end of an area's file
    New {
        /// The area: the name of a file in spec-cases without `.yaml`
        area: String,
        /// The id of the new case, in kebab-case; it can never change
        id: String,
        /// The kind of the question that the case asks
        #[arg(long, value_name = "KIND", default_value = "verdict")]
        ask: String,
    },
}

/// Begins a new case.
pub(crate) fn case(arguments: &Case) -> ExitCode {
    let CaseVerb::New { area, id, ask } = &arguments.verb;
    maintain(&["case", area, id, ask])
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fs;

    use crate::invocation::workspace;

    /// An example runs only if its tools are installed. This test always runs, and finds ids in the examples' lists that
    /// are no longer vectors.
    #[test]
    fn the_examples_list_vectors() {
        let read = |file: &str| fs::read_to_string(workspace().join(file)).unwrap();
        let items: Vec<serde_json::Value> =
            serde_json::from_str(&read("spec-cases/vectors/rfc9309.json")).unwrap();
        let vectors: BTreeSet<&str> = items.iter().filter_map(|item| item["id"].as_str()).collect();
        for example in ["go", "junit", "pytest", "rust", "vitest"] {
            let list = format!("docs/examples/{example}/known.txt");
            let known = read(&list);
            let ids = known.lines().filter_map(|line| line.split(' ').next());
            let mut ids = ids.filter(|id| !id.starts_with('#'));
            let unknown = ids.find(|id| !vectors.contains(id));
            assert_eq!(unknown, None, "{list}: no vector has this id");
        }
    }
}
