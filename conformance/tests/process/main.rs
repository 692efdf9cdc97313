//! Tests subjects that are processes: their faults, timelines, command-line tools, and the messages of the protocol.
//! There is no libtest harness, so that this binary can also be the fake subject.

#[path = "../common/mod.rs"]
mod common;
mod fake;
mod faults;
mod timelines;
mod tools;
mod traffic;

use std::process::ExitCode;

use libtest_mimic::{Arguments, Failed, Trial};

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.first().map(String::as_str) {
        Some("fake") => {
            let text = arguments.get(2).map_or("", String::as_str);
            match arguments[1].strip_prefix("retriever-") {
                Some(mode) => timelines::subject(mode),
                None => fake::subject(&arguments[1], text),
            }
        }
        Some("tool") => fake::tool(&arguments[1..]),
        _ => {
            let mut arguments = Arguments::from_args();
            // Most of the time, the tests wait for a subject that hangs.
            arguments.test_threads.get_or_insert(4);
            libtest_mimic::run(&arguments, tests()).exit_code()
        }
    }
}

fn tests() -> Vec<Trial> {
    let all = [faults::TESTS, timelines::TESTS, traffic::TESTS, tools::TESTS];
    let test = |(name, test): &(&'static str, fn())| {
        let test = *test;
        Trial::test(*name, move || {
            test();
            Ok::<(), Failed>(())
        })
    };
    all.into_iter().flatten().map(test).collect()
}
