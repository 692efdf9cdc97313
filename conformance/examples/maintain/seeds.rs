//! Writes the suite as seeds for the fuzz targets, so that a fuzzer begins with well-formed input.
//!
//! Start at [`seeds()`]. This function converts the cases of the suite to the input of each target in
//! `fuzz/fuzz_targets`. Long seeds are omitted ([`LONGEST`]).

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::Path;

use robots_conformance::kind::{Ask, VerdictQuestion};
use robots_conformance::protocol;
use robots_conformance::run::trial;
use robots_conformance::suite::Suite;
use robots_conformance::suite::load;

/// The maximum length of a seed in octets. The limit is small, because a fuzzer mutates short inputs much faster.
const LONGEST: usize = 4096;

/// A target and its seeds.
type Seeds = (&'static str, BTreeSet<Vec<u8>>);

/// Writes the seeds of every target.
///
/// # Errors
/// Returns a message if the suite is wrong or a seed cannot be written.
pub(crate) fn run(workspace: &Path) -> Result<bool, String> {
    let suite = load::embedded().map_err(|problems| problems.to_string())?;
    for (target, seeds) in seeds(&suite) {
        let folder = format!("fuzz/corpus/{target}");
        write(&workspace.join(&folder), &seeds).map_err(|error| format!("{folder}: {error}"))?;
        println!("{folder}: {} seeds", seeds.len());
    }
    Ok(true)
}

/// Writes seeds as numbered files. Inputs that a fuzzer added to the folder before are kept.
fn write(folder: &Path, seeds: &BTreeSet<Vec<u8>>) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    for (number, seed) in seeds.iter().enumerate() {
        fs::write(folder.join(format!("suite-{number:04}")), seed)?;
    }
    Ok(())
}

/// Makes the seeds in the form that the targets in `fuzz/fuzz_targets` read.
fn seeds(suite: &Suite) -> Vec<Seeds> {
    let trials = trial::trials(suite);
    let asked = || trials.iter().map(|trial| &trial.member().ask);
    let questions = trials.iter().map(|trial| {
        let question = trial.question();
        protocol::line(&protocol::question(1, &question)).into_bytes()
    });
    let files = robots_spec_cases::files()
        .filter(|(path, _)| Path::new(path).extension().is_some_and(|it| it == "yaml"));
    let cases = files.flat_map(|(_, text)| cases(text));
    [
        ("verdict", asked().filter_map(verdict).collect::<BTreeSet<_>>()),
        ("verdicts", asked().filter_map(verdicts).collect()),
        ("protocol", questions.collect()),
        ("cases", cases.map(String::into_bytes).collect()),
    ]
    .map(|(target, seeds)| {
        (target, seeds.into_iter().filter(|seed| seed.len() <= LONGEST).collect())
    })
    .into()
}

/// Returns a seed for the target `verdict`: a token, a URL and a file, each on a new line.
fn verdict(ask: &Ask) -> Option<Vec<u8>> {
    let Ask::Verdict(VerdictQuestion { robots_txt, agents, url }) = ask else { return None };
    let token = agents.texts().first().map_or("", String::as_str);
    Some([token.as_bytes(), url.as_bytes(), robots_txt].join(&b'\n'))
}

/// Returns a seed for the target `verdicts`: one line of its input, as JSON.
fn verdicts(ask: &Ask) -> Option<Vec<u8>> {
    let Ask::Verdict(VerdictQuestion { robots_txt, agents, url }) = ask else { return None };
    let robots_txt = String::from_utf8_lossy(robots_txt);
    let crawler = agents.texts().first().map_or("", String::as_str);
    let line = BTreeMap::from([("robots_txt", &*robots_txt), ("crawler", crawler), ("url", url)]);
    Some(protocol::line(&line).into_bytes())
}

/// Returns a seed for each case of a case file. Each seed is a case file with one case. The area and the requirement
/// are replaced by those that the target knows.
fn cases(file: &str) -> Vec<String> {
    let mut cases: Vec<String> = Vec::new();
    for line in file.lines() {
        if line.starts_with("  - id: ") {
            cases.push("area: paths\ncases:\n".to_owned());
        }
        let Some(case) = cases.last_mut() else { continue };
        let known =
            line.starts_with("    requirement: ").then_some("    requirement: MATCH-PREFIX");
        case.push_str(known.unwrap_or(line));
        case.push('\n');
    }
    cases
}

#[cfg(test)]
mod tests {
    use robots_conformance::suite::load;

    use super::seeds;

    #[test]
    fn every_target_has_seeds() {
        let suite = load::embedded().expect("the suite is sound");
        for (target, seeds) in seeds(&suite) {
            assert!(seeds.len() > 100, "{target}: {}", seeds.len());
            let path = format!("{}/../fuzz/fuzz_targets/{target}.rs", env!("CARGO_MANIFEST_DIR"));
            assert!(std::path::Path::new(&path).is_file(), "{path}");
        }
    }
}
