//! A subject with the trials that it is asked: [`Asked`].

use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use anstyle::AnsiColor;
use robots_conformance::report::{Cases, TrialRecord};
use robots_conformance::run::deviations::Deviations;
use robots_conformance::run::trial::{self, Trial};
use robots_conformance::run::{Report, Runner, TIMEOUT};
use robots_conformance::suite::Suite;
use robots_console::output::remark;

use super::arguments::RunArgs;
use super::progress::Progress;
use super::reports::Reports;
use super::subject::Subject;
use crate::ending::Ending;
use crate::vectors::Changes;
use robots_conformance::report::record::RunRecord;

/// A subject, and its trials.
pub(super) struct Asked {
    subject: Subject,
    runner: Runner,
    /// All trials of the editions that the subject declares or the user requests. An entry of the deviations file is
    /// stale if it applies to none of them, selected or not.
    all: Vec<Arc<Trial>>,
    /// The selected trials.
    pub(super) trials: Vec<Arc<Trial>>,
}

impl Asked {
    /// Selects the trials of a subject.
    pub(super) fn of(
        arguments: &RunArgs,
        suite: &Suite,
        deviations: &Deviations,
        subject: Subject,
        ending: &Ending,
    ) -> Self {
        let engine = subject.engine();
        let declared = engine.profiles().to_vec();
        let jobs = arguments.jobs.map(usize::from);
        let (timeout, jobs) = match &subject {
            Subject::Embedded(_) => (arguments.timeout.unwrap_or(TIMEOUT), jobs),
            // An engine that runs a process enforces the time limit itself, so the runner has no limit.
            Subject::Process { engine, .. } => (Duration::MAX, Some(engine.jobs())),
            Subject::Tool(_) => (Duration::MAX, jobs),
        };
        let jobs = jobs.unwrap_or_else(|| thread::available_parallelism().map_or(1, Into::into));
        let runner = Runner::new(engine)
            .deviations(deviations.clone())
            .timeout(timeout)
            .jobs(jobs)
            .every_edition()
            .ending(Arc::clone(&ending.is_ending));
        let mut all = runner.trials(suite);
        all.extend(trial::observed(suite));
        all.retain(|trial| {
            let profile = trial.profile();
            declared.contains(&profile) || arguments.editions.contains(&profile)
        });
        let selection = arguments.trials.selection(arguments.editions.iter().copied());
        let is_selected = |trial: &&Arc<Trial>| {
            selection.has_profile(trial.profile())
                && selection.has_area(&trial.case().area)
                && selection.has_name(&trial.full_name(runner.engine_name()))
        };
        let trials = all.iter().filter(is_selected).cloned().collect();
        Self { subject, runner, all, trials }
    }

    /// Returns whether the subject has the role for at least one selected trial.
    pub(super) fn is_asked(&self) -> bool {
        self.trials.iter().any(|trial| self.runner.missing(trial).is_none())
    }

    /// Asks the questions, and prints the failures.
    pub(super) fn report(
        self,
        arguments: &RunArgs,
        outputs: &mut Reports,
        cases: &Cases,
        changes: &Changes,
    ) -> (Report, RunRecord) {
        let Self { subject, runner, all, trials } = self;
        outputs.begin(runner.engine_name(), None, trials.len());
        let progress = Progress::start(trials.len());
        let start = Instant::now();
        let finished = runner.run(&trials, |done| {
            progress.trial(done.trial.name());
            if outputs.follows() {
                let mut trial = TrialRecord::of(done, runner.engine_name());
                changes.mark(&mut trial);
                outputs.trial(&trial);
            }
        });
        let mut report = Report::new(runner.engine_name(), finished);
        report.took = start.elapsed();
        progress.end();
        let selection = arguments.trials.selection(arguments.editions.iter().copied());
        report.is_selection = selection.is_part();
        report.unasked = trials.len() - report.trials.len();
        runner.compare(&mut report, &all);
        let mut record = RunRecord::of(&report);
        record.trials.iter_mut().for_each(|trial| changes.mark(trial));
        outputs.end(&record);
        let command = match &arguments.called {
            Some(called) => called.clone(),
            None => format!("robots-conformance run{}", subject.again(&arguments.subject)),
        };
        arguments.trials.print_failures(&record, cases, &command, &arguments.editions);
        if let Subject::Process { engine, .. } = &subject {
            engine.stop();
            let note = AnsiColor::Yellow.on_default().bold();
            for text in engine.notes() {
                remark(&format!("{note}note{note:#}: {text}"));
            }
        }
        (report, record)
    }
}
