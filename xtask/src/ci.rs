//! Runs all checks, in two tiers: `core` needs only Rust, and `full` also needs other tools.
//!
//! [`CHECKS`] is the table: each check is one command, with the tool that it needs. Start at [`run()`]. This function
//! runs the checks one after the other, continues after a failure, and ends with a summary that names each command to
//! repeat. If the tool of a check is not installed, the check is *not run*, and the summary names the way to install
//! the tool. In the tier `core` and with `--strict`, a check that is not run is a failure.

use std::process::ExitCode;
use std::time::Instant;

use crate::invocation::{command, is_there};

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The checks to run
    #[arg(value_enum, default_value = "core")]
    tier: Tier,
    /// Also fail if a check is not run because its tool is missing
    #[arg(long)]
    strict: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, clap::ValueEnum)]
enum Tier {
    /// The checks that need only Rust
    Core,
    /// Also the checks that need more tools: a nightly compiler, cargo-fuzz, cargo-nextest, cargo-deny, cargo-audit,
    /// actionlint, zizmor, bump-my-version, valgrind, Chromium, Go, Java, Node, Python, Redis and web servers
    Full,
}

struct Check {
    name: &'static str,
    tier: Tier,
    /// The tool that the check needs.
    tool: Option<Tool>,
    /// The words of the command, separated by spaces. `cargo` is the Cargo that runs this program.
    command: &'static str,
    environment: &'static [(&'static str, &'static str)],
}

/// A tool: a command that succeeds if the tool is installed, and how to install it. If the command prints a folder, the
/// folder must exist.
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
    // Without `--workspace`, the features that only other crates need are off.
    core("doc of the default features", "cargo doc --no-deps")
        .under(&[("RUSTDOCFLAGS", "-D warnings")]),
    core("test", "cargo test --workspace"),
    core("conformance", "cargo xtask conformance"),
    core("coverage", "cargo xtask coverage"),
    core("faults", "cargo xtask faults"),
    core("lock files", "cargo xtask locks --check"),
    // The crate `robots-conformance` is checked alone, because a build of all crates also enables the features that the
    // other crates need.
    core("the library alone", "cargo check -p robots-conformance"),
    // nextest runs each trial in a process that loads the suite. There are thousands of trials, so one area is enough.
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
        "the AI preference drafts, by an independent reader",
        "cargo test --package robots-conformance --test independent",
        ("python3 -m pip show --quiet http-sf", "pip install http-sf"),
    )
    .under(&[("ROBOTS_HTTP_SF", "python3")]),
    full("retrieval, measured on fewer origins", "cargo xtask bench fetch --quick", REDIS),
    full(
        "retrieval, a soak of five minutes",
        "cargo test --package robots-fetch --test soak",
        REDIS,
    )
    .under(&[("ROBOTS_SOAK", "300"), ("ROBOTS_REQUIRE_SERVERS", "1")]),
    full(
        "retrieval, beside another user of reqwest and rustls",
        "cargo run --manifest-path robots-fetch/tests/beside/Cargo.toml --target-dir target/beside --locked",
        RUST,
    ),
    full(
        "retrieval, beside a second provider of rustls",
        "cargo run --manifest-path robots-fetch/tests/beside/Cargo.toml --target-dir target/beside --locked \
         --features two-providers",
        RUST,
    ),
    full(
        "the effect of a change, compared with brute force",
        "cargo test -p robots-lint --test effect",
        RUST,
    )
    .under(&[("ROBOTS_PAIRS", "10000")]),
    full(
        "audits of a million simulated requests",
        "cargo test -p robots-audit --test simulator",
        RUST,
    )
    .under(&[("ROBOTS_SIMULATED", "1000000")]),
    full(
        "audits of the logs of wget",
        "cargo test -p robots-fetch --test rogues audits_of",
        ("wget --version", "apt-get install wget"),
    )
    .under(&[("ROBOTS_AUDITED", "wget wget -r -q -T 3 -t 2 --ca-certificate={ca} -i {seeds}")]),
    full(
        "audits of the logs of Scrapy, obeying and not",
        "cargo test -p robots-fetch --test rogues audits_of",
        ("python3 -m pip show --quiet scrapy", "pip install scrapy"),
    )
    .under(&[(
        "ROBOTS_AUDITED",
        "examplebot python3 -B {cwd}/../survey/crawlers/python/scrapy_spider.py {agent} {seeds}\n\
         examplebot python3 -B {cwd}/../survey/crawlers/python/scrapy_spider.py {agent} {seeds} disobeying",
    )]),
    // A crawler has a home folder of its own, so without these caches each crawl would compile Colly.
    full(
        "audits of the logs of Colly",
        "cargo test -p robots-fetch --test rogues audits_of",
        ("go version", "apt-get install golang"),
    )
    .under(&[(
        "ROBOTS_AUDITED",
        "examplebot env GOCACHE={cwd}/../target/go GOMODCACHE={cwd}/../target/go-modules GOFLAGS=-modcacherw \
         go run -C {cwd}/../survey/crawlers/go . colly {agent} {seeds}",
    )]),
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
    // Only the published crates must compile with the oldest compiler. The tools for maintainers may need a later
    // compiler.
    full(
        "the oldest compiler",
        "rustup run 1.89 cargo check --workspace --exclude xtask --exclude robots-conformance-faults --all-features \
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
    fuzz("fuzz, archives", "rustup run nightly cargo fuzz run archive -- -max_total_time=30"),
    fuzz(
        "fuzz, audits of logs",
        "rustup run nightly cargo fuzz run audit -- -max_total_time=30 -max_len=65536 -timeout=10",
    ),
    // The target starts threads. The leak detector sometimes reports the data that the C library keeps for an ended
    // thread, so it is switched off here.
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
    .under(&[
        ("ROBOTS_REQUIRE_NAMESPACE", "1"),
        ("ROBOTS_RUNS", "10"),
        ("ROBOTS_ROGUES", "all"),
    ]),
    full(
        "the page in a browser",
        "cargo test -p robots-conformance-cli --test html",
        ("chromedriver --version", "apt-get install chromium chromium-driver npm"),
    )
    .under(&[("ROBOTS_REQUIRE_CHROMIUM", "1"), ("ROBOTS_AXE", "1")]),
    full(
        "the site in a browser",
        "cargo test --manifest-path survey/Cargo.toml --target-dir target/survey --test site",
        (
            "rustc --print target-libdir --target wasm32-wasip1",
            "rustup target add wasm32-wasip1 && apt-get install chromium chromium-driver npm",
        ),
    )
    .under(&[("ROBOTS_REQUIRE_CHROMIUM", "1"), ("ROBOTS_AXE", "1")]),
    full(
        "clippy, benchmarks",
        "cargo clippy --manifest-path bench/Cargo.toml --target-dir target/bench --all-targets -- -D warnings",
        CLIPPY,
    ),
    full(
        "clippy, the benchmark of the retrieval",
        "cargo clippy --manifest-path bench/fetch/Cargo.toml --target-dir target/bench-fetch --all-targets -- -D warnings",
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
        "cargo survey peers --check",
        ("node --version", "apt-get install nodejs npm libwww-robotrules-perl"),
    ),
    full("retrievers", "cargo survey retrievers --check", PYTHON),
    full(
        "causes",
        "cargo survey check",
        ("mvn --version", "apt-get install golang maven nodejs npm python3-venv"),
    ),
    // Each example runs in a new folder, with the packages that this checkout builds.
    full("example, pytest", "docs/examples/run pytest", PYTHON),
    full("example, vitest", "docs/examples/run vitest", NPM),
    full("example, Go", "docs/examples/run go", ("go version", "apt-get install golang")),
    full("example, JUnit", "docs/examples/run junit", ("mvn --version", "apt-get install maven")),
    full("example, Rust", "docs/examples/run rust", RUST),
    full("wheel of robots-conformance", "packages/pypi/test.sh robots-conformance", PYTHON),
    full("wheel of robots", "packages/pypi/test.sh robots-cli", PYTHON),
    full("npm packages", "packages/npm/test.sh", NPM),
    full("the parser in Python", "packages/python/test.sh", PYTHON),
    full("example, CI", "docs/examples/run ci", PYTHON),
    full(
        "the first commands of the README",
        ".ci/install",
        ("npm --version", "apt-get install nodejs npm python3-venv"),
    ),
    // Checks for releases. The working tree is packaged; release.yml packages a commit.
    full(
        "packages",
        "cargo package --workspace --exclude xtask --exclude robots-conformance-faults --allow-dirty",
        RUST,
    ),
    full("publishing", "cargo publish --workspace --dry-run --no-verify --allow-dirty", RUST),
    full(
        "places of the version",
        "bump-my-version bump patch --dry-run --allow-dirty",
        ("bump-my-version --version", "pip install bump-my-version"),
    ),
    full(
        "workflows",
        "actionlint",
        ("actionlint -version", "go install github.com/rhysd/actionlint/cmd/actionlint@v1.7.12"),
    ),
    full(
        "security of workflows",
        "zizmor --offline --no-progress .",
        ("zizmor --version", "pip install zizmor"),
    ),
];

const RUST: Tool = ("cargo --version", "https://rustup.rs");

const REDIS: Tool = ("redis-server --version", "apt-get install redis-server");

const PYTHON: Tool = ("python3 --version", "apt-get install python3 python3-venv");

const NPM: Tool = ("npm --version", "apt-get install nodejs npm");

const CLIPPY: Tool = ("cargo clippy --version", "rustup component add clippy");

const MIRI: Tool = (
    "rustup run nightly cargo miri --version",
    "rustup toolchain install nightly --component miri,rust-src",
);

/// Property tests are slow under Miri, which interprets the code. So under Miri each test has only two random inputs.
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
    /// Adds a required tool to the check.
    const fn with(self, tool: Tool) -> Self {
        Self { tool: Some(tool), ..self }
    }

    /// Sets environment variables for the check.
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

#[cfg(test)]
mod tests {
    use super::CHECKS;

    #[test]
    fn checks_have_different_names() {
        let mut names: Vec<&str> = CHECKS.iter().map(|check| check.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), CHECKS.len());
    }
}
