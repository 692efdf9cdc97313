//! A subject as an engine: its processes, and how it recovers from faults.
//!
//! Start at [`ProcessEngine::ask`]: it leases a process from the pool, asks, and releases the process. A process with a
//! fault is replaced. If several questions were open, any of them may have caused the fault, so
//! [`ProcessEngine::ask_alone`] asks each of them again while no other question is open. After too many faults, the
//! engine stops asking the subject, and every later answer gives this as its reason. `exchange.rs` decides which
//! questions a fault concerns.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use super::child::Process;
use super::exchange::{Cause, Fault, unclear};
use super::timeline::Timeline;
use super::words;
use crate::engine::{Engine, Profile, Question, Reply};
use crate::kind::{Answer, QuestionKind, Role};
use crate::protocol::{self, Hello, Message};
use robots_console::error::Error;

/// The settings of a [`ProcessEngine`]: its time limits, and the numbers of tolerated faults and of open questions.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Settings {
    /// The time limit for one question; 5 seconds by default.
    pub timeout: Duration,
    /// The time limit for starting; 10 seconds by default. If the limit for a question is longer, the longer limit
    /// applies.
    pub start_timeout: Duration,
    /// The number of process faults that are tolerated; 100 by default. After one more fault, the subject is not asked
    /// again.
    pub restarts: usize,
    /// The number of questions that are asked at the same time. `None` means the number of processors if the subject's
    /// `pipeline` is 1. For a greater `pipeline`, `None` means this `pipeline`, but at most 64.
    pub jobs: Option<usize>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            timeout: Duration::from_secs(5),
            start_timeout: Duration::from_secs(10),
            restarts: 100,
            jobs: None,
        }
    }
}

/// The maximum number of open questions by default, even if a subject accepts more. [`Settings::jobs`] can set a higher
/// number.
const MOST_OPEN: usize = 64;

/// The number of attempts to start a subject again.
const STARTS: usize = 3;

/// A subject: a command that speaks the protocol on its standard input and output.
///
/// If `pipeline` is 1, there is one process for each question that is asked at the same time. If `pipeline` is greater,
/// a process has up to `pipeline` open questions. A faulty process is killed and replaced. If one question was open,
/// the answer to this question is an [`Answer::Error`] or an [`Answer::TimedOut`] that describes the fault. If several
/// questions were open, each of them is asked again while no other question is open.
///
/// ```no_run
/// use robots_conformance::harness::Harness;
/// use robots_conformance::process::{ProcessEngine, Settings};
///
/// fn main() -> std::process::ExitCode {
///     match ProcessEngine::start("python3 adapter.py", Settings::default()) {
///         Ok(engine) => Harness::new(engine).timeout(std::time::Duration::MAX).run(),
///         Err(error) => { eprintln!("{error}"); std::process::ExitCode::from(2) }
///     }
/// }
/// ```
pub struct ProcessEngine {
    words: Vec<String>,
    hello: Hello,
    settings: Settings,
    pool: Mutex<Pool>,
    freed: Condvar,
    /// The process for questions that are asked again after a fault with several open questions. This process has only
    /// one open question at a time.
    alone: Mutex<Option<Process>>,
}

#[derive(Default)]
struct Pool {
    /// Each process with the number of its open questions.
    processes: Vec<(Arc<Process>, usize)>,
    starting: usize,
    lost: usize,
    given_up: Option<Cause>,
    notes: Vec<String>,
}

impl ProcessEngine {
    /// Starts a subject, and reads its hello.
    ///
    /// The command line is split into words as a POSIX shell does, but no shell is used.
    ///
    /// # Errors
    /// Returns an error if the command line is invalid, the subject does not start, or the subject does not send
    /// a correct hello. The error describes the problem.
    pub fn start(command: &str, settings: Settings) -> Result<Self, Error> {
        let words = words(command)?;
        let limit = settings.timeout.max(settings.start_timeout);
        let (process, hello) = Process::start(&words, limit)?;
        let pool = Pool { processes: vec![(Arc::new(process), 0)], ..Pool::default() };
        Ok(Self {
            words,
            hello,
            settings,
            pool: Mutex::new(pool),
            freed: Condvar::new(),
            alone: Mutex::new(None),
        })
    }

    /// Returns the hello of the subject.
    pub fn hello(&self) -> &Hello {
        &self.hello
    }

    /// Returns the number of questions that are asked at the same time.
    pub fn jobs(&self) -> usize {
        let processors = || thread::available_parallelism().map_or(1, Into::into);
        self.settings.jobs.unwrap_or_else(|| match self.hello.pipeline {
            1 => processors(),
            open => open.min(MOST_OPEN),
        })
    }

    /// Returns a description of each fault that cannot be assigned to one question.
    pub fn notes(&self) -> Vec<String> {
        self.pool().notes.clone()
    }

    /// Ends the processes. The next question starts a new process.
    pub fn stop(&self) {
        let processes = std::mem::take(&mut self.pool().processes);
        drop(processes);
        *self.alone.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }

    /// Asks a question. Its process may have other open questions at the same time.
    fn ask(&self, ask: Asking<'_>, question: &Question) -> Reply {
        let ((id, reply), undelivered) = loop {
            let process = match self.lease() {
                Ok(process) => process,
                Err(cause) => return cause.reply(),
            };
            let reply = process.ask(question, ask.timeline, self.settings.timeout);
            let undelivered = self.release(&process);
            if let Some(reply) = reply {
                break (reply, undelivered);
            }
        };
        if let Some(cause) = undelivered {
            // The fault came directly after an answer. If `pipeline` is 1, the fault belongs to the answered question,
            // because no other question can have been open.
            if self.hello.pipeline == 1 {
                return cause.reply();
            }
            self.pool().notes.push(cause.to_string());
        }
        match reply {
            Ok((reply, took)) => read(ask, id, &reply, took),
            // If one question was open, this question gets the fault. If `pipeline` is 1, a fault that occurs between
            // two questions belongs to the second question.
            Err(Fault { cause, suspects: None }) if id > 0 || self.hello.pipeline == 1 => {
                cause.reply()
            }
            Err(fault) => {
                let fault = if fault.suspects.is_none() { unclear(fault.cause) } else { fault };
                self.ask_alone(ask, question, &fault)
            }
        }
    }

    /// Asks a question again while no other question is open.
    fn ask_alone(&self, ask: Asking<'_>, question: &Question, fault: &Fault) -> Reply {
        let mut alone = self.alone.lock().unwrap_or_else(PoisonError::into_inner);
        let reply = loop {
            let process = match alone.take().map_or_else(|| self.start_again(), Ok) {
                Ok(process) => process,
                Err(cause) => break Err(cause),
            };
            match process.ask(question, ask.timeline, self.settings.timeout) {
                Some((id, Ok((reply, took)))) => {
                    *alone = Some(process);
                    break Ok(read(ask, id, &reply, took));
                }
                // A fault that occurred before this question does not belong to it.
                Some((0, Err(fault))) => self.count_lost(&fault.cause),
                None => {}
                Some((_, Err(fault))) => {
                    self.count_lost(&fault.cause);
                    let message = format!(
                        "asked alone, after a fault with several open questions: {}",
                        fault.cause.message
                    );
                    break Err(Cause { message, ..fault.cause });
                }
            }
        };
        drop(alone);
        let guilty = reply.is_err();
        if fault.suspects.as_ref().is_some_and(|suspects| suspects.acquits_all(guilty)) {
            self.pool().notes.push(format!(
                "{}; when it was asked one question at a time, the subject answered all of them",
                fault.cause
            ));
        }
        reply.unwrap_or_else(Cause::reply)
    }

    /// Returns a process that can take one more question. If no process is free, starts another one. If the maximum
    /// number of processes runs, uses one with open questions, or waits.
    fn lease(&self) -> Result<Arc<Process>, Cause> {
        let most = self.jobs().div_ceil(self.hello.pipeline);
        let mut pool = self.pool();
        loop {
            if let Some(cause) = &pool.given_up {
                return Err(cause.clone());
            }
            let may_start = pool.processes.len() + pool.starting < most;
            let room = self.hello.pipeline;
            let free = pool.processes.iter_mut().min_by_key(|(_, open)| *open);
            match free {
                Some((process, open)) if *open == 0 || (*open < room && !may_start) => {
                    *open += 1;
                    return Ok(Arc::clone(process));
                }
                _ if may_start => {
                    pool.starting += 1;
                    drop(pool);
                    let started = self.start_again();
                    pool = self.pool();
                    pool.starting -= 1;
                    self.freed.notify_all();
                    let process = Arc::new(started?);
                    pool.processes.push((Arc::clone(&process), 1));
                    return Ok(process);
                }
                _ => pool = self.freed.wait(pool).unwrap_or_else(PoisonError::into_inner),
            }
        }
    }

    /// Releases a process. If the process has a fault, the first call of this function removes the process from the
    /// pool. That call returns the fault if no question has received it.
    fn release(&self, process: &Arc<Process>) -> Option<Cause> {
        let mut undelivered = None;
        let mut pool = self.pool();
        let found = pool.processes.iter().position(|(other, _)| Arc::ptr_eq(other, process));
        if let Some(index) = found {
            pool.processes[index].1 -= 1;
            if let Some(cause) = process.fault() {
                pool.processes.swap_remove(index);
                drop(pool);
                undelivered = process.undelivered();
                self.count_lost(&cause);
            }
        }
        self.freed.notify_all();
        undelivered
    }

    fn count_lost(&self, last: &Cause) {
        let mut pool = self.pool();
        pool.lost += 1;
        if pool.lost > self.settings.restarts && pool.given_up.is_none() {
            let message = format!(
                "not asked: the subject was given up after {} restarts; the last fault: {last}",
                self.settings.restarts
            );
            pool.given_up = Some(Cause { is_late: last.is_late, ..Cause::error(message) });
            self.freed.notify_all();
        }
    }

    /// Starts a process that replaces a lost one, or an additional process.
    fn start_again(&self) -> Result<Process, Cause> {
        let limit = self.settings.timeout.max(self.settings.start_timeout);
        let mut last = String::new();
        for _ in 0..STARTS {
            if let Some(cause) = &self.pool().given_up {
                return Err(cause.clone());
            }
            match Process::start(&self.words, limit) {
                Ok((process, _)) => return Ok(process),
                Err(error) => last = error.to_string(),
            }
        }
        let message = format!("not asked: the subject could not be started again: {last}");
        let cause = Cause::error(message);
        self.pool().given_up.get_or_insert(cause.clone());
        self.freed.notify_all();
        Err(cause)
    }

    fn pool(&self) -> MutexGuard<'_, Pool> {
        self.pool.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Engine for ProcessEngine {
    fn name(&self) -> &str {
        &self.hello.name
    }

    fn profiles(&self) -> &[Profile] {
        &self.hello.editions
    }

    fn roles(&self) -> &[Role] {
        &self.hello.roles
    }

    fn takes_clock(&self) -> bool {
        self.hello.clock
    }

    fn answer(&self, question: &Question) -> Answer {
        self.reply(question).answer
    }

    fn reply(&self, question: &Question) -> Reply {
        let ask = question.ask.kind();
        if !self.hello.answers(ask) {
            let reason = format!("the subject's hello does not list {ask} questions");
            return Answer::unsupported(reason).into();
        }
        let timeline = Timeline::of(&question.ask);
        let octets = match &timeline {
            Some(timeline) => timeline.octets(),
            None => question.ask.robots_txt().map_or(0, <[u8]>::len),
        };
        let longest = protocol::longest_answer(octets);
        let kind = Asking { kind: ask, longest, timeline: timeline.as_ref() };
        let Reply { answer, took, id } = self.ask(kind, question);
        let answer = match (answer, &timeline) {
            (Answer::Timeline(answer), Some(timeline)) => timeline.completed(answer),
            (answer, _) => answer,
        };
        Reply { answer, took, id }
    }
}

/// The data of a question that is needed to read its reply.
#[derive(Clone, Copy)]
struct Asking<'q> {
    kind: QuestionKind,
    /// The maximum length of the answer, in octets.
    longest: usize,
    /// The timeline that answers the requests, if the question is a timeline.
    timeline: Option<&'q Timeline<'q>>,
}

/// Reads a reply. If the reply is wrong, only its question fails. The process continues, because the runner and the
/// subject still agree on the open questions.
fn read(ask: Asking<'_>, id: u64, reply: &Message, took: Duration) -> Reply {
    let read = if reply.length() > ask.longest {
        Err(format!(
            "an answer of {} octets; the maximum for this question is {}: {}",
            reply.length(),
            ask.longest,
            reply.shown()
        ))
    } else {
        protocol::answer(ask.kind, reply).map_err(|wrong| wrong.to_string())
    };
    let (answer, id) = match read {
        Ok(answer) => (answer, None),
        Err(problem) => (Answer::Error(problem), Some(id)),
    };
    Reply { answer, took: Some(took), id }
}
