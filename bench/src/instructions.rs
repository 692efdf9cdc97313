//! Counts instructions with callgrind. The instruction counts are the same in every run, so that a change of a few per
//! cent is visible.
//!
//! For each workload, the program runs itself under valgrind twice: one run does the workload three times, the other
//! once. Half of the difference is the count, so the count does not include starting the program and making the files.
//! `bench/instructions.json` has the recorded counts.

use std::collections::BTreeMap;
use std::hint::black_box;
use std::path::Path;
use std::process::{Command, Stdio};
use std::{env, fs, io};

use serde::{Deserialize, Serialize};

use crate::corpus::{self, CRAWLER, Corpus};
use crate::peers::SUBJECTS;
use crate::report::Bound::AtMost;
use crate::report::{Report, Table, short};

/// A check fails if a count changes by more than this share of the recorded count.
pub const TOLERANCE: f64 = 0.03;

/// The command that records the counts again.
pub const RECORD: &str =
    "cargo run --release --manifest-path bench/Cargo.toml -- instructions --record";

/// The workloads. All workloads use the same 200 generated files.
pub const WORKLOADS: [&str; 5] = [
    "parse",
    "parse and one verdict",
    "parse and compile",
    "compiled verdicts",
    "verdicts without compiling",
];

const RECORDED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/instructions.json");
const FILES: usize = 200;

/// The instruction counts of a run, or the recorded counts.
#[derive(Debug, Serialize, Deserialize)]
pub struct Instructions {
    /// The compiler that built the program.
    pub compiler: String,
    /// The number of octets of all files together.
    pub octets: usize,
    /// The number of paths in each of the two workloads that ask about all paths.
    pub paths: usize,
    /// Instructions by workload.
    pub counts: BTreeMap<String, u64>,
}

/// Does a workload several times. This function is called in the program that runs under valgrind.
///
/// # Errors
/// Returns a message if no workload has this name.
pub fn work(workload: &str, times: usize) -> Result<(), String> {
    let Corpus { files, .. } = corpus::generated(FILES);
    let ours = &SUBJECTS[0];
    let askers: Vec<_> =
        files.iter().map(|file| (file, robots_nom_parser::parse(file.text))).collect();
    let askers: Vec<_> =
        askers.iter().map(|(file, robots)| (*file, robots, robots.rules_for(CRAWLER))).collect();
    for _ in 0..times {
        for (file, robots, rules) in &askers {
            match workload {
                "parse" => drop(black_box((ours.read)(black_box(file.text)))),
                "parse and one verdict" => {
                    black_box((ours.ask_once)(black_box(file.text), black_box(file.one_path())));
                }
                "parse and compile" => (ours.compile)(black_box(file.text)),
                "compiled verdicts" => {
                    for path in &file.paths {
                        black_box(rules.verdict(black_box(path)));
                    }
                }
                "verdicts without compiling" => {
                    for path in &file.paths {
                        black_box(robots.verdict(CRAWLER, black_box(path)));
                    }
                }
                _ => {
                    return Err(format!(
                        "no workload `{workload}`; there are: {}",
                        WORKLOADS.join(", ")
                    ));
                }
            }
        }
    }
    Ok(())
}

/// Counts all workloads, or returns `None` if valgrind is not installed.
///
/// # Errors
/// Returns a message if valgrind or the program under it fails.
pub fn count() -> Result<Option<Instructions>, String> {
    match Command::new("valgrind").arg("--version").stdout(Stdio::null()).status() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(format!("valgrind does not run: {error}")),
        Ok(_) => {}
    }
    let Corpus { files, .. } = corpus::generated(FILES);
    let mut counted = Instructions {
        compiler: env!("BENCH_RUSTC").to_owned(),
        octets: files.iter().map(|file| file.text.len()).sum(),
        paths: files.iter().map(|file| file.paths.len()).sum(),
        counts: BTreeMap::new(),
    };
    for workload in WORKLOADS {
        let difference = callgrind(workload, 3)?.saturating_sub(callgrind(workload, 1)?);
        counted.counts.insert(workload.to_owned(), difference / 2);
    }
    Ok(Some(counted))
}

fn callgrind(workload: &str, times: usize) -> Result<u64, String> {
    let program = env::current_exe()
        .map_err(|error| format!("cannot find the path of this program: {error}"))?;
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(program)
        .args(["workload", workload, &times.to_string()])
        .output()
        .map_err(|error| format!("valgrind does not run: {error}"))?;
    let errors = String::from_utf8_lossy(&output.stderr);
    let collected =
        errors.lines().find_map(|line| line.split_once("Collected :")?.1.trim().parse().ok());
    match collected {
        Some(count) if output.status.success() => Ok(count),
        _ => Err(format!("valgrind on workload `{workload}`: {errors}")),
    }
}

/// Returns the recorded counts, or `None` if there are none yet.
///
/// # Errors
/// Returns a message if the file does not contain counts.
pub fn recorded() -> Result<Option<Instructions>, String> {
    match fs::read_to_string(RECORDED) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(format!("{RECORDED}: {error}")),
        Ok(text) => serde_json::from_str(&text)
            .map(Some)
            .map_err(|error| format!("{RECORDED}: {error}; record the counts anew: {RECORD}")),
    }
}

/// Records these counts.
///
/// # Errors
/// Returns a message if the file cannot be written.
///
/// # Panics
/// Never panics, because numbers and text are valid JSON.
pub fn record(counted: &Instructions) -> Result<(), String> {
    let text = serde_json::to_string_pretty(counted).expect("numbers and text") + "\n";
    fs::write(Path::new(RECORDED), text).map_err(|error| format!("{RECORDED}: {error}"))
}

/// Returns a line for each count that differs from the recorded count by more than the tolerance.
#[must_use]
pub fn changes(counted: &Instructions, recorded: &Instructions) -> Vec<String> {
    let mut changes = Vec::new();
    for workload in WORKLOADS {
        let (now, before) = (counted.counts.get(workload), recorded.counts.get(workload));
        let (Some(now), Some(before)) = (now, before) else {
            changes.push(format!("{workload}: not among the recorded counts"));
            continue;
        };
        let change = *now as f64 / *before as f64 - 1.0;
        if change.abs() > TOLERANCE {
            changes.push(format!(
                "{workload}: {before} instructions recorded, {now} now, {:+.1} %",
                change * 1e2
            ));
        }
    }
    if !changes.is_empty() && counted.compiler != recorded.compiler {
        changes
            .push(format!("recorded with {}, built with {}", recorded.compiler, counted.compiler));
    }
    changes
}

/// Adds the counts to the report, or a note that valgrind did not count.
pub fn report(counted: Option<&Instructions>, report: &mut Report) {
    let mut table = Table::detail(
        "Instructions",
        format!(
            "callgrind counted the instructions over {FILES} generated files. Continuous integration \
             checks the numbers."
        ),
        &["workload", "instructions", "per octet", "per path"],
    );
    let mut per_octet = None;
    if let Some(counted) = counted {
        for workload in WORKLOADS {
            let count = counted.counts[workload] as f64;
            report.note(format!("instructions.{workload}"), count);
            let mut row = vec![workload.to_owned(), short(count), "–".to_owned(), "–".to_owned()];
            if workload.contains("verdicts") {
                row[3] = short(count / counted.paths as f64);
            } else {
                row[2] = short(count / counted.octets as f64);
            }
            if workload == "parse" {
                per_octet = Some(count / counted.octets as f64);
            }
            table.rows.push(row);
        }
    } else {
        table.note += " Not run: there is no valgrind here.";
    }
    report.judge(
        "generated: instructions per octet, parse",
        "",
        per_octet,
        None,
        Some(AtMost(10.0)),
    );
    report.tables.push(table);
}
