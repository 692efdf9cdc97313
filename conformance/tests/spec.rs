//! Runs the suite against the nom parser. This file and `spec_scan.rs` name the engines under test.

use robots_conformance::engine::Interpreted;
use robots_conformance::harness::Harness;
use robots_nom_parser::NomParser;

fn main() -> std::process::ExitCode {
    Harness::new(Interpreted(NomParser)).deviations("tests/deviations.yaml").run()
}
