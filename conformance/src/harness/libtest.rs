//! The face of libtest: its arguments, and the lines it prints.
//!
//! Written here, for the crates that do it bring a command-line parser with them: half of all that a
//! `cargo test` with this crate would compile.

use std::fmt::Write as _;
use std::io::{self, IsTerminal as _, Write as _};
use std::num::NonZero;
use std::time::Duration;

use lexopt::{Arg, Parser, ValueExt as _};

/// What `--help` prints.
const HELP: &str = "\
Usage: conformance [OPTIONS] [FILTER]...

Runs the trials whose names contain one of the filters; all without a filter.

      --exact             Names match as a whole
      --skip FILTER       Leaves out the trials whose names contain this; repeatable
      --list              Lists the trials instead of running them
      --test-threads N    How many questions are asked at a time
  -q, --quiet             Prints a character a trial
      --format FORMAT     pretty, or terse, which is --quiet
      --ignored           Runs the ignored trials only: none, for a trial is ignored only once it ran
";

/// The arguments of a test binary.
#[derive(Debug, Default)]
pub(super) struct Arguments {
    filters: Vec<String>,
    skip: Vec<String>,
    is_exact: bool,
    is_nothing: bool,
    pub(super) list: bool,
    pub(super) help: bool,
    pub(super) quiet: bool,
    pub(super) threads: Option<NonZero<usize>>,
}

impl Arguments {
    /// Reads the arguments of the process.
    ///
    /// # Errors
    /// A sentence about the argument that is not known.
    pub(super) fn of_process() -> Result<Self, String> {
        let mut arguments = Self::default();
        if let Ok(threads) = std::env::var("RUST_TEST_THREADS") {
            arguments.threads =
                Some(threads.parse().map_err(|_| {
                    format!("RUST_TEST_THREADS is {threads:?}; it is a number from 1")
                })?);
        }
        arguments.read(&mut Parser::from_env()).map_err(|error| format!("{error}; see --help"))?;
        Ok(arguments)
    }

    fn read(&mut self, parser: &mut Parser) -> Result<(), lexopt::Error> {
        while let Some(argument) = parser.next()? {
            match argument {
                Arg::Value(filter) => self.filters.push(filter.string()?),
                Arg::Long("exact") => self.is_exact = true,
                Arg::Long("skip") => self.skip.push(parser.value()?.string()?),
                Arg::Long("list") => self.list = true,
                Arg::Long("test-threads") => self.threads = Some(parser.value()?.parse()?),
                Arg::Short('q') | Arg::Long("quiet") => self.quiet = true,
                Arg::Long("format") => match parser.value()?.string()?.as_str() {
                    "pretty" => self.quiet = false,
                    "terse" => self.quiet = true,
                    other => return Err(format!("unknown format {other:?}").into()),
                },
                // No trial is ignored before it ran, and none is a benchmark.
                Arg::Long("ignored" | "bench") => self.is_nothing = true,
                Arg::Short('h') | Arg::Long("help") => self.help = true,
                Arg::Long("color") | Arg::Short('Z') => drop(parser.value()?),
                // Trials print nothing that could be captured.
                Arg::Long(
                    "nocapture" | "no-capture" | "show-output" | "include-ignored" | "test",
                ) => {}
                other => return Err(other.unexpected()),
            }
        }
        Ok(())
    }

    /// Returns whether a test of this name is to run.
    pub(super) fn select(&self, name: &str) -> bool {
        let matches = |filter: &String| {
            if self.is_exact { name == filter } else { name.contains(filter.as_str()) }
        };
        !self.is_nothing
            && (self.filters.is_empty() || self.filters.iter().any(matches))
            && !self.skip.iter().any(matches)
    }
}

/// How a test ended.
pub(super) enum End {
    Passed,
    /// Not answered; the reason.
    Ignored(String),
    /// What is wrong.
    Failed(String),
}

/// Prints what libtest prints.
pub(super) struct Printer {
    quiet: bool,
    passed: usize,
    ignored: usize,
    failed: Vec<(String, String)>,
}

impl Printer {
    pub(super) fn start(quiet: bool, tests: usize) -> Self {
        print(&format!("\nrunning {tests} test{}\n", if tests == 1 { "" } else { "s" }));
        Self { quiet, passed: 0, ignored: 0, failed: Vec::new() }
    }

    pub(super) fn test(&mut self, name: &str, end: End) {
        let (shown, short) = match &end {
            End::Passed => ("ok".to_owned(), "."),
            End::Ignored(reason) => (format!("ignored ({reason})"), "i"),
            End::Failed(_) => ("FAILED".to_owned(), "F"),
        };
        if self.quiet {
            print(short);
        } else {
            print(&format!("test {name} ... {shown}\n"));
        }
        match end {
            End::Passed => self.passed += 1,
            End::Ignored(_) => self.ignored += 1,
            End::Failed(message) => self.failed.push((name.to_owned(), message)),
        }
    }

    /// Prints the failures and the totals; returns whether nothing failed.
    pub(super) fn finish(self, filtered_out: usize, took: Duration) -> bool {
        let is_ok = self.failed.is_empty();
        let mut out = String::new();
        if !is_ok {
            out.push_str("\n\nfailures:\n\n");
            for (name, message) in &self.failed {
                let _ = write!(out, "---- {name} ----\n{}\n\n", message.trim_end());
            }
            out.push_str("\nfailures:\n");
            for (name, _) in &self.failed {
                let _ = writeln!(out, "    {name}");
            }
        }
        let result = match (is_ok, io::stdout().is_terminal()) {
            (true, true) => "\u{1b}[32mok\u{1b}[0m",
            (true, false) => "ok",
            (false, true) => "\u{1b}[31mFAILED\u{1b}[0m",
            (false, false) => "FAILED",
        };
        let _ = write!(
            out,
            "\ntest result: {result}. {} passed; {} failed; {} ignored; 0 measured; {filtered_out} filtered \
             out; finished in {:.2}s\n\n",
            self.passed,
            self.failed.len(),
            self.ignored,
            took.as_secs_f64(),
        );
        print(&out);
        is_ok
    }
}

/// Prints the help.
pub(super) fn help() {
    print(HELP);
}

/// Prints text; a reader that went away is no error.
pub(super) fn print(text: &str) {
    let mut out = io::stdout().lock();
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}
