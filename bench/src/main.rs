//! `robots-bench`: measures the parser, its peers and hostile files. It prints tables of medians and ratios, and
//! reports which targets are met.
//!
//! Start at `measure`. Exit status 1 means that an instruction count changed by more than the tolerance, or that no
//! counts are recorded. Exit status 2 means a usage error or a failed measurement. A missed target is reported, but is
//! not a failure.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Parser, Subcommand, ValueEnum};
use robots_bench::report::Report;
use robots_bench::{corpus, hostile, instructions, machine, memory, sweeps};

/// Measures the parser and its peers side by side. If `ROBOTS_CORPUS` names a folder of files, these files are measured
/// too.
#[derive(Parser)]
#[command(version)]
struct Options {
    /// Uses fewer files and rounds.
    #[arg(long)]
    quick: bool,
    /// Measures only this section; repeatable.
    #[arg(long, value_enum, value_name = "SECTION")]
    only: Vec<Section>,
    /// Prints only the targets that are not met, no detailed tables, and only the tables of the last corpus.
    #[arg(long)]
    short: bool,
    /// Writes all numbers to this file.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    #[command(subcommand)]
    command: Option<Command>,
}

/// A section of the measurements.
#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum Section {
    /// Our parser and the peers on the corpora.
    Corpus,
    /// Allocations, and memory that stays allocated.
    Memory,
    /// Instructions, under valgrind.
    Instructions,
    /// Hostile files against their limits.
    Hostile,
    /// The growth of the time with the length of the file and of the path.
    Growth,
}

#[derive(Subcommand)]
enum Command {
    /// Compares instruction counts with the recorded ones; exits with 1 if a count changed by more than the tolerance.
    Instructions {
        /// Records the counts instead.
        #[arg(long)]
        record: bool,
    },
    /// Runs a workload: valgrind runs this to count instructions.
    #[command(hide = true)]
    Workload { name: String, times: usize },
}

fn main() -> ExitCode {
    let options = Options::parse();
    let done = match &options.command {
        None => measure(&options).map(|()| ExitCode::SUCCESS),
        Some(Command::Instructions { record }) => gate(*record),
        Some(Command::Workload { name, times }) => {
            instructions::work(name, *times).map(|()| ExitCode::SUCCESS)
        }
    };
    done.unwrap_or_else(|message| {
        eprintln!("robots-bench: {message}");
        ExitCode::from(2)
    })
}

fn measure(options: &Options) -> Result<(), String> {
    let wanted = |section| options.only.is_empty() || options.only.contains(&section);
    let rounds = if options.quick { 5 } else { 31 };
    let mut report = Report { setting: machine::setting(), ..Report::default() };
    let corpora = corpus::load(options.quick)?;
    if wanted(Section::Corpus) {
        for corpus in &corpora {
            eprintln!("sweeping: {}", corpus.name);
            sweeps::measure(corpus, rounds, &mut report)?;
        }
    }
    let counts = if wanted(Section::Memory) || wanted(Section::Hostile) {
        eprintln!("counting allocations");
        Some(memory::count(options.quick)?)
    } else {
        None
    };
    if let Some(counts) = counts.as_ref().filter(|_| wanted(Section::Memory)) {
        memory::report(counts, &corpora, &mut report);
    }
    if wanted(Section::Instructions) {
        eprintln!("counting instructions");
        instructions::report(instructions::count()?.as_ref(), &mut report);
    }
    if wanted(Section::Hostile) {
        eprintln!("hostile files");
        hostile::files(counts.as_ref(), rounds.min(11), &mut report)?;
    }
    if wanted(Section::Growth) {
        eprintln!("growth");
        hostile::growth(rounds.min(15), &mut report);
    }
    print!("{}", report.markdown(options.short));
    if let Some(path) = &options.json {
        write(path, &serde_json::to_string_pretty(&report).expect("numbers and text"))?;
    }
    Ok(())
}

fn write(path: &Path, text: &str) -> Result<(), String> {
    fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))
}

fn gate(record: bool) -> Result<ExitCode, String> {
    let Some(counted) = instructions::count()? else {
        println!("instructions: not run, there is no valgrind here");
        return Ok(ExitCode::SUCCESS);
    };
    for (workload, count) in &counted.counts {
        println!("{workload}: {count} instructions");
    }
    if record {
        instructions::record(&counted)?;
        return Ok(ExitCode::SUCCESS);
    }
    let Some(recorded) = instructions::recorded()? else {
        println!("no counts are recorded yet; record these: {}", instructions::RECORD);
        return Ok(ExitCode::FAILURE);
    };
    let changes = instructions::changes(&counted, &recorded);
    if changes.is_empty() {
        println!("all within {} % of the recorded counts", instructions::TOLERANCE * 1e2);
        return Ok(ExitCode::SUCCESS);
    }
    println!("{}", changes.join("\n"));
    println!("if the change is intended, record the counts again: {}", instructions::RECORD);
    Ok(ExitCode::FAILURE)
}
