//! Finds what a reader names: a case or some of its trials, however a report prints them, or a requirement.

use std::sync::Arc;

use robots_conformance::case::{Case, Requirement, Suite};
use robots_conformance::question::{self, Trial};

/// What a text names.
#[derive(Debug)]
#[non_exhaustive]
pub enum Found<'s> {
    /// A case, and those of its trials that are named; all of them where none is.
    Case(&'s Arc<Case>, Vec<Arc<Trial>>),
    /// A requirement.
    Requirement(&'s Requirement),
}

/// Finds a case or a requirement.
///
/// A case is named by its id, by the name of a trial with or without its engine, area, edition and member,
/// or by a file and a line of it, `path-matching.yaml:176`.
///
/// # Errors
/// A sentence that says what was looked for and where to find it.
///
/// ```
/// use robots_conformance::load;
/// use robots_conformance_cli::lookup::{Found, find};
/// let suite = load::embedded()?;
/// let name = "nom::path-matching::path-fish-prefix::rfc9309::/catfish";
/// let Ok(Found::Case(case, trials)) = find(&suite, name) else { panic!("{name}") };
/// assert_eq!((case.id.as_str(), trials.len()), ("path-fish-prefix", 1));
/// # Ok::<(), robots_conformance::problem::Problems>(())
/// ```
pub fn find<'s>(suite: &'s Suite, text: &str) -> Result<Found<'s>, String> {
    let text = text.trim();
    if let Some(requirement) = suite.requirement(text) {
        return Ok(Found::Requirement(requirement));
    }
    if let Some(case) = at(suite, text) {
        return Ok(Found::Case(case, trials_of(case)));
    }
    let (case, rest) = named(suite, text).ok_or_else(|| {
        format!(
            "no case or requirement is named {text:?}; `robots-conformance list` prints them, and names are \
             [engine::][area::]case[::edition[::member]] or file.yaml:line"
        )
    })?;
    let trials = trials_of(case);
    let Some(rest) = rest else { return Ok(Found::Case(case, trials)) };
    let is_named = |trial: &&Arc<Trial>| {
        let edition = trial.profile().id();
        let member = trial.member().name.as_deref();
        match rest.strip_prefix(edition) {
            Some("") => true,
            Some(behind) => behind.strip_prefix("::").is_some_and(|named| member == Some(named)),
            None => member == Some(rest),
        }
    };
    let chosen: Vec<_> = trials.iter().filter(is_named).cloned().collect();
    if chosen.is_empty() {
        let names: Vec<&str> = trials.iter().map(|trial| trial.name()).collect();
        return Err(format!(
            "the case {} has no trial {rest:?}; its trials are\n  {}",
            case.id,
            names.join("\n  ")
        ));
    }
    Ok(Found::Case(case, chosen))
}

/// Returns all trials of a case, those by the observed profile last.
fn trials_of(case: &Arc<Case>) -> Vec<Arc<Trial>> {
    let mut trials = question::of_case(case);
    trials.extend(question::observed_of(case));
    trials
}

/// Finds the case that stands in a line of a file.
fn at<'s>(suite: &'s Suite, text: &str) -> Option<&'s Arc<Case>> {
    let (file, line) = text.rsplit_once(':')?;
    let line: usize = line.parse().ok()?;
    let file = file.rsplit('/').next()?;
    let begun = |case: &&Arc<Case>| case.place.file == file && case.place.line <= line;
    suite.cases.iter().filter(begun).max_by_key(|case| case.place.line)
}

/// Finds the case whose id stands in a name, and what follows it. A member may hold anything, `::` too: the
/// first id counts.
fn named<'s, 't>(suite: &'s Suite, text: &'t str) -> Option<(&'s Arc<Case>, Option<&'t str>)> {
    let mut rest = text;
    loop {
        let (part, behind) = match rest.split_once("::") {
            Some((part, behind)) => (part, Some(behind)),
            None => (rest, None),
        };
        if let Some(case) = suite.case(part) {
            return Some((case, behind.filter(|behind| !behind.is_empty())));
        }
        rest = behind?;
    }
}
