//! The verb `run`: its arguments and its output. Start at [`run`]. `asked.rs` selects the trials of a subject and asks
//! them.
//!
//! The report goes to standard output or a file; failures and progress go to standard error. Colour and progress appear
//! only on a terminal, and `NO_COLOR` turns colour off.

mod arguments;
mod asked;
pub(crate) mod failures;
mod known;
mod progress;
pub(crate) mod reports;
mod subject;
mod trials;

use std::process::ExitCode;
use std::sync::Arc;

use anstyle::AnsiColor;
use robots_conformance::engine::Engine;
use robots_conformance::engine::Profile;
use robots_conformance::report::Cases;
use robots_conformance::run::deviations::Deviations;
use robots_conformance::run::draft;
use robots_conformance::suite::{Suite, load};
use robots_console::error::Error;
use robots_console::output::{remark, to_stderr, usage};
use robots_console::render::hint;

pub(crate) use self::arguments::RunArgs;
use self::asked::Asked;
use self::reports::Reports;
use self::subject::Subject;
#[cfg(feature = "live")]
pub(crate) use self::trials::TrialArgs;
pub(crate) use self::trials::known_areas;
use crate::ending::Ending;
use crate::vectors::{Changes, Ids};
use robots_conformance::report::record::RunRecord;

/// Runs the embedded suite against embedded parsers and subjects. `embedded` has the parsers of this program; the first
/// one is the default.
///
/// The status is 0 if nothing at `must` failed, or with `--strict` at any level. Otherwise the status is 1, as it is if an
/// entry of the deviations file is no longer valid, or no question was answered. The status is 2 if the arguments select
/// nothing or a report cannot be written.
pub(crate) fn run(arguments: &RunArgs, embedded: &[Arc<dyn Engine>]) -> ExitCode {
    let ending = Ending::watch();
    let results = load::embedded()
        .map_err(Error::from)
        .and_then(|suite| results(arguments, &suite, embedded, &ending));
    status(results, &ending, |record| record.clean || !arguments.strict && is_advised_only(record))
}

/// Returns whether a complete run has no wrong answer except at `should` and `may`.
fn is_advised_only(record: &RunRecord) -> bool {
    record.unasked == 0
        && record.stale_deviations.is_empty()
        && record.trials.iter().any(|trial| trial.outcome.is_decided())
        && record.failures().all(|trial| matches!(&*trial.level, "should" | "may"))
}

/// Prints which records are partial and which files could not be written, and returns the exit status of the run, which
/// is a success only if each record passes.
pub(crate) fn status(
    results: Result<(Vec<RunRecord>, Option<String>), Error>,
    ending: &Ending,
    passes: impl Fn(&RunRecord) -> bool,
) -> ExitCode {
    let status = match results {
        Ok((records, unwritten)) => {
            for partial in records.iter().filter_map(RunRecord::partial) {
                to_stderr(&format!("\n{partial}"));
            }
            match unwritten {
                Some(problems) => usage(&problems),
                None if records.iter().all(passes) => ExitCode::SUCCESS,
                None => ExitCode::FAILURE,
            }
        }
        Err(message) => usage(&message),
    };
    ending.status().map_or(status, ExitCode::from)
}

/// Asks the selected questions, prints the failures, and writes the reports. The second value of the result describes
/// the reports that could not be written.
fn results(
    arguments: &RunArgs,
    suite: &Suite,
    embedded: &[Arc<dyn Engine>],
    ending: &Ending,
) -> Result<(Vec<RunRecord>, Option<String>), Error> {
    known_areas(&suite.areas(), &arguments.trials.areas)?;
    if arguments.editions.contains(&Profile::GoogleCpp) {
        let note = AnsiColor::Yellow.on_default().bold();
        for problem in &suite.unobserved {
            remark(&format!("{note}note{note:#}: {problem}"));
        }
    }
    let (cases, changes) = (Cases::of(suite), Changes::embedded()?);
    // The list may be the file that is written, so its text is read first.
    let earlier = arguments.known.as_deref().map(known::read).transpose()?;
    let known = match (&arguments.known, &earlier) {
        (Some(path), Some(text)) => Deviations::parse_list(&path.display().to_string(), text)?,
        _ => Deviations::default(),
    };
    let known = known.with_ids(|edition, id| changes.id(edition, id).0);
    let deviations = arguments.trials.deviations()?.and(known);
    let asked = arguments
        .subjects(embedded)?
        .into_iter()
        .map(|subject| Asked::of(arguments, suite, &deviations, subject, ending));
    let asked = selected(arguments, asked.collect())?;
    let mut outputs = Reports::open(&arguments.trials.reports)?;
    let mut reports = Vec::new();
    let mut records = Vec::new();
    for asked in asked {
        let (report, record) = asked.report(arguments, &mut outputs, &cases, &changes);
        if report.unasked == 0 && !report.is_answered() {
            to_stderr("error: no question was answered; does its hello name what it answers?");
        }
        reports.push(report);
        records.push(record);
    }
    let draft = arguments
        .trials
        .draft(|why| reports.iter().map(|report| draft::draft(report, why)).collect());
    let known = arguments.write_known.as_deref().map(|path| {
        let ids = Ids::of(suite, &changes);
        let list = known::list(&reports, &ids, earlier.as_deref(), arguments.trials.why());
        if list.others > 0 {
            remark(&format!(
                "wrong verdicts left out of {}, because no file of an edition has them: {}; --write-deviations lists them",
                path.display(),
                list.others
            ));
        }
        (path, list.text)
    });
    let sources = arguments.trials.sources.as_ref();
    let unwritten = outputs.finish(&records, &cases, sources, draft.into_iter().chain(known)).err();
    Ok((records, unwritten))
}

/// Returns the subjects that are asked. A subject that lacks the role of every selected question is left out, unless all
/// subjects do.
///
/// # Errors
/// Returns a message if no trial is selected.
fn selected(arguments: &RunArgs, mut asked: Vec<Asked>) -> Result<Vec<Asked>, Error> {
    if asked.iter().any(Asked::is_asked) {
        asked.retain(Asked::is_asked);
    }
    asked.retain(|asked| !asked.trials.is_empty());
    if !asked.is_empty() {
        return Ok(asked);
    }
    Err(match &arguments.trials.filter {
        Some(text) => Error::new(format!(
            "no selected trial has a name that contains {text:?}; names are \
             engine::area::case::edition[::member]"
        )),
        None => "no trial is selected: the engine declares none of these editions, or the areas have no case of them"
            .into(),
    })
}

impl RunArgs {
    /// Returns the embedded parsers that are named, and starts the subjects.
    fn subjects(&self, embedded: &[Arc<dyn Engine>]) -> Result<Vec<Subject>, Error> {
        let is_named = |name: &str| self.parsers.iter().any(|named| named == name);
        let known = || embedded.iter().map(Engine::name);
        if let Some(name) = self.parsers.iter().find(|name| !known().any(|known| known == *name)) {
            let hint = hint(name, "parsers", known());
            return Err(Error::new(format!("--parser {name:?}: {hint}")));
        }
        let engines = embedded.iter().filter(|engine| is_named(engine.name())).cloned();
        let mut subjects: Vec<Subject> = engines.map(Subject::Embedded).collect();
        subjects.extend(self.subject.start(self.timeout, self.jobs.map(usize::from))?);
        if subjects.is_empty() {
            subjects.extend(embedded.first().cloned().map(Subject::Embedded));
        }
        Ok(subjects)
    }
}
