//! The open questions of one process, and the meaning of each line that the process writes.
//!
//! Start at [`Exchange::take`], which handles a line: the hello, a request of a timeline, or an answer. This module
//! does no I/O; `child.rs` reads and writes the pipes. Callers wait at channels. A fault ends the exchange. Every
//! caller with an open question receives the fault. If no question was open, one later caller receives the fault. If
//! two or more questions were open, they are [`Suspects`] until each of them was asked while no other was open.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::engine::Reply;
use crate::kind::Answer;
use crate::kind::network::wire::REQUEST;
use crate::protocol::{self, Message, NotAMessage};

/// The longest hello, in octets.
const LONGEST_HELLO: usize = 64 * 1024;

/// The reason why a question has no answer.
#[derive(Clone, Debug)]
pub(super) struct Cause {
    /// A description for readers.
    pub(super) message: String,
    /// Whether the fault is only that the process was too slow.
    pub(super) is_late: bool,
    /// The question, if only one was open.
    pub(super) id: Option<u64>,
}

impl Cause {
    /// Makes a cause other than lateness. It names no question.
    pub(super) const fn error(message: String) -> Self {
        Self { message, is_late: false, id: None }
    }

    /// Returns the reply that reports the cause.
    pub(super) fn reply(self) -> Reply {
        let answer =
            if self.is_late { Answer::TimedOut(self.message) } else { Answer::Error(self.message) };
        Reply { answer, took: None, id: self.id }
    }
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.id {
            Some(id) => write!(f, "question {id}: {}", self.message),
            None => f.write_str(&self.message),
        }
    }
}

/// A fault, which ends the exchange: no later answer of the process counts.
#[derive(Clone, Debug)]
pub(super) struct Fault {
    pub(super) cause: Cause,
    /// The questions that may have caused the fault, if there are several. `None` if at most one question was open; if
    /// one was open, it caused the fault. [`unclear`] makes a fault with one suspect.
    pub(super) suspects: Option<Arc<Suspects>>,
}

/// The questions that were open together when a fault occurred. Each of these questions is asked again while no other
/// question is open.
#[derive(Debug)]
pub(super) struct Suspects {
    left: AtomicUsize,
    convicted: AtomicBool,
}

impl Suspects {
    fn new(count: usize) -> Arc<Self> {
        Arc::new(Self { left: AtomicUsize::new(count), convicted: AtomicBool::new(false) })
    }

    /// Records that a suspect was asked while no other question was open, and whether this suspect caused the fault.
    /// Returns true if it was the last suspect and no suspect caused the fault.
    pub(super) fn acquits_all(&self, guilty: bool) -> bool {
        if guilty {
            self.convicted.store(true, Ordering::SeqCst);
        }
        self.left.fetch_sub(1, Ordering::SeqCst) == 1 && !self.convicted.load(Ordering::SeqCst)
    }
}

/// A line of the process about an open question.
pub(super) enum Line {
    /// A request of a timeline, which comes before the reply.
    Request(Message),
    /// The reply, and the time that it took without waits for other questions.
    Reply(Message, Duration),
}

/// A line about a question, or the fault that ended the exchange.
pub(super) type Received = Result<Line, Fault>;

/// The hello, or the fault that ended the exchange.
pub(super) type Greeting = Result<Message, Fault>;

/// The open questions of one process.
pub(super) struct Exchange(Mutex<State>);

struct State {
    /// The sender that passes the hello on; `None` after the hello has arrived.
    greeted: Option<Sender<Greeting>>,
    /// The open questions by id.
    open: BTreeMap<u64, Open>,
    /// The id of the last question. Ids count from 1.
    last: u64,
    /// The time of the last correct line of the process, or the time at which a question was opened while no other was
    /// open.
    heard: Instant,
    /// Whether a fault occurred. Only the first thread that finds a fault reports it.
    is_condemned: bool,
    /// The fault.
    fault: Option<Cause>,
    /// Whether a waiting caller has received the fault.
    is_delivered: bool,
}

/// An open question.
struct Open {
    sender: Sender<Received>,
    since: Instant,
    /// Whether the process may send requests before its answer.
    takes_requests: bool,
}

impl Exchange {
    /// Opens an exchange. `greeted` passes the hello on.
    pub(super) fn new(greeted: Sender<Greeting>) -> Self {
        Self(Mutex::new(State {
            greeted: Some(greeted),
            open: BTreeMap::new(),
            last: 0,
            heard: Instant::now(),
            is_condemned: false,
            fault: None,
            is_delivered: false,
        }))
    }

    /// Opens a question, and returns its id. `sender` passes the reply on. If the question takes requests, `sender`
    /// also passes on the requests that come before the reply.
    ///
    /// If the exchange has ended, the error contains the fault, unless another caller received the fault.
    pub(super) fn open(
        &self,
        sender: Sender<Received>,
        takes_requests: bool,
    ) -> Result<u64, Option<Fault>> {
        let mut state = self.state();
        if let Some(cause) = state.fault.clone() {
            let is_delivered = std::mem::replace(&mut state.is_delivered, true);
            return Err((!is_delivered).then_some(Fault { cause, suspects: None }));
        }
        state.last += 1;
        let id = state.last;
        let now = Instant::now();
        if state.open.is_empty() {
            state.heard = now;
        }
        state.open.insert(id, Open { sender, since: now, takes_requests });
        Ok(id)
    }

    /// Returns the remaining time for a question, given the time at which it was sent. Zero means that no time remains.
    ///
    /// A process that answers other questions in the meantime is working, so the time counts from its last answer.
    pub(super) fn wait(&self, sent: Instant, timeout: Duration) -> Duration {
        let since = self.state().heard.max(sent);
        timeout.saturating_sub(since.elapsed())
    }

    /// Returns the fault, if a fault occurred.
    pub(super) fn fault(&self) -> Option<Cause> {
        self.state().fault.clone()
    }

    /// Returns the fault if it occurred while no caller was waiting. Only the first caller gets the fault.
    pub(super) fn undelivered(&self) -> Option<Cause> {
        let mut state = self.state();
        let cause = state.fault.clone().filter(|_| !state.is_delivered)?;
        state.is_delivered = true;
        Some(cause)
    }

    /// Handles a line of the process. The error describes the mistake in the line.
    pub(super) fn take(&self, line: &[u8]) -> Result<(), String> {
        let mut state = self.state();
        if state.greeted.is_some() {
            let message = hello(line)?;
            // An error means that the caller no longer waits. In that case, the process will be killed.
            let _ = state.greeted.take().map(|greeted| greeted.send(Ok(message)));
            return Ok(());
        }
        let message = Message::parse(line).map_err(|error| match error {
            NotAMessage::NoJson => format!(
                "a line that is not JSON: \"{}\"; standard output is for the protocol alone, anything else \
                 belongs on standard error",
                protocol::shown(line)
            ),
            NotAMessage::NoObject => {
                format!("a line of the wrong type: {} is not a JSON object", protocol::shown(line))
            }
        })?;
        let shown = || message.shown();
        if message.is_null("id") {
            return Err(format!("an answer without an id: {}", shown()));
        }
        let id: u64 = message.get("id").ok_or_else(|| {
            format!("an id of the wrong type: {}; write the number of the question", shown())
        })?;
        let now = Instant::now();
        if let Some(open) = state.open.get(&id).filter(|open| open.takes_requests)
            && !message.is_null(REQUEST)
        {
            let _ = open.sender.send(Ok(Line::Request(message)));
            state.heard = now;
            return Ok(());
        }
        if let Some(Open { sender, since, .. }) = state.open.remove(&id) {
            // Until the previous answer arrived, the process was busy with other questions.
            let took = now - since.max(state.heard);
            state.heard = now;
            let _ = sender.send(Ok(Line::Reply(message, took)));
            return Ok(());
        }
        Err(if (1..=state.last).contains(&id) {
            format!("a second answer to question {id}: {}", shown())
        } else {
            format!("an unknown id: no question {id} was ever asked: {}", shown())
        })
    }

    /// Records that a fault occurred. Returns true only for the first fault, because later ones are not reported.
    ///
    /// If a process is killed because of a fault, its end is not another fault.
    pub(super) fn condemn(&self) -> bool {
        !std::mem::replace(&mut self.state().is_condemned, true)
    }

    /// Ends the exchange: waiting callers receive the fault. `cause` makes the cause of the fault; the argument of
    /// `cause` is true if the hello has not arrived yet.
    pub(super) fn fail(&self, cause: impl FnOnce(bool) -> Cause) {
        let mut state = self.state();
        let greeted = state.greeted.take();
        let ids: Vec<u64> = state.open.keys().copied().collect();
        let mut cause = cause(greeted.is_some());
        match ids.as_slice() {
            [] => {}
            [id] => cause.id = Some(*id),
            ids => {
                let ids: Vec<String> = ids.iter().map(ToString::to_string).collect();
                cause.message =
                    format!("questions {} were open: {}", ids.join(", "), cause.message);
            }
        }
        state.fault = Some(cause.clone());
        state.is_delivered = !ids.is_empty();
        let suspects = (ids.len() > 1).then(|| Suspects::new(ids.len()));
        let fault = Fault { cause, suspects };
        for Open { sender, .. } in std::mem::take(&mut state.open).into_values() {
            let _ = sender.send(Err(fault.clone()));
        }
        let _ = greeted.map(|greeted| greeted.send(Err(fault)));
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Reads the first line of a process.
fn hello(line: &[u8]) -> Result<Message, String> {
    if line.len() > LONGEST_HELLO {
        return Err(format!(
            "its first line has {} octets; the maximum for a hello is {LONGEST_HELLO}: \"{}\"",
            line.len(),
            protocol::shown(line)
        ));
    }
    Message::parse(line).map_err(|error| match error {
        NotAMessage::NoJson => format!(
            "output on start-up: it printed \"{}\" before its hello; standard output is for the protocol \
             alone, anything else belongs on standard error",
            protocol::shown(line)
        ),
        NotAMessage::NoObject => {
            format!("its hello is wrong: it is not a JSON object; it says {}", protocol::shown(line))
        }
    })
}

/// Makes a fault with one suspect. The fault counts against this question only if the question also fails when it is
/// asked alone.
pub(super) fn unclear(cause: Cause) -> Fault {
    Fault { cause, suspects: Some(Suspects::new(1)) }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;
    use std::time::{Duration, Instant};

    use super::{Exchange, Line};

    #[test]
    fn the_times_of_open_questions_add_up_to_the_time_there_was() {
        let start = Instant::now();
        let (greeted, _hello) = mpsc::channel();
        let exchange = Exchange::new(greeted);
        exchange.take(b"{}").unwrap();
        let (sender, replies) = mpsc::channel();
        for _ in 0..50 {
            exchange.open(sender.clone(), false).unwrap();
        }
        for id in 1..=50 {
            exchange.take(format!("{{\"id\":{id}}}").as_bytes()).unwrap();
        }
        let took = |line| match line {
            Ok(Line::Reply(_, took)) => took,
            _ => panic!("not a reply"),
        };
        let took: Vec<Duration> = replies.try_iter().map(took).collect();
        assert_eq!(took.len(), 50);
        let took: Duration = took.iter().sum();
        assert!(took <= start.elapsed(), "{took:?} of {:?}", start.elapsed());
    }
}
