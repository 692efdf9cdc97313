//! One process that speaks the protocol.
//!
//! A thread reads what it answers, another writes what it is asked, a third drains its standard error;
//! none waits for another, so that no full pipe can stop both sides.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

use super::exchange::{Exchange, Fault, Reply};
use super::not_started;
use super::stderr::Tail;
use crate::clock;
use crate::protocol::{self, Hello};

/// The longest line a subject may write, in octets: any answer to a file of a few MiB fits.
const LONGEST: u64 = 64 * 1024 * 1024;

/// How long a process may take to end once its standard input or output closed.
const FAREWELL: Duration = Duration::from_secs(1);

/// A running process.
pub(super) struct Process {
    exchange: Arc<Exchange>,
    child: Arc<Running>,
    lines: Option<Sender<String>>,
}

impl Process {
    /// Starts a process and exchanges hellos.
    ///
    /// # Errors
    /// A sentence that says what came instead of a hello.
    pub(super) fn start(words: &[String], timeout: Duration) -> Result<(Self, Hello), String> {
        let (program, arguments) = words.split_first().ok_or("the command line is blank")?;
        let mut child = Command::new(program)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|error| not_started(program, &error))?;
        let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (Some(stdin), Some(stdout), Some(stderr)) = pipes else {
            return Err(format!("{program:?} has no pipes"));
        };
        let (greeted, greeting) = mpsc::channel();
        let exchange = Arc::new(Exchange::new(greeted));
        let child = Arc::new(Running { child: Mutex::new(child), stderr: Tail::drain(stderr) });
        let lines = write_lines(stdin);
        read_lines(stdout, Arc::clone(&exchange), Arc::clone(&child));
        let process = Self { exchange, child, lines: Some(lines) };
        process.send(protocol::line(&protocol::greeting()));
        let reply = match greeting.recv_timeout(timeout) {
            Ok(reply) => reply.map_err(|fault| fault.message),
            Err(RecvTimeoutError::Timeout) => {
                let message = format!(
                    "no hello within {} s; is its standard output flushed?",
                    timeout.as_secs_f64()
                );
                Err(process.child.last_words(message))
            }
            Err(RecvTimeoutError::Disconnected) => Err("it said nothing".to_owned()),
        };
        let hello = reply.and_then(|message| {
            Hello::read(&message).map_err(|problem| {
                let shown = protocol::cut(&protocol::line(&message));
                process.child.last_words(format!("its hello is wrong: {problem}; it says {shown}"))
            })
        });
        match hello {
            Ok(hello) => Ok((process, hello)),
            Err(message) => Err(format!("{program:?} does not work as a subject: {message}")),
        }
    }

    /// Asks a question and waits for its reply, which comes with the question's id, set here: 0 where a
    /// fault came before it. Nothing is returned where the process is lost and others know why.
    pub(super) fn ask(&self, mut message: Value, timeout: Duration) -> Option<(u64, Reply)> {
        let (sender, receiver) = mpsc::channel();
        let id = match self.exchange.open(sender) {
            Ok(id) => id,
            Err(fault) => return fault.map(|fault| (0, Err(fault))),
        };
        message["id"] = id.into();
        self.send(protocol::line(&message));
        let sent = Instant::now();
        let mut patience = timeout;
        loop {
            match receiver.recv_timeout(patience) {
                Ok(reply) => {
                    if let Some(own) = self.exchange.own_time(id) {
                        clock::note(own);
                    }
                    return Some((id, reply));
                }
                Err(RecvTimeoutError::Disconnected) => {
                    let message = "the question was lost".to_owned();
                    return Some((id, Err(Fault { message, suspects: None })));
                }
                Err(RecvTimeoutError::Timeout) => {
                    patience = self.exchange.patience(sent, timeout);
                    if patience.is_zero() {
                        self.give_up(timeout);
                        // The fault is on its way, whoever saw it first.
                        patience = FAREWELL;
                    }
                }
            }
        }
    }

    fn give_up(&self, timeout: Duration) {
        if self.exchange.condemn() {
            let message = format!(
                "no answer within {} s, and the subject was killed; is its standard output flushed after \
                 each answer?",
                timeout.as_secs_f64()
            );
            let message = self.child.last_words(message);
            self.exchange.fail(|_| message);
        }
    }

    /// Returns what went wrong where the process answers no more.
    pub(super) fn fault(&self) -> Option<String> {
        self.exchange.fault()
    }

    /// Returns what went wrong while no question was open, to the first who asks.
    pub(super) fn untold(&self) -> Option<String> {
        self.exchange.untold()
    }

    fn send(&self, line: String) {
        // Where the writer is gone the pipe is broken, and the reader says why.
        let _ = self.lines.as_ref().map(|lines| lines.send(line));
    }
}

impl Drop for Process {
    /// Closes the standard input, which asks a subject to end, and kills it where it does not.
    fn drop(&mut self) {
        self.lines = None;
        if self.fault().is_some() || self.child.ended_within(FAREWELL).is_none() {
            self.child.kill();
        }
    }
}

/// A child and its standard error.
struct Running {
    child: Mutex<Child>,
    stderr: Tail,
}

impl Running {
    fn kill(&self) {
        let mut child = self.child();
        // It may have ended by itself.
        let _ = child.kill();
        let _ = child.wait();
    }

    /// Kills the child, and adds the end of its standard error to a message.
    fn last_words(&self, message: String) -> String {
        self.kill();
        message + &self.stderr.text()
    }

    fn ended_within(&self, limit: Duration) -> Option<ExitStatus> {
        let start = Instant::now();
        let mut pause = Duration::from_millis(1);
        loop {
            if let Ok(Some(status)) = self.child().try_wait() {
                return Some(status);
            }
            if start.elapsed() >= limit {
                return None;
            }
            thread::sleep(pause);
            pause = (pause * 2).min(Duration::from_millis(20));
        }
    }

    fn child(&self) -> MutexGuard<'_, Child> {
        self.child.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Writes lines on a thread of its own, until the sender goes; then the pipe closes.
fn write_lines(mut stdin: ChildStdin) -> Sender<String> {
    let (sender, lines) = mpsc::channel::<String>();
    thread::spawn(move || {
        for mut line in lines {
            line.push('\n');
            if stdin.write_all(line.as_bytes()).and_then(|()| stdin.flush()).is_err() {
                break;
            }
        }
    });
    sender
}

/// Reads answers on a thread of its own, until the pipe closes or a line is wrong.
fn read_lines(stdout: ChildStdout, exchange: Arc<Exchange>, child: Arc<Running>) {
    thread::spawn(move || {
        let mut stdout = BufReader::with_capacity(64 * 1024, stdout);
        let mut line = Vec::new();
        let problem = loop {
            match read_line(&mut stdout, &mut line) {
                Ok(true) => match exchange.take(&line) {
                    Ok(()) => {}
                    Err(message) => break Some(message),
                },
                Ok(false) => break None,
                Err(error) => break Some(format!("its standard output broke: {error}")),
            }
        };
        if !exchange.condemn() {
            return;
        }
        if let Some(message) = problem {
            let message = child.last_words(message);
            exchange.fail(|_| message);
            return;
        }
        let end = match child.ended_within(FAREWELL) {
            Some(status) => format!("the subject ended ({status})"),
            None => "the subject closed its standard output".to_owned(),
        };
        let text = child.last_words(String::new());
        exchange.fail(|is_start| {
            format!("{end}{}{text}", if is_start { " at once, without a hello" } else { HINT })
        });
    });
}

const HINT: &str = " instead of answering; a subject answers until its standard input ends";

/// Reads a line without its end; false where there is none any more.
fn read_line(reader: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<bool> {
    line.clear();
    let length = reader.by_ref().take(LONGEST).read_until(b'\n', line)?;
    if line.last() == Some(&b'\n') {
        line.pop();
    } else if length as u64 == LONGEST {
        return Err(io::Error::other(format!("a line of more than {LONGEST} octets")));
    }
    Ok(length > 0)
}
