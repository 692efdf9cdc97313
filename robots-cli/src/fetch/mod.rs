//! The verb `fetch`: shows the current robots.txt of a URL, with the request, each redirect, the answer, its meaning,
//! the rules and the verdict.
//!
//! This module exists only with the feature `fetch`. The crate `robots-fetch` sends the requests.

mod fetcher;
mod served;

use std::fmt::{self, Write as _};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use clap::Args;
use robots_console::render;
use robots_core::Edition;
use robots_fetch::blocking::{Builder, Client};
use robots_fetch::guard::PublicOnly;
use robots_fetch::store::Redb;
use robots_fetch::{Basis, CacheKey, ErrorKind, Origin, Verdict};
use serde::Serialize;

pub(crate) use self::fetcher::Fetcher;
pub(crate) use self::served::{ask, body, record};
use crate::crawler::Named;
use robots_console::error::Error;
use robots_console::output::seconds;
use robots_console::{file, json, output};

/// The maximum length of a file of certificates in octets. A file with all authorities that a system trusts has about
/// 220 KB.
const AUTHORITIES: u64 = 4 * 1024 * 1024;

/// The arguments of `fetch`.
#[derive(Args, Clone, Debug)]
#[command(after_help = "Examples:\n  robots fetch https://example.com/page\n  \
                  robots fetch --agent Googlebot --agent GPTBot https://example.com/ https://example.com/shop/\n\n\
                  The exit status is 0 if every URL may be fetched, 1 if one may not, 2 if a URL, an agent or a file cannot \
                  be used.")]
pub(crate) struct FetchArgs {
    /// The URLs of the questions; robots.txt of each URL's origin is fetched
    #[arg(value_name = "URL", required = true)]
    urls: Vec<String>,
    /// A crawler by its product token; repeatable. Several tokens of one crawler are separated by commas, the most
    /// specific first
    #[arg(long = "agent", value_name = "A", default_value = "examplebot")]
    agents: Vec<String>,
    /// The edition to follow
    #[arg(long, value_name = "E", default_value_t)]
    edition: Edition,
    /// Stores robots.txt in this file, and fetches it again only when necessary
    #[arg(long, value_name = "FILE")]
    store: Option<PathBuf>,
    /// Trusts only the certificate authority in this file (PEM)
    #[arg(long, value_name = "FILE")]
    ca: Option<PathBuf>,
    /// Connects only to public addresses
    #[arg(long)]
    public: bool,
    /// The time limit for a connection, for the start of an answer, and for each pause in it, in seconds
    #[arg(long, value_name = "S", value_parser = seconds, default_value = "10")]
    timeout: Duration,
    /// Writes a line of JSON for each URL
    #[arg(long)]
    json: bool,
}

/// Fetches robots.txt for each URL, and prints the answers.
///
/// The status is 0 if every URL may be fetched, 1 if one may not, 2 if a URL, an agent, a certificate or the file of
/// `--store` cannot be used. The exit status of `explain` has the same meaning.
pub(crate) fn run(arguments: &FetchArgs) -> ExitCode {
    let result = fetch(arguments).and_then(|(text, all_allowed)| {
        output::print(&text)?;
        Ok(ExitCode::from(u8::from(!all_allowed)))
    });
    result.unwrap_or_else(|error| output::usage(&error))
}

/// Fetches robots.txt for each crawler and URL. Returns the output, and whether every URL may be fetched.
///
/// # Errors
/// Returns a message if a URL, an agent, a certificate or the file of `--store` cannot be used.
pub(crate) fn fetch(arguments: &FetchArgs) -> Result<(String, bool), Error> {
    // All URLs are checked before any request, so that a mistake in one URL causes no request and loses no answer.
    for url in &arguments.urls {
        CacheKey::of(url).map_err(of_the_library)?;
    }
    let named = arguments.agents.iter().map(|agent| Named::by_agent(agent));
    let crawlers: Vec<Named> = named.collect::<Result<_, _>>()?;
    let authority = match &arguments.ca {
        Some(path) => Some(file::octets(path, AUTHORITIES).map_err(|error| {
            Error::new(format!("--ca: cannot read {}: {error}", path.display()))
        })?),
        None => None,
    };
    let store = match &arguments.store {
        Some(path) => {
            Some(Redb::open(path).map_err(|error| Error::new(format!("--store: {error}")))?)
        }
        None => None,
    };
    let (mut text, mut all_allowed) = (String::new(), true);
    for crawler in &crawlers {
        let limit = arguments.timeout;
        let mut builder = builder(&crawler.tokens, arguments.edition)?
            .connect_timeout(limit)
            .answer_timeout(limit)
            .idle_timeout(limit)
            .total_timeout(limit.saturating_mul(6));
        if let Some(authority) = &authority {
            builder = builder.trust(authority.clone()).trust_no_others();
        }
        if let Some(store) = &store {
            builder = builder.store(store.clone());
        }
        if arguments.public {
            builder = builder.guard(PublicOnly::default());
        }
        let client = builder.build().map_err(|error| match error.kind() {
            ErrorKind::Certificate => Error::new(format!("--ca: {error}")),
            _ => of_the_library(error),
        })?;
        for url in &arguments.urls {
            let before = client.counts().requests;
            let origin = client.origin(url).map_err(of_the_library)?;
            let verdict = origin.verdict(url).map_err(of_the_library)?;
            let requests = client.counts().requests - before;
            let written = if arguments.json {
                object(&mut text, &crawler.tokens, &verdict, requests)
            } else {
                page(&mut text, &client, &origin, &verdict, requests)
            };
            written.map_err(|error| Error::new(error.to_string()))?;
            all_allowed &= verdict.is_allowed();
        }
    }
    Ok((text, all_allowed))
}

/// Converts an error of the library to an error of the command.
#[expect(clippy::needless_pass_by_value, reason = "a function for `map_err`")]
fn of_the_library(error: robots_fetch::Error) -> Error {
    Error::new(error.to_string())
}

fn builder(agents: &[String], edition: Edition) -> Result<Builder, Error> {
    let (first, more) = named(agents)?;
    let builder = more.iter().fold(Client::builder(first), Builder::also_named);
    Ok(builder.edition(edition).identification(identification(first)))
}

fn named(agents: &[String]) -> Result<(&str, &[String]), Error> {
    let (first, more) = agents.split_first().ok_or("name the crawler with --agent")?;
    Ok((first, more))
}

fn identification(agent: &str) -> String {
    let (version, repository) = (env!("CARGO_PKG_VERSION"), env!("CARGO_PKG_REPOSITORY"));
    format!("{agent} (robots-cli/{version}; {repository})")
}

fn page(
    text: &mut String,
    client: &Client,
    origin: &Origin,
    verdict: &Verdict<'_>,
    requests: u64,
) -> fmt::Result {
    let record = verdict.record();
    let last = &record.last;
    writeln!(text, "{}", render::message(verdict.url()))?;
    let asked = format!("{}/robots.txt", record.key);
    match requests {
        0 => writeln!(text, "  asked     nothing: {asked} is known since {}", date(last.at))?,
        _ => writeln!(text, "  asked     {asked}, as {}", client.identification())?,
    }
    for hop in &last.hops {
        writeln!(text, "  hop       {} {}", hop.status, render::message(&hop.url))?;
    }
    let from = if last.url == asked { String::new() } else { format!(", at {}", last.url) };
    writeln!(
        text,
        "  answer    {}{}",
        render::message(&last.end.to_string()),
        render::message(&from)
    )?;
    if let Some(copy) = &record.copy {
        let about = &copy.about;
        let cut = if about.cut { format!(", cut at {}", about.limit) } else { String::new() };
        let kind = about.content_type.as_deref().unwrap_or("no Content-Type");
        writeln!(text, "  file      {} octets{cut}, {}", copy.body.len(), render::message(kind))?;
    }
    writeln!(text, "  means     {}", means(verdict.basis()))?;
    if let Some(source) = verdict.source() {
        writeln!(text, "            {source}")?;
    }
    writeln!(text, "  until     {}", httpdate::fmt_http_date(verdict.until()))?;
    if let Some(rules) = origin.rules() {
        for (place, group) in rules.groups().enumerate() {
            let title = if place == 0 { "rules" } else { "" };
            for (line, agent) in group.user_agents().enumerate() {
                let title = if line == 0 { title } else { "" };
                writeln!(text, "  {title:<9} user-agent: {}", shown(agent.value()))?;
            }
            for rule in group.rules() {
                writeln!(text, "            {}: {}", rule.kind(), shown(rule.path()))?;
            }
        }
    }
    writeln!(text, "  verdict   {}\n", render::message(&verdict.to_string()))
}

fn shown(octets: &[u8]) -> String {
    render::message(&String::from_utf8_lossy(octets))
}

fn means(basis: Basis) -> &'static str {
    match basis {
        Basis::Rules => "the rules of the file decide",
        Basis::StaleRules => "the rules of an expired file decide",
        Basis::LastCopy => "the rules of the last copy decide",
        Basis::NoFile => "nothing is restricted",
        Basis::Unreachable => "nothing may be fetched for the time being",
        Basis::UnreachableForLong => "nothing is restricted any more",
        _ => "robots.txt itself may be fetched",
    }
}

fn date(since_epoch: Duration) -> String {
    let time: Option<SystemTime> = UNIX_EPOCH.checked_add(since_epoch);
    time.map_or_else(|| "?".to_owned(), httpdate::fmt_http_date)
}

#[derive(Serialize)]
struct OutputLine<'v> {
    agents: &'v [String],
    url: &'v str,
    verdict: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u32>,
    reason: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<&'static str>,
    basis: &'static str,
    until: String,
    requests: u64,
    robots_url: String,
    hops: Vec<Hop<'v>>,
    final_url: &'v str,
    #[serde(skip_serializing_if = "Option::is_none")]
    status: Option<u16>,
    #[serde(skip_serializing_if = "Option::is_none")]
    failure: Option<&'v str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    robots_txt: Option<std::borrow::Cow<'v, str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    octets: Option<usize>,
    cut: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    content_type: Option<&'v str>,
}

#[derive(Serialize)]
struct Hop<'v> {
    url: &'v str,
    status: u16,
}

fn object(
    text: &mut String,
    agents: &[String],
    verdict: &Verdict<'_>,
    requests: u64,
) -> fmt::Result {
    let record = verdict.record();
    let (last, copy) = (&record.last, record.copy.as_ref());
    let line = OutputLine {
        agents,
        url: verdict.url(),
        verdict: word(verdict),
        line: number(verdict),
        reason: verdict.to_string(),
        source: verdict.source(),
        basis: verdict.basis().id(),
        until: httpdate::fmt_http_date(verdict.until()),
        requests,
        robots_url: format!("{}/robots.txt", record.key),
        hops: last.hops.iter().map(|hop| Hop { url: &hop.url, status: hop.status }).collect(),
        final_url: &last.url,
        status: last.end.status,
        failure: last.end.failure.as_deref(),
        robots_txt: copy.map(|copy| String::from_utf8_lossy(&copy.body)),
        octets: copy.map(|copy| copy.body.len()),
        cut: copy.is_some_and(|copy| copy.about.cut),
        content_type: copy.and_then(|copy| copy.about.content_type.as_deref()),
    };
    let mut octets = Vec::new();
    json::line(&line, &mut octets).map_err(|_| fmt::Error)?;
    writeln!(text, "{}", String::from_utf8_lossy(&octets))
}

fn word(verdict: &Verdict<'_>) -> &'static str {
    if verdict.is_allowed() { "allow" } else { "disallow" }
}

fn number(verdict: &Verdict<'_>) -> Option<u32> {
    verdict.evidence()?.rule().map(|rule| rule.line().number.get())
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use robots_test_web::{Sites, Web};

    use super::{FetchArgs, fetch};

    fn arguments(urls: Vec<String>, json: bool) -> FetchArgs {
        FetchArgs {
            urls,
            agents: vec!["examplebot".to_owned()],
            edition: robots_core::Edition::Rfc9309,
            store: None,
            ca: None,
            public: false,
            timeout: Duration::from_secs(5),
            json,
        }
    }

    #[test]
    fn a_page_shows_each_hop_and_the_rules() {
        let sites = "main: { robots: { status: 301, location: '{other}/r' } }\n\
                     other: { pages: { /r: { text: \"user-agent: *\\ndisallow: /private\\n\", \
                     headers: { content-type: text/plain } } } }";
        let web = Web::start(&Sites::from_yaml(sites).unwrap()).unwrap();
        let urls = vec![web.expand("{main}/private"), web.expand("{main}/open")];
        let text = fetch(&arguments(urls.clone(), false)).unwrap().0;
        let text = text
            .replace(web.url("main").unwrap(), "MAIN")
            .replace(web.url("other").unwrap(), "OTHER");
        for expected in [
            "  asked     MAIN/robots.txt, as examplebot (robots-cli/",
            "  hop       301 MAIN/robots.txt\n  answer    robots.txt answered 200, at OTHER/r\n",
            "  file      33 octets, text/plain\n  means     the rules of the file decide\n",
            "  rules     user-agent: *\n            disallow: /private\n",
            "  verdict   disallow: the longest matching rule is line 2",
            "  asked     nothing: MAIN/robots.txt is known since ",
            "  verdict   allow: ",
        ] {
            assert!(text.contains(expected), "{expected}\n{text}");
        }
        let (lines, all_allowed) = fetch(&arguments(urls, true)).unwrap();
        assert!(!all_allowed);
        let line: serde_json::Value = serde_json::from_str(lines.lines().next().unwrap()).unwrap();
        assert_eq!(
            (&line["verdict"], &line["line"], &line["status"]),
            (&"disallow".into(), &2.into(), &200.into())
        );
        assert_eq!(line["hops"][0]["status"], 301);
    }

    #[test]
    fn a_failure_forbids_and_says_why() {
        let web = Web::start(&Sites::from_yaml("main: { robots: 503 }").unwrap()).unwrap();
        let (text, _) = fetch(&arguments(vec![web.expand("{main}/x")], false)).unwrap();
        assert!(text.contains("means     nothing may be fetched for the time being"), "{text}");
        assert!(text.contains("RFC 9309, 2.3.1.4"), "{text}");
        let mut public = arguments(vec![web.expand("{main}/x")], false);
        public.public = true;
        let (text, all_allowed) = fetch(&public).unwrap();
        assert!(!all_allowed);
        assert!(text.contains("which is loopback"), "{text}");
        assert_eq!(web.log().len(), 1);
    }

    #[test]
    fn an_invalid_url_is_reported_before_any_request() {
        let sites = "main: { robots: \"user-agent: *\\ndisallow: /private\\n\" }";
        let web = Web::start(&Sites::from_yaml(sites).unwrap()).unwrap();
        let good = web.expand("{main}/private");
        let urls = vec![good.clone(), "example.com/x".to_owned()];
        let error = fetch(&arguments(urls, false)).unwrap_err().to_string();
        assert!(error.contains("example.com/x"), "{error}");
        assert_eq!(web.log().len(), 0);
        assert!(fetch(&arguments(vec![good], false)).unwrap().0.contains("disallow"));
        assert_eq!(web.log().len(), 1);
    }
}
