//! Finds a case, some of its trials, or a requirement by a name that a report prints.

use crate::error::Error;
use std::sync::Arc;

use robots_conformance::render::nearest;
use robots_conformance::run::trial;
use robots_conformance::run::trial::Trial;
use robots_conformance::suite::Suite;
use robots_conformance::suite::case::Case;
use robots_conformance::suite::requirement::Requirement;

/// The result of a look-up.
#[derive(Debug)]
#[non_exhaustive]
pub enum Found<'s> {
    /// A case, with the named trials, or all of its trials if none is named.
    Case(&'s Arc<Case>, Vec<Arc<Trial>>),
    /// A requirement.
    Requirement(&'s Requirement),
}

/// Finds a case or a requirement.
///
/// A case can be named by its id, by the name of a trial with or without its engine, area, edition and member, or by a
/// file and a line in it, for example `path-matching.yaml:176`.
///
/// # Errors
/// Returns a message that contains the unknown name and explains where the known names are listed.
///
/// ```
/// use robots_conformance::suite::load;
/// use robots_conformance_cli::lookup::{Found, find};
/// let suite = load::embedded()?;
/// let name = "nom::path-matching::path-fish-prefix::rfc9309::/catfish";
/// let Ok(Found::Case(case, trials)) = find(&suite, name) else { panic!("{name}") };
/// assert_eq!((case.id.as_str(), trials.len()), ("path-fish-prefix", 1));
/// # Ok::<(), robots_conformance::problem::Problems>(())
/// ```
pub fn find<'s>(suite: &'s Suite, text: &str) -> Result<Found<'s>, Error> {
    let text = text.trim();
    if let Some(requirement) = suite.requirement(text) {
        return Ok(Found::Requirement(requirement));
    }
    if let Some(case) = at(suite, text) {
        return Ok(Found::Case(case, trials_of(case)));
    }
    let (case, rest) = named(suite, text).ok_or_else(|| {
        let ids = suite.cases.iter().map(|case| case.id.as_str());
        let ids = ids.chain(suite.requirements.iter().map(|known| known.id.as_str()));
        // The id may be one of the parts of a trial's name.
        let parts = std::iter::once(text).chain(text.split("::").filter(|_| text.contains("::")));
        let meant = parts.map(|part| suggestion(part, ids.clone())).find(|meant| !meant.is_empty());
        let meant = meant.unwrap_or_default();
        format!(
            "no case or requirement is named {text:?}; {meant}`robots-conformance list` prints the cases and their \
             requirements; write a requirement's id, file.yaml:line or [engine::][area::]case[::edition[::member]]"
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
        )
        .into());
    }
    Ok(Found::Case(case, chosen))
}

/// Returns the question whether the user meant the nearest name, followed by a space. It is empty if no name is near.
pub(crate) fn suggestion<'n>(typed: &str, names: impl Iterator<Item = &'n str>) -> String {
    nearest(typed, names).map_or(String::new(), |near| format!("did you mean {near:?}? "))
}

/// Returns all trials of a case, those by the observed profile last.
fn trials_of(case: &Arc<Case>) -> Vec<Arc<Trial>> {
    let mut trials = trial::of_case(case);
    trials.extend(trial::observed_of(case));
    trials
}

/// Finds the case that contains a line of a file.
fn at<'s>(suite: &'s Suite, text: &str) -> Option<&'s Arc<Case>> {
    let (file, line) = text.rsplit_once(':')?;
    let line: usize = line.parse().ok()?;
    let file = file.rsplit('/').next()?;
    let begun = |case: &&Arc<Case>| case.place.file == file && case.place.line <= line;
    suite.cases.iter().filter(begun).max_by_key(|case| case.place.line)
}

/// Finds the case whose id is a part of a name. Returns it with the text after the id. A member may contain any text,
/// also `::`, so the first id counts.
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
