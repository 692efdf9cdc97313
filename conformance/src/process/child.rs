//! One process that speaks the protocol.
//!
//! A thread reads what it answers, another writes what it is asked, a third drains its standard error;
//! none waits for another, so that no full pipe can stop both sides.

use std::io::{self, BufReader, Write as _};
use std::process::{ChildStdin, ChildStdout, Command, Stdio};
use std::sync::Arc;
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, Instant};

use super::exchange::{Exchange, Fault, Reply};
use super::group::{self, Group};
use super::not_started;
use super::pipe::{self, Holder};
use super::stderr::Tail;
use crate::lines::{Read, read_within};
use crate::protocol::{self, Hello, QuestionMessage};
use crate::run::clock;
use crate::run::outcome::Outcome;

/// The longest line a subject may write, in octets: any answer to a file of a few MiB fits.
const LONGEST: usize = 16 * 1024 * 1024;

/// How long a process may take to end once its standard input or output closed.
const FAREWELL: Duration = Duration::from_secs(1);

/// A running process.
pub(super) struct Process {
    exchange: Arc<Exchange>,
    child: Arc<Running>,
    lines: Option<Sender<String>>,
    /// The threads at its pipes end with them, whoever else holds the pipes.
    _holders: [Holder; 2],
}

impl Process {
    /// Starts a process and exchanges hellos.
    ///
    /// # Errors
    /// A sentence that says what came instead of a hello.
    pub(super) fn start(words: &[String], timeout: Duration) -> Result<(Self, Hello), String> {
        let (program, arguments) = words.split_first().ok_or("the command line is blank")?;
        let mut command = Command::new(program);
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let (child, pipes) = group::start(command).map_err(|error| not_started(program, &error))?;
        let (Some(stdin), Some(stdout), Some(stderr)) = (pipes.stdin, pipes.stdout, pipes.stderr)
        else {
            return Err(format!("{program:?} has no pipes"));
        };
        let (greeted, greeting) = mpsc::channel();
        let exchange = Arc::new(Exchange::new(greeted));
        let child = Arc::new(Running { child, stderr: Tail::drain(stderr) });
        let no_pipes = |error: io::Error| format!("{program:?} has no pipes: {error}");
        let (lines, stdin) = write_lines(stdin).map_err(no_pipes)?;
        let stdout =
            read_lines(stdout, Arc::clone(&exchange), Arc::clone(&child)).map_err(no_pipes)?;
        let process = Self { exchange, child, lines: Some(lines), _holders: [stdin, stdout] };
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
                let shown = message.shown();
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
    pub(super) fn ask(
        &self,
        mut message: QuestionMessage<'_>,
        timeout: Duration,
    ) -> Option<(u64, Reply)> {
        let (sender, receiver) = mpsc::channel();
        let id = match self.exchange.open(sender) {
            Ok(id) => id,
            Err(fault) => return fault.map(|fault| (0, Err(fault))),
        };
        message.id = id;
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
                "{} {} s, and the subject was killed; is its standard output flushed after each answer?",
                Outcome::LATE,
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
    /// Closes the standard input, which asks a subject to end, and kills what does not.
    fn drop(&mut self) {
        self.lines = None;
        if self.fault().is_none() {
            let _ = self.child.child.ended_within(FAREWELL);
        }
        self.child.child.kill();
    }
}

/// A child and its standard error.
struct Running {
    child: Arc<Group>,
    stderr: Tail,
}

impl Running {
    /// Kills the child, and adds the end of its standard error to a message.
    fn last_words(&self, message: String) -> String {
        self.child.kill();
        message + &self.stderr.text()
    }
}

/// Writes lines on a thread of its own, until the sender goes; then the pipe closes.
fn write_lines(stdin: ChildStdin) -> io::Result<(Sender<String>, Holder)> {
    let (mut stdin, holder) = pipe::writer(stdin)?;
    let (sender, lines) = mpsc::channel::<String>();
    thread::spawn(move || {
        for mut line in lines {
            line.push('\n');
            if stdin.write_all(line.as_bytes()).and_then(|()| stdin.flush()).is_err() {
                break;
            }
        }
    });
    Ok((sender, holder))
}

/// Reads answers on a thread of its own, until the pipe closes or a line is wrong.
fn read_lines(
    stdout: ChildStdout,
    exchange: Arc<Exchange>,
    child: Arc<Running>,
) -> io::Result<Holder> {
    let (stdout, holder) = pipe::reader(stdout)?;
    thread::spawn(move || {
        let mut stdout = BufReader::with_capacity(64 * 1024, stdout);
        let mut line = Vec::new();
        let problem = loop {
            match read_within(&mut stdout, &mut line, LONGEST) {
                Ok(Read::Line) => match exchange.take(&line) {
                    Ok(()) => {}
                    Err(message) => break Some(message),
                },
                Ok(Read::TooLong) => {
                    break Some(format!("it wrote a line of more than {LONGEST} octets"));
                }
                Ok(Read::End) => break None,
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
        let end = match child.child.ended_within(FAREWELL) {
            Some(status) => format!("the subject ended ({status})"),
            None => "the subject closed its standard output".to_owned(),
        };
        let text = child.last_words(String::new());
        exchange.fail(|is_start| {
            format!("{end}{}{text}", if is_start { " at once, without a hello" } else { HINT })
        });
    });
    Ok(holder)
}

const HINT: &str = " instead of answering; a subject answers until its standard input ends";
