//! A command-line tool as an engine. It is started for each question; its arguments contain the file, the agent and the
//! URL.

use std::io::{self, Read as _, Write as _};
use std::path::Path;
use std::process::{ChildStdout, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::Duration;

use regex_lite::Regex;
use robots_core::engine::{Answer, Ask, Engine, Question, VerdictQuestion};
use robots_core::{Edition, Profile};
use tempfile::NamedTempFile;

use super::group::{self, Group, Pipes};
use super::pipe::{self, Holder};
use super::start_error::StartError;
use super::stderr::Tail;
use super::words;
use crate::{protocol, render};

/// How a tool reports its verdict.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Decision {
    /// By its exit status.
    Exit {
        /// The status that allows.
        allow: i32,
        /// The status that disallows.
        disallow: i32,
    },
    /// By its standard output.
    Match {
        /// The pattern of an output that allows.
        allow: Regex,
        /// The pattern of an output that disallows.
        disallow: Regex,
    },
}

impl Default for Decision {
    fn default() -> Self {
        Self::Exit { allow: 0, disallow: 1 }
    }
}

/// A command-line tool that is started for each verdict.
///
/// Its template is split into words first; then the placeholders in each word are replaced, so a URL cannot add a word.
/// `{robots}` is the path of a temporary file with the octets of the robots.txt, `{agent}` the product token, `{url}`
/// the URL, and `{edition}` the edition's id.
pub struct CommandEngine {
    name: String,
    words: Vec<String>,
    decision: Decision,
    timeout: Duration,
}

const PLACEHOLDERS: [&str; 4] = ["{agent}", "{robots}", "{url}", "{edition}"];

impl CommandEngine {
    /// Makes an engine from a template, and starts the tool once to check that it starts.
    ///
    /// # Errors
    /// [`StartError`] if the template lacks a placeholder or has an unknown one, or if the program does not start.
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
    pub fn start(
        template: &str,
        decision: Decision,
        timeout: Duration,
    ) -> Result<Self, StartError> {
        let words = words(template)?;
        let needed = [
            ("{robots}", "the path of the robots.txt"),
            ("{url}", "the URL to be fetched"),
            ("{agent}", "the crawler's product token"),
        ];
        for (placeholder, meaning) in needed {
            if !words[1..].iter().any(|word| word.contains(placeholder)) {
                let template = template.to_owned();
                return Err(StartError::MissingPlaceholder { template, placeholder, meaning });
            }
        }
        if let Some(unknown) = words.iter().find_map(|word| unknown_placeholder(word)) {
            return Err(StartError::UnknownPlaceholder {
                template: template.to_owned(),
                placeholder: unknown.to_owned(),
                known: &PLACEHOLDERS,
            });
        }
        let stem = Path::new(&words[0]).file_stem().unwrap_or_default();
        let name = stem.to_string_lossy().into_owned();
        let engine = Self { name, words, decision, timeout };
        let file = temporary(b"").map_err(StartError::TemporaryFile)?;
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
            Err(error) => Err(StartError::NotStarted { program: engine.words[0].clone(), error }),
        }
    }

    fn spawn(
        &self,
        file: &Path,
        agent: &str,
        url: &str,
        profile: Profile,
    ) -> io::Result<(Arc<Group>, Pipes)> {
        let file = file.to_str().ok_or_else(|| {
            io::Error::other("the folder for temporary files is not UTF-8; set TMPDIR")
        })?;
        let values = [agent, file, url, profile.id()];
        let arguments = self.words[1..].iter().map(|word| filled(word, values));
        let mut command = Command::new(&self.words[0]);
        // If the exit status decides, the output is not needed, and this does not wait for a process that holds it.
        let stdout = match self.decision {
            Decision::Exit { .. } => Stdio::null(),
            Decision::Match { .. } => Stdio::piped(),
        };
        command.args(arguments).stdin(Stdio::null()).stdout(stdout).stderr(Stdio::piped());
        group::start(command)
    }

    fn verdict(&self, robots_txt: &[u8], agent: &str, url: &str, profile: Profile) -> Answer {
        let file = match temporary(robots_txt) {
            Ok(file) => file,
            Err(error) => return Answer::Error(StartError::TemporaryFile(error).to_string()),
        };
        let (child, pipes) = match self.spawn(file.path(), agent, url, profile) {
            Ok(started) => started,
            // These are limits of the system, not of the tool.
            Err(error) => {
                return match error.kind() {
                    io::ErrorKind::ArgumentListTooLong => {
                        Answer::unsupported("an argument of a command cannot be so long")
                    }
                    io::ErrorKind::InvalidInput => {
                        Answer::unsupported("an argument of a command cannot hold the octet 0")
                    }
                    _ => {
                        let program = self.words[0].clone();
                        Answer::Error(StartError::NotStarted { program, error }.to_string())
                    }
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
                        "the tool ended, but something it started still holds its standard output"
                            .to_owned(),
                    );
                }
            }
            Err(error) => return Answer::Error(format!("the tool has no pipes: {error}")),
        };
        // Processes that it left behind are killed too.
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

fn temporary(octets: &[u8]) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    let file = builder.prefix("robots-").suffix(".txt").tempfile();
    file.and_then(|mut file| file.write_all(octets).map(|()| file))
}

/// Replaces the placeholders of a word, each once. Placeholders inside a value are not replaced.
fn filled(word: &str, values: [&str; 4]) -> String {
    let mut out = String::new();
    let mut rest = word;
    while !rest.is_empty() {
        let found = PLACEHOLDERS.iter().zip(values).find(|(name, _)| rest.starts_with(**name));
        let taken = if let Some((name, value)) = found {
            out.push_str(value);
            name.len()
        } else {
            let first = rest.chars().next().map_or(0, char::len_utf8);
            let length = rest[first..].find('{').map_or(rest.len(), |at| at + first);
            out.push_str(&rest[..length]);
            length
        };
        rest = &rest[taken..];
    }
    out
}

/// Returns a word that looks like a placeholder but does not exist.
fn unknown_placeholder(word: &str) -> Option<&str> {
    word.match_indices('{').find_map(|(at, _)| {
        let length = word[at..].find('}')? + 1;
        let name = &word[at..at + length];
        let is_name = length > 2 && name[1..length - 1].bytes().all(|o| o.is_ascii_lowercase());
        (is_name && !PLACEHOLDERS.contains(&name)).then_some(name)
    })
}

/// Reads a pipe to its end on a separate thread, or until the holder is dropped.
fn collect(pipe: ChildStdout) -> io::Result<(Receiver<Vec<u8>>, Holder)> {
    /// A longer output decides no verdict.
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

#[cfg(test)]
mod tests {
    use super::{filled, unknown_placeholder};

    #[test]
    fn values_are_not_looked_into() {
        let values = ["bot", "/tmp/x", "/{agent}?{robots}", "rfc9309"];
        assert_eq!(filled("--url={url}", values), "--url=/{agent}?{robots}");
        assert_eq!(filled("{agent}{edition}{", values), "botrfc9309{");
        assert_eq!(filled("ü{robots}ü", values), "ü/tmp/xü");
    }

    #[test]
    fn placeholders_are_known() {
        assert_eq!(unknown_placeholder("--ua={agent} {file}"), Some("{file}"));
        assert_eq!(unknown_placeholder("{} {\"a\":1} {url}"), None);
    }
}
