//! Adds the recorded answers of the observed library to the cases. `cargo xtask observe` writes the file with these
//! answers. Missing or extra answers are stored as notes, not reported as errors.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::engine::Profile;
use crate::kind::QuestionKind;
use crate::yaml::read_keys;
use serde::Deserialize;
use serde_yaml::Value;

use super::loader::Loader;
use super::source::Source;
use crate::kind;
use crate::problem::{Place, Problem};
use crate::suite::case::{Case, Conforming, Expect, Observed, Stated};
use crate::suite::requirement::Level;

/// The path of the file with the answers.
pub(super) const FILE: &str = "observed/google-cpp.yaml";

const FIX: &str = "run `cargo xtask observe` and commit the result";

#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct File {
    profile: String,
    oracle: String,
    version: String,
    verdicts: BTreeMap<String, Value>,
}

impl Loader {
    /// Reads the answers. Each member of a verdict case must have an answer, and no other trial may have one.
    pub(super) fn observed(&mut self, source: &Source<'_>) {
        let Some(file) = self.yaml(source) else { return };
        let mut file: File = read_keys(&file, |key, message| {
            self.report(source.top(key), format!("{message}; {FIX}"));
        });
        if file.profile != Profile::GoogleCpp.id() {
            let known = Profile::GoogleCpp;
            let message = format!("unknown profile {:?}; write {known}", file.profile);
            self.report(source.top("profile"), message);
        }
        let by = format!("{} {}", file.oracle, file.version);
        let mut cases = std::mem::take(&mut self.suite.cases);
        for case in cases.iter_mut().filter(|case| case.form.ask == QuestionKind::Verdict) {
            match observed(case, &mut file.verdicts, &by) {
                Ok(observed) => Arc::make_mut(case).form.observed = Some(observed),
                Err(message) => self.unobserved(source.top("verdicts"), &message),
            }
        }
        self.suite.cases = cases;
        if let Some(name) = file.verdicts.keys().next() {
            let message = format!("{name:?} is not a verdict trial of the suite");
            self.unobserved(source.top("verdicts"), &message);
        }
    }

    fn unobserved(&mut self, place: Place, message: &str) {
        self.suite.unobserved.push(Problem { place, message: format!("{message}; {FIX}") });
    }
}

/// Returns the recorded answer for each member of a case, and removes these answers from `verdicts`.
fn observed(
    case: &Case,
    verdicts: &mut BTreeMap<String, Value>,
    by: &str,
) -> Result<Observed, String> {
    let answers = case.form.members.iter().map(|member| {
        let name = case.trial_name(Profile::GoogleCpp, member.name.as_deref());
        let verdict = verdicts.remove(&name).ok_or_else(|| format!("{name:?} is missing"))?;
        kind::expected(QuestionKind::Verdict, &verdict)
            .map_err(|error| format!("{name:?}: {error}"))
    });
    let answers = answers.collect::<Result<Vec<_>, _>>()?;
    let expect = Expect {
        // Each member has a separate answer, like the members of lists.
        conforming: Conforming::One(Stated::AsListed),
        level: Level::Must,
        source: by.to_owned(),
        row: None,
        why: None,
    };
    Ok(Observed { expect, answers })
}
