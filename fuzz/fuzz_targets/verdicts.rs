//! Checks verdicts in bulk: for every input line that is not blank, the filter writes one line of JSON, whose length
//! has a limit.

#![no_main]

use libfuzzer_sys::fuzz_target;
use robots_nom_parser::ScanParser;

// The command publishes no library.
#[allow(dead_code, unused_imports)]
#[path = "../../robots-cli/src/verdicts/mod.rs"]
mod verdicts;

use verdicts::Files;

fuzz_target!(|octets: &[u8]| {
    let mut out = Vec::new();
    let input = std::io::Cursor::new(octets.to_vec());
    let counts = verdicts::run(&ScanParser, &Files::none(), input, &mut out).expect("memory takes all");
    let asked = octets.split(|octet| *octet == b'\n').filter(|line| !line.trim_ascii().is_empty());
    let answers = out.split_inclusive(|octet| *octet == b'\n');
    let mut lines = 0;
    for (line, answer) in asked.zip(answers) {
        lines += 1;
        assert!(answer.len() <= 64 * line.len() + 64 * 1024);
        let _: serde_json::Value = serde_json::from_slice(answer).expect("an answer is JSON");
    }
    assert_eq!(counts.lines, lines);
});
