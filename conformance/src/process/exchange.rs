//! What is open between the runner and one process, and what each line of the process means.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::protocol::{self, Message, NotAMessage};

/// The longest hello, in octets.
const LONGEST_HELLO: usize = 64 * 1024;

/// What ended an exchange: no further answer comes from the process.
#[derive(Clone, Debug)]
pub(super) struct Fault {
    /// What happened, for a reader.
    pub(super) message: String,
    /// The questions that were open together; `None` where one was, which is to blame.
    pub(super) suspects: Option<Arc<Suspects>>,
}

/// Questions that were open together when a process went wrong, until each was asked alone.
#[derive(Debug)]
pub(super) struct Suspects {
    left: AtomicUsize,
    convicted: AtomicBool,
}

impl Suspects {
    fn new(count: usize) -> Arc<Self> {
        Arc::new(Self { left: AtomicUsize::new(count), convicted: AtomicBool::new(false) })
    }

    /// Notes that one was asked alone; returns whether it was the last and none was to blame.
    pub(super) fn acquits_all(&self, guilty: bool) -> bool {
        if guilty {
            self.convicted.store(true, Ordering::SeqCst);
        }
        self.left.fetch_sub(1, Ordering::SeqCst) == 1 && !self.convicted.load(Ordering::SeqCst)
    }
}

/// The reply to a question, or what came instead.
pub(super) type Reply = Result<Message, Fault>;

/// The hello, or what came instead.
pub(super) type Greeting = Result<Message, Fault>;

/// The open questions of one process.
pub(super) struct Exchange(Mutex<State>);

struct State {
    /// Who waits for the hello, until it comes.
    greeted: Option<Sender<Greeting>>,
    /// Who waits for which answer.
    open: BTreeMap<u64, (Sender<Reply>, Instant)>,
    /// How long those took that were answered and not yet looked at, without a wait for others.
    own: BTreeMap<u64, Duration>,
    /// The id of the last question; they count from 1.
    last: u64,
    /// When the process last said something right.
    heard: Instant,
    /// Whether something went wrong; who saw it first says what.
    is_condemned: bool,
    /// What went wrong.
    fault: Option<String>,
    /// Whether somebody waited, and knows.
    is_told: bool,
}

impl Exchange {
    /// Opens an exchange; the sender gets the hello.
    pub(super) fn new(greeted: Sender<Greeting>) -> Self {
        Self(Mutex::new(State {
            greeted: Some(greeted),
            open: BTreeMap::new(),
            own: BTreeMap::new(),
            last: 0,
            heard: Instant::now(),
            is_condemned: false,
            fault: None,
            is_told: false,
        }))
    }

    /// Opens a question, whose reply the sender gets; returns its id.
    ///
    /// Where the exchange is over, the error is the fault if nobody waited for anything when it came.
    pub(super) fn open(&self, sender: Sender<Reply>) -> Result<u64, Option<Fault>> {
        let mut state = self.state();
        if let Some(message) = state.fault.clone() {
            let is_told = std::mem::replace(&mut state.is_told, true);
            return Err((!is_told).then_some(Fault { message, suspects: None }));
        }
        state.last += 1;
        let id = state.last;
        let now = Instant::now();
        if state.open.is_empty() {
            state.heard = now;
        }
        state.open.insert(id, (sender, now));
        Ok(id)
    }

    /// Returns how long a question that was sent then may still wait; zero where it waited too long.
    ///
    /// A process that answers other questions meanwhile is at work.
    pub(super) fn patience(&self, sent: Instant, timeout: Duration) -> Duration {
        let since = self.state().heard.max(sent);
        timeout.saturating_sub(since.elapsed())
    }

    /// Returns how long an answered question took, without a wait for others; to the first who asks.
    pub(super) fn own_time(&self, id: u64) -> Option<Duration> {
        self.state().own.remove(&id)
    }

    /// Returns what went wrong, if anything did.
    pub(super) fn fault(&self) -> Option<String> {
        self.state().fault.clone()
    }

    /// Returns what went wrong while nobody waited for anything, to the first who asks.
    pub(super) fn untold(&self) -> Option<String> {
        let mut state = self.state();
        let message = state.fault.clone().filter(|_| !state.is_told)?;
        state.is_told = true;
        Some(message)
    }

    /// Takes a line of the process; the error says what is wrong with it.
    pub(super) fn take(&self, line: &[u8]) -> Result<(), String> {
        let mut state = self.state();
        if state.greeted.is_some() {
            let message = hello(line)?;
            // Where nobody waits any more, the process is about to be killed.
            let _ = state.greeted.take().map(|greeted| greeted.send(Ok(message)));
            return Ok(());
        }
        let message = Message::read(line).map_err(|error| match error {
            NotAMessage::NoJson => format!(
                "a line that is no JSON: \"{}\"; standard output is for the protocol alone, anything else \
                 belongs on standard error",
                protocol::shown(line)
            ),
            NotAMessage::NoObject => {
                format!("a line of the wrong type: {} is no JSON object", protocol::shown(line))
            }
        })?;
        let shown = || message.shown();
        if message.is_null("id") {
            return Err(format!("an answer without an id: {}", shown()));
        }
        let id: u64 = message.get("id").ok_or_else(|| {
            format!("an id of the wrong type: {}; it is the question's number", shown())
        })?;
        if let Some((sender, opened)) = state.open.remove(&id) {
            let now = Instant::now();
            // While other answers came the process was busy with those.
            let own = now - opened.max(state.heard);
            state.heard = now;
            state.own.insert(id, own);
            let _ = sender.send(Ok(message));
            return Ok(());
        }
        Err(if (1..=state.last).contains(&id) {
            format!(
                "an answer to a question not asked: question {id} has its answer already: {}",
                shown()
            )
        } else {
            format!("an unknown id: no question {id} was ever asked: {}", shown())
        })
    }

    /// Notes that something went wrong; returns whether it is the first, whose message counts.
    ///
    /// Killing a process makes it end, which is not what went wrong.
    pub(super) fn condemn(&self) -> bool {
        !std::mem::replace(&mut self.state().is_condemned, true)
    }

    /// Ends the exchange: those who wait get the fault. The message depends on whether the hello was
    /// still to come.
    pub(super) fn fail(&self, message: impl FnOnce(bool) -> String) {
        let mut state = self.state();
        let greeted = state.greeted.take();
        let ids: Vec<String> = state.open.keys().map(ToString::to_string).collect();
        let message = message(greeted.is_some());
        let message = match ids.as_slice() {
            [] => message,
            [id] => format!("question {id}: {message}"),
            _ => format!("questions {} were open: {message}", ids.join(", ")),
        };
        state.fault = Some(message.clone());
        state.is_told = !ids.is_empty();
        let suspects = (ids.len() > 1).then(|| Suspects::new(ids.len()));
        let fault = Fault { message, suspects };
        for (sender, _) in std::mem::take(&mut state.open).into_values() {
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
            "its first line has {} octets, more than the {LONGEST_HELLO} of any hello: \"{}\"",
            line.len(),
            protocol::shown(line)
        ));
    }
    Message::read(line).map_err(|error| match error {
        NotAMessage::NoJson => format!(
            "output on start-up: it printed \"{}\" before its hello; standard output is for the protocol \
             alone, anything else belongs on standard error",
            protocol::shown(line)
        ),
        NotAMessage::NoObject => {
            format!("its hello is wrong: it is no JSON object; it says {}", protocol::shown(line))
        }
    })
}

/// Makes a fault that is nobody's until the question was asked alone.
pub(super) fn unclear(message: String) -> Fault {
    Fault { message, suspects: Some(Suspects::new(1)) }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;
    use std::time::{Duration, Instant};

    use super::Exchange;

    #[test]
    fn the_own_times_of_open_questions_add_up_to_the_time_there_was() {
        let start = Instant::now();
        let (greeted, _hello) = mpsc::channel();
        let exchange = Exchange::new(greeted);
        exchange.take(b"{}").unwrap();
        let (sender, _replies) = mpsc::channel();
        for _ in 0..50 {
            exchange.open(sender.clone()).unwrap();
        }
        for id in 1..=50 {
            exchange.take(format!("{{\"id\":{id}}}").as_bytes()).unwrap();
        }
        let own: Duration = (1..=50).map(|id| exchange.own_time(id).unwrap()).sum();
        assert!(own <= start.elapsed(), "{own:?} of {:?}", start.elapsed());
        assert_eq!(exchange.own_time(1), None);
    }
}
