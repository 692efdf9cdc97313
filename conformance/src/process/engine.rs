//! A subject as an engine: its processes, and what becomes of questions when one goes wrong.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use robots_core::Profile;
use robots_core::engine::{Answer, Engine, Question, QuestionKind, Role};

use super::child::Process;
use super::exchange::{Fault, unclear};
use super::words;
use crate::protocol::{self, Hello, Message, QuestionMessage};

/// How a subject is asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// How long it may think about a question; 5 seconds by default.
    pub timeout: Duration,
    /// How long it may take to start, where that is longer; 10 seconds by default.
    pub start_timeout: Duration,
    /// How many processes may go wrong before the subject is given up; 100 by default.
    pub restarts: usize,
    /// How many questions are asked at a time; as many as the subject keeps open, or as there are
    /// processors, where it is `None`.
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

/// How many questions are kept open at most, however many a subject takes.
const MOST_OPEN: usize = 64;

/// How often in a row a subject may fail to start.
const STARTS: usize = 3;

/// A subject: a command that speaks the protocol on its standard input and output.
///
/// Its processes are few: one for each question that is asked at a time, or for each `pipeline` of them.
/// A process that goes wrong is killed and replaced. The question that was open is answered with an
/// [`Answer::Error`] that says what happened; where several were open, each is asked again alone.
///
/// ```no_run
/// use robots_conformance::{Harness, process::{ProcessEngine, Settings}};
///
/// fn main() -> std::process::ExitCode {
///     match ProcessEngine::start("python3 adapter.py", Settings::default()) {
///         Ok(engine) => Harness::new(engine).timeout(std::time::Duration::MAX).run(),
///         Err(message) => { eprintln!("{message}"); std::process::ExitCode::from(2) }
///     }
/// }
/// ```
pub struct ProcessEngine {
    words: Vec<String>,
    hello: Hello,
    settings: Settings,
    pool: Mutex<Pool>,
    freed: Condvar,
    /// The process that is asked one question at a time after another went wrong with several.
    alone: Mutex<Option<Process>>,
}

#[derive(Default)]
struct Pool {
    /// Each with the number of its open questions.
    processes: Vec<(Arc<Process>, usize)>,
    starting: usize,
    lost: usize,
    given_up: Option<String>,
    notes: Vec<String>,
}

impl ProcessEngine {
    /// Starts a subject, and reads its hello.
    ///
    /// The command line is split as a POSIX shell does it; no shell takes part.
    ///
    /// # Errors
    /// A message that says what the subject did instead of greeting, and how to mend it.
    pub fn start(command: &str, settings: Settings) -> Result<Self, String> {
        Self::start_words(words(command)?, settings)
    }

    /// Starts a subject of a program and its arguments.
    ///
    /// # Errors
    /// As [`ProcessEngine::start`].
    pub fn start_words(words: Vec<String>, settings: Settings) -> Result<Self, String> {
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

    /// Returns what the subject says of itself.
    pub fn hello(&self) -> &Hello {
        &self.hello
    }

    /// Returns how many questions are asked at a time.
    pub fn jobs(&self) -> usize {
        let processors = || thread::available_parallelism().map_or(1, Into::into);
        self.settings.jobs.unwrap_or_else(|| match self.hello.pipeline {
            1 => processors(),
            open => open.min(MOST_OPEN),
        })
    }

    /// Returns what went wrong without being any question's fault.
    pub fn notes(&self) -> Vec<String> {
        self.pool().notes.clone()
    }

    /// Ends the processes; a question asked later starts one again.
    pub fn stop(&self) {
        let processes = std::mem::take(&mut self.pool().processes);
        drop(processes);
        *self.alone.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }

    /// Asks a question among others.
    fn ask(&self, ask: Kind, message: &QuestionMessage<'_>) -> Answer {
        let ((id, reply), untold) = loop {
            let process = match self.lease() {
                Ok(process) => process,
                Err(reason) => return Answer::Error(reason),
            };
            let reply = process.ask(message.clone(), self.settings.timeout);
            let untold = self.release(&process);
            if let Some(reply) = reply {
                break (reply, untold);
            }
        };
        if let Some(message) = untold {
            // It came right behind an answer: that question's, where no other can have been open.
            if self.hello.pipeline == 1 {
                return Answer::Error(message);
            }
            self.pool().notes.push(message);
        }
        match reply {
            Ok(reply) => read(ask, id, &reply),
            // One was open, and is to blame; a fault between two questions is the next one's.
            Err(Fault { message, suspects: None }) if id > 0 || self.hello.pipeline == 1 => {
                Answer::Error(message)
            }
            Err(fault) => {
                let fault = if fault.suspects.is_none() { unclear(fault.message) } else { fault };
                self.ask_alone(ask, message, &fault)
            }
        }
    }

    /// Asks a question again, with no other open.
    fn ask_alone(&self, ask: Kind, message: &QuestionMessage<'_>, fault: &Fault) -> Answer {
        let mut alone = self.alone.lock().unwrap_or_else(PoisonError::into_inner);
        let answer = loop {
            let process = match alone.take().map_or_else(|| self.start_again(), Ok) {
                Ok(process) => process,
                Err(reason) => break Err(reason),
            };
            match process.ask(message.clone(), self.settings.timeout) {
                Some((id, Ok(reply))) => {
                    *alone = Some(process);
                    break Ok(read(ask, id, &reply));
                }
                // What came before this question is not its fault.
                Some((0, Err(fault))) => self.count_lost(&fault.message),
                None => {}
                Some((_, Err(fault))) => {
                    self.count_lost(&fault.message);
                    break Err(format!(
                        "asked alone, after a fault among several: {}",
                        fault.message
                    ));
                }
            }
        };
        drop(alone);
        let guilty = answer.is_err();
        if fault.suspects.as_ref().is_some_and(|suspects| suspects.acquits_all(guilty)) {
            self.pool().notes.push(format!(
                "{}; asked one at a time, the subject answered them all",
                fault.message
            ));
        }
        answer.unwrap_or_else(Answer::Error)
    }

    /// Returns a process with room for a question, started where there may be one more.
    fn lease(&self) -> Result<Arc<Process>, String> {
        let most = self.jobs().div_ceil(self.hello.pipeline);
        let mut pool = self.pool();
        loop {
            if let Some(reason) = &pool.given_up {
                return Err(reason.clone());
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

    /// Gives a process back; a lost one leaves the pool, once. Returns what went wrong with it that nobody
    /// was told.
    fn release(&self, process: &Arc<Process>) -> Option<String> {
        let mut untold = None;
        let mut pool = self.pool();
        let found = pool.processes.iter().position(|(other, _)| Arc::ptr_eq(other, process));
        if let Some(index) = found {
            pool.processes[index].1 -= 1;
            if let Some(message) = process.fault() {
                pool.processes.swap_remove(index);
                drop(pool);
                untold = process.untold();
                self.count_lost(&message);
            }
        }
        self.freed.notify_all();
        untold
    }

    fn count_lost(&self, message: &str) {
        let mut pool = self.pool();
        pool.lost += 1;
        if pool.lost > self.settings.restarts && pool.given_up.is_none() {
            pool.given_up = Some(format!(
                "not asked: the subject was given up after {} restarts; the last fault: {message}",
                self.settings.restarts
            ));
            self.freed.notify_all();
        }
    }

    /// Starts a process in the place of a lost one, or one more.
    fn start_again(&self) -> Result<Process, String> {
        let limit = self.settings.timeout.max(self.settings.start_timeout);
        let mut last = String::new();
        for _ in 0..STARTS {
            if let Some(reason) = &self.pool().given_up {
                return Err(reason.clone());
            }
            match Process::start(&self.words, limit) {
                Ok((process, _)) => return Ok(process),
                Err(message) => last = message,
            }
        }
        let reason = format!("not asked: the subject could not be started again: {last}");
        self.pool().given_up.get_or_insert(reason.clone());
        self.freed.notify_all();
        Err(reason)
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

    fn answer(&self, question: &Question) -> Answer {
        let ask = question.ask.kind();
        let message = protocol::question(0, question);
        if !self.hello.answers(ask) {
            return Answer::unsupported(format!(
                "the subject's hello does not list {ask} questions"
            ));
        }
        let file = question.ask.robots_txt().map_or(0, <[u8]>::len);
        self.ask(Kind { kind: ask, longest: protocol::longest_answer(file) }, &message)
    }
}

/// What is to be answered.
#[derive(Clone, Copy)]
struct Kind {
    kind: QuestionKind,
    /// The octets an answer has at most.
    longest: usize,
}

/// Reads a reply; what is wrong with it is its question's error, and the process goes on: both sides still
/// agree on what is open.
fn read(ask: Kind, id: u64, reply: &Message) -> Answer {
    let read = if reply.length() > ask.longest {
        Err(format!(
            "an answer of {} octets; to this question it has {} at most: {}",
            reply.length(),
            ask.longest,
            reply.shown()
        ))
    } else {
        protocol::answer(ask.kind, reply)
    };
    read.unwrap_or_else(|problem| Answer::Error(format!("question {id}: {problem}")))
}
