//! The arguments of `explain`: [`ExplainArgs`].
//!
//! [`ExplainArgs::crawlers`] returns the crawlers in the order of the options.

use clap::{Args, ValueEnum};
use robots_core::Edition;

use crate::crawler::Named;
use crate::lint::Input;
use robots_console::error::Error;

const EXAMPLES: &str = "\
Examples:
  robots explain --agent Googlebot robots.txt /page
  robots explain --agent Googlebot --agent GPTBot robots.txt / /shop/ /private/
  robots explain --agent Googlebot-News,Googlebot https://example.com /news/
  robots explain --user-agent 'Mozilla/5.0 (compatible; examplebot/1.0)' - /page < robots.txt

Every crawler is asked about every URL. The findings that affect an answer come after the answers. The exit status is 0 if every \
URL may be fetched, 1 if one may not, 2 if there is no such file, crawler or URL.";

/// A format of the answers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum ExplainFormat {
    /// Text for readers
    #[default]
    Text,
    /// One JSON object
    Json,
}

/// The arguments of the verb.
#[derive(Args, Clone, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ExplainArgs {
    /// The edition to answer by, or the draft aipref-2026-08
    #[arg(long, value_name = "E", default_value_t)]
    pub edition: Edition,
    /// A crawler by its product token; repeatable. Several tokens of one crawler are separated by commas, the most
    /// specific first
    #[arg(long = "agent", value_name = "A")]
    pub agents: Vec<String>,
    /// A crawler by its whole User-Agent header, from which the product tokens are taken; repeatable
    #[arg(long = "user-agent", value_name = "HEADER")]
    pub headers: Vec<String>,
    /// Adds what the site prefers about the use of the content: Content-Usage by the draft, and the groups of policy
    /// tokens such as __usage_ai-training
    #[arg(long)]
    pub usage: bool,
    /// The format of the answers
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t)]
    pub format: ExplainFormat,
    /// A robots.txt file, `-` for standard input, a git revision, or an origin whose file is fetched
    #[arg(value_name = "FILE|ORIGIN|-")]
    pub file: Input,
    /// URLs, or their paths and queries
    #[arg(value_name = "URL", required = true)]
    pub urls: Vec<String>,
}

impl ExplainArgs {
    /// Returns the crawlers, in the order of the options.
    pub(super) fn crawlers(&self) -> Result<Vec<Named>, Error> {
        let agents = self.agents.iter().map(|agent| Named::by_agent(agent));
        let headers = self.headers.iter().map(|header| Named::by_header(header));
        let crawlers: Vec<Named> = agents.chain(headers).collect::<Result<_, _>>()?;
        if crawlers.is_empty() {
            return Err(
                "no crawler is named; add --agent examplebot, or --user-agent with a whole header"
                    .into(),
            );
        }
        Ok(crawlers)
    }
}
