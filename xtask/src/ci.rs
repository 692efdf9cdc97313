//! Every check there is, in two tiers: `core` needs Rust alone, `full` adds what needs more tools.

use std::process::{Command, ExitCode, Stdio};
use std::time::Instant;

use crate::{cargo, workspace};

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Which checks to run
    #[arg(value_enum, default_value = "core")]
    tier: Tier,
    /// Fail where a tool is absent, instead of reporting its checks as not run
    #[arg(long)]
    strict: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, clap::ValueEnum)]
enum Tier {
    /// What needs Rust alone
    Core,
    /// And what needs more tools: cargo-nextest, cargo-deny
    Full,
}

struct Check {
    name: &'static str,
    tier: Tier,
    /// The arguments to Cargo that show whether the tool is there, and how to get it.
    tool: Option<(&'static [&'static str], &'static str)>,
    arguments: &'static [&'static str],
    environment: &'static [(&'static str, &'static str)],
}

const CHECKS: &[Check] = &[
    Check {
        tool: Some((&["fmt", "--version"], "rustup component add rustfmt")),
        ..core("fmt", &["fmt", "--all", "--check"])
    },
    Check {
        tool: CLIPPY,
        ..core(
            "clippy",
            &["clippy", "--workspace", "--all-targets", "--all-features", "--", "-D", "warnings"],
        )
    },
    Check {
        tool: CLIPPY,
        ..core(
            "clippy, no default features",
            &[
                "clippy",
                "--workspace",
                "--exclude",
                "xtask",
                "--no-default-features",
                "--",
                "-D",
                "warnings",
            ],
        )
    },
    Check {
        environment: &[("RUSTDOCFLAGS", "-D warnings")],
        ..core("doc", &["doc", "--workspace", "--no-deps", "--document-private-items"])
    },
    core("test", &["test", "--workspace"]),
    core("conformance", &["xtask", "conformance"]),
    core("coverage", &["xtask", "coverage"]),
    core("arrows", &["xtask", "arrows"]),
    Check {
        tier: Tier::Full,
        tool: Some((&["nextest", "--version"], "cargo install cargo-nextest --locked")),
        // A process for each of thousands of trials would load the suite as often; one area shows it.
        ..core(
            "nextest",
            &["nextest", "run", "--workspace", "-E", "not binary(spec) | test(/::caching::/)"],
        )
    },
    Check {
        tier: Tier::Full,
        tool: Some((&["deny", "--version"], "cargo install cargo-deny --locked")),
        ..core("advisories, licences, sources", &["deny", "check"])
    },
];

const CLIPPY: Option<(&[&str], &str)> =
    Some((&["clippy", "--version"], "rustup component add clippy"));

const fn core(name: &'static str, arguments: &'static [&'static str]) -> Check {
    Check { name, tier: Tier::Core, tool: None, arguments, environment: &[] }
}

enum Outcome {
    Passed,
    Failed,
    NotRun(&'static str),
}

pub(crate) fn run(arguments: &Arguments) -> ExitCode {
    let mut report = Vec::new();
    for check in CHECKS.iter().filter(|check| check.tier <= arguments.tier) {
        anstream::println!("── {}: cargo {}", check.name, check.arguments.join(" "));
        let start = Instant::now();
        report.push((check, check.run(), start.elapsed()));
    }
    anstream::println!();
    for (check, outcome, time) in &report {
        let seconds = time.as_secs_f64();
        match outcome {
            Outcome::Passed => anstream::println!("passed   {:30} {seconds:6.1} s", check.name),
            Outcome::Failed => anstream::println!(
                "FAILED   {:30} {seconds:6.1} s  again: cargo {}",
                check.name,
                check.arguments.join(" ")
            ),
            Outcome::NotRun(install) => {
                anstream::println!("not run  {:30} get it: {install}", check.name);
            }
        }
    }
    let fails = |outcome: &Outcome| match outcome {
        Outcome::Passed => false,
        Outcome::Failed => true,
        Outcome::NotRun(_) => arguments.strict || arguments.tier == Tier::Core,
    };
    if report.iter().any(|(_, outcome, _)| fails(outcome)) {
        ExitCode::FAILURE
    } else {
        ExitCode::SUCCESS
    }
}

impl Check {
    fn run(&self) -> Outcome {
        if let Some((probe, install)) = self.tool {
            let mut probe_command = Command::new(cargo());
            probe_command.args(probe).stdout(Stdio::null()).stderr(Stdio::null());
            if !probe_command.status().is_ok_and(|status| status.success()) {
                return Outcome::NotRun(install);
            }
        }
        let status = Command::new(cargo())
            .current_dir(workspace())
            .args(self.arguments)
            .envs(self.environment.iter().copied())
            .status();
        if status.is_ok_and(|status| status.success()) { Outcome::Passed } else { Outcome::Failed }
    }
}
