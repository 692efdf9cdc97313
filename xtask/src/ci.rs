//! Every check there is, in two tiers: `core` needs Rust alone, `full` adds what needs more tools.

use std::path::Path;
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
    /// And what needs more tools: a nightly compiler, cargo-fuzz, cargo-nextest, cargo-deny, cargo-audit,
    /// cargo-semver-checks, actionlint, valgrind, Chromium, Go, Java, Node, Python, Redis and web servers
    Full,
}

struct Check {
    name: &'static str,
    tier: Tier,
    /// What shows whether the tool is there, and how to get it.
    tool: Option<Tool>,
    /// The words of the command, with spaces between them; `cargo` stands for the Cargo that runs this.
    command: &'static str,
    environment: &'static [(&'static str, &'static str)],
}

/// A tool: a command that succeeds where it is there (and tells a folder that exists, if it tells one), and how to get it.
type Tool = (&'static str, &'static str);

const CHECKS: &[Check] = &[
    core("fmt", "cargo fmt --all --check")
        .with(("cargo fmt --version", "rustup component add rustfmt")),
    core("clippy", "cargo clippy --workspace --all-targets --all-features -- -D warnings")
        .with(CLIPPY),
    core(
        "clippy, no default features",
        "cargo clippy --workspace --exclude xtask --no-default-features -- -D warnings",
    )
    .with(CLIPPY),
    core("doc", "cargo doc --workspace --no-deps --document-private-items")
        .under(&[("RUSTDOCFLAGS", "-D warnings")]),
    core("test", "cargo test --workspace"),
    core("conformance", "cargo xtask conformance"),
    core("coverage", "cargo xtask coverage"),
    core("arrows", "cargo xtask arrows"),
    core("vectors", "cargo xtask vectors --check"),
    core("requirements", "cargo xtask requirements --check"),
    core("portability", "cargo xtask portability --check"),
    core("version", "cargo xtask version"),
    // Alone, for with the others its features are theirs.
    core("the library alone", "cargo check -p robots-conformance"),
    // A process for each of thousands of trials would load the suite as often; one area shows it.
    full(
        "nextest",
        "cargo nextest run --workspace -E !binary(spec)|test(/::caching::/)",
        ("cargo nextest --version", "cargo install cargo-nextest --locked"),
    ),
    full(
        "retrieval, with the servers that people run",
        "cargo test --package robots-fetch",
        (
            "redis-server --version",
            "apt-get install redis-server nginx-light apache2-bin haproxy squid vsftpd libfaketime",
        ),
    )
    .under(&[("ROBOTS_KILLS", "500"), ("ROBOTS_REQUIRE_SERVERS", "1")]),
    full(
        "retrieval, measured on fewer origins",
        "cargo xtask bench fetch --quick",
        ("redis-server --version", "apt-get install redis-server"),
    ),
    full(
        "public interface",
        "cargo xtask api --check",
        ("cargo public-api --version", "cargo install cargo-public-api --locked"),
    ),
    full(
        "a target without std",
        "cargo build -p robots-core -p robots-nom-parser -p robots-lint --no-default-features --target thumbv7em-none-eabi",
        (
            "rustc --print target-libdir --target thumbv7em-none-eabi",
            "rustup target add thumbv7em-none-eabi",
        ),
    ),
    // What is published; the maintainer's tools may need a later one.
    full(
        "the oldest compiler",
        "rustup run 1.89 cargo check --workspace --exclude xtask --exclude xtask-heavy --all-features \
         --target-dir target/oldest",
        ("rustup run 1.89 rustc --version", "rustup toolchain install 1.89 --profile minimal"),
    ),
    full(
        "Miri",
        "rustup run nightly cargo miri test --lib -p robots-core -p robots-nom-parser",
        MIRI,
    )
    .under(UNDER_MIRI),
    full(
        "Miri, big-endian",
        "rustup run nightly cargo miri test --lib -p robots-core -p robots-nom-parser \
         --target s390x-unknown-linux-gnu",
        MIRI,
    )
    .under(UNDER_MIRI),
    full("fuzz, seeds", "cargo xtask seeds", FUZZ),
    fuzz(
        "fuzz, file to verdict",
        "rustup run nightly cargo fuzz run verdict -- -max_total_time=30",
    ),
    fuzz("fuzz, protocol", "rustup run nightly cargo fuzz run protocol -- -max_total_time=30"),
    fuzz("fuzz, cases", "rustup run nightly cargo fuzz run cases -- -max_total_time=30"),
    // It has threads, and what the C library keeps of one that is about to end counts as a leak by chance.
    fuzz(
        "fuzz, verdicts in bulk",
        "rustup run nightly cargo fuzz run verdicts -- -max_total_time=30 -detect_leaks=0",
    ),
    full(
        "advisories",
        "cargo audit --deny warnings",
        ("cargo audit --version", "cargo install cargo-audit --locked"),
    ),
    full(
        "advisories, licences, sources",
        "cargo deny check",
        ("cargo deny --version", "cargo install cargo-deny --locked"),
    ),
    full(
        "cases on the wire, ten times and in a namespace",
        "cargo test -p robots-test-web -p robots-fetch --test namespace --test live --test rogues",
        ("unshare --version", "apt-get install util-linux iproute2"),
    )
    .under(&[("ROBOTS_REQUIRE_NAMESPACE", "1"), ("ROBOTS_RUNS", "10")]),
    full(
        "the page in a browser",
        "cargo test -p robots-conformance-cli --test html",
        ("chromedriver --version", "apt-get install chromium chromium-driver"),
    )
    .under(&[("ROBOTS_REQUIRE_CHROMIUM", "1")]),
    full(
        "the site in a browser",
        "cargo test -p xtask-heavy --test site",
        (
            "rustc --print target-libdir --target wasm32-wasip1",
            "rustup target add wasm32-wasip1 && apt-get install chromium chromium-driver",
        ),
    )
    .under(&[("ROBOTS_REQUIRE_CHROMIUM", "1")]),
    // What `--all-targets` leaves out.
    full(
        "clippy, the site's tests",
        "cargo clippy -p xtask-heavy --test site -- -D warnings",
        CLIPPY,
    ),
    full(
        "clippy, the site's engine",
        "cargo clippy --manifest-path site/Cargo.toml --target-dir target/site-engine --all-targets -- -D warnings",
        CLIPPY,
    ),
    full(
        "clippy, benchmarks",
        "cargo clippy --manifest-path bench/Cargo.toml --target-dir target/bench --all-targets -- -D warnings",
        CLIPPY,
    ),
    full(
        "instructions",
        "cargo xtask bench instructions",
        ("valgrind --version", "apt-get install valgrind"),
    ),
    full("Spark", "docs/test_spark.sh", ("java -version", "apt-get install default-jre-headless")),
    full("observed profile", "cargo xtask observe --check", PYTHON),
    full(
        "peers",
        "cargo xtask peers --check",
        ("node --version", "apt-get install nodejs npm libwww-robotrules-perl"),
    ),
    // Where people are: each in a fresh folder, from what is built here.
    full("example, pytest", "docs/examples/run pytest", PYTHON),
    full("example, vitest", "docs/examples/run vitest", NPM),
    full("example, Go", "docs/examples/run go", ("go version", "apt-get install golang")),
    full("example, JUnit", "docs/examples/run junit", ("mvn --version", "apt-get install maven")),
    full("example, Rust", "docs/examples/run rust", RUST),
    full("wheel", "conformance/pypi/test.sh", PYTHON),
    full("npm packages", "conformance/npm/test.sh", NPM),
    full("the parser in Python", "robots-nom-parser/python/test.sh", PYTHON),
    full("example, CI", "docs/examples/run ci", PYTHON),
    // Releases. The tree is packaged as it stands; release.yml packages a commit.
    full(
        "packages",
        "cargo package --workspace --exclude xtask --exclude xtask-heavy --allow-dirty",
        RUST,
    ),
    full("publishing", "cargo publish --workspace --dry-run --no-verify --allow-dirty", RUST),
    full(
        "what is published",
        "cargo xtask semver",
        ("cargo semver-checks --version", "cargo install cargo-semver-checks --locked"),
    ),
    full(
        "workflows",
        "actionlint",
        ("actionlint -version", "go install github.com/rhysd/actionlint/cmd/actionlint@v1.7.12"),
    ),
];

const RUST: Tool = ("cargo --version", "https://rustup.rs");

const PYTHON: Tool = ("python3 --version", "apt-get install python3 python3-venv");

const NPM: Tool = ("npm --version", "apt-get install nodejs npm");

const CLIPPY: Tool = ("cargo clippy --version", "rustup component add clippy");

const MIRI: Tool = (
    "rustup run nightly cargo miri --version",
    "rustup toolchain install nightly --component miri,rust-src",
);

/// Properties are for compiled code; Miri looks at what each does, and once or twice is enough.
const UNDER_MIRI: &[(&str, &str)] =
    &[("PROPTEST_CASES", "2"), ("MIRIFLAGS", "-Zmiri-disable-isolation")];

const FUZZ: Tool = (
    "rustup run nightly cargo fuzz --version",
    "rustup toolchain install nightly && cargo install cargo-fuzz --locked",
);

const fn core(name: &'static str, command: &'static str) -> Check {
    Check { name, tier: Tier::Core, tool: None, command, environment: &[] }
}

const fn full(name: &'static str, command: &'static str, tool: Tool) -> Check {
    Check { tier: Tier::Full, ..core(name, command).with(tool) }
}

const fn fuzz(name: &'static str, command: &'static str) -> Check {
    full(name, command, FUZZ)
}

enum Outcome {
    Passed,
    Failed,
    NotRun(&'static str),
}

pub(crate) fn run(arguments: &Arguments) -> ExitCode {
    let mut report = Vec::new();
    for check in CHECKS.iter().filter(|check| check.tier <= arguments.tier) {
        anstream::println!("── {}: {}", check.name, check.command);
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
                check.command
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
    /// Makes the check one that needs a tool.
    const fn with(self, tool: Tool) -> Self {
        Self { tool: Some(tool), ..self }
    }

    /// Makes the check one that runs with these variables set.
    const fn under(self, environment: &'static [(&'static str, &'static str)]) -> Self {
        Self { environment, ..self }
    }

    fn run(&self) -> Outcome {
        if let Some((probe, get)) = self.tool
            && !is_there(probe)
        {
            return Outcome::NotRun(get);
        }
        let status = command(self.command).envs(self.environment.iter().copied()).status();
        if status.is_ok_and(|status| status.success()) { Outcome::Passed } else { Outcome::Failed }
    }
}

/// Returns whether a tool is there: its command succeeds, and where that tells a folder, there is one.
fn is_there(probe: &str) -> bool {
    let Ok(output) = command(probe).stderr(Stdio::null()).output() else { return false };
    let told = String::from_utf8_lossy(&output.stdout);
    // rustc tells where the library of a target would be.
    output.status.success() && (!told.starts_with('/') || Path::new(told.trim_end()).is_dir())
}

/// Makes a command that runs in the workspace's folder.
fn command(words: &str) -> Command {
    let mut words = words.split_ascii_whitespace();
    let mut command = match words.next().expect("a command has a word") {
        "cargo" => Command::new(cargo()),
        script if script.contains('/') => Command::new(workspace().join(script)),
        program => Command::new(program),
    };
    command.current_dir(workspace()).args(words);
    command
}

#[cfg(test)]
mod tests {
    use super::{CHECKS, is_there};

    #[test]
    fn a_tool_that_is_absent_is_not_there() {
        assert!(is_there("rustc --version"));
        assert!(is_there("rustc --print sysroot"));
        assert!(!is_there("rustc --no-such-option"));
        assert!(!is_there("no-such-program --version"));
        // The folder is told, and nobody has the library.
        assert!(!is_there("rustc --print target-libdir --target armebv7r-none-eabi"));
    }

    #[test]
    fn checks_are_told_apart_by_their_names() {
        let mut names: Vec<&str> = CHECKS.iter().map(|check| check.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), CHECKS.len());
    }
}
