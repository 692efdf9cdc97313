//! One process that speaks the protocol.
//!
//! Three threads serve the pipes of the process: one reads answers, one writes questions, and one drains standard
//! error. No thread waits for another, so a full pipe cannot block both sides.

use std::io::{self, BufReader, Write as _};
use std::process::{ChildStdin, ChildStdout, Command, Stdio};
use std::sync::Arc;
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, Instant};

use super::exchange::{Cause, Exchange, Fault, Line};
use super::group::ProcessGroup;
use super::pipe::{self, Holder};
use super::stderr::Tail;
use super::timeline::Timeline;
use super::{BLANK, not_started};
use crate::engine::Question;
use crate::protocol::{self, Hello, Message};
use robots_console::error::Error;
use robots_console::lines::{Read, read_within};

/// A reply and the time that it took, or the fault that ended the exchange.
pub(super) type Replied = Result<(Message, Duration), Fault>;

/// The maximum length of a line from a subject, in octets. Every permitted answer about a file of 500 KiB fits: the
/// limit of an answer is 16 KiB plus 16 octets for each octet of the file.
const LONGEST: usize = 16 * 1024 * 1024;

/// The time that a process has to end after its standard input or output was closed. If a process was too slow, the
/// caller waits this long for the fault to arrive.
const FAREWELL: Duration = Duration::from_secs(1);

/// A running process.
pub(super) struct Process {
    exchange: Arc<Exchange>,
    child: Arc<Running>,
    lines: Option<Sender<String>>,
    /// If these values are dropped, the threads that use the pipes end, even if another process has the pipes open.
    _holders: [Holder; 2],
}

impl Process {
    /// Starts a process and exchanges hellos.
    ///
    /// # Errors
    /// Returns an error if the process does not start. If the process did not send a correct hello, the error describes the fault, and shows
    /// the last lines of standard error if there are any.
    pub(super) fn start(words: &[String], timeout: Duration) -> Result<(Self, Hello), Error> {
        let (program, arguments) = words.split_first().ok_or(BLANK)?;
        let not_started = |error: io::Error| not_started(program, &error);
        let no_pipes = |error: io::Error| {
            not_started(io::Error::other(format!("the pipes cannot be made: {error}")))
        };
        let mut command = Command::new(program);
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let (child, pipes) = ProcessGroup::start_piped(command).map_err(not_started)?;
        let (Some(stdin), Some(stdout), Some(stderr)) = (pipes.stdin, pipes.stdout, pipes.stderr)
        else {
            return Err(not_started(io::Error::other("it has no pipes")));
        };
        let (greeted, greeting) = mpsc::channel();
        let exchange = Arc::new(Exchange::new(greeted));
        let child = Arc::new(Running { child, stderr: Tail::drain(stderr) });
        let (lines, stdin) = write_lines(stdin).map_err(no_pipes)?;
        let stdout =
            read_lines(stdout, Arc::clone(&exchange), Arc::clone(&child)).map_err(no_pipes)?;
        let process = Self { exchange, child, lines: Some(lines), _holders: [stdin, stdout] };
        process.send(protocol::line(&protocol::greeting()));
        let reply = match greeting.recv_timeout(timeout) {
            Ok(reply) => reply.map_err(|fault| fault.cause.message),
            Err(RecvTimeoutError::Timeout) => {
                let message = format!(
                    "no hello within {} s; is its standard output flushed?",
                    timeout.as_secs_f64()
                );
                Err(process.child.last_words(message))
            }
            Err(RecvTimeoutError::Disconnected) => Err("it wrote nothing".to_owned()),
        };
        let hello = reply.and_then(|message| {
            Hello::read(&message).map_err(|problem| {
                let shown = message.shown();
                process.child.last_words(format!("its hello is wrong: {problem}; it wrote {shown}"))
            })
        });
        match hello {
            Ok(hello) => Ok((process, hello)),
            Err(problem) => {
                Err(format!("{program:?} does not work as a subject: {problem}").into())
            }
        }
    }

    /// Asks a question and waits for its reply. `timeline` answers the requests that come before the reply. The result
    /// contains the id of the question, or 0 if the process had a fault before the question was sent. The result is
    /// `None` if the process has ended and another question received the fault. A reply has the time that it took.
    pub(super) fn ask(
        &self,
        question: &Question,
        timeline: Option<&Timeline<'_>>,
        timeout: Duration,
    ) -> Option<(u64, Replied)> {
        let (sender, receiver) = mpsc::channel();
        let id = match self.exchange.open(sender, timeline.is_some()) {
            Ok(id) => id,
            Err(fault) => return fault.map(|fault| (0, Err(fault))),
        };
        if let Some(timeline) = timeline {
            timeline.begin();
        }
        self.send(protocol::line(&protocol::question(id, question)));
        let mut sent = Instant::now();
        let mut wait = timeout;
        loop {
            match receiver.recv_timeout(wait) {
                Ok(Ok(Line::Request(request))) => {
                    match timeline.map(|timeline| timeline.reply(id, &request)) {
                        Some(Err(problem)) => self.refuse(&problem),
                        Some(Ok(line)) => self.send(line),
                        None => {}
                    }
                    (sent, wait) = (Instant::now(), timeout);
                }
                Ok(Ok(Line::Reply(reply, took))) => return Some((id, Ok((reply, took)))),
                Ok(Err(fault)) => return Some((id, Err(fault))),
                Err(RecvTimeoutError::Disconnected) => {
                    let cause = Cause::error("the question was lost".to_owned());
                    return Some((id, Err(Fault { cause, suspects: None })));
                }
                Err(RecvTimeoutError::Timeout) => {
                    wait = self.exchange.wait(sent, timeout);
                    if wait.is_zero() {
                        self.give_up(timeout);
                        // The fault arrives soon, from `give_up` or from a thread that found another fault first.
                        wait = FAREWELL;
                    }
                }
            }
        }
    }

    /// Ends the process because of a wrong request of a timeline. `problem` describes the mistake.
    fn refuse(&self, problem: &str) {
        if self.exchange.condemn() {
            let message = self.child.last_words(problem.to_owned());
            self.exchange.fail(|_| Cause::error(message));
        }
    }

    fn give_up(&self, timeout: Duration) {
        if self.exchange.condemn() {
            let message = format!(
                "no answer within {} s, and the subject was killed; is its standard output flushed after each \
                 answer?",
                timeout.as_secs_f64()
            );
            let message = self.child.last_words(message);
            self.exchange.fail(|_| Cause { is_late: true, ..Cause::error(message) });
        }
    }

    /// Returns the fault if the process no longer answers.
    pub(super) fn fault(&self) -> Option<Cause> {
        self.exchange.fault()
    }

    /// Returns the fault if it occurred while no question was open. Only the first caller gets the fault.
    pub(super) fn undelivered(&self) -> Option<Cause> {
        self.exchange.undelivered()
    }

    fn send(&self, line: String) {
        // If the writer has ended, the pipe is broken, and the reader reports the reason.
        let _ = self.lines.as_ref().map(|lines| lines.send(line));
    }
}

impl Drop for Process {
    /// Closes the standard input, so that the subject ends, and kills the process if it does not end.
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
    child: Arc<ProcessGroup>,
    stderr: Tail,
}

impl Running {
    /// Kills the child, and adds the last lines of its standard error to a message.
    fn last_words(&self, message: String) -> String {
        self.child.kill();
        message + &self.stderr.text()
    }
}

/// Writes lines on a separate thread until the sender is dropped; then the thread closes the pipe.
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

/// Reads answers on a separate thread until the pipe closes or a line is wrong.
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
            exchange.fail(|_| Cause::error(message));
            return;
        }
        let end = match child.child.ended_within(FAREWELL) {
            Some(status) => format!("the subject ended ({status})"),
            None => "the subject closed its standard output".to_owned(),
        };
        let text = child.last_words(String::new());
        exchange.fail(|is_start| {
            let hint = if is_start { " at once, without a hello" } else { HINT };
            Cause::error(format!("{end}{hint}{text}"))
        });
    });
    Ok(holder)
}

const HINT: &str = " instead of answering; a subject answers until its standard input ends";
