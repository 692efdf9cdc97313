//! Runs the suite against the scan parser, as `spec.rs` does against the nom parser.

use robots_conformance::engine::Interpreted;
use robots_conformance::harness::Harness;
use robots_nom_parser::ScanParser;

fn main() -> std::process::ExitCode {
    Harness::new(Interpreted(ScanParser)).deviations("tests/deviations.yaml").run()
}
