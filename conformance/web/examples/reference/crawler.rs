//! The reference crawler: robots.txt first, per authority, as an edition says, on the way to every page.

use std::collections::{HashMap, HashSet, VecDeque};
use std::io::{self, Read};
use std::time::{Duration, Instant};

use flate2::read::MultiGzDecoder;
use html5gum::{Token, Tokenizer};
use robots_nom_parser::parse_with;
use robots_nom_parser::robots_core::Edition;
use robots_nom_parser::robots_core::fetch::{Access, Failure, FetchEnd, FetchResult, Location};
use suppaftp::{FtpError, FtpStream};
use ureq::tls::{Certificate, RootCerts, TlsConfig};
use url::Url;

use crate::rogue::{self, Rogue};

/// The octets of a robots.txt that count: 500 KiB. One more is read, so that the parser sees that a line was cut.
const LIMIT: u64 = 500 * 1024;
/// The octets of a page that are read.
const PAGE_LIMIT: u64 = 1 << 20;
/// The most pages of a crawl, of many cases too, and the most hops to one.
const PAGES: usize = 10_000;
const HOPS: u32 = 5;
/// How long one answer may take to begin and to end: longer than any drip of the cases lasts.
const PATIENCE: Duration = Duration::from_millis(2_500);

/// A polite crawler.
pub(crate) struct Crawler {
    agent: String,
    edition: Edition,
    rogue: Option<Rogue>,
    client: ureq::Agent,
    policies: HashMap<String, Policy>,
    deadline: Instant,
}

/// What is known of an authority.
#[derive(Clone)]
enum Policy {
    Allow,
    Disallow,
    Rules(Vec<u8>),
}

/// An answer whose body is still to be read.
struct Answer {
    status: u16,
    location: Option<String>,
    media_type: Option<String>,
    body: Box<dyn Read>,
}

impl Crawler {
    /// Makes a crawler that trusts the authority of this PEM besides no other.
    pub(crate) fn new(
        agent: &str,
        edition: Edition,
        authority: &[u8],
        limit: Duration,
    ) -> io::Result<Self> {
        let authority = Certificate::from_pem(authority).map_err(io::Error::other)?;
        let tls = TlsConfig::builder().root_certs(RootCerts::new_with_certs(&[authority])).build();
        let client = ureq::Agent::config_builder()
            .max_redirects(0)
            .http_status_as_error(false)
            .timeout_connect(Some(PATIENCE))
            .timeout_recv_response(Some(PATIENCE))
            .timeout_recv_body(Some(PATIENCE))
            .proxy(None)
            .tls_config(tls)
            .build()
            .new_agent();
        Ok(Self {
            agent: agent.to_owned(),
            edition,
            rogue: None,
            client,
            policies: HashMap::new(),
            deadline: Instant::now() + limit,
        })
    }

    /// Switches a fault on.
    pub(crate) fn with(mut self, rogue: Rogue) -> Self {
        self.rogue = Some(rogue);
        self
    }

    /// Crawls from a URL; returns whether it was done before the time was up.
    pub(crate) fn crawl(&mut self, seed: &str) -> bool {
        let mut frontier: VecDeque<Url> = Url::parse(seed).into_iter().collect();
        let mut known: HashSet<Url> = frontier.iter().cloned().collect();
        for _ in 0..PAGES {
            if Instant::now() > self.deadline {
                return false;
            }
            let Some(url) = frontier.pop_front() else { return true };
            frontier.extend(self.visit(url).into_iter().filter(|link| known.insert(link.clone())));
        }
        true
    }

    /// Fetches a page by way of its redirects, each of them allowed, and returns its links.
    fn visit(&mut self, mut url: Url) -> Vec<Url> {
        for hop in 0..=HOPS {
            let unchecked = hop > 0 && self.is(Rogue::RedirectedPagesUnchecked);
            if !matches!(url.scheme(), "http" | "https" | "ftp")
                || !(unchecked || self.may_fetch(&url))
            {
                return Vec::new();
            }
            let Ok(answer) = self.get(&url) else { return Vec::new() };
            let next = answer.location.as_deref().and_then(|location| url.join(location).ok());
            match next {
                Some(target) if (300..400).contains(&answer.status) => url = target,
                _ => return links(&url, answer),
            }
        }
        Vec::new()
    }

    fn may_fetch(&mut self, url: &Url) -> bool {
        let key = self.key(url);
        if self.is(Rogue::StaysWhereItBegan) && self.policies.keys().any(|known| *known != key) {
            return false;
        }
        let policy = match self.policies.get(&key) {
            Some(policy) if !self.is(Rogue::AsksPerPage) => policy.clone(),
            _ if self.is(Rogue::AsksAfterTheFirstPage) => {
                let _ = self.get(url);
                self.retrieve(url, key)
            }
            _ => self.retrieve(url, key),
        };
        match policy {
            _ if self.is(Rogue::IgnoresRobots) => true,
            Policy::Allow => true,
            Policy::Disallow => false,
            Policy::Rules(file) if self.is(Rogue::FirstMatch) => {
                rogue::first_match(&file, url.path())
            }
            Policy::Rules(file) => {
                let robots = parse_with(&file, self.edition);
                let url = self.rogue.map_or_else(|| url.to_string(), |rogue| rogue.bend_url(url));
                let allows = |agent: &str| robots.verdict(agent, &url).is_allowed();
                match self.rogue {
                    Some(Rogue::StarOnly) => allows("no-such-crawler"),
                    Some(Rogue::OwnFallsThrough) => {
                        allows(&self.agent) && allows("no-such-crawler")
                    }
                    Some(Rogue::NoGroupDisallows)
                        if robots.followed_by(self.agent.as_str()).is_none() =>
                    {
                        false
                    }
                    _ => allows(&self.agent),
                }
            }
        }
    }

    /// Returns what rules are kept under: scheme, host and port.
    fn key(&self, url: &Url) -> String {
        let port = url.port_or_known_default().unwrap_or_default();
        let host = url.host_str().unwrap_or_default();
        match self.rogue {
            Some(Rogue::SchemeDropped) => format!("{host}:{port}"),
            Some(Rogue::HostDropped) => format!("{}:{port}", url.scheme()),
            Some(Rogue::PortDropped) => format!("{}://{host}", url.scheme()),
            _ => format!("{}://{host}:{port}", url.scheme()),
        }
    }

    /// Asks for robots.txt, keeps what that means for the authority of this URL, and returns it.
    fn retrieve(&mut self, url: &Url, key: String) -> Policy {
        let at = match self.rogue {
            Some(Rogue::AsksInDirectories) => "robots.txt",
            Some(Rogue::AsksWithCapital) => "/Robots.txt",
            _ => "/robots.txt",
        };
        let mut target = url.join(at).unwrap_or_else(|_| url.clone());
        let mut seen = HashSet::from([target.clone()]);
        let mut redirects = 0;
        let policy = loop {
            let answer = self.ask(&target);
            let (end, next) = self.end(&target, &answer, &mut seen);
            let mut fetch = FetchResult::status(200);
            (fetch.end, fetch.redirects) = (end, redirects);
            let access = match (self.bent_access(&fetch, &target, next.as_ref()), answer) {
                (Some(access), Ok(answer)) => (access, Some(answer)),
                (Some(access), Err(_)) => (access, None),
                (None, answer) => (self.edition.access(&fetch), answer.ok()),
            };
            match access {
                (Access::FollowRedirect, _) => {
                    let Some(next) = next else { break Policy::Allow };
                    (target, redirects) = (next, redirects + 1);
                }
                (Access::FullAllow, _) => break Policy::Allow,
                (Access::ConditionalAllow, Some(answer)) => break self.rules(answer),
                _ => break Policy::Disallow,
            }
        };
        let here = self.key(&target);
        if self.is(Rogue::TargetSharesRules) {
            self.policies.insert(here.clone(), policy.clone());
        }
        if self.is(Rogue::TargetTakesRules) && here != key {
            self.policies.insert(here, policy);
            self.policies.insert(key, Policy::Allow);
            return Policy::Allow;
        }
        self.policies.insert(key, policy.clone());
        policy
    }

    /// Tells the core how a request ended, and where it points on.
    fn end(
        &self,
        target: &Url,
        answer: &Result<Answer, Failure>,
        seen: &mut HashSet<Url>,
    ) -> (FetchEnd, Option<Url>) {
        let answer = match answer {
            Ok(answer) => answer,
            Err(failure) => return (FetchEnd::Failure(*failure), None),
        };
        let next = answer.location.as_deref().and_then(|location| target.join(location).ok());
        let relative = answer.location.as_ref().is_some_and(|location| !location.contains("://"));
        let next = next.filter(|_| !(relative && self.is(Rogue::RelativeLocationAllows)));
        let location = match &next {
            None => Location::Missing,
            Some(next) if !seen.insert(next.clone()) => Location::Loop,
            Some(_) => Location::Present,
        };
        (FetchEnd::Status { status: answer.status, location }, next)
    }

    /// Reads the rules to the limit; a body that ends before it should is a failure.
    fn rules(&self, answer: Answer) -> Policy {
        let html = answer.media_type.as_deref().is_some_and(|kind| kind.starts_with("text/html"));
        let charset =
            answer.media_type.as_deref().is_some_and(|kind| kind.contains("charset=utf-8"));
        match self.rogue {
            Some(Rogue::HtmlIgnored) if html => return Policy::Allow,
            Some(Rogue::MediaTypeNeeded) if answer.media_type.is_none() => return Policy::Allow,
            Some(Rogue::CharsetNeeded) if !charset => return Policy::Allow,
            _ => {}
        }
        let mut file = Vec::new();
        match answer.body.take(LIMIT + 1).read_to_end(&mut file) {
            Ok(_) => match self.rogue {
                Some(rogue) => Policy::Rules(rogue.bend_file(&self.agent, file)),
                None => Policy::Rules(file),
            },
            Err(_) if self.is(Rogue::PartialBodyAllows) => Policy::Allow,
            Err(_) => match self.edition.access(&FetchResult::failure(Failure::Connection)) {
                Access::FullAllow => Policy::Allow,
                _ => Policy::Disallow,
            },
        }
    }

    fn ask(&self, target: &Url) -> Result<Answer, Failure> {
        if self.is(Rogue::AsksByHead) {
            let _ = self.client.head(target.as_str()).call();
        }
        self.get(target)
    }

    fn get(&self, url: &Url) -> Result<Answer, Failure> {
        if url.scheme() == "ftp" {
            return get_by_ftp(url);
        }
        let agent = match self.rogue {
            Some(Rogue::HidesItsName) => "Mozilla/5.0".to_owned(),
            _ => format!("{}/1.0 (reference crawler of a test)", self.agent),
        };
        let mut request = self.client.get(url.as_str()).header("user-agent", agent);
        request = request.header("accept-encoding", "gzip");
        if self.is(Rogue::AsksConditionally) {
            request = request.header("if-modified-since", "Sun, 06 Nov 1994 08:49:37 GMT");
        }
        let response = request.call().map_err(|error| failure(&error))?;
        let text = |name| response.headers().get(name).and_then(|value| value.to_str().ok());
        let (location, media_type) = (text("location"), text("content-type"));
        let (location, media_type) = (location.map(str::to_owned), media_type.map(str::to_owned));
        let coded = text("content-encoding") == Some("gzip") && !self.is(Rogue::GzipUnread);
        let status = response.status().as_u16();
        let body = response.into_body().into_reader();
        let body: Box<dyn Read> =
            if coded { Box::new(MultiGzDecoder::new(body)) } else { Box::new(body) };
        Ok(Answer { status, location, media_type, body })
    }

    /// Returns the fault that is switched on.
    pub(crate) fn rogue(&self) -> Option<Rogue> {
        self.rogue
    }

    fn is(&self, rogue: Rogue) -> bool {
        self.rogue == Some(rogue)
    }
}

/// Logs in as anonymous and retrieves a file; one that the server refuses is missing.
fn get_by_ftp(url: &Url) -> Result<Answer, Failure> {
    let port = url.port_or_known_default().unwrap_or_default();
    let retrieve = || {
        let mut ftp = FtpStream::connect(format!("{}:{port}", url.host_str().unwrap_or_default()))?;
        ftp.login("anonymous", "anonymous")?;
        ftp.retr_as_buffer(url.path())
    };
    let answer = |status, body| Answer { status, location: None, media_type: None, body };
    match retrieve() {
        Ok(file) => Ok(answer(200, Box::new(file))),
        Err(FtpError::UnexpectedResponse(_)) => Ok(answer(404, Box::new(io::empty()))),
        Err(_) => Err(Failure::Connection),
    }
}

fn failure(error: &ureq::Error) -> Failure {
    match error {
        ureq::Error::Timeout(_) => Failure::Timeout,
        ureq::Error::HostNotFound => Failure::Dns,
        ureq::Error::Io(_) | ureq::Error::ConnectionFailed => Failure::Connection,
        _ => Failure::InvalidResponse,
    }
}

/// Returns the links of an HTML page.
fn links(url: &Url, answer: Answer) -> Vec<Url> {
    let mut page = Vec::new();
    // What came of a page that breaks off is read all the same.
    let _ = answer.body.take(PAGE_LIMIT).read_to_end(&mut page);
    if !answer.media_type.is_some_and(|kind| kind.starts_with("text/html")) {
        return Vec::new();
    }
    let page = String::from_utf8_lossy(&page);
    let mut links = Vec::new();
    for Ok(token) in Tokenizer::new(&*page) {
        let Token::StartTag(tag) = token else { continue };
        let href = tag.attributes.get(&b"href"[..]).filter(|_| **tag.name == *b"a");
        let link = href.and_then(|href| url.join(&String::from_utf8_lossy(href)).ok());
        links.extend(link.map(|mut link| {
            link.set_fragment(None);
            link
        }));
    }
    links
}
