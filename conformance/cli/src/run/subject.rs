//! Selects the subject of a run: a process that is asked instead of the embedded engine.
//!
//! Start at [`SubjectArgs::start`]. With `--subject`, the process speaks the protocol. With `--exec`, a command-line
//! tool is started for each question, and its exit status or output is the answer.

use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use regex_lite::Regex;
use robots_core::engine::Engine;

use robots_conformance::process::{CommandEngine, Decision, ProcessEngine, Settings, StartError};
use robots_console::render::quoted;

use robots_console::error::Error;

/// The arguments that name a subject.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Subject (instead of the engines of this workspace)")]
pub struct SubjectArgs {
    /// Asks this command, which speaks the protocol on its standard input and output
    #[arg(long, value_name = "COMMAND")]
    pub subject: Option<String>,
    /// Asks this command-line tool; {agent}, {robots} (a file), {url} and optionally {edition} are replaced
    #[arg(long, value_name = "TEMPLATE", conflicts_with = "subject")]
    pub exec: Option<String>,
    /// The exit status that means allow [default: 0]
    #[arg(long, value_name = "N", requires = "exec", conflicts_with_all = ["allow_match", "disallow_match"])]
    pub allow_exit: Option<i32>,
    /// The exit status that means disallow [default: 1]
    #[arg(long, value_name = "N", requires = "exec", conflicts_with_all = ["allow_match", "disallow_match"])]
    pub disallow_exit: Option<i32>,
    /// The output that means allow: a regular expression
    #[arg(long, value_name = "RE", requires_all = ["exec", "disallow_match"])]
    pub allow_match: Option<Regex>,
    /// The output that means disallow: a regular expression
    #[arg(long, value_name = "RE", requires_all = ["exec", "allow_match"])]
    pub disallow_match: Option<Regex>,
}

/// The selected subject.
pub(super) enum Subject {
    /// An engine of this process.
    Embedded(Arc<dyn Engine>),
    /// A subject that speaks the protocol.
    Process(Arc<ProcessEngine>),
    /// A command-line tool.
    Tool(Arc<CommandEngine>),
}

impl Subject {
    pub(super) fn engine(&self) -> Arc<dyn Engine> {
        match self {
            Self::Embedded(engine) => Arc::clone(engine),
            Self::Process(engine) => Arc::<ProcessEngine>::clone(engine),
            Self::Tool(engine) => Arc::<CommandEngine>::clone(engine),
        }
    }
}

impl SubjectArgs {
    /// Starts the subject, if one is named.
    pub(super) fn start(
        &self,
        timeout: Option<Duration>,
        jobs: Option<usize>,
    ) -> Result<Option<Subject>, Error> {
        let mut settings = Settings::default();
        settings.jobs = jobs;
        settings.timeout = timeout.unwrap_or(settings.timeout);
        let shown = |error: StartError| error.to_string();
        match (&self.subject, &self.exec) {
            (Some(command), _) => {
                let engine = ProcessEngine::start(command, settings).map_err(shown)?;
                Ok(Some(Subject::Process(Arc::new(engine))))
            }
            (None, Some(template)) => {
                let engine = CommandEngine::start(template, self.decision()?, settings.timeout);
                let engine = engine.map_err(shown)?;
                Ok(Some(Subject::Tool(Arc::new(engine))))
            }
            (None, None) => Ok(None),
        }
    }

    fn decision(&self) -> Result<Decision, Error> {
        if let (Some(allow), Some(disallow)) = (&self.allow_match, &self.disallow_match) {
            return Ok(Decision::Match { allow: allow.clone(), disallow: disallow.clone() });
        }
        let (allow, disallow) = (self.allow_exit.unwrap_or(0), self.disallow_exit.unwrap_or(1));
        if allow == disallow {
            return Err(format!(
                "exit status {allow} cannot both allow and disallow; give --allow-exit and --disallow-exit"
            ).into());
        }
        Ok(Decision::Exit { allow, disallow })
    }

    /// Returns the arguments as a user would type them in a shell, each after a space.
    pub(super) fn again(&self) -> String {
        let number = |number: Option<i32>| number.map(|number| number.to_string());
        let pattern = |pattern: &Option<Regex>| pattern.as_ref().map(ToString::to_string);
        let all = [
            ("subject", self.subject.clone()),
            ("exec", self.exec.clone()),
            ("allow-exit", number(self.allow_exit)),
            ("disallow-exit", number(self.disallow_exit)),
            ("allow-match", pattern(&self.allow_match)),
            ("disallow-match", pattern(&self.disallow_match)),
        ];
        let given = all.into_iter().filter_map(|(name, value)| Some((name, value?)));
        let words: Vec<String> =
            given.map(|(name, value)| format!(" --{name} {}", quoted(&value))).collect();
        words.concat()
    }
}
