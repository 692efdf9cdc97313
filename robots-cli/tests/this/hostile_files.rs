//! What the shared tests know about this command.

pub(crate) const COMMAND: &str = env!("CARGO_BIN_EXE_robots");
/// The verbs that read YAML, each with the name of the file as an argument.
pub(crate) const READERS: [&[&str]; 2] =
    [&["check", "hostile.yaml", "robots.txt"], &["lint", "--config", "hostile.yaml", "robots.txt"]];
