//! The arguments of `explain`: [`ExplainArgs`].
//!
//! If no crawler and no URL is given, the argument for the file is the name of a case or a trial
//! ([`ExplainArgs::trial`]). Otherwise [`ExplainArgs::crawlers`] returns the crawlers in the order of the options.

use clap::Args;
use robots_core::Profile;

use crate::crawler::Named;
use crate::lint::Input;
use crate::report::ExplainFormat;
use robots_console::error::Error;

const EXAMPLES: &str = "\
Examples:
  robots-conformance explain --agent Googlebot robots.txt /page
  robots-conformance explain --agent Googlebot --agent GPTBot robots.txt / /shop/ /private/
  robots-conformance explain --agent Googlebot-News,Googlebot https://example.com /news/
  robots-conformance explain --user-agent 'Mozilla/5.0 (compatible; examplebot/1.0)' - /page < robots.txt
  robots-conformance explain path-matching::path-fish-prefix::rfc9309::/catfish

Every crawler is asked about every URL. The findings that affect an answer come after the answers. The exit status is 0 if every \
URL may be fetched, 1 if one may not, 2 if there is no such file, crawler or URL.";

/// The arguments of the verb.
#[derive(Args, Clone, Debug)]
#[command(after_help = EXAMPLES)]
pub struct ExplainArgs {
    /// The edition to answer by, the draft aipref-2026-08, or google-cpp
    #[arg(long, value_name = "E", default_value_t)]
    pub edition: Profile,
    /// A crawler by its product token; repeatable. Several tokens of one crawler are separated by commas, the most
    /// specific first
    #[arg(long = "agent", value_name = "A")]
    pub agents: Vec<String>,
    /// A crawler by its whole User-Agent header, from which the product tokens are taken; repeatable
    #[arg(long = "user-agent", value_name = "HEADER")]
    pub headers: Vec<String>,
    /// The format of the answers: text or json
    #[arg(long, value_name = "FORMAT", default_value_t)]
    pub format: ExplainFormat,
    /// A robots.txt file, `-` for standard input, a git revision, or an origin whose file is fetched; without a URL, the
    /// name of a case or a trial as any report prints it
    #[arg(value_name = "FILE|ORIGIN|-|TRIAL")]
    pub file: Input,
    /// URLs, or their paths and queries
    #[arg(value_name = "URL")]
    pub urls: Vec<String>,
}

impl ExplainArgs {
    /// Returns the name of the trial to explain, or `None` if the question is about a file.
    ///
    /// # Errors
    /// Returns a message if no URL is given, but a crawler is named or the file exists.
    pub fn trial(&self) -> Result<Option<&str>, Error> {
        let name = self.file.name();
        let is_file = std::path::Path::new(name).is_file();
        if !self.urls.is_empty() {
            return Ok(None);
        }
        if self.agents.is_empty() && self.headers.is_empty() && !is_file {
            return Ok(Some(name));
        }
        Err(Error::new(format!(
            "no URL is named; write `robots-conformance explain --agent examplebot {} /page`",
            robots_conformance::render::name(name)
        )))
    }

    /// Returns the crawlers, in the order of the options.
    pub(super) fn crawlers(&self) -> Result<Vec<Named>, Error> {
        let by_agent = match self.edition {
            Profile::Edition(_) => Named::by_agent,
            _ => Named::observed_by_agent,
        };
        let agents = self.agents.iter().map(|text| by_agent(text));
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
