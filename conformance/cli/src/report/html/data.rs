//! What the page's script reads: each case once, and of each subject how every trial ended.
//!
//! Texts are kept once and named by number. A trial is numbered by its place in the cases: case by case,
//! expectation by expectation, member by member. What a subject said beyond the expected is a
//! note, shared by all its trials of the same note.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use robots_core::Profile;
use serde::Serialize;

use super::Subject;
use crate::report::Sources;
use robots_conformance::case::{Case, Suite};
use robots_conformance::judge::Outcome;
use robots_conformance::kind;
use robots_conformance::question::{self, Trial};
use robots_conformance::render;

/// The number of a text.
type Text = usize;

#[derive(Serialize)]
pub(super) struct Data {
    pub(super) outcomes: [&'static str; Outcome::NAMES.len()],
    pub(super) editions: Vec<&'static str>,
    pub(super) areas: Vec<String>,
    requirements: BTreeMap<String, Text>,
    pub(super) cases: Vec<CaseData>,
    subjects: Vec<SubjectData>,
    texts: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sources: Option<String>,
}

#[derive(Serialize)]
pub(super) struct CaseData {
    id: String,
    area: usize,
    requirement: String,
    about: String,
    place: String,
    /// The different files of its members: how many octets, and how they look.
    files: Vec<(usize, Text)>,
    members: Vec<MemberData>,
    expect: Vec<ExpectData>,
}

#[derive(Serialize)]
struct MemberData {
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<Text>,
    question: Text,
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<usize>,
}

#[derive(Serialize)]
struct ExpectData {
    edition: usize,
    level: &'static str,
    source: Text,
    #[serde(skip_serializing_if = "Option::is_none")]
    row: Option<Text>,
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<Text>,
    /// What conforms, member by member.
    expected: Vec<Text>,
}

#[derive(Serialize)]
struct SubjectData {
    name: String,
    /// The index of each trial's outcome as a digit to the base 36; a dot if the trial was not asked.
    outcomes: String,
    notes: Vec<Note>,
}

/// What a subject said in some trials, where that is not just the expected.
#[derive(Serialize)]
struct Note {
    #[serde(skip_serializing_if = "Option::is_none")]
    got: Option<Text>,
    #[serde(skip_serializing_if = "Option::is_none")]
    detail: Option<Text>,
    #[serde(skip_serializing_if = "Option::is_none")]
    evidence: Option<Text>,
    /// Their numbers, each less the one before it.
    trials: Vec<usize>,
}

impl Data {
    /// Lays out the cases the subjects were asked, and their answers.
    pub(super) fn of(
        subjects: &[Subject],
        suite: &Suite,
        sources: Option<&Sources>,
    ) -> Result<Self, String> {
        let asked: HashSet<&str> = subjects
            .iter()
            .flat_map(|subject| &subject.record.trials)
            .map(|trial| trial.case.as_str())
            .collect();
        let mut texts = Texts::default();
        let mut trials = HashMap::new();
        let (mut cases, mut areas) = (Vec::new(), Vec::new());
        let mut requirements = BTreeMap::new();
        let is_asked = |case: &&Arc<Case>| asked.contains(case.id.as_str());
        let is_observed = subjects
            .iter()
            .flat_map(|subject| &subject.record.trials)
            .any(|trial| trial.edition == Profile::GoogleCpp.id());
        let asks_of = |profile: &Profile| match profile.edition() {
            Some(edition) => {
                suite.cases.iter().filter(is_asked).any(|case| case.expect.contains_key(&edition))
            }
            None => is_observed,
        };
        let editions: Vec<Profile> = Profile::ALL.iter().copied().filter(asks_of).collect();
        for case in suite.cases.iter().filter(is_asked) {
            let data = lay_out(case, &mut areas, &editions, &mut texts);
            let expected = data.expect.iter().flat_map(|expect| &expect.expected);
            for (trial, expected) in trials_of(case, &editions).iter().zip(expected) {
                let known = Known {
                    number: trials.len(),
                    expected: *expected,
                    is_settled: trial.conforming().is_normative(),
                };
                trials.insert(trial.name().to_owned(), known);
            }
            if let Some(requirement) = suite.requirement(&case.requirement) {
                let says = texts.number(requirement.says.trim());
                requirements.insert(requirement.id.clone(), says);
            }
            cases.push(data);
        }
        let subjects: Result<Vec<SubjectData>, String> =
            subjects.iter().map(|subject| answers(subject, &trials, &mut texts)).collect();
        Ok(Self {
            outcomes: Outcome::NAMES,
            editions: editions.into_iter().map(Profile::id).collect(),
            areas,
            requirements,
            cases,
            subjects: subjects?,
            texts: texts.texts,
            sources: sources.map(|sources| sources.as_str().to_owned()),
        })
    }

    /// Returns how many questions the cases hold.
    pub(super) fn questions(&self) -> usize {
        let questions = |case: &CaseData| case.expect.len() * case.members.len();
        self.cases.iter().map(questions).sum()
    }
}

/// What the suite says of a trial.
struct Known {
    number: usize,
    expected: Text,
    /// Whether one answer conforms and no other, so that *passed* says which was given.
    is_settled: bool,
}

fn lay_out(
    case: &Arc<Case>,
    areas: &mut Vec<String>,
    editions: &[Profile],
    texts: &mut Texts,
) -> CaseData {
    let mut files: Vec<&[u8]> = Vec::new();
    let members = case.members.iter().map(|member| MemberData {
        name: member.name.as_deref().map(|name| texts.number(name)),
        question: texts.number(&kind::question_text(&member.ask)),
        file: member.ask.robots_txt().map(|octets| index_of(&mut files, octets)),
    });
    let members = members.collect();
    let files = files.iter().map(|octets| (octets.len(), texts.number(&render::octets(octets))));
    let files = files.collect();
    let trials = trials_of(case, editions);
    // A case's trials stand profile by profile.
    let expect = trials.chunk_by(|one, next| one.profile() == next.profile()).map(|trials| {
        let (profile, expect) = (trials[0].profile(), trials[0].expect());
        let is_asked = |known: &Profile| *known == profile;
        ExpectData {
            edition: editions.iter().position(is_asked).unwrap_or_default(),
            level: trials[0].level_id(),
            source: texts.number(&expect.source),
            row: expect.row.as_deref().map(|row| texts.number(row)),
            why: expect.why.as_deref().map(|why| texts.number(why.trim())),
            expected: trials.iter().map(|trial| texts.number(&trial.conforming().text())).collect(),
        }
    });
    CaseData {
        expect: expect.collect(),
        id: case.id.clone(),
        area: index_of(areas, case.area.clone()),
        requirement: case.requirement.clone(),
        about: case.about.trim().to_owned(),
        place: case.place.to_string(),
        files,
        members,
    }
}

/// Returns the trials of a case about editions, and by the observed profile where that was asked for.
fn trials_of(case: &Arc<Case>, editions: &[Profile]) -> Vec<Arc<Trial>> {
    let mut trials = question::of_case(case);
    if editions.contains(&Profile::GoogleCpp) {
        trials.extend(question::observed_of(case));
    }
    trials
}

fn answers(
    subject: &Subject,
    trials: &HashMap<String, Known>,
    texts: &mut Texts,
) -> Result<SubjectData, String> {
    let record = &subject.record;
    let prefix = format!("{}::", record.engine);
    let mut outcomes = vec!['.'; trials.len()];
    let mut notes: BTreeMap<[Option<Text>; 3], Vec<usize>> = BTreeMap::new();
    for trial in &record.trials {
        let other_suite = || {
            format!(
                "{}: suite {} asked {} otherwise than this suite, {}; run it again with this one",
                subject.name,
                record.suite,
                trial.name,
                env!("CARGO_PKG_VERSION"),
            )
        };
        let name = trial.name.strip_prefix(&prefix).unwrap_or(&trial.name);
        let known = trials.get(name).ok_or_else(other_suite)?;
        if texts.texts[known.expected] != trial.expected {
            return Err(other_suite());
        }
        let outcome = Outcome::NAMES.iter().position(|known| *known == trial.outcome);
        let outcome = outcome.and_then(|outcome| u32::try_from(outcome).ok());
        let outcome =
            outcome.and_then(|outcome| char::from_digit(outcome, 36)).ok_or_else(|| {
                format!(
                    "{}: {} ended {:?}, which is no outcome",
                    subject.name, trial.name, trial.outcome
                )
            })?;
        outcomes[known.number] = outcome;
        let mut text = |text: &Option<String>| text.as_ref().map(|text| texts.number(text));
        let is_wrong = ["failed", "errored", "deviation"].contains(&trial.outcome.as_str());
        // The reason of an unanswered question, the message of an error, are details already.
        let is_told = match trial.outcome.as_str() {
            "passed" => known.is_settled,
            "unanswered" | "errored" => trial.detail.is_some(),
            _ => false,
        };
        let got = if is_told { None } else { text(&trial.got) };
        let detail = text(&trial.detail);
        let evidence = if is_wrong { text(&trial.evidence) } else { None };
        let note = [got, detail, evidence];
        if note != [None; 3] {
            notes.entry(note).or_default().push(known.number);
        }
    }
    let notes = notes.into_iter().map(|([got, detail, evidence], mut trials)| {
        trials.sort_unstable();
        for index in (1..trials.len()).rev() {
            trials[index] -= trials[index - 1];
        }
        Note { got, detail, evidence, trials }
    });
    let outcomes = outcomes.into_iter().collect();
    Ok(SubjectData { name: subject.name.clone(), outcomes, notes: notes.collect() })
}

fn index_of<T: PartialEq>(list: &mut Vec<T>, item: T) -> usize {
    list.iter().position(|known| *known == item).unwrap_or_else(|| {
        list.push(item);
        list.len() - 1
    })
}

#[derive(Default)]
struct Texts {
    texts: Vec<String>,
    numbers: HashMap<String, Text>,
}

impl Texts {
    fn number(&mut self, text: &str) -> Text {
        if let Some(number) = self.numbers.get(text) {
            return *number;
        }
        let number = self.texts.len();
        self.texts.push(text.to_owned());
        self.numbers.insert(text.to_owned(), number);
        number
    }
}
