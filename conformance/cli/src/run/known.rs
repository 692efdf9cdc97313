//! Writes the list of known failures that the readers of the vectors read. Start at [`list`].

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use robots_conformance::kind::QuestionKind;
use robots_conformance::run::deviations::Known;
use robots_conformance::run::{Ended as _, Finished, Report};
use robots_console::error::Error;
use robots_console::file;

use crate::vectors::Ids;

/// Reads the text of a list, without a byte order mark.
///
/// # Errors
/// Returns a message if the file cannot be read.
pub(super) fn read(path: &Path) -> Result<String, Error> {
    let text = file::text(path).map_err(|error| {
        let path = path.display();
        Error::new(format!("{path}:1: cannot read the list of known failures: {error}"))
    })?;
    Ok(text.trim_start_matches('\u{feff}').to_owned())
}

/// The wrong verdicts of a run as a list of known failures.
pub(super) struct List {
    pub(super) text: String,
    /// How many wrong verdicts are in no file of an edition, so the list leaves them out.
    pub(super) others: usize,
}

/// Returns the wrong verdicts that are in the file of an edition, because a reader refuses every other id. A new line has
/// the reason `why`. A list with a blank reason is refused.
///
/// The lines of the list `earlier` keep their place, tag and reason, with the comments, as long as they are true. So do
/// those of questions that were not asked. New lines come after them, sorted by id.
pub(super) fn list(reports: &[Report], ids: &Ids, earlier: Option<&str>, why: &str) -> List {
    let (mut asked, mut others, mut wrong) = (BTreeSet::new(), BTreeSet::new(), BTreeMap::new());
    for done in reports.iter().flat_map(|report| &report.trials) {
        let id = ids.of_trial(&done.trial);
        if let (Some(id), true) = (id, done.outcome.kind().is_decided()) {
            asked.insert(id);
        }
        let Some((is_error, kept)) = entry(done) else { continue };
        let Some(id) = id else {
            others.insert((&done.trial.case().id, &done.trial.member().name));
            continue;
        };
        let reason = if kept.is_empty() { why } else { &kept };
        let reason = reason.split_whitespace().collect::<Vec<_>>().join(" ");
        wrong.entry(id).or_insert((is_error, reason));
    }
    let names: Vec<&str> = reports.iter().map(|report| &*report.subject).collect();
    let mut text = match earlier {
        Some(_) => String::new(),
        None => format!(
            "# What {} answers wrongly: an id, a tag and a reason on each line.\n",
            names.join(", ")
        ),
    };
    for line in earlier.unwrap_or_default().lines() {
        let (id, rest) = line.split_once(' ').unwrap_or((line, ""));
        let is_comment = line.trim().is_empty() || line.starts_with('#');
        let is_unasked = ids.contains(id) && !asked.contains(id);
        let is_true =
            wrong.get(id).is_some_and(|(is_error, _)| *is_error == rest.starts_with("error "));
        if is_comment || is_unasked || is_true {
            text += &[line, "\n"].concat();
            wrong.remove(id);
        }
    }
    for (id, (is_error, reason)) in wrong {
        let tag = if is_error { "error" } else { "bug" };
        text += &[[id, tag, &reason].join(" ").trim_end(), "\n"].concat();
    }
    List { text, others: others.len() }
}

/// Returns whether a wrong verdict is an error, and its reason if it is known.
fn entry(done: &Finished) -> Option<(bool, String)> {
    let (stated, why) = done.entry()?;
    let Known::Answers(stated) = stated else { return None };
    let is_verdict = done.trial.kind() == QuestionKind::Verdict;
    is_verdict.then(|| (stated.as_str() == Some("error"), why))
}
