//! Trials to outcomes: an engine is asked, its answers are judged.
//!
//! Every question is answered on a worker thread. A panic there is that trial's error; a question that
//! takes longer than the timeout is one too, and the worker is left behind and replaced. What a thread
//! cannot survive ends the whole run: an abort, a stack overflow, the process's exit. A thread left
//! behind goes on computing until the process ends.

pub(crate) mod clock;
pub mod deviations;
pub mod draft;
pub mod outcome;
pub mod trial;

use std::any::Any;
use std::cell::RefCell;
use std::panic::{self, AssertUnwindSafe};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, Once, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use robots_core::engine::{Answer, Engine};

use crate::problem::{Place, Problem};
use crate::render;
use crate::run::deviations::Deviations;
use crate::run::outcome::{Outcome, judge};
use crate::run::trial::{Trial, trials};
use crate::suite::Suite;

/// How long an engine may think about one question unless it is told otherwise.
pub const TIMEOUT: Duration = Duration::from_secs(10);

/// A finished trial.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Finished {
    /// The trial.
    pub trial: Arc<Trial>,
    /// How it ended.
    pub outcome: Outcome,
    /// What the engine answered, where it did.
    pub answer: Option<Answer>,
    /// How long the question itself took, without a wait for others.
    pub took: Duration,
}

/// The results of one run of one engine.
#[derive(Clone, Debug)]
pub struct Report {
    /// The engine's name.
    pub engine: String,
    /// Every trial that was run, in the order of the suite.
    pub finished: Vec<Finished>,
    /// Entries of the deviations file that hold for no trial.
    pub stale: Vec<Problem>,
    /// How long the run took.
    pub took: Duration,
    /// Whether a filter or a list of areas selected what was asked: then no edition is said to conform.
    pub is_selection: bool,
    /// How many trials were selected and not run to their end, because the run was told to end.
    pub unasked: usize,
}

impl Report {
    /// Returns the trials that count against the engine.
    pub fn failures(&self) -> impl Iterator<Item = &Finished> {
        self.finished.iter().filter(|finished| finished.outcome.is_failure())
    }

    /// Returns whether any question was answered; an engine that answers none shows nothing.
    #[must_use]
    pub fn is_answered(&self) -> bool {
        let silent =
            |outcome: &Outcome| matches!(outcome, Outcome::Unanswered { .. } | Outcome::NotAsked);
        self.finished.iter().any(|done| !silent(&done.outcome))
    }

    /// Returns whether every trial was run, something was answered, nothing failed and no deviation went stale.
    #[must_use]
    pub fn is_clean(&self) -> bool {
        self.unasked == 0
            && self.is_answered()
            && self.stale.is_empty()
            && self.failures().next().is_none()
    }
}

/// Asks an engine and judges its answers.
///
/// ```
/// use std::sync::Arc;
/// use robots_conformance::{load, run::Runner};
/// use robots_core::engine::IsAllowed;
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
    insist: bool,
    idle: Mutex<Vec<Worker>>,
    ending: Arc<AtomicBool>,
}

impl Runner {
    /// Makes a runner: no deviations, ten seconds a question, one question at a time.
    pub fn new(engine: Arc<dyn Engine>) -> Self {
        let name = render::name(engine.name());
        Self {
            engine,
            name,
            deviations: Deviations::default(),
            timeout: TIMEOUT,
            jobs: 1,
            insist: false,
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

    /// Sets how long the engine may think about one question.
    #[must_use]
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = timeout;
        self
    }

    /// Sets how many questions are asked at a time; 0 counts as 1.
    #[must_use]
    pub fn jobs(mut self, jobs: usize) -> Self {
        self.jobs = jobs.max(1);
        self
    }

    /// Sets what ends a run early: once it is true, no trial is begun, and a trial that errs is not counted.
    #[must_use]
    pub fn ending(mut self, ending: Arc<AtomicBool>) -> Self {
        self.ending = ending;
        self
    }

    /// Asks about every edition, also those the engine does not declare.
    #[must_use]
    pub fn insist(mut self) -> Self {
        self.insist = true;
        self
    }

    /// Returns the engine's name as reports show it: cut where it is long, what cannot be seen escaped.
    pub fn engine_name(&self) -> &str {
        &self.name
    }

    /// Returns the trials of a suite the engine is to be asked: those of the editions it declares.
    pub fn trials(&self, suite: &Suite) -> Vec<Arc<Trial>> {
        let profiles = self.engine.profiles();
        let mut trials = trials(suite);
        trials.retain(|trial| self.insist || profiles.contains(&trial.profile()));
        trials
    }

    /// Returns whether the trial is for a role the engine declares.
    pub fn is_asked(&self, trial: &Trial) -> bool {
        self.engine.roles().contains(&trial.role())
    }

    /// Returns the deviations entries that hold for none of these trials, all the engine is asked.
    pub fn stale(&self, trials: &[Arc<Trial>]) -> Vec<Problem> {
        shown(self.deviations.stale(&self.name, trials.iter().map(AsRef::as_ref)))
    }

    /// Returns the deviations entries of whole cases that none of these trials, all the engine is asked, bears
    /// out.
    pub fn healed(&self, finished: &[Finished]) -> Vec<Problem> {
        let ended = finished.iter().map(|done| (&*done.trial, &done.outcome));
        shown(self.deviations.healed(&self.name, ended))
    }

    /// Runs trials; the observer sees each as it ends, the result is in the order of the trials. A run that is
    /// told to end leaves some out.
    ///
    /// # Panics
    /// Where the observer does.
    pub fn run(&self, trials: &[Arc<Trial>], mut observer: impl FnMut(&Finished)) -> Vec<Finished> {
        let next = AtomicUsize::new(0);
        let (sender, receiver) = mpsc::channel();
        let mut finished: Vec<Option<Finished>> = trials.iter().map(|_| None).collect();
        thread::scope(|scope| {
            for _ in 0..self.jobs {
                let (sender, next) = (sender.clone(), &next);
                scope.spawn(move || {
                    while let Some((index, trial)) = {
                        let is_ending = self.ending.load(Ordering::Relaxed);
                        let index = next.fetch_add(1, Ordering::Relaxed);
                        trials.get(index).filter(|_| !is_ending).map(|trial| (index, trial))
                    } {
                        let done = self.finish(trial);
                        let is_error = matches!(done.outcome, Outcome::Errored { .. });
                        // What was killed by the end of the run did no wrong.
                        if is_error && self.ending.load(Ordering::Relaxed) {
                            break;
                        }
                        if sender.send((index, done)).is_err() {
                            break;
                        }
                    }
                });
            }
            drop(sender);
            for (index, done) in receiver {
                observer(&done);
                finished[index] = Some(done);
            }
        });
        finished.into_iter().flatten().collect()
    }

    /// Runs one trial.
    pub fn finish(&self, trial: &Arc<Trial>) -> Finished {
        let start = Instant::now();
        let reply = if self.is_asked(trial) { self.ask(trial) } else { Reply::None };
        let mut took = start.elapsed();
        let (outcome, answer) = match reply {
            Reply::None => (Outcome::NotAsked, None),
            Reply::Answer(answer, own) => {
                took = own;
                (judge(trial.kind(), trial.conforming(), &answer), Some(answer))
            }
            Reply::Panic(message) => {
                (Outcome::Errored { message: format!("the engine panicked: {message}") }, None)
            }
            Reply::Hang => {
                let message = format!(
                    "{} {} s; the question was given up and its thread left behind",
                    Outcome::LATE,
                    self.timeout.as_secs_f64()
                );
                (Outcome::Errored { message }, None)
            }
        };
        let outcome = told(self.deviations.apply(&self.name, trial, outcome, answer.as_ref()));
        Finished { trial: Arc::clone(trial), outcome, answer, took }
    }

    fn ask(&self, trial: &Arc<Trial>) -> Reply {
        let idle = || self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let worker = idle().pop();
        let worker = worker.unwrap_or_else(|| Worker::start(Arc::clone(&self.engine)));
        let reply = worker.ask(Arc::clone(trial), self.timeout);
        if !matches!(reply, Reply::Hang) {
            idle().push(worker);
        }
        reply
    }
}

/// Renders what is wrong with deviations: the file's text is shown with it.
fn shown(problems: Vec<Problem>) -> Vec<Problem> {
    let shown = |problem: Problem| Problem {
        place: Place { file: render::message(&problem.place.file), ..problem.place },
        message: render::message(&problem.message),
    };
    problems.into_iter().map(shown).collect()
}

/// Renders what an outcome says: it may be a subject's text, and every report shows it.
fn told(outcome: Outcome) -> Outcome {
    match outcome {
        Outcome::Errored { message } => Outcome::Errored { message: render::message(&message) },
        Outcome::Unanswered { reason } => Outcome::Unanswered { reason: render::message(&reason) },
        Outcome::Deviation { why } => Outcome::Deviation { why: render::message(&why) },
        Outcome::Failed { note } => {
            Outcome::Failed { note: note.map(|note| render::message(&note)) }
        }
        other => other,
    }
}

enum Reply {
    /// It was not asked.
    None,
    /// The answer, and the time that the question itself took.
    Answer(Answer, Duration),
    Panic(String),
    Hang,
}

/// A thread that answers one question after the other.
struct Worker {
    questions: Sender<Arc<Trial>>,
    replies: Receiver<Reply>,
}

impl Worker {
    fn start(engine: Arc<dyn Engine>) -> Self {
        keep_panics();
        let (questions, asked) = mpsc::channel::<Arc<Trial>>();
        let (sender, replies) = mpsc::channel();
        thread::spawn(move || {
            PANIC.set(Some(String::new()));
            for trial in asked {
                let ask = || clock::time(|| engine.answer(&trial.question()));
                let reply = match panic::catch_unwind(AssertUnwindSafe(ask)) {
                    Ok((answer, own)) => Reply::Answer(answer, own),
                    Err(payload) => Reply::Panic(panic_message(payload.as_ref())),
                };
                if sender.send(reply).is_err() {
                    break;
                }
            }
        });
        Self { questions, replies }
    }

    fn ask(&self, trial: Arc<Trial>, timeout: Duration) -> Reply {
        if self.questions.send(trial).is_err() {
            return Reply::Panic("the engine's thread ended".to_owned());
        }
        match self.replies.recv_timeout(timeout) {
            Ok(reply) => reply,
            Err(RecvTimeoutError::Timeout) => Reply::Hang,
            Err(RecvTimeoutError::Disconnected) => {
                Reply::Panic("the engine's thread ended".to_owned())
            }
        }
    }
}

thread_local! {
    /// Where the last panic of a worker happened; `None` on any other thread.
    static PANIC: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Has the panics of workers kept for the report instead of printed; other threads print as before.
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
        .unwrap_or_else(|| "a payload that is no text".to_owned());
    let place = PANIC.with_borrow(|kept| kept.clone().unwrap_or_default());
    if place.is_empty() { text } else { format!("{text} ({place})") }
}
