//! The data for the page's script: each case once, and the outcome of every trial of each subject.
//!
//! Each text is stored once, and other data refers to a text by its number. Trials are numbered in the order of the
//! cases, their expectations and their members. If a subject's answer is not the expected answer, a note contains it.
//! Trials of a subject with the same text share one note.

use std::collections::{BTreeMap, HashMap, HashSet};

use crate::engine::Profile;
use crate::report::{CaseRecord, Cases, ExpectRecord};
use crate::run::outcome::OutcomeKind;
use crate::suite::case::trial_name;
use crate::suite::requirement::address;
use serde::Serialize;

use crate::report::Sources;
use crate::report::record::RunRecord;

/// A text, given by its index in the list of all texts.
type Text = usize;

#[derive(Serialize)]
pub(super) struct Data {
    pub(super) outcomes: [&'static str; OutcomeKind::ALL.len()],
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
    /// The different files of the case's members, each with its title and its text.
    files: Vec<(Text, Text)>,
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
    level: String,
    source: Text,
    /// The address of the source.
    #[serde(skip_serializing_if = "Option::is_none")]
    address: Option<Text>,
    #[serde(skip_serializing_if = "Option::is_none")]
    row: Option<Text>,
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<Text>,
    /// The conforming answers of each member.
    expected: Vec<Text>,
}

#[derive(Serialize)]
struct SubjectData {
    name: String,
    /// The index of each trial's outcome as a digit in base 36, or a dot if the trial was not asked.
    outcomes: String,
    notes: Vec<Note>,
}

/// An answer of a subject, with the details, and the trials in which the subject gave it. A trial has no note if its
/// answer is the expected one and there is nothing to add.
#[derive(Serialize)]
struct Note {
    #[serde(skip_serializing_if = "Option::is_none")]
    got: Option<Text>,
    #[serde(skip_serializing_if = "Option::is_none")]
    detail: Option<Text>,
    #[serde(skip_serializing_if = "Option::is_none")]
    evidence: Option<Text>,
    /// The sentence about a question that is new in the suite.
    #[serde(skip_serializing_if = "Option::is_none")]
    new: Option<Text>,
    /// The numbers of the trials with this note. Each number is stored as its difference from the previous number.
    trials: Vec<usize>,
}

impl Data {
    /// Makes the data: the cases that the subjects were asked, and the answers of the subjects.
    pub(super) fn of(
        records: &[RunRecord],
        all: &Cases,
        sources: Option<&Sources>,
    ) -> Result<Self, String> {
        let trials_of = || records.iter().flat_map(|record| &record.trials);
        let asked: HashSet<&str> = trials_of().map(|trial| trial.case.as_str()).collect();
        let profiles: HashSet<&str> = trials_of().map(|trial| trial.edition.as_str()).collect();
        let mut texts = Texts::default();
        let mut trials = HashMap::new();
        let (mut cases, mut areas) = (Vec::new(), Vec::new());
        let mut requirements = BTreeMap::new();
        let is_asked = |case: &&CaseRecord| asked.contains(case.id.as_str());
        // An edition of a case is shown even if no subject was asked about it. The observed profile is shown only if a
        // subject was asked about it.
        let is_shown = |profile: &Profile| {
            let has = |case: &CaseRecord| case.expect(profile.id()).is_some();
            profiles.contains(profile.id())
                || profile.is_usual() && all.iter().filter(is_asked).any(has)
        };
        let editions: Vec<Profile> = Profile::ALL.iter().copied().filter(is_shown).collect();
        for case in all.iter().filter(is_asked) {
            let data = lay_out(case, &mut areas, &editions, &mut texts);
            let shown = case.expect.iter().filter(|expect| editions.contains(&expect.profile));
            for (expect, data) in shown.zip(&data.expect) {
                for (index, member) in case.members.iter().enumerate() {
                    let known = Known {
                        number: trials.len(),
                        expected: data.expected[index],
                        is_settled: expect.settled[index],
                    };
                    let member = member.name.as_deref();
                    trials.insert(trial_name(&case.area, &case.id, expect.profile, member), known);
                }
            }
            if !case.says.is_empty() {
                let says = texts.number(&case.says);
                requirements.insert(case.requirement.clone(), says);
            }
            cases.push(data);
        }
        let subjects: Result<Vec<SubjectData>, String> =
            records.iter().map(|record| answers(record, &trials, &mut texts)).collect();
        Ok(Self {
            outcomes: OutcomeKind::ALL.map(OutcomeKind::id),
            editions: editions.into_iter().map(Profile::id).collect(),
            areas,
            requirements,
            cases,
            subjects: subjects?,
            texts: texts.texts,
            sources: sources.map(|sources| sources.as_str().to_owned()),
        })
    }

    /// Returns the number of questions in the cases.
    pub(super) fn questions(&self) -> usize {
        let questions = |case: &CaseData| case.expect.len() * case.members.len();
        self.cases.iter().map(questions).sum()
    }
}

/// The suite's data about a trial.
struct Known {
    number: usize,
    expected: Text,
    /// Whether exactly one answer conforms. If so, the outcome *passed* already shows the answer of the subject.
    is_settled: bool,
}

fn lay_out(
    case: &CaseRecord,
    areas: &mut Vec<String>,
    editions: &[Profile],
    texts: &mut Texts,
) -> CaseData {
    let members = case.members.iter().map(|member| MemberData {
        name: member.name.as_deref().map(|name| texts.number(name)),
        question: texts.number(&member.question),
        file: member.file,
    });
    let members = members.collect();
    let files = case.files.iter().map(|file| (texts.number(&file.title), texts.number(&file.text)));
    let files = files.collect();
    let shown = case.expect.iter().filter(|expect| editions.contains(&expect.profile));
    let expect = shown.map(|expect| {
        let ExpectRecord { profile, level, source, row, why, expected, .. } = expect;
        ExpectData {
            edition: editions.iter().position(|known| known == profile).unwrap_or_default(),
            level: level.clone(),
            source: texts.number(source),
            address: address(profile.id(), source).map(|address| texts.number(&address)),
            row: row.as_deref().map(|row| texts.number(row)),
            why: why.as_deref().map(|why| texts.number(why)),
            expected: expected.iter().map(|expected| texts.number(expected)).collect(),
        }
    });
    CaseData {
        expect: expect.collect(),
        id: case.id.clone(),
        area: index_of(areas, case.area.clone()),
        requirement: case.requirement.clone(),
        about: case.about.clone(),
        place: case.place.clone(),
        files,
        members,
    }
}

fn answers(
    record: &RunRecord,
    trials: &HashMap<String, Known>,
    texts: &mut Texts,
) -> Result<SubjectData, String> {
    let mut outcomes = vec!['.'; trials.len()];
    let mut notes: BTreeMap<[Option<Text>; 4], Vec<usize>> = BTreeMap::new();
    for trial in &record.trials {
        let other_suite = || {
            format!(
                "{}: suite {} asks {} differently from this suite, {}; run the subject again with this suite",
                record.subject,
                record.suite,
                trial.name,
                env!("CARGO_PKG_VERSION"),
            )
        };
        let known = trials.get(trial.name_without(&record.subject)).ok_or_else(other_suite)?;
        if texts.texts[known.expected] != trial.expected {
            return Err(other_suite());
        }
        let digit = char::from_digit(trial.outcome as u32, 36);
        let outcome = digit.ok_or("there are more outcomes than digits to the base 36")?;
        outcomes[known.number] = outcome;
        let mut text = |text: &Option<String>| text.as_ref().map(|text| texts.number(text));
        let is_wrong = trial.outcome.is_wrong();
        // The reason of an unanswered question and the message of an error are shown as details.
        let is_expected = match trial.outcome {
            OutcomeKind::Passed => known.is_settled,
            OutcomeKind::Unanswered | OutcomeKind::Errored => trial.detail.is_some(),
            _ => false,
        };
        let got = if is_expected { None } else { text(&trial.got) };
        let detail = text(&trial.detail);
        let evidence = if is_wrong { text(&trial.evidence) } else { None };
        let new = text(&trial.new_case().map(|since| format!("new case: {since}")));
        let note = [got, detail, evidence, new];
        if note != [None; 4] {
            notes.entry(note).or_default().push(known.number);
        }
    }
    let notes = notes.into_iter().map(|([got, detail, evidence, new], mut trials)| {
        trials.sort_unstable();
        for index in (1..trials.len()).rev() {
            trials[index] -= trials[index - 1];
        }
        Note { got, detail, evidence, new, trials }
    });
    let outcomes = outcomes.into_iter().collect();
    Ok(SubjectData { name: record.subject.clone(), outcomes, notes: notes.collect() })
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
