//! What the shared tests know about this command.

pub(crate) const COMMAND: &str = env!("CARGO_BIN_EXE_robots-conformance");

/// The verbs that read YAML, each with the name of the file as an argument.
pub(crate) const READERS: [&[&str]; 2] = [
    &["run", "--deviations", "hostile.yaml", "--subject", "false"],
    &["live", "--deviations", "hostile.yaml", "--exec", "false"],
];
