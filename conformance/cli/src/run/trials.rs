//! The arguments that runs of questions and runs of crawls have: [`TrialArgs`]. These arguments select trials, name the
//! known deviations, and define the reports.

use std::fmt::Display;
use std::path::{Path, PathBuf};

use clap::{ArgGroup, Args};
use robots_conformance::engine::Profile;
use robots_conformance::run::deviations::Deviations;
use robots_conformance::run::selection::Selection;

use super::failures;
use crate::target::ReportTarget;
use robots_conformance::report::Cases;
use robots_conformance::report::Sources;
use robots_conformance::report::record::RunRecord;
use robots_console::error::Error;
use robots_console::render::hint;

/// The number of blocks of failures that are printed by default.
const BLOCKS: usize = 20;

/// The arguments that select trials, name the known deviations, and define the reports.
#[derive(Args, Clone, Debug, Default)]
#[command(group = ArgGroup::new("written").multiple(true))]
pub(crate) struct TrialArgs {
    /// Runs only the cases of this area; repeatable
    #[arg(long = "area", value_name = "A")]
    pub(crate) areas: Vec<String>,
    /// Runs only the trials whose full name (`subject::area::case::edition`, `::member`) contains the text
    #[arg(long, value_name = "TEXT")]
    pub(crate) filter: Option<String>,
    /// The known deviations of the engine or crawler, with reasons: a YAML file
    #[arg(long, value_name = "FILE")]
    pub(crate) deviations: Option<PathBuf>,
    /// Writes today's failures as a deviations file
    #[arg(long, value_name = "FILE", group = "written")]
    pub(crate) write_deviations: Option<PathBuf>,
    /// The reason of each new failure in the written file; without it, fill in the reasons
    #[arg(long, value_name = "TEXT", requires = "written")]
    pub(crate) why: Option<String>,
    /// How many blocks of failures are printed, or `all`
    #[arg(long, value_name = "N", default_value = "20", value_parser = failures::most)]
    pub(crate) failures: Option<usize>,
    /// The formats of the reports, each with its file
    #[arg(long = "report", value_name = "FORMAT[=FILE]", help = ReportTarget::help())]
    pub(crate) reports: Vec<ReportTarget>,
    /// The address of the folder spec-cases; reports in markdown and html link to it
    #[arg(long, value_name = "URL")]
    pub(crate) sources: Option<Sources>,
}

impl TrialArgs {
    /// Returns the selection of trials, given the requested editions.
    pub(crate) fn selection(&self, profiles: impl IntoIterator<Item = Profile>) -> Selection {
        let mut selection = Selection::default();
        selection.profiles.extend(profiles);
        selection.areas.clone_from(&self.areas);
        selection.filter.clone_from(&self.filter);
        selection
    }

    /// Reads the deviations file. Without a file, there are no deviations.
    pub(crate) fn deviations(&self) -> Result<Deviations, Error> {
        let deviations = self.deviations.as_deref().map(Deviations::read).transpose();
        Ok(deviations?.unwrap_or_default())
    }

    /// Returns the draft of a deviations file with its path, if a draft is requested. `text` gets the reason.
    pub(crate) fn draft(&self, text: impl FnOnce(&str) -> String) -> Option<(&Path, String)> {
        self.write_deviations.as_deref().map(|path| (path, text(self.why())))
    }

    /// Returns the reason of new failures, or an empty text.
    pub(crate) fn why(&self) -> &str {
        self.why.as_deref().unwrap_or_default()
    }

    /// Prints the failures of a run. `command` repeats the run, but names no edition. The function adds `--edition` for
    /// each of the requested `editions`.
    pub(crate) fn print_failures<E: Display>(
        &self,
        record: &RunRecord,
        cases: &Cases,
        command: &str,
        editions: &[E],
    ) {
        let editions = editions.iter().map(|edition| format!(" --edition {edition}"));
        let command = command.to_owned() + &editions.collect::<String>();
        failures::print(record, cases, self.failures.unwrap_or(BLOCKS), &command);
    }
}

/// Refuses areas that are not among the known ones.
///
/// # Errors
/// Returns a message that suggests a similar area or lists the known areas.
pub(crate) fn known_areas(known: &[&str], areas: &[String]) -> Result<(), Error> {
    match areas.iter().find(|area| !known.contains(&area.as_str())) {
        Some(area) => {
            let hint = hint(area, "areas", known.iter().copied());
            Err(format!("unknown area {area:?}; {hint}").into())
        }
        None => Ok(()),
    }
}
