//! Runs trials: asks an engine and judges its answers.
//!
//! Worker threads answer the questions. If the engine panics, the trial is errored. If the engine does not answer
//! within the time limit, the trial is errored too. The thread that asked the question is replaced, and ends when the
//! engine answers. If the engine aborts, overflows the stack or exits the process, the whole run ends. Start at
//! [`Runner`]. [`Report`], [`deviations`], [`draft`], [`outcome`], [`parallel`] and [`selection`] are also used for
//! runs of crawls.

pub mod deviations;
pub mod draft;
pub mod outcome;
pub mod parallel;
mod report;
pub mod selection;
pub mod trial;

use std::any::Any;
use std::cell::RefCell;
use std::panic::{self, AssertUnwindSafe};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, Once, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crate::engine::{Engine, Reply};
use crate::run::deviations::{Behaviour, Deviations};
use crate::run::outcome::{Missing, Outcome, judge};
use crate::run::parallel::in_parallel;
pub use crate::run::report::{Ended, Finished, Report};
use crate::run::trial::{Trial, trials};
use crate::suite::Suite;
use robots_console::render;

/// The default time limit for one question.
pub const TIMEOUT: Duration = Duration::from_secs(10);

/// Asks an engine and judges its answers.
///
/// ```
/// use std::sync::Arc;
/// use robots_conformance::run::Runner;
/// use robots_conformance::suite::load;
/// use robots_conformance::engine::IsAllowed;
///
/// let always = IsAllowed { name: "always", f: |_: &[u8], _: &str, _: &str| true };
/// let runner = Runner::new(Arc::new(always));
/// let trials = runner.trials(&load::embedded()?);
/// let finished = runner.run(&trials, |_| {});
/// assert!(finished.iter().any(|trial| trial.outcome.is_failure()));
/// # Ok::<(), robots_conformance::problem::Problems>(())
/// ```
pub struct Runner {
    engine: Arc<dyn Engine>,
    name: String,
    deviations: Deviations,
    timeout: Duration,
    jobs: usize,
    every_edition: bool,
    idle: Mutex<Vec<Worker>>,
    ending: Arc<AtomicBool>,
}

impl Runner {
    /// Makes a runner with no deviations, a time limit of ten seconds, and one question at a time.
    pub fn new(engine: Arc<dyn Engine>) -> Self {
        let name = render::name(engine.name());
        Self {
            engine,
            name,
            deviations: Deviations::default(),
            timeout: TIMEOUT,
            jobs: 1,
            every_edition: false,
            idle: Mutex::default(),
            ending: Arc::default(),
        }
    }

    /// Sets the deviations of the engine.
    #[must_use]
    pub fn deviations(mut self, deviations: Deviations) -> Self {
        self.deviations = deviations;
        self
    }

    /// Sets the time limit for one question.
    #[must_use]
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = timeout;
        self
    }

    /// Sets the number of questions that are asked at the same time; 0 means 1.
    #[must_use]
    pub fn jobs(mut self, jobs: usize) -> Self {
        self.jobs = jobs.max(1);
        self
    }

    /// Sets the flag that ends a run early. When the flag is true, no further trial starts, and a trial that ends with
    /// an error is left out.
    #[must_use]
    pub fn ending(mut self, ending: Arc<AtomicBool>) -> Self {
        self.ending = ending;
        self
    }

    /// Asks about every edition, including those that the engine does not declare.
    #[must_use]
    pub fn every_edition(mut self) -> Self {
        self.every_edition = true;
        self
    }

    /// Returns the engine's name as reports show it. A long name is cut, and invisible characters are escaped.
    pub fn engine_name(&self) -> &str {
        &self.name
    }

    /// Returns the trials of a suite under the editions that the engine declares, or under every edition after
    /// [`Runner::every_edition`].
    pub fn trials(&self, suite: &Suite) -> Vec<Arc<Trial>> {
        let profiles = self.engine.profiles();
        let mut trials = trials(suite);
        trials.retain(|trial| self.every_edition || profiles.contains(&trial.profile()));
        trials
    }

    /// Returns what the engine lacks for a trial: the role of the trial, or the clock that the trial needs. Returns
    /// `None` if the engine lacks nothing, so that the question of the trial is asked.
    pub fn missing(&self, trial: &Trial) -> Option<Missing> {
        if !self.engine.roles().contains(&trial.role()) {
            return Some(Missing::Role(trial.role()));
        }
        let has_clock = self.engine.takes_clock() || !trial.member().ask.passes_time();
        (!has_clock).then_some(Missing::Clock)
    }

    /// Makes the report of a complete run, and compares the deviations of the engine with the run. `finished` must
    /// contain all trials of the engine.
    pub fn report(&self, finished: Vec<Finished>) -> Report {
        let trials: Vec<Arc<Trial>> = finished.iter().map(|done| Arc::clone(&done.trial)).collect();
        let mut report = Report::new(self.engine_name(), finished);
        self.compare(&mut report, &trials);
        report
    }

    /// Compares the deviations of the engine with a run, as [`Report::compare`] does. `trials` must contain all trials
    /// of the engine, selected or not.
    pub fn compare(&self, report: &mut Report, trials: &[Arc<Trial>]) {
        let named = |trial: &Arc<Trial>| (trial.full_name(&self.name), Some(trial.kind()));
        report.compare(&self.deviations, &trials.iter().map(named).collect());
    }

    /// Runs trials. The observer receives each trial when it ends; the result is in the order of the trials. If the run
    /// is ended early, the result lacks the unfinished trials.
    ///
    /// # Panics
    /// Panics if the observer panics.
    pub fn run(&self, trials: &[Arc<Trial>], observer: impl FnMut(&Finished)) -> Vec<Finished> {
        let is_ending = || self.ending.load(Ordering::Relaxed);
        let finish = |trial: &Arc<Trial>| {
            let done = (!is_ending()).then(|| self.finish(trial))?;
            let is_error = matches!(done.outcome, Outcome::Errored { .. });
            // The end of the run may have killed the engine, so a trial with an error is left out.
            (!is_error || !is_ending()).then_some(done)
        };
        in_parallel(trials, self.jobs, finish, observer)
    }

    /// Runs one trial.
    pub fn finish(&self, trial: &Arc<Trial>) -> Finished {
        let start = Instant::now();
        let asked = self.missing(trial).map_or_else(|| self.ask(trial), Asked::Not);
        let mut took = start.elapsed();
        let (outcome, answer) = match asked {
            Asked::Not(missing) => (Outcome::NotAsked { missing }, None),
            Asked::Answered(reply) => {
                took = reply.took.unwrap_or(took);
                let outcome = judge(trial.kind(), trial.conforming(), &reply.answer);
                (outcome.with_id(reply.id), Some(reply.answer))
            }
            Asked::Panic(message) => {
                let message = format!("the engine panicked: {message}");
                (Outcome::Errored { message, is_late: false, id: None }, None)
            }
            Asked::Hang => {
                let message = format!(
                    "no answer within {} s; the question was abandoned together with its thread",
                    self.timeout.as_secs_f64()
                );
                (Outcome::Errored { message, is_late: true, id: None }, None)
            }
        };
        let behaviour = Behaviour::Answer(trial, answer.as_ref());
        let outcome = self.deviations.apply(&trial.full_name(&self.name), outcome, behaviour);
        Finished { trial: Arc::clone(trial), outcome, answer, took }
    }

    fn ask(&self, trial: &Arc<Trial>) -> Asked {
        let idle = || self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let worker = idle().pop();
        let worker = worker.unwrap_or_else(|| Worker::start(Arc::clone(&self.engine)));
        let asked = worker.ask(Arc::clone(trial), self.timeout);
        if !matches!(asked, Asked::Hang) {
            idle().push(worker);
        }
        asked
    }
}

/// What came of a trial's question.
enum Asked {
    /// The question was not asked.
    Not(Missing),
    /// The reply, with the time that it took.
    Answered(Reply),
    Panic(String),
    Hang,
}

/// A thread that asks the engine one question after another.
struct Worker {
    questions: Sender<Arc<Trial>>,
    replies: Receiver<Asked>,
}

impl Worker {
    fn start(engine: Arc<dyn Engine>) -> Self {
        keep_panics();
        let (questions, asked) = mpsc::channel::<Arc<Trial>>();
        let (sender, replies) = mpsc::channel();
        thread::spawn(move || {
            PANIC.set(Some(String::new()));
            for trial in asked {
                let start = Instant::now();
                let ask = || engine.reply(&trial.question());
                let asked = match panic::catch_unwind(AssertUnwindSafe(ask)) {
                    Ok(reply) => {
                        let took = reply.took.or_else(|| Some(start.elapsed()));
                        Asked::Answered(Reply { took, ..reply })
                    }
                    Err(payload) => Asked::Panic(panic_message(payload.as_ref())),
                };
                if sender.send(asked).is_err() {
                    break;
                }
            }
        });
        Self { questions, replies }
    }

    fn ask(&self, trial: Arc<Trial>, timeout: Duration) -> Asked {
        if self.questions.send(trial).is_err() {
            return Asked::Panic("the engine's thread ended".to_owned());
        }
        match self.replies.recv_timeout(timeout) {
            Ok(reply) => reply,
            Err(RecvTimeoutError::Timeout) => Asked::Hang,
            Err(RecvTimeoutError::Disconnected) => {
                Asked::Panic("the engine's thread ended".to_owned())
            }
        }
    }
}

thread_local! {
    /// The place of the last panic of this worker. The value is `None` on threads that are not workers.
    static PANIC: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// If a worker panics, stores the place of the panic for the report, instead of printing the panic. Other threads print
/// as before.
fn keep_panics() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let print = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            let place = info.location().map(ToString::to_string).unwrap_or_default();
            let is_worker = PANIC.with_borrow_mut(|kept| kept.as_mut().map(|kept| *kept = place));
            if is_worker.is_none() {
                print(info);
            }
        }));
    });
}

fn panic_message(payload: &(dyn Any + Send)) -> String {
    let text = payload
        .downcast_ref::<&str>()
        .map(ToString::to_string)
        .or_else(|| payload.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "a payload that is not text".to_owned());
    let place = PANIC.with_borrow(|kept| kept.clone().unwrap_or_default());
    if place.is_empty() { text } else { format!("{text} ({place})") }
}
