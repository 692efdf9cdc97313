//! What the shared tests know about this command.

pub(crate) const COMMAND: &str = env!("CARGO_BIN_EXE_robots-conformance");
pub(crate) const NAME: &str = "robots-conformance";
pub(crate) const VERBS: [&str; 11] = [
    "run",
    "compare",
    "serve",
    "live",
    "serve-web",
    "list",
    "show",
    "editions",
    "copy",
    "vectors",
    "changes",
];
pub(crate) const OPTIONS: [(&str, &str); 3] =
    [("run", "--subject"), ("run", "--write-deviations"), ("run", "--report")];
pub(crate) const EXAMPLE: (&str, &str) =
    ("run", "robots-conformance run --subject 'python3 adapter.py'");
