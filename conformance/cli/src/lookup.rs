//! Finds a case, some of its trials, or a requirement by a name that a report prints.
//!
//! Start at [`find()`]. A name can be the id of a requirement, a file with a line, or the name of a trial; [`find()`]
//! tries them in this order. The name of a trial contains the id of its case; the parts of the name are tried from left
//! to right. The text after the id selects trials by edition, by member, or by both. If nothing is found, [`NotFound`]
//! contains a similar name, if there is one, or the trials of the case. Questions and live cases are found in the same
//! way, because the records of both have the same type.

use std::cmp::Reverse;
use std::fmt;

use robots_conformance::report::{CaseRecord, Cases, ExpectRecord, MemberRecord};
use robots_conformance::suite::Suite;
use robots_conformance::suite::case::trial_name;
use robots_conformance::suite::requirement::Requirement;
use robots_console::render::{meant, nearest};

use robots_console::error::Error;

/// The item that a name refers to: a case with trials, or a requirement.
#[derive(Debug)]
#[non_exhaustive]
pub(crate) enum Found<'s> {
    /// A case, with the named trials, or all of its trials if none is named.
    Case(&'s CaseRecord, Vec<Trial<'s>>),
    /// A requirement.
    Requirement(&'s Requirement),
}

/// A trial of a case as reports name it: what an edition expects for one question (member) of the case.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub(crate) struct Trial<'c> {
    /// The name: `area::case-id::edition`, with `::member` if the case asks several questions (members).
    pub(crate) name: String,
    /// The expectation.
    pub(crate) expect: &'c ExpectRecord,
    /// The member.
    pub(crate) member: &'c MemberRecord,
    /// The conforming answers to the question, as text.
    pub(crate) expected: &'c str,
}

/// The reason why a name was not found.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub(crate) enum NotFound {
    /// No case or requirement has the name.
    Name {
        /// The name.
        name: String,
        /// The known name that is most similar, if a known name is similar enough.
        near: Option<String>,
    },
    /// The case has no such trial.
    Trial {
        /// The id of the case.
        case: String,
        /// The edition and member of the trial, as they were typed.
        trial: String,
        /// The trials of the case.
        known: Vec<String>,
    },
}

impl fmt::Display for NotFound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Name { name, near } => write!(
                f,
                "no case or requirement is named {name:?}; {}`robots-conformance list` and `list --live` print the \
                 cases and their requirements; write a requirement's id, file.yaml:line or \
                 [engine::][area::]case[::edition[::member]]",
                near.as_deref().map(|near| meant(near) + " ").unwrap_or_default(),
            ),
            Self::Trial { case, trial, known } => {
                write!(f, "the case {case} has no trial {trial:?}; its trials are\n  ")?;
                f.write_str(&known.join("\n  "))
            }
        }
    }
}

impl std::error::Error for NotFound {}

impl From<NotFound> for Error {
    fn from(error: NotFound) -> Self {
        Self::new(error.to_string())
    }
}

/// Finds one of the cases, or a requirement of the suite.
///
/// A case has three kinds of names: its id; the name of a trial, with or without its engine, area, edition and member;
/// and a file with one of the case's lines, for example `path-matching.yaml:176`.
///
/// # Errors
/// Returns [`NotFound`]. Its message contains the unknown name and explains where the known names are listed.
pub(crate) fn find<'s>(
    suite: &'s Suite,
    cases: &'s Cases,
    text: &str,
) -> Result<Found<'s>, NotFound> {
    let text = text.trim();
    if let Some(requirement) = suite.requirement(text) {
        return Ok(Found::Requirement(requirement));
    }
    if let Some(case) = at(cases, text) {
        return Ok(Found::Case(case, trials_of(case)));
    }
    let (case, rest) = named(text, |id| cases.get(id)).ok_or_else(|| {
        let requirements = suite.requirements.iter().map(|known| known.id.as_str());
        let cases = cases.iter().map(|case| case.id.as_str());
        let ids: Vec<&str> = cases.chain(requirements).collect();
        // The name of a trial contains the id of its case as one of its parts.
        let mut parts =
            std::iter::once(text).chain(text.split("::").filter(|_| text.contains("::")));
        let near = parts.find_map(|part| nearest(part, ids.iter().copied()));
        NotFound::Name { name: text.to_owned(), near: near.map(str::to_owned) }
    })?;
    let trials = trials_of(case);
    let Some(rest) = rest else { return Ok(Found::Case(case, trials)) };
    let is_named = |trial: &&Trial<'_>| {
        let member = trial.member.name.as_deref();
        match rest.strip_prefix(trial.expect.profile.id()) {
            Some("") => true,
            Some(behind) => behind.strip_prefix("::").is_some_and(|named| member == Some(named)),
            None => member == Some(rest),
        }
    };
    let chosen: Vec<_> = trials.iter().filter(is_named).cloned().collect();
    if chosen.is_empty() {
        return Err(NotFound::Trial {
            case: case.id.clone(),
            trial: rest.to_owned(),
            known: trials.into_iter().map(|trial| trial.name).collect(),
        });
    }
    Ok(Found::Case(case, chosen))
}

/// Returns all trials of a case. The trials of the observed profile come last.
fn trials_of(case: &CaseRecord) -> Vec<Trial<'_>> {
    let mut trials = Vec::new();
    for expect in &case.expect {
        for (member, expected) in case.members.iter().zip(&expect.expected) {
            let name = trial_name(&case.area, &case.id, expect.profile, member.name.as_deref());
            trials.push(Trial { name, expect, member, expected });
        }
    }
    trials
}

/// Finds the case that contains a line of a file. Several cases can have the same file and line, because a live case
/// has the place of the question from which it was made. If so, the function returns the first one.
fn at<'c>(cases: &'c Cases, text: &str) -> Option<&'c CaseRecord> {
    let (file, line) = place(text)?;
    let begun = cases.iter().filter_map(|case| {
        let (place, begin) = place(&case.place)?;
        (place == file && begin <= line).then_some((begin, case))
    });
    begun.min_by_key(|(begin, _)| Reverse(*begin)).map(|(_, case)| case)
}

/// Reads `FILE:LINE`, and returns the name of the file without its folder, and the line.
fn place(text: &str) -> Option<(&str, usize)> {
    let (file, line) = text.rsplit_once(':')?;
    Some((file.rsplit('/').next()?, line.parse().ok()?))
}

/// Finds the case whose id is a part of a name, and returns it with the text after the id. The name of a member may
/// contain any text, even `::`, so the function uses the first part that is the id of a case. `get` returns the case
/// with an id.
pub(crate) fn named<C>(text: &str, get: impl Fn(&str) -> Option<C>) -> Option<(C, Option<&str>)> {
    let mut rest = text;
    loop {
        let (part, behind) = match rest.split_once("::") {
            Some((part, behind)) => (part, Some(behind)),
            None => (rest, None),
        };
        if let Some(case) = get(part) {
            return Some((case, behind.filter(|behind| !behind.is_empty())));
        }
        rest = behind?;
    }
}
