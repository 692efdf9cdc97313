//! A command-line tool as an engine. The engine starts the tool for each question; the arguments contain the path of
//! the file, the agent and the URL.
//!
//! Start at [`CommandEngine::start`]. A [`Decision`] finds the verdict in the exit status or in the output. If the
//! result matches neither verdict or both, the answer is an error. The tool and the processes that it starts are one
//! group, which is killed after each question. Only verdict questions with one product token are supported.

use std::io::{self, Read as _, Write as _};
use std::path::Path;
use std::process::{ChildStdout, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::Duration;

use crate::engine::Profile;
use crate::engine::{Engine, Question};
use crate::kind::{Answer, Ask, VerdictQuestion};
use regex_lite::Regex;
use robots_core::Edition;
use tempfile::NamedTempFile;

use super::group::{Pipes, ProcessGroup};
use super::not_started;
use super::pipe::{self, Holder};
use super::stderr::Tail;
use super::template::Template;
use crate::protocol;
use robots_console::error::Error;
use robots_console::render;

/// How a tool reports its verdict.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Decision {
    /// The exit status shows the verdict.
    Exit {
        /// The status that means that the URL may be fetched.
        allow: i32,
        /// The status that means that the URL may not be fetched.
        disallow: i32,
    },
    /// The standard output shows the verdict.
    Match {
        /// The pattern of an output that means that the URL may be fetched.
        allow: Regex,
        /// The pattern of an output that means that the URL may not be fetched.
        disallow: Regex,
    },
}

impl Default for Decision {
    fn default() -> Self {
        Self::Exit { allow: 0, disallow: 1 }
    }
}

/// A command-line tool as an engine. The tool is started for each verdict question.
///
/// In its [`Template`], `{robots}` is the path of a temporary file with the octets of the robots.txt, `{agent}` the
/// product token, `{url}` the URL, and `{edition}` the edition's id.
pub struct CommandEngine {
    name: String,
    template: Template,
    decision: Decision,
    timeout: Duration,
}

const PLACEHOLDERS: [&str; 4] = ["{agent}", "{robots}", "{url}", "{edition}"];

impl CommandEngine {
    /// Makes an engine from a template, and starts the tool once to check that it starts.
    ///
    /// # Errors
    /// Returns an error if the template lacks a placeholder or has an unknown one, or if the program does not
    /// start.
    ///
    /// ```
    /// use robots_conformance::process::{CommandEngine, Decision};
    /// let second = std::time::Duration::from_secs(1);
    /// let wrong = CommandEngine::start("tool --ua {agent} {url}", Decision::default(), second);
    /// assert_eq!(
    ///     wrong.err().unwrap().to_string(),
    ///     "the template \"tool --ua {agent} {url}\" does not use {robots}: the path of the robots.txt",
    /// );
    /// ```
    pub fn start(template: &str, decision: Decision, timeout: Duration) -> Result<Self, Error> {
        let template = Template::new(template, &PLACEHOLDERS)?;
        template.needs("{robots}", "the path of the robots.txt")?;
        template.needs("{url}", "the URL to be fetched")?;
        template.needs("{agent}", "the crawler's product token")?;
        let stem = Path::new(&template.words()[0]).file_stem().unwrap_or_default();
        let name = stem.to_string_lossy().into_owned();
        let engine = Self { name, template, decision, timeout };
        let file = temporary(b"")?;
        match engine.spawn(
            file.path(),
            "examplebot",
            "https://example.com/",
            Profile::from(Edition::Rfc9309),
        ) {
            Ok((child, _)) => {
                child.kill();
                Ok(engine)
            }
            Err(error) => Err(not_started(engine.program(), &error)),
        }
    }

    fn program(&self) -> &str {
        &self.template.words()[0]
    }

    fn spawn(
        &self,
        file: &Path,
        agent: &str,
        url: &str,
        profile: Profile,
    ) -> io::Result<(Arc<ProcessGroup>, Pipes)> {
        let file = file.to_str().ok_or_else(|| {
            io::Error::other("the folder for temporary files is not UTF-8; set TMPDIR")
        })?;
        let values =
            [("{agent}", agent), ("{robots}", file), ("{url}", url), ("{edition}", profile.id())];
        let words = self.template.filled(&values);
        let mut command = Command::new(&words[0]);
        // If the exit status decides, the output is not needed. So there is no pipe, and no thread waits for another
        // process that keeps the output open.
        let stdout = match self.decision {
            Decision::Exit { .. } => Stdio::null(),
            Decision::Match { .. } => Stdio::piped(),
        };
        command.args(&words[1..]).stdin(Stdio::null()).stdout(stdout).stderr(Stdio::piped());
        ProcessGroup::start_piped(command)
    }

    fn verdict(&self, robots_txt: &[u8], agent: &str, url: &str, profile: Profile) -> Answer {
        let file = match temporary(robots_txt) {
            Ok(file) => file,
            Err(error) => return Answer::Error(error.to_string()),
        };
        let (child, pipes) = match self.spawn(file.path(), agent, url, profile) {
            Ok(started) => started,
            // If the system refuses an argument, this is a limit of the system, not a fault of the tool.
            Err(error) => {
                return match error.kind() {
                    io::ErrorKind::ArgumentListTooLong => {
                        Answer::unsupported("an argument of a command cannot be so long")
                    }
                    io::ErrorKind::InvalidInput => {
                        Answer::unsupported("an argument of a command cannot contain the octet 0")
                    }
                    _ => Answer::Error(not_started(self.program(), &error).into()),
                };
            }
        };
        let Some(stderr) = pipes.stderr.map(Tail::drain) else {
            return Answer::Error("the tool has no pipes".to_owned());
        };
        let stdout = pipes.stdout.map(collect).transpose();
        let Some(status) = child.ended_within(self.timeout) else {
            child.kill();
            let seconds = self.timeout.as_secs_f64();
            let message = format!("no end within {seconds} s, and the tool was killed");
            return Answer::TimedOut(message + &stderr.text());
        };
        let stdout = match stdout {
            Ok(None) => Vec::new(),
            Ok(Some((output, _holder))) => {
                if let Ok(output) = output.recv_timeout(self.timeout) {
                    output
                } else {
                    child.kill();
                    return Answer::Error(
                        "the tool ended, but a process that it started still has its standard output open"
                            .to_owned(),
                    );
                }
            }
            Err(error) => return Answer::Error(format!("the tool has no pipes: {error}")),
        };
        // Kill the processes that the tool started and that still run.
        child.kill();
        match self.decide(status, &stdout) {
            Ok(allowed) => Answer::verdict(allowed),
            Err(message) => Answer::Error(message + &stderr.text()),
        }
    }

    fn decide(&self, status: ExitStatus, stdout: &[u8]) -> Result<bool, String> {
        match &self.decision {
            Decision::Exit { allow, disallow } => match status.code() {
                Some(code) if code == *allow => Ok(true),
                Some(code) if code == *disallow => Ok(false),
                _ => Err(format!(
                    "the tool ended with {status}; {allow} allows and {disallow} disallows"
                )),
            },
            Decision::Match { allow, disallow } => {
                let text = String::from_utf8_lossy(stdout);
                match (allow.is_match(&text), disallow.is_match(&text)) {
                    (true, false) => Ok(true),
                    (false, true) => Ok(false),
                    (both, _) => Err(format!(
                        "the tool's output matches {} of `{allow}` and `{disallow}`: \"{}\" ({status})",
                        if both { "both" } else { "neither" },
                        protocol::cut(&render::text(&text)),
                    )),
                }
            }
        }
    }
}

impl Engine for CommandEngine {
    fn name(&self) -> &str {
        &self.name
    }

    fn profiles(&self) -> &[Profile] {
        &[Profile::Edition(Edition::Rfc9309)]
    }

    fn answer(&self, question: &Question) -> Answer {
        let Ask::Verdict(VerdictQuestion { robots_txt, agents, url }) = &question.ask else {
            return Answer::unsupported("a command answers only verdict questions");
        };
        match agents.texts() {
            [token] => self.verdict(robots_txt, token, url, question.profile),
            _ => Answer::unsupported("a command accepts only one product token"),
        }
    }
}

fn temporary(octets: &[u8]) -> Result<NamedTempFile, Error> {
    let mut builder = tempfile::Builder::new();
    let file = builder.prefix("robots-").suffix(".txt").tempfile();
    let file = file.and_then(|mut file| file.write_all(octets).map(|()| file));
    file.map_err(|error| Error::new(format!("cannot write a temporary file: {error}; set TMPDIR")))
}

/// Reads a pipe on a separate thread, until the pipe ends or the holder is dropped.
fn collect(pipe: ChildStdout) -> io::Result<(Receiver<Vec<u8>>, Holder)> {
    /// The maximum number of octets of the output that are compared with the patterns. The rest of a longer output is
    /// ignored.
    const MOST: u64 = 1024 * 1024;
    let (mut pipe, holder) = pipe::reader(pipe)?;
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        let mut out = Vec::new();
        let _ = pipe.by_ref().take(MOST).read_to_end(&mut out);
        let _ = io::copy(&mut pipe, &mut io::sink());
        let _ = sender.send(out);
    });
    Ok((receiver, holder))
}
