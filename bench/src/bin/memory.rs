//! Counts allocations and heap octets, and writes them as JSON to standard output.
//!
//! `robots-bench` runs this program. This program is separate, because a counting allocator would slow down the timed
//! code of `robots-bench`.

use std::hint::black_box;
use std::process::ExitCode;

use allocation_counter::measure;
use robots_bench::adversarial::{CASES, Case, SIZE};
use robots_bench::memory::{Counts, Peak, Sweep};
use robots_bench::peers::SUBJECTS;
use robots_bench::{corpus, sweeps};

fn main() -> ExitCode {
    let quick = std::env::args().any(|argument| argument == "--quick");
    let corpora = match corpus::load(quick) {
        Ok(corpora) => corpora,
        Err(message) => {
            eprintln!("{message}");
            return ExitCode::from(2);
        }
    };
    let mut counts = Counts::default();
    for corpus in &corpora {
        let (files, _) = sweeps::sound(corpus);
        for subject in &SUBJECTS {
            let mut sweep = Sweep {
                corpus: corpus.name.to_owned(),
                subject: subject.name.to_owned(),
                files: 0,
                octets: 0,
                allocations: 0,
                kept: 0,
                kept_compiled: 0,
            };
            for file in &files {
                let parsed = measure(|| (subject.leak)(file.text));
                let compiled = measure(|| (subject.leak_compiled)(file.text));
                sweep.files += 1;
                sweep.octets += file.text.len();
                sweep.allocations += parsed.count_total;
                sweep.kept += parsed.bytes_current;
                sweep.kept_compiled += compiled.bytes_current;
            }
            counts.sweeps.push(sweep);
        }
    }
    counts.peaks = CASES.iter().map(peak).collect();
    println!("{}", serde_json::to_string(&counts).expect("numbers and text"));
    ExitCode::SUCCESS
}

fn peak(case: &Case) -> Peak {
    let text = (case.text)(SIZE);
    let path = (case.never)(2048);
    let question = measure(|| {
        let robots = robots_nom_parser::parse(&*text);
        black_box(robots.verdict(&case.asks(), &path));
    });
    let compiled = measure(|| {
        let robots = robots_nom_parser::parse(&*text);
        black_box(robots.rules_for(&case.asks()).verdict(&path));
    });
    Peak {
        case: case.name.to_owned(),
        octets: text.len(),
        question: question.bytes_max,
        compiled: compiled.bytes_max,
    }
}
