//! The answers of a file to the questions of a command line.
//!
//! Start at [`ask()`], which selects one of two functions. `read` parses a local file, and `served` fetches the file of an
//! origin for each crawler. Both return their answers as [`Asked`], so a format does not need to know which function was
//! used. An [`Asked`] also keeps the file, because the findings that affect an answer are computed only if a format
//! needs them.

use std::rc::Rc;

use robots_core::syntax::Field;
use robots_core::{Crawler, Edition, Options, Parser, RobotsTxt};
use robots_lint::Finding;

use super::arguments::ExplainArgs;
use crate::crawler::{Named, shortened};
use crate::lint::{Counted, Input};
use robots_console::error::Error;

/// A crawler, and the file's answers for it.
pub(super) struct Asked<'q> {
    pub(super) crawler: &'q Named,
    /// The file, or `None` if the site's file did not decide about any URL.
    robots: Option<Rc<RobotsTxt<Vec<u8>>>>,
    pub(super) answers: Vec<Answer<'q>>,
}

/// The answer to one question.
pub(super) struct Answer<'q> {
    pub(super) url: &'q str,
    pub(super) is_allowed: bool,
    /// The number of the line with the deciding rule.
    pub(super) line: Option<u32>,
    /// The verdict as a sentence.
    pub(super) verdict: String,
    /// The preferences about the use of the content, if the edition defines any.
    pub(super) usage: Option<String>,
    /// If the file comes from an origin, the basis of the verdict, for example `rules` or `no-file`.
    pub(super) basis: Option<&'static str>,
}

impl Asked<'_> {
    /// Returns the octets of the file. Returns `None` if the site's file did not decide about any URL. Then there are no
    /// findings.
    pub(super) fn body(&self) -> Option<&[u8]> {
        self.robots.as_deref().map(RobotsTxt::body)
    }

    /// Returns the findings that affect an answer, at most `most` of each kind.
    pub(super) fn findings(&self, answer: &Answer<'_>, most: usize) -> Counted<'_> {
        let crawler = Crawler::new(self.crawler.tokens.iter().map(String::as_str)).ok();
        let found: Vec<Finding<'_>> = match (&self.robots, crawler) {
            (Some(robots), Some(crawler)) => {
                robots_lint::findings_for(&**robots, &crawler, answer.url)
            }
            _ => Vec::new(),
        };
        Counted::new(found.into_iter(), most)
    }
}

impl Asked<'_> {
    /// Returns the name of the crawler's group if the file also has rules for `*`, which do not apply to the crawler.
    pub(super) fn group_instead_of_global(&self) -> Option<&[u8]> {
        let robots = self.robots.as_deref()?;
        let crawler = Crawler::new(self.crawler.tokens.iter().map(String::as_str)).ok()?;
        let followed = robots.followed_by(&crawler)?;
        let is_followed = |position| followed.groups().any(|group| group.position() == position);
        let is_left_out = robots.groups().any(|group| {
            group.user_agents().any(|line| line.is_global())
                && group.rules().next().is_some()
                && !is_followed(group.position())
        });
        is_left_out.then(|| followed.user_agent().value())
    }
}

/// Returns the file's answers about every URL, for every crawler.
pub(super) fn ask<'q, P: Parser + ?Sized>(
    parser: &P,
    arguments: &'q ExplainArgs,
    crawlers: &'q [Named],
) -> Result<Vec<Asked<'q>>, Error> {
    let ExplainArgs { edition, file, urls, .. } = arguments;
    match file {
        Input::Url(origin) => {
            crawlers.iter().map(|crawler| served(parser, *edition, crawler, origin, urls)).collect()
        }
        _ => read(parser, *edition, crawlers, file, urls),
    }
}

/// Returns the answers of a local file.
fn read<'q, P: Parser + ?Sized>(
    parser: &P,
    edition: Edition,
    crawlers: &'q [Named],
    file: &Input,
    urls: &'q [String],
) -> Result<Vec<Asked<'q>>, Error> {
    let robots = Rc::new(RobotsTxt::parse(parser, file.read()?, Options::from(edition)));
    let asked = crawlers.iter().map(|crawler| {
        let named = Crawler::new(crawler.tokens.iter().map(String::as_str))
            .map_err(|error| Error::new(error.to_string()))?;
        let answers = urls.iter().map(|url| {
            let verdict = robots
                .try_verdict(&named, url)
                .map_err(|error| Error::new(format!("{:?}: {error}", shortened(url))))?;
            Ok(Answer {
                url,
                is_allowed: verdict.is_allowed(),
                line: verdict.rule().map(|rule| rule.line().number.get()),
                verdict: verdict.to_string(),
                usage: edition
                    .defines(Field::ContentUsage)
                    .then(|| robots.usage(&named, url, &[]).to_string()),
                basis: None,
            })
        });
        let answers = answers.collect::<Result<_, Error>>()?;
        Ok(Asked { crawler, robots: Some(Rc::clone(&robots)), answers })
    });
    asked.collect()
}

/// Fetches the file of an origin as the crawler, and returns the answers of the file.
fn served<'q, P: Parser + ?Sized>(
    parser: &P,
    edition: Edition,
    crawler: &'q Named,
    origin: &str,
    urls: &'q [String],
) -> Result<Asked<'q>, Error> {
    let (body, verdicts) = crate::fetch::ask(edition, &crawler.tokens, origin, urls)?;
    let robots = body.map(|body| Rc::new(RobotsTxt::parse(parser, body, Options::from(edition))));
    let answers = urls.iter().zip(verdicts).map(|(url, verdict)| Answer {
        url,
        is_allowed: verdict.is_allowed,
        line: verdict.line,
        verdict: verdict.text,
        usage: None,
        basis: Some(verdict.basis),
    });
    Ok(Asked { crawler, robots, answers: answers.collect() })
}
