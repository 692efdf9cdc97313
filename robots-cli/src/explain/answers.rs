//! The answers of a file to the questions of a command line.
//!
//! Start at [`ask()`], which selects one of two functions. `read` parses a local file, and `served` fetches the file of an
//! origin for each crawler. Both return their answers as [`Asked`], so a format does not need to know which function was
//! used. An [`Asked`] also keeps the file, because the findings that affect an answer are computed only if a format
//! needs them.

use std::collections::BTreeMap;
use std::rc::Rc;

use robots_core::syntax::Field;
use robots_core::{Crawler, Edition, Options, Parser, RobotsTxt};
use robots_lint::Finding;

use super::arguments::ExplainArgs;
use crate::crawler::{Named, shortened};
use crate::lint::{Counted, Input};
use robots_console::error::Error;

/// The draft edition, which defines `Content-Usage`.
pub(super) const DRAFT: Edition = Edition::DRAFTS[0];

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
    /// The preferences about the use of the content, if the edition defines any or the user asks for them.
    pub(super) usage: Option<String>,
    /// The verdict for each policy token that the file names, if the user asks for the use.
    pub(super) policies: BTreeMap<String, String>,
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
    match &arguments.file {
        Input::Url(origin) => {
            crawlers.iter().map(|crawler| served(parser, arguments, crawler, origin)).collect()
        }
        file => read(parser, arguments, crawlers, file),
    }
}

/// Returns the answers of a local file.
fn read<'q, P: Parser + ?Sized>(
    parser: &P,
    arguments: &'q ExplainArgs,
    crawlers: &'q [Named],
    file: &Input,
) -> Result<Vec<Asked<'q>>, Error> {
    let options = Options::from(arguments.edition);
    let robots = Rc::new(RobotsTxt::parse(parser, file.read()?, options));
    let uses = Uses::of(parser, arguments, &robots);
    let asked = crawlers.iter().map(|crawler| {
        let named = Crawler::new(crawler.tokens.iter().map(String::as_str))
            .map_err(|error| Error::new(error.to_string()))?;
        let answers = arguments.urls.iter().map(|url| {
            let verdict = robots
                .try_verdict(&named, url)
                .map_err(|error| Error::new(format!("{:?}: {error}", shortened(url))))?;
            Ok(Answer {
                url,
                is_allowed: verdict.is_allowed(),
                line: verdict.rule().map(|rule| rule.line().number.get()),
                verdict: verdict.to_string(),
                usage: uses.usage(&named, url),
                policies: uses.policies(&robots, url),
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
    arguments: &'q ExplainArgs,
    crawler: &'q Named,
    origin: &str,
) -> Result<Asked<'q>, Error> {
    let ExplainArgs { edition, urls, .. } = arguments;
    let edition = *edition;
    let (body, verdicts) = crate::fetch::ask(edition, &crawler.tokens, origin, urls)?;
    let robots = body.map(|body| Rc::new(RobotsTxt::parse(parser, body, Options::from(edition))));
    let uses = robots.as_ref().map(|robots| (Uses::of(parser, arguments, robots), robots));
    let named = Crawler::new(crawler.tokens.iter().map(String::as_str)).ok();
    // The pages of a site may have preferences in their headers too, so they are shown only if the user asks.
    let usage = |url: &str| {
        let (uses, _) = uses.as_ref().filter(|_| arguments.usage)?;
        uses.usage(named.as_ref()?, url)
    };
    let answers = urls.iter().zip(verdicts).map(|(url, verdict)| Answer {
        url,
        is_allowed: verdict.is_allowed,
        line: verdict.line,
        verdict: verdict.text,
        usage: usage(url),
        policies: uses
            .as_ref()
            .map_or_else(BTreeMap::new, |(uses, robots)| uses.policies(robots, url)),
        basis: Some(verdict.basis),
    });
    let answers = answers.collect();
    Ok(Asked { crawler, robots, answers })
}

/// What a file says about the use of content.
struct Uses {
    /// The file under an edition that defines `Content-Usage`, if its preferences are shown.
    drafted: Option<Rc<RobotsTxt<Vec<u8>>>>,
    /// The policy tokens that are shown.
    policies: Vec<String>,
}

impl Uses {
    fn of<P: Parser + ?Sized>(
        parser: &P,
        arguments: &ExplainArgs,
        robots: &Rc<RobotsTxt<Vec<u8>>>,
    ) -> Self {
        let parse = || RobotsTxt::parse(parser, robots.body().to_vec(), Options::from(DRAFT));
        let drafted = if arguments.edition.defines(Field::ContentUsage) {
            Some(Rc::clone(robots))
        } else {
            arguments.usage.then(|| Rc::new(parse()))
        };
        let policies = arguments.usage.then(|| robots_lint::policy_tokens(&**robots));
        Self { drafted, policies: policies.unwrap_or_default() }
    }

    fn usage(&self, crawler: &Crawler, url: &str) -> Option<String> {
        Some(self.drafted.as_ref()?.usage(crawler, url, &[]).to_string())
    }

    /// Returns the verdict for each policy token.
    fn policies(&self, robots: &RobotsTxt<Vec<u8>>, url: &str) -> BTreeMap<String, String> {
        let verdict = |token: &String| {
            let verdict = robots.try_verdict(&**token, url).ok()?;
            Some((token.clone(), verdict.to_string()))
        };
        self.policies.iter().filter_map(verdict).collect()
    }
}
