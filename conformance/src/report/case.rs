//! Defines [`CaseRecord`], a case as reports show it.
//!
//! All texts of a record are already rendered, so the code of a report format need not know the kinds of question.
//! [`CaseRecord::head`] makes the parts that every case has, whether it asks questions or is a crawl.
//! [`CaseRecord::of`] makes the whole record of a case that asks an engine questions. The record of a live case, which
//! is a crawl, has the sites of the crawl in place of a robots.txt. [`Cases`] contains the cases in order and finds a
//! case by its id.

use std::collections::HashMap;
use std::sync::Arc;

use crate::engine::Profile;
use serde::{Deserialize, Serialize};

use crate::kind;
use crate::run::trial::{self, Trial};
use crate::suite::Suite;
use crate::suite::case::{Case, Expect};
use robots_console::render;

/// The cases of a report, in the order of the suite.
#[derive(Clone, Debug, Default)]
pub struct Cases {
    cases: Vec<CaseRecord>,
    /// The index of each case by its id.
    indices: HashMap<String, usize>,
}

/// A case as reports show it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[non_exhaustive]
pub struct CaseRecord {
    /// The id, which is unique in the suite.
    pub id: String,
    /// The area.
    pub area: String,
    /// The requirement's id.
    pub requirement: String,
    /// The text of the requirement. It is empty if the suite does not list the requirement.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub says: String,
    /// One sentence about the case.
    pub about: String,
    /// The place of the case's id: the file below `spec-cases/` and the line.
    pub place: String,
    /// The files that the questions are about: each different robots.txt once. For a crawl, the only file is the text
    /// of its sites.
    pub files: Vec<FileRecord>,
    /// The questions. A case without lists has one member. In a case with lists, each item of a list is a member.
    pub members: Vec<MemberRecord>,
    /// The expectations of the editions, oldest first. If the case has observed answers, their expectation comes last.
    pub expect: Vec<ExpectRecord>,
}

/// A robots.txt or the sites of a crawl, as text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[non_exhaustive]
pub struct FileRecord {
    /// The title, for example `robots.txt, 25 octets`.
    pub title: String,
    /// The text. Invisible characters are escaped, and a long text is cut.
    pub text: String,
}

/// One question of a case.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[non_exhaustive]
pub struct MemberRecord {
    /// The last part of the trial's name, or `None` if the case has no lists.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The text of the question.
    pub question: String,
    /// The index of the question's file in [`CaseRecord::files`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<usize>,
}

/// The expectation of an edition for a case.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[non_exhaustive]
pub struct ExpectRecord {
    /// The edition, or the observed profile.
    pub profile: Profile,
    /// The level, which is `must`, `stated`, `should` or `may`. Under the observed profile, it is `observed`.
    pub level: String,
    /// The section that states the requirement.
    pub source: String,
    /// The row of the edition's table that the expectation is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub row: Option<String>,
    /// An explanation of the expected answer, if the document does not state the answer directly.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    /// The conforming answers of each member.
    pub expected: Vec<String>,
    /// For each member, whether exactly one answer conforms.
    pub settled: Vec<bool>,
    /// Whether the edition is a draft whose expectation repeats that of a published edition. Lists for human readers
    /// leave out such an expectation.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_repeated: bool,
}

impl FileRecord {
    /// Makes a file from a title and its text.
    pub fn new(title: impl Into<String>, text: impl Into<String>) -> Self {
        Self { title: title.into(), text: text.into() }
    }
}

impl MemberRecord {
    /// Makes the member of a case without lists and without a file.
    pub fn new(question: impl Into<String>) -> Self {
        Self { name: None, question: question.into(), file: None }
    }
}

impl ExpectRecord {
    /// Makes the record of an expectation, without its conforming answers. The expectation may belong to a question or
    /// to a crawl.
    #[must_use]
    pub fn head<C>(profile: Profile, expect: &Expect<C>) -> Self {
        Self {
            source: expect.source.clone(),
            row: expect.row.clone(),
            why: expect.why.as_deref().map(|why| why.trim().to_owned()),
            ..Self::new(profile, expect.level.id())
        }
    }

    /// Makes the record of an expectation. The record has no source and no conforming answers yet.
    #[must_use]
    pub fn new(profile: Profile, level: impl Into<String>) -> Self {
        Self {
            profile,
            level: level.into(),
            source: String::new(),
            row: None,
            why: None,
            expected: Vec::new(),
            settled: Vec::new(),
            is_repeated: false,
        }
    }
}

impl Cases {
    /// Makes the records of all cases of a suite.
    #[must_use]
    pub fn of(suite: &Suite) -> Self {
        suite.cases.iter().map(|case| CaseRecord::of(case, suite)).collect()
    }

    /// Returns the case with this id.
    #[must_use]
    pub fn get(&self, id: &str) -> Option<&CaseRecord> {
        self.indices.get(id).map(|index| &self.cases[*index])
    }

    /// Returns the cases in order.
    pub fn iter(&self) -> impl Iterator<Item = &CaseRecord> {
        self.cases.iter()
    }
}

impl FromIterator<CaseRecord> for Cases {
    fn from_iter<I: IntoIterator<Item = CaseRecord>>(cases: I) -> Self {
        let cases: Vec<CaseRecord> = cases.into_iter().collect();
        let indices =
            cases.iter().enumerate().map(|(index, case)| (case.id.clone(), index)).collect();
        Self { cases, indices }
    }
}

impl CaseRecord {
    /// Makes the record of a case that asks an engine questions.
    #[must_use]
    pub fn of(case: &Arc<Case>, suite: &Suite) -> Self {
        let mut octets: Vec<&[u8]> = Vec::new();
        let members = case.form.members.iter().map(|member| MemberRecord {
            name: member.name.clone(),
            question: kind::question_text(&member.ask),
            file: member.ask.robots_txt().map(|file| {
                octets.iter().position(|known| *known == file).unwrap_or_else(|| {
                    octets.push(file);
                    octets.len() - 1
                })
            }),
        });
        let members = members.collect();
        let files = octets.iter().map(|octets| FileRecord {
            title: format!("robots.txt, {} octets", octets.len()),
            text: render::octets(octets),
        });
        let mut trials = trial::of_case(case);
        trials.extend(trial::observed_of(case));
        // The trials of a case are in the order of the profiles, so the trials of one profile are next to each other.
        let expect = trials.chunk_by(|one, next| one.profile() == next.profile());
        Self {
            files: files.collect(),
            members,
            expect: expect.map(ExpectRecord::of).collect(),
            ..Self::head(case, Some(suite))
        }
    }

    /// Makes the record of a case, without files, members and expectations. The case may consist of questions or of a
    /// crawl. The suite provides the text of the requirement.
    #[must_use]
    pub fn head<F, C>(case: &Case<F, C>, suite: Option<&Suite>) -> Self {
        Self {
            id: case.id.clone(),
            area: case.area.clone(),
            requirement: case.requirement.clone(),
            says: suite.map_or("", |suite| suite.says(&case.requirement)).to_owned(),
            about: case.about.trim().to_owned(),
            place: case.place.to_string(),
            ..Self::default()
        }
    }

    /// Returns the member with this name, and the index of the member.
    #[must_use]
    pub fn member(&self, name: Option<&str>) -> Option<(usize, &MemberRecord)> {
        self.members.iter().enumerate().find(|(_, member)| member.name.as_deref() == name)
    }

    /// Returns the expectations of the editions, oldest first, without drafts that repeat a published edition.
    pub fn shown(&self) -> impl Iterator<Item = &ExpectRecord> {
        let is_shown =
            |expect: &&ExpectRecord| expect.profile.edition().is_some() && !expect.is_repeated;
        self.expect.iter().filter(is_shown)
    }

    /// Returns the expectation of the edition with this id.
    #[must_use]
    pub fn expect(&self, profile: &str) -> Option<&ExpectRecord> {
        self.expect.iter().find(|expect| expect.profile.id() == profile)
    }
}

impl ExpectRecord {
    /// Makes the record of an expectation from the trials of a case under one profile.
    fn of(trials: &[Arc<Trial>]) -> Self {
        Self {
            level: trials[0].level_id().to_owned(),
            expected: trials.iter().map(|trial| trial.conforming().text()).collect(),
            settled: trials.iter().map(|trial| trial.conforming().is_normative()).collect(),
            is_repeated: trials[0].is_repeated(),
            ..Self::head(trials[0].profile(), trials[0].expect())
        }
    }
}
