//! The verb `fetch`: shows the current robots.txt of a URL, with the request, each redirect, the answer, its meaning,
//! the rules and the verdict.
//!
//! It needs the feature `fetch`. `robots-fetch` does the fetching.

use std::collections::HashMap;
use std::fmt::{self, Write as _};
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use clap::Args;
use robots_conformance::render;
use robots_core::Edition;
use robots_fetch::blocking::{Builder, Client};
use robots_fetch::guard::PublicOnly;
use robots_fetch::store::{Memory, Redb};
use robots_fetch::{Basis, CacheKey, Origin, Settings, Verdict};
use serde::Serialize;

use crate::error::Error;
use crate::{bulk, json};

/// The arguments of `fetch`.
#[derive(Args)]
pub struct FetchArgs {
    /// The URLs to ask about; robots.txt of each URL's origin is fetched
    #[arg(value_name = "URL", required = true)]
    urls: Vec<String>,
    /// A product token; repeatable
    #[arg(long = "agent", value_name = "A", default_value = "examplebot")]
    agents: Vec<String>,
    /// The edition to follow
    #[arg(long, value_name = "E", default_value_t)]
    edition: Edition,
    /// Stores robots.txt in this file, and fetches it again only when necessary
    #[arg(long, value_name = "FILE")]
    store: Option<PathBuf>,
    /// Trusts only this authority: its certificate in PEM
    #[arg(long, value_name = "FILE")]
    ca: Option<PathBuf>,
    /// Connects only to public addresses
    #[arg(long)]
    public: bool,
    /// The time limit for a connection, for the start of an answer, and for each pause in it, in seconds
    #[arg(long, value_name = "S", default_value_t = 10.0)]
    patience: f64,
    /// Writes a line of JSON for each URL
    #[arg(long)]
    json: bool,
}

/// Fetches robots.txt for each URL, and returns the output.
///
/// # Errors
/// A message if a URL, an agent, a certificate or the file cannot be used.
pub fn fetch(arguments: &FetchArgs) -> Result<String, Error> {
    // All URLs are checked before any request, so that a mistake in one URL causes no request and loses no answer.
    for url in &arguments.urls {
        CacheKey::of(url).map_err(|error| Error::new(error.to_string()))?;
    }
    let limit = Duration::try_from_secs_f64(arguments.patience)
        .map_err(|error| Error::new(format!("--patience {}: {error}", arguments.patience)))?;
    let mut builder = builder(&arguments.agents, arguments.edition)?
        .connect_timeout(limit)
        .answer_timeout(limit)
        .idle_timeout(limit)
        .total_timeout(limit.saturating_mul(6));
    if let Some(path) = &arguments.ca {
        let authority = std::fs::read(path)
            .map_err(|error| Error::new(format!("cannot read {}: {error}", path.display())))?;
        builder = builder.trust(authority).trust_no_others();
    }
    if let Some(path) = &arguments.store {
        let store = Redb::open(path).map_err(|error| Error::new(format!("--store: {error}")))?;
        builder = builder.store(store);
    }
    if arguments.public {
        builder = builder.guard(PublicOnly::default());
    }
    let client = builder.build().map_err(|error| Error::new(error.to_string()))?;
    let mut text = String::new();
    for url in &arguments.urls {
        let before = client.counts().requests;
        let origin = client.origin(url).map_err(|error| Error::new(error.to_string()))?;
        let verdict = origin.verdict(url).map_err(|error| Error::new(error.to_string()))?;
        let requests = client.counts().requests - before;
        let written = if arguments.json {
            object(&mut text, &verdict, requests)
        } else {
            page(&mut text, &client, &origin, &verdict, requests)
        };
        written.map_err(|error| Error::new(error.to_string()))?;
    }
    Ok(text)
}

/// Returns whether an agent may fetch a URL according to the current robots.txt of an origin, and the verdict as text.
///
/// # Errors
/// A message if the origin, the URL or an agent cannot be used.
pub fn explain(
    edition: Edition,
    agents: &[String],
    origin: &str,
    url: &str,
) -> Result<(String, bool), Error> {
    let client =
        builder(agents, edition)?.build().map_err(|error| Error::new(error.to_string()))?;
    let handle = client.origin(origin).map_err(|error| Error::new(error.to_string()))?;
    let verdict = handle.verdict(url).map_err(|error| Error::new(error.to_string()))?;
    Ok((format!("{}\n", render::message(&verdict.to_string())), verdict.is_allowed()))
}

/// The limit for a fetched file in octets. It is large enough to count what no edition reads.
const LARGE_LIMIT: usize = 64 << 20;

/// Fetches the robots.txt of a URL's origin as a crawler, and returns its record.
///
/// # Errors
/// In words, if the URL or the crawler cannot be used.
pub(crate) fn record(url: &str, agent: &str) -> Result<robots_fetch::Record, Error> {
    let client = builder(&[agent.to_owned()], Edition::default())?;
    let client = client
        .settings(Settings::default().with_limit(LARGE_LIMIT))
        .build()
        .map_err(|error| Error::new(error.to_string()))?;
    let origin = client.origin(url).map_err(|error| Error::new(error.to_string()))?;
    Ok(robots_fetch::Record::clone(origin.record()))
}

/// Fetches the robots.txt of a URL's origin, and returns its octets.
///
/// # Errors
/// A message if there is no such file.
pub(crate) fn body(url: &str) -> Result<Vec<u8>, Error> {
    let record = record(url, "robots-conformance")?;
    match &record.copy {
        Some(copy) => Ok(copy.body.clone()),
        None => Err(format!(
            "{}/robots.txt cannot be read: {}",
            record.key,
            render::message(&record.last.end.to_string())
        )
        .into()),
    }
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
    format!("{agent} (robots-conformance/{version}; {repository})")
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

fn object(text: &mut String, verdict: &Verdict<'_>, requests: u64) -> fmt::Result {
    let record = verdict.record();
    let (last, copy) = (&record.last, record.copy.as_ref());
    let line = OutputLine {
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

/// Fetches robots.txt for bulk verdicts: a client for each crawler and edition, and one shared memory store.
pub struct Fetcher {
    store: Memory,
    allows_private: bool,
    clients: Mutex<HashMap<(Vec<String>, Edition), robots_fetch::Client>>,
}

/// The maximum number of clients, and the octets of memory for each of them and for the shared store.
const CLIENTS: usize = 64;
const MEMORY: (u64, u64) = (16 << 20, 256 << 20);

impl Fetcher {
    /// Makes a fetcher that connects only to public addresses, or to any.
    #[must_use]
    pub fn new(allows_private: bool) -> Self {
        let clients = Mutex::default();
        Self { store: Memory::of_octets(MEMORY.1), allows_private, clients }
    }

    fn client(&self, agents: &[String], edition: Edition) -> Result<robots_fetch::Client, Error> {
        let mut clients = self.clients.lock().unwrap_or_else(PoisonError::into_inner);
        let key = (agents.to_vec(), edition);
        if let Some(client) = clients.get(&key) {
            return Ok(client.clone());
        }
        let (first, more) = named(agents)?;
        let begun = robots_fetch::Client::builder(first)
            .edition(edition)
            .identification(identification(first));
        let builder = more.iter().fold(begun, robots_fetch::Builder::also_named);
        let mut builder = builder.store(self.store.clone()).memory(MEMORY.0);
        if !self.allows_private {
            builder = builder.guard(PublicOnly::default());
        }
        let client = builder.build().map_err(|error| Error::new(error.to_string()))?;
        if clients.len() >= CLIENTS {
            clients.clear();
        }
        clients.insert(key, client.clone());
        Ok(client)
    }
}

impl bulk::Fetch for Fetcher {
    fn verdict<'a>(
        &'a self,
        agents: &'a [String],
        edition: Edition,
        url: &'a str,
    ) -> bulk::Fetching<'a> {
        Box::pin(async move {
            let client = self.client(agents, edition)?;
            let verdict =
                client.verdict(url).await.map_err(|error| Error::new(error.to_string()))?;
            Ok(bulk::Fetched {
                allowed: verdict.is_allowed(),
                line: number(&verdict),
                reason: verdict.to_string(),
            })
        })
    }
}

#[cfg(test)]
mod tests {
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
            patience: 5.0,
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
        let text = fetch(&arguments(urls.clone(), false)).unwrap();
        let text = text
            .replace(web.url("main").unwrap(), "MAIN")
            .replace(web.url("other").unwrap(), "OTHER");
        for expected in [
            "  asked     MAIN/robots.txt, as examplebot (robots-conformance/",
            "  hop       301 MAIN/robots.txt\n  answer    robots.txt answered 200, at OTHER/r\n",
            "  file      33 octets, text/plain\n  means     the rules of the file decide\n",
            "  rules     user-agent: *\n            disallow: /private\n",
            "  verdict   disallow: the longest matching rule is line 2",
            "  asked     nothing: MAIN/robots.txt is known since ",
            "  verdict   allow: ",
        ] {
            assert!(text.contains(expected), "{expected}\n{text}");
        }
        let lines = fetch(&arguments(urls, true)).unwrap();
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
        let text = fetch(&arguments(vec![web.expand("{main}/x")], false)).unwrap();
        assert!(text.contains("means     nothing may be fetched for the time being"), "{text}");
        assert!(text.contains("RFC 9309, 2.3.1.4"), "{text}");
        let mut public = arguments(vec![web.expand("{main}/x")], false);
        public.public = true;
        let text = fetch(&public).unwrap();
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
        assert!(fetch(&arguments(vec![good], false)).unwrap().contains("disallow"));
        assert_eq!(web.log().len(), 1);
    }
}
