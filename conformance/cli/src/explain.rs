//! The verb `explain` on a file: whether a crawler may fetch a URL, by which rule, and what in the file bears on
//! that.

use std::fmt::Write as _;
use std::process::ExitCode;

use robots_core::engine::Agents;
use robots_core::syntax::Field;
use robots_core::{Crawler, Options, Parser, Profile, RobotsTxt};

use crate::console;
use crate::error::Error;
use crate::lint::{Counted, Input, OF_A_KIND, render};

/// A question about a file.
#[derive(Clone, Debug)]
pub struct Explained<'a> {
    /// By what the file is read.
    pub profile: Profile,
    /// Product tokens, most specific first.
    pub agents: &'a [String],
    /// A whole `User-Agent` header in their place.
    pub user_agent: Option<&'a str>,
    /// Where the file is.
    pub file: &'a Input,
    /// A URL, or its path and query.
    pub url: &'a str,
}

/// Prints the verdict, then the findings that bear on it.
///
/// The status is 0 where the URL may be fetched, 1 where not, 2 where there is no such file, crawler or URL.
pub fn explain<P: Parser + ?Sized>(parser: &P, question: &Explained<'_>) -> ExitCode {
    match told(parser, question) {
        Ok((text, allowed)) => match console::print(&text) {
            Ok(()) => ExitCode::from(u8::from(!allowed)),
            Err(message) => console::usage(&message),
        },
        Err(message) => console::usage(&message),
    }
}

/// Returns the crawler that a `User-Agent` header names.
///
/// # Errors
/// A message where it names no product.
pub fn named_by(header: &str) -> Result<Crawler, Error> {
    Crawler::from_header(header).map_err(|_| {
        Error::new(format!(
            "--user-agent {header:?} names no product; give the product token by --agent"
        ))
    })
}

fn told<P: Parser + ?Sized>(parser: &P, question: &Explained<'_>) -> Result<(String, bool), Error> {
    let Explained { profile, file, url, .. } = *question;
    let Some(edition) = profile.edition() else { return observed(question) };
    let crawler = crawler(question)?;
    let robots = RobotsTxt::parse(parser, file.read()?, Options::from(edition));
    let verdict = robots
        .try_verdict(&crawler, url)
        .map_err(|error| Error::new(format!("{url:?}: {error}")))?;
    let mut text = format!("{verdict}\n");
    if edition.defines(Field::ContentUsage) {
        let usage = robots.usage(&crawler, url, &[]);
        let _ = writeln!(text, "use, by the draft {edition}: {usage}");
    }
    if question.user_agent.is_some() {
        let _ = writeln!(text, "  the header gives the product tokens {crawler}");
    }
    let findings =
        Counted::new(robots_lint::findings_for(&robots, &crawler, url).into_iter(), OF_A_KIND);
    for finding in findings.shown() {
        text.push('\n');
        text.push_str(&render(file.name(), robots.body(), finding));
        text.push('\n');
    }
    for (kind, count) in findings.left_out() {
        let _ = writeln!(text, "and {count} more of {kind}; lint --all shows them");
    }
    Ok((text, verdict.is_allowed()))
}

/// Explains a verdict of Google's published library. Findings rest on editions, so there are none.
fn observed(question: &Explained<'_>) -> Result<(String, bool), Error> {
    let agents = if let Some(header) = question.user_agent {
        Agents::from(named_by(header)?)
    } else {
        let agents = question.agents;
        Agents::new(agents).map_err(|error| Error::new(format!("--agent: {error}")))?
    };
    let body = question.file.read()?;
    let verdict = robots_google_cpp::verdict(&body, &agents, question.url);
    Ok((format!("{verdict}\n"), verdict.is_allowed()))
}

fn crawler(question: &Explained<'_>) -> Result<Crawler, Error> {
    let Explained { agents, user_agent, .. } = *question;
    if let Some(header) = user_agent {
        return named_by(header);
    }
    if agents.iter().any(String::is_empty) {
        return Err("--agent is empty; name the crawler by its product token".into());
    }
    Crawler::new(agents)
        .map_err(|error| Error::new(format!("--agent {}: {error}", agents.join(", "))))
}
