//! Loads the input as three kinds of YAML files of the suite, and as a file of deviations. Loading never panics, and
//! each mistake in a file of the suite has a line number.

#![no_main]

use libfuzzer_sys::fuzz_target;
use robots_conformance::kind;
use robots_conformance::run::deviations::Deviations;
use robots_conformance::run::trial;
use robots_conformance::suite::load;

const CATALOGUE: &str = include_str!("../../conformance/tests/fixtures/requirements.yaml");

fuzz_target!(|octets: &[u8]| {
    let Ok(text) = std::str::from_utf8(octets) else { return };
    let _ = Deviations::parse("deviations.yaml", text);
    for files in [
        [("requirements.yaml", CATALOGUE), ("paths.yaml", text)],
        [("requirements.yaml", text), ("paths.yaml", "area: paths\ncases: []\n")],
        [("requirements.yaml", CATALOGUE), ("observed/google-cpp.yaml", text)],
    ] {
        match load::suite(files) {
            Ok(suite) => {
                for trial in trial::trials(&suite) {
                    let _ = kind::question_text(&trial.member().ask);
                    let _ = trial.conforming().text();
                }
            }
            Err(problems) => assert!(problems.iter().all(|problem| problem.place.line > 0)),
        }
    }
});
