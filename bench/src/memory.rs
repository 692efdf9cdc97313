//! Counts allocations; the program `memory` does this in a separate process.
//!
//! Each growth of a vector counts as one allocation. While a vector grows, both its old and its new octets count as
//! allocated.

use std::process::Command;

use serde::{Deserialize, Serialize};

use crate::corpus::Corpus;
use crate::peers::{OURS, SUBJECTS};
use crate::report::Bound::AtMost;
use crate::report::{Report, Table, short};

/// All counts.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Counts {
    /// The allocation counts, one entry for each corpus and subject.
    pub sweeps: Vec<Sweep>,
    /// The maximum memory for each hostile file.
    pub peaks: Vec<Peak>,
}

/// The allocation counts of one subject for all files of one corpus.
#[derive(Debug, Serialize, Deserialize)]
pub struct Sweep {
    /// The name of the corpus.
    pub corpus: String,
    /// The name of the subject.
    pub subject: String,
    /// The number of files.
    pub files: usize,
    /// The octets of all files.
    pub octets: usize,
    /// The number of allocations while all files are parsed.
    pub allocations: u64,
    /// The octets that are still allocated after all files are parsed, without the files themselves.
    pub kept: i64,
    /// The octets that are still allocated if the rules of all files are compiled as well.
    pub kept_compiled: i64,
}

/// The maximum number of allocated octets while our parser reads one hostile file.
#[derive(Debug, Serialize, Deserialize)]
pub struct Peak {
    /// The name of the file.
    pub case: String,
    /// The size of the file in octets.
    pub octets: usize,
    /// The maximum number of octets while the file is parsed and one question is answered.
    pub question: u64,
    /// The maximum number of octets while the file is parsed, its rules are compiled, and one question is answered.
    pub compiled: u64,
}

/// Runs the counting program.
///
/// # Errors
/// Returns a message if Cargo cannot build or run the program.
pub fn count(quick: bool) -> Result<Counts, String> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.args(["run", "--release", "--quiet", "--bin", "memory", "--manifest-path"]);
    command.arg(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml"));
    if quick {
        command.args(["--", "--quick"]);
    }
    let failed = |why: String| format!("the program `memory` counts no allocations: {why}");
    let output = command.output().map_err(|error| failed(error.to_string()))?;
    if !output.status.success() {
        return Err(failed(String::from_utf8_lossy(&output.stderr).into_owned()));
    }
    serde_json::from_slice(&output.stdout).map_err(|error| failed(error.to_string()))
}

/// Adds the counts over the corpora to the report.
pub fn report(counts: &Counts, corpora: &[Corpus], report: &mut Report) {
    for corpus in corpora {
        let mut table = Table::detail(
            format!("Memory: {}", corpus.name),
            "*Allocations* is the number of allocations per file, including the growth of vectors. *Kept* \
             is the number of heap octets that stay allocated, per octet of the files, without the files \
             themselves. It is 0 for a parser that stores no parsed file.",
            &["subject", "allocations", "kept", "kept with compiled rules"],
        );
        for subject in &SUBJECTS {
            let of = |sweep: &&Sweep| sweep.corpus == corpus.name && sweep.subject == subject.name;
            let Some(sweep) = counts.sweeps.iter().find(of) else { continue };
            let allocations = sweep.allocations as f64 / sweep.files as f64;
            let kept = sweep.kept as f64 / sweep.octets as f64;
            let compiled = sweep.kept_compiled as f64 / sweep.octets as f64;
            let cell =
                |shown: bool, value: f64| if shown { short(value) } else { "–".to_owned() };
            table.rows.push(vec![
                subject.name.to_owned(),
                cell(subject.parse.is_some(), allocations),
                cell(subject.parse.is_some(), kept),
                cell(subject.verdict.is_some(), compiled),
            ]);
            report
                .note(format!("{}.memory.allocations.{}", corpus.name, subject.name), allocations);
            report.note(format!("{}.memory.kept.{}", corpus.name, subject.name), kept);
            report.note(format!("{}.memory.kept_compiled.{}", corpus.name, subject.name), compiled);
            if subject.name == OURS {
                let what = |what: &str| format!("{}: {what}", corpus.name);
                report.judge(
                    what("heap kept per file octet"),
                    "",
                    Some(kept),
                    Some(AtMost(1.0)),
                    None,
                );
                report.judge(
                    what("allocations a file"),
                    "",
                    Some(allocations),
                    Some(AtMost(5.0)),
                    None,
                );
            }
        }
        report.tables.push(table);
    }
}
