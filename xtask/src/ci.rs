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
    /// And what needs more tools: a nightly compiler, cargo-fuzz, cargo-nextest, cargo-deny, cargo-audit, valgrind,
    /// Chromium, Java, Node, Python, Redis and web servers
    Full,
}

struct Check {
    name: &'static str,
    tier: Tier,
    /// What shows whether the tool is there, and how to get it.
    tool: Option<Tool>,
    /// The command; `cargo` stands for the Cargo that runs this.
    command: &'static [&'static str],
    environment: &'static [(&'static str, &'static str)],
}

/// A tool: a command that succeeds where it is there, and how to get it.
type Tool = (&'static [&'static str], &'static str);

const CHECKS: &[Check] = &[
    Check {
        tool: Some((&["cargo", "fmt", "--version"], "rustup component add rustfmt")),
        ..core("fmt", &["cargo", "fmt", "--all", "--check"])
    },
    Check {
        tool: CLIPPY,
        ..core(
            "clippy",
            &[
                "cargo",
                "clippy",
                "--workspace",
                "--all-targets",
                "--all-features",
                "--",
                "-D",
                "warnings",
            ],
        )
    },
    Check {
        tool: CLIPPY,
        ..core(
            "clippy, no default features",
            &[
                "cargo",
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
        ..core("doc", &["cargo", "doc", "--workspace", "--no-deps", "--document-private-items"])
    },
    core("test", &["cargo", "test", "--workspace"]),
    core("conformance", &["cargo", "xtask", "conformance"]),
    core("coverage", &["cargo", "xtask", "coverage"]),
    core("arrows", &["cargo", "xtask", "arrows"]),
    // A process for each of thousands of trials would load the suite as often; one area shows it.
    full(
        "nextest",
        (&["cargo", "nextest", "--version"], "cargo install cargo-nextest --locked"),
        &["cargo", "nextest", "run", "--workspace", "-E", "not binary(spec) | test(/::caching::/)"],
    ),
    Check {
        environment: &[("ROBOTS_KILLS", "500"), ("ROBOTS_REQUIRE_SERVERS", "1")],
        ..full(
            "retrieval, with the servers that people run",
            (
                &["redis-server", "--version"],
                "apt-get install redis-server nginx-light apache2-bin haproxy squid vsftpd libfaketime",
            ),
            &["cargo", "test", "--package", "robots-fetch"],
        )
    },
    full(
        "public interface",
        (&["cargo", "public-api", "--version"], "cargo install cargo-public-api --locked"),
        &["cargo", "xtask", "api", "--check"],
    ),
    full(
        "a target without std",
        (
            &["rustc", "--print", "target-libdir", "--target", "thumbv7em-none-eabi"],
            "rustup target add thumbv7em-none-eabi",
        ),
        &[
            "cargo",
            "build",
            "--package",
            "robots-core",
            "--package",
            "robots-nom-parser",
            "--no-default-features",
            "--target",
            "thumbv7em-none-eabi",
        ],
    ),
    full(
        "the oldest compiler",
        (
            &["rustup", "run", "1.89", "rustc", "--version"],
            "rustup toolchain install 1.89 --profile minimal",
        ),
        &[
            "rustup",
            "run",
            "1.89",
            "cargo",
            "check",
            "--workspace",
            "--all-targets",
            "--target-dir",
            "target/oldest",
        ],
    ),
    Check {
        // Properties are for compiled code; Miri looks at what each does once.
        environment: &[("PROPTEST_CASES", "2"), ("MIRIFLAGS", "-Zmiri-disable-isolation")],
        ..full(
            "Miri",
            MIRI,
            &[
                "rustup",
                "run",
                "nightly",
                "cargo",
                "miri",
                "test",
                "--lib",
                "--package",
                "robots-core",
                "--package",
                "robots-nom-parser",
            ],
        )
    },
    Check {
        environment: &[("PROPTEST_CASES", "2"), ("MIRIFLAGS", "-Zmiri-disable-isolation")],
        ..full(
            "Miri, big-endian",
            MIRI,
            &[
                "rustup",
                "run",
                "nightly",
                "cargo",
                "miri",
                "test",
                "--lib",
                "--package",
                "robots-core",
                "--package",
                "robots-nom-parser",
                "--target",
                "s390x-unknown-linux-gnu",
            ],
        )
    },
    full(
        "fuzz, file to verdict",
        FUZZ,
        &[
            "rustup",
            "run",
            "nightly",
            "cargo",
            "fuzz",
            "run",
            "verdict",
            "--",
            "-max_total_time=30",
        ],
    ),
    full(
        "fuzz, protocol",
        FUZZ,
        &[
            "rustup",
            "run",
            "nightly",
            "cargo",
            "fuzz",
            "run",
            "protocol",
            "--",
            "-max_total_time=30",
        ],
    ),
    full(
        "fuzz, cases",
        FUZZ,
        &["rustup", "run", "nightly", "cargo", "fuzz", "run", "cases", "--", "-max_total_time=30"],
    ),
    full(
        "fuzz, verdicts in bulk",
        FUZZ,
        &[
            "rustup",
            "run",
            "nightly",
            "cargo",
            "fuzz",
            "run",
            "verdicts",
            "--",
            "-max_total_time=30",
        ],
    ),
    full(
        "advisories",
        (&["cargo", "audit", "--version"], "cargo install cargo-audit --locked"),
        &["cargo", "audit", "--deny", "warnings"],
    ),
    full(
        "advisories, licences, sources",
        (&["cargo", "deny", "--version"], "cargo install cargo-deny --locked"),
        &["cargo", "deny", "check"],
    ),
    Check {
        environment: &[("ROBOTS_REQUIRE_NAMESPACE", "1"), ("ROBOTS_RUNS", "10")],
        ..full(
            "cases on the wire, ten times and in a namespace",
            (&["unshare", "--version"], "apt-get install util-linux iproute2"),
            &["cargo", "test", "--package", "robots-test-web", "--test", "live"],
        )
    },
    Check {
        environment: &[("ROBOTS_REQUIRE_CHROMIUM", "1")],
        ..full(
            "the page in a browser",
            (&["chromedriver", "--version"], "apt-get install chromium chromium-driver"),
            &["cargo", "test", "--package", "robots-conformance-cli", "--test", "html"],
        )
    },
    Check {
        tier: Tier::Full,
        tool: CLIPPY,
        ..core(
            "clippy, benchmarks",
            &[
                "cargo",
                "clippy",
                "--manifest-path",
                "bench/Cargo.toml",
                "--target-dir",
                "target/bench",
                "--all-targets",
                "--",
                "-D",
                "warnings",
            ],
        )
    },
    full(
        "instructions",
        (&["valgrind", "--version"], "apt-get install valgrind"),
        &["cargo", "xtask", "bench", "instructions"],
    ),
    full(
        "Spark",
        (&["java", "-version"], "apt-get install default-jre-headless"),
        &["docs/test_spark.sh"],
    ),
    full(
        "observed profile",
        (&["python3", "--version"], "apt-get install python3 python3-venv"),
        &["cargo", "xtask", "observe", "--check"],
    ),
    full(
        "peers",
        (&["node", "--version"], "apt-get install nodejs npm libwww-robotrules-perl"),
        &["cargo", "xtask", "peers", "--check"],
    ),
];

const CLIPPY: Option<Tool> =
    Some((&["cargo", "clippy", "--version"], "rustup component add clippy"));

const MIRI: Tool = (
    &["rustup", "run", "nightly", "cargo", "miri", "--version"],
    "rustup toolchain install nightly --component miri,rust-src",
);

const FUZZ: Tool = (
    &["rustup", "run", "nightly", "cargo", "fuzz", "--version"],
    "rustup toolchain install nightly && cargo install cargo-fuzz --locked",
);

const fn core(name: &'static str, command: &'static [&'static str]) -> Check {
    Check { name, tier: Tier::Core, tool: None, command, environment: &[] }
}

const fn full(name: &'static str, tool: Tool, command: &'static [&'static str]) -> Check {
    Check { tier: Tier::Full, tool: Some(tool), ..core(name, command) }
}

enum Outcome {
    Passed,
    Failed,
    NotRun(&'static str),
}

pub(crate) fn run(arguments: &Arguments) -> ExitCode {
    let mut report = Vec::new();
    for check in CHECKS.iter().filter(|check| check.tier <= arguments.tier) {
        anstream::println!("── {}: {}", check.name, check.command.join(" "));
        let start = Instant::now();
        report.push((check, check.run(), start.elapsed()));
    }
    anstream::println!();
    for (check, outcome, time) in &report {
        let seconds = time.as_secs_f64();
        match outcome {
            Outcome::Passed => anstream::println!("passed   {:30} {seconds:6.1} s", check.name),
            Outcome::Failed => anstream::println!(
                "FAILED   {:30} {seconds:6.1} s  again: {}",
                check.name,
                check.command.join(" ")
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
        if let Some((probe, get)) = self.tool {
            let mut probe = command(probe);
            probe.stdout(Stdio::null()).stderr(Stdio::null());
            if !probe.status().is_ok_and(|status| status.success()) {
                return Outcome::NotRun(get);
            }
        }
        let status = command(self.command).envs(self.environment.iter().copied()).status();
        if status.is_ok_and(|status| status.success()) { Outcome::Passed } else { Outcome::Failed }
    }
}

/// Makes a command that runs in the workspace's folder.
fn command(words: &[&str]) -> Command {
    let mut command = match words[0] {
        "cargo" => Command::new(cargo()),
        script if script.contains('/') => Command::new(workspace().join(script)),
        program => Command::new(program),
    };
    command.current_dir(workspace()).args(&words[1..]);
    command
}
