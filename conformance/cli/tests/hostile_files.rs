//! Tests hostile deviations files that a user names on the command line.

#[path = "shared/hostile_yaml.rs"]
mod hostile_yaml;

const COMMAND: &str = env!("CARGO_BIN_EXE_robots-conformance");

/// The verbs that read YAML, each with the name of the file as an argument.
const READERS: [&[&str]; 2] = [
    &["run", "--deviations", "hostile.yaml", "--subject", "false"],
    &["live", "--deviations", "hostile.yaml", "--exec", "false"],
];
