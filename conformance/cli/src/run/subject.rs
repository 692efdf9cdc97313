//! The subjects of a run: embedded parsers, processes that speak the protocol, and a command-line tool.
//!
//! Start at [`SubjectArgs::start`]. A process of `--subject` speaks the protocol. The tool of `--exec` is started for each
//! question, and its exit status or output is the answer.

use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use regex_lite::Regex;
use robots_conformance::engine::Engine;
use robots_conformance::process::{CommandEngine, Decision, ProcessEngine, Settings};
use robots_console::error::Error;
use robots_console::render::quoted;

/// The arguments that name subjects.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Subjects (instead of the embedded parser)")]
pub(crate) struct SubjectArgs {
    /// Asks this command, which speaks the protocol on its standard input and output; repeatable
    #[arg(long = "subject", value_name = "COMMAND")]
    pub(crate) subjects: Vec<String>,
    /// Asks this command-line tool; {agent}, {robots} (a file), {url} and optionally {edition} are replaced
    #[arg(long, value_name = "TEMPLATE", conflicts_with = "subjects")]
    pub(crate) exec: Option<String>,
    /// The exit status that means allow [default: 0]
    #[arg(long, value_name = "N", requires = "exec", conflicts_with_all = ["allow_match", "disallow_match"])]
    pub(crate) allow_exit: Option<i32>,
    /// The exit status that means disallow [default: 1]
    #[arg(long, value_name = "N", requires = "exec", conflicts_with_all = ["allow_match", "disallow_match"])]
    pub(crate) disallow_exit: Option<i32>,
    /// The output that means allow: a regular expression
    #[arg(long, value_name = "RE", requires_all = ["exec", "disallow_match"])]
    pub(crate) allow_match: Option<Regex>,
    /// The output that means disallow: a regular expression
    #[arg(long, value_name = "RE", requires_all = ["exec", "allow_match"])]
    pub(crate) disallow_match: Option<Regex>,
}

/// A subject of a run.
pub(super) enum Subject {
    /// An engine of this process.
    Embedded(Arc<dyn Engine>),
    /// A process that speaks the protocol, and its command.
    Process { engine: Arc<ProcessEngine>, command: String },
    /// A command-line tool.
    Tool(Arc<CommandEngine>),
}

impl Subject {
    pub(super) fn engine(&self) -> Arc<dyn Engine> {
        match self {
            Self::Embedded(engine) => Arc::clone(engine),
            Self::Process { engine, .. } => Arc::<ProcessEngine>::clone(engine),
            Self::Tool(engine) => Arc::<CommandEngine>::clone(engine),
        }
    }

    /// Returns the arguments that name this subject, as a user would type them in a shell, each after a space.
    pub(super) fn again(&self, arguments: &SubjectArgs) -> String {
        match self {
            Self::Embedded(engine) => format!(" --parser {}", engine.name()),
            Self::Process { command, .. } => format!(" --subject {}", quoted(command)),
            Self::Tool(_) => arguments.tool_again(),
        }
    }
}

impl SubjectArgs {
    /// Starts the named subjects.
    pub(super) fn start(
        &self,
        timeout: Option<Duration>,
        jobs: Option<usize>,
    ) -> Result<Vec<Subject>, Error> {
        let mut settings = Settings::default();
        settings.jobs = jobs;
        settings.timeout = timeout.unwrap_or(settings.timeout);
        let mut started = Vec::new();
        for command in &self.subjects {
            let engine = ProcessEngine::start(command, settings.clone())?;
            started.push(Subject::Process { engine: Arc::new(engine), command: command.clone() });
        }
        if let Some(template) = &self.exec {
            let engine = CommandEngine::start(template, self.decision()?, settings.timeout);
            started.push(Subject::Tool(Arc::new(engine?)));
        }
        Ok(started)
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

    /// Returns the arguments that name the tool.
    fn tool_again(&self) -> String {
        let number = |number: Option<i32>| number.map(|number| number.to_string());
        let pattern = |pattern: &Option<Regex>| pattern.as_ref().map(ToString::to_string);
        let all = [
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
