//! What the shared tests know about this command.

pub(crate) const COMMAND: &str = env!("CARGO_BIN_EXE_robots");
pub(crate) const NAME: &str = "robots";
pub(crate) const VERBS: [&str; 8] =
    ["lint", "diff", "check", "served", "explain", "audit", "fetch", "verdicts"];
pub(crate) const OPTIONS: [(&str, &str); 2] = [("diff", "--fail-on"), ("lint", "--explain")];
pub(crate) const EXAMPLE: (&str, &str) = ("lint", "robots lint --explain useless-star");
