//! A crawler that executes the steps of this crate's retrieval itself. Because the crawler executes the steps, a test
//! can add one fault between the retrieval and the network. Start at [`Crawler::crawl`].

use std::collections::{HashMap, HashSet, VecDeque};
use std::io::{self, Read};
use std::time::{Duration, Instant, SystemTime};

use robots_fetch::retrieval::{Body, BodyReader, Next, Progress, Request, Response, Retrieval};
use robots_fetch::robots_core::fetch::{Access, Failure};
use robots_fetch::robots_core::{Edition, RuleKind};
use robots_fetch::{CacheKey, Settings};
use robots_nom_parser::parse_with;
use suppaftp::FtpError;
use ureq::tls::{Certificate, RootCerts, TlsConfig};
use url::Url;

use crate::answers::{Answer, Bent, bent};
use crate::flags;
use crate::rogue::Rogue;

/// The maximum number of octets that are read from an answer.
const LIMIT: u64 = 1 << 20;
/// The maximum number of pages in a crawl. [`HOPS`] is the maximum number of redirects to a page.
const PAGES: usize = 10_000;
const HOPS: u32 = 5;
/// The time limit for the start and for the end of an answer. The limit is longer than the slowest answer in the cases.
const ANSWER_LIMIT: Duration = Duration::from_millis(2_500);

/// A crawler with a fault, or without one.
pub(crate) struct Crawler {
    agent: String,
    edition: Edition,
    rogue: Option<Rogue>,
    client: ureq::Agent,
    policies: HashMap<String, Policy>,
    deadline: Instant,
}

/// The meaning of the robots.txt of an authority.
#[derive(Clone)]
enum Policy {
    Allow,
    Disallow,
    Rules(Vec<u8>),
}

impl Crawler {
    /// Makes a crawler that trusts only the authority with this certificate, in PEM.
    pub(crate) fn new(
        agent: &str,
        edition: Edition,
        authority: &[u8],
        limit: Duration,
        rogue: Option<Rogue>,
    ) -> io::Result<Self> {
        let authority = Certificate::from_pem(authority).map_err(io::Error::other)?;
        let tls = TlsConfig::builder().root_certs(RootCerts::new_with_certs(&[authority])).build();
        let client = ureq::Agent::config_builder()
            .max_redirects(0)
            .http_status_as_error(false)
            .timeout_connect(Some(ANSWER_LIMIT))
            .timeout_recv_response(Some(ANSWER_LIMIT))
            .timeout_recv_body(Some(ANSWER_LIMIT))
            .proxy(None)
            .tls_config(tls)
            .build()
            .new_agent();
        let (agent, deadline) = (agent.to_owned(), Instant::now() + limit);
        Ok(Self { agent, edition, rogue, client, policies: HashMap::new(), deadline })
    }

    /// Crawls from a URL. Returns whether the crawl finished in time.
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

    /// Fetches a page, and follows each redirect whose target is allowed. Returns the links of the page.
    fn visit(&mut self, mut url: Url) -> Vec<Url> {
        for hop in 0..=HOPS {
            let unchecked = hop > 0 && self.is(Rogue::RedirectedPagesUnchecked);
            if !(unchecked || self.may_fetch(&url)) {
                return Vec::new();
            }
            let Ok(answer) = self.page(&url) else { return Vec::new() };
            if answer.status == 403 && self.is(Rogue::ForbiddenPageEndsHost) {
                self.policies.insert(self.key(&url), Policy::Disallow);
            }
            let next = answer.location.as_deref().and_then(|location| url.join(location).ok());
            match next {
                Some(target) if (300..400).contains(&answer.status) => url = target,
                _ => {
                    let kind = answer.media_type.as_deref().map(str::as_bytes);
                    return flags::links(&url, kind, &answer.body);
                }
            }
        }
        Vec::new()
    }

    fn may_fetch(&mut self, url: &Url) -> bool {
        let Ok(origin) = CacheKey::of(url.as_str()) else { return false };
        let key = self.key(url);
        let policy = match self.policies.get(&key) {
            Some(policy) if !self.is(Rogue::AsksPerPage) => policy.clone(),
            _ => {
                if self.is(Rogue::AsksAfterTheFirstPage) {
                    let _ = self.page(url);
                }
                self.retrieve(url, &origin, key)
            }
        };
        match policy {
            _ if self.is(Rogue::IgnoresRobots) => true,
            Policy::Allow if self.is(Rogue::NeedsAnAllowRule) => false,
            Policy::Allow => true,
            Policy::Disallow => false,
            Policy::Rules(file) => self.follows(&file, url),
        }
    }

    fn follows(&self, file: &[u8], url: &Url) -> bool {
        let robots = parse_with(file, self.edition);
        let bent = self.rogue.map_or_else(|| url.to_string(), |rogue| rogue.bend_url(url));
        let allows = |agent: &str| robots.verdict(agent, &bent).is_allowed();
        match self.rogue {
            Some(Rogue::FirstMatch) => {
                // With this fault, the first rule that matches decides, so each rule is tried alone.
                let group = robots.followed_by(self.agent.as_str());
                let mut alone = group.into_iter().flat_map(|group| group.rules()).map(|rule| {
                    let kind = rule.kind();
                    let head = format!("user-agent: *\n{kind}: ");
                    let file = [head.as_bytes(), rule.path()].concat();
                    let alone = parse_with(&file, self.edition);
                    alone.verdict("anybot", &bent).rule().map(|_| kind)
                });
                alone.find_map(|decides| decides).is_none_or(|kind| kind == RuleKind::Allow)
            }
            Some(Rogue::NeedsAnAllowRule) => {
                allows(&self.agent) && robots.verdict(&self.agent, &bent).rule().is_some()
            }
            Some(Rogue::StarOnly) => allows("no-such-crawler"),
            Some(Rogue::OwnFallsThrough) => allows(&self.agent) && allows("no-such-crawler"),
            Some(Rogue::NoGroupDisallows) => {
                robots.followed_by(self.agent.as_str()).is_some() && allows(&self.agent)
            }
            _ => allows(&self.agent),
        }
    }

    /// Returns the cache key: scheme, host and port, or only two of them if the fault drops one.
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

    /// Requests robots.txt, stores its meaning for the authority of this URL, and returns this meaning.
    fn retrieve(&mut self, url: &Url, origin: &CacheKey, key: String) -> Policy {
        let settings = Settings::default().edition(self.edition);
        let name = self.name();
        let (policy, last) = self.drive(Retrieval::new(origin, &settings, &name, None), url);
        let there = self.key(&last);
        if self.is(Rogue::TargetSharesRules) {
            self.policies.insert(there.clone(), policy.clone());
        }
        if self.is(Rogue::TargetTakesRules) && there != key {
            self.policies.insert(there, policy);
            self.policies.insert(key, Policy::Allow);
            return Policy::Allow;
        }
        self.policies.insert(key, policy.clone());
        policy
    }

    /// Executes the steps of a retrieval, with the fault applied to the answers. Returns the policy, and the URL that
    /// was requested last.
    fn drive(&self, mut retrieval: Retrieval, page: &Url) -> (Policy, Url) {
        let (mut last, mut asked) = (page.clone(), HashSet::new());
        while let Next::Request(request) = retrieval.step(now()) {
            last = self.target(&request, page, retrieval.hops().len());
            asked.insert(last.clone());
            let answer = self.ask(&request, &last);
            let hops = retrieval.hops().len();
            match self.rogue.and_then(|rogue| bent(rogue, &answer, &last, hops, &asked)) {
                Some(Bent::Allows) => return (Policy::Allow, last),
                Some(Bent::Disallows) => return (Policy::Disallow, last),
                Some(Bent::Obeys) => {
                    return (answer.map_or(Policy::Allow, |answer| self.rules(answer.body)), last);
                }
                None => match answer.and_then(|answer| self.response(&answer)) {
                    Ok(response) => retrieval.answered(response, now()),
                    Err(failure) => retrieval.failed(failure, "no answer came", now()),
                },
            }
        }
        let policy = match (retrieval.access(), retrieval.into_record()) {
            (Some(Access::FullAllow), _) => Policy::Allow,
            (Some(Access::ConditionalAllow), Some(record)) => match record.copy {
                Some(copy) if !self.sets_aside(copy.about.content_type.as_deref()) => {
                    self.rules(copy.body)
                }
                Some(_) => Policy::Allow,
                None => Policy::Disallow,
            },
            _ => Policy::Disallow,
        };
        (policy, last)
    }

    /// Returns the URL that the crawler really requests. The crawler requests the URL of the retrieval's request,
    /// unless the fault changes the URL of the first request.
    fn target(&self, request: &Request, page: &Url, hops: usize) -> Url {
        let elsewhere = match self.rogue.filter(|_| hops == 0) {
            Some(Rogue::AsksInDirectories) => page.join("robots.txt").ok(),
            Some(Rogue::AsksWithCapital) => page.join("/Robots.txt").ok(),
            _ => None,
        };
        elsewhere.unwrap_or_else(|| request.url().clone())
    }

    /// Returns whether the crawler, because of its fault, ignores a file of this media type.
    fn sets_aside(&self, media_type: Option<&str>) -> bool {
        let has = |text| media_type.is_some_and(|kind| kind.contains(text));
        match self.rogue {
            Some(Rogue::HtmlIgnored) => has("text/html"),
            Some(Rogue::MediaTypeNeeded) => media_type.is_none(),
            Some(Rogue::CharsetNeeded) => !has("charset=utf-8"),
            _ => false,
        }
    }

    fn rules(&self, file: Vec<u8>) -> Policy {
        Policy::Rules(match self.rogue {
            Some(rogue) => rogue.bend_file(&self.agent, file),
            None => file,
        })
    }

    /// Converts a received answer to the form that the retrieval needs: decodes the body, and cuts it at the limit.
    fn response(&self, answer: &Answer) -> Result<Response, Failure> {
        let coding = answer.coding.as_deref().filter(|_| !self.is(Rogue::GzipUnread));
        let fields = [("location", &answer.location), ("content-type", &answer.media_type)];
        let fields = fields.iter().filter_map(|(name, value)| Some((*name, value.as_deref()?)));
        let response =
            Response::new(answer.status, fields.map(|(name, value)| (name, value.as_bytes())));
        if !response.has_a_file() {
            return Ok(response);
        }
        let invalid = |_| Failure::InvalidResponse;
        let limit = Settings::default().edition(self.edition).limit();
        let mut reader = BodyReader::new(coding, limit).map_err(invalid)?;
        match (reader.push(&answer.body).map_err(invalid)?, answer.broke_off) {
            (Progress::More, Some(failure)) => Err(failure),
            _ => reader.finish().map_err(invalid).map(|body: Body| response.with_body(body)),
        }
    }

    fn ask(&self, request: &Request, target: &Url) -> Result<Answer, Failure> {
        if target.scheme() == "ftp" {
            return by_ftp(target);
        }
        if self.is(Rogue::AsksByHead) {
            let _ = self.client.head(target.as_str()).call();
        }
        let mut sent = self.client.get(target.as_str());
        for (name, value) in request.fields() {
            sent = sent.header(name, value);
        }
        if self.is(Rogue::AsksConditionally) {
            sent = sent.header("if-modified-since", "Sun, 06 Nov 1994 08:49:37 GMT");
        }
        answer(sent.call())
    }

    fn page(&self, url: &Url) -> Result<Answer, Failure> {
        if url.scheme() == "ftp" {
            return by_ftp(url);
        }
        answer(self.client.get(url.as_str()).header("user-agent", self.name()).call())
    }

    fn name(&self) -> String {
        match self.rogue {
            Some(Rogue::HidesItsName) => "Mozilla/5.0".to_owned(),
            _ => format!("{}/1.0 (a crawler of a test)", self.agent),
        }
    }

    fn is(&self, rogue: Rogue) -> bool {
        self.rogue == Some(rogue)
    }
}

fn now() -> Duration {
    SystemTime::UNIX_EPOCH.elapsed().unwrap_or_default()
}

fn answer(came: Result<ureq::http::Response<ureq::Body>, ureq::Error>) -> Result<Answer, Failure> {
    let response = came.map_err(|error| failure(&error))?;
    let text = |name| response.headers().get(name).and_then(|value| value.to_str().ok());
    let mut answer = Answer {
        status: response.status().as_u16(),
        location: text("location").map(str::to_owned),
        media_type: text("content-type").map(str::to_owned),
        coding: text("content-encoding").map(str::to_owned),
        body: Vec::new(),
        broke_off: None,
    };
    let mut body = response.into_body().into_reader().take(LIMIT);
    answer.broke_off = body.read_to_end(&mut answer.body).err().map(|_| Failure::Connection);
    Ok(answer)
}

/// Logs in as anonymous and retrieves a file. If the server refuses any command, the file counts as missing.
fn by_ftp(url: &Url) -> Result<Answer, Failure> {
    let (status, body) = match flags::ftp::page(url) {
        Ok(file) => (200, file),
        Err(FtpError::UnexpectedResponse(_)) => (404, Vec::new()),
        Err(_) => return Err(Failure::Connection),
    };
    Ok(Answer { status, location: None, media_type: None, coding: None, body, broke_off: None })
}

fn failure(error: &ureq::Error) -> Failure {
    match error {
        ureq::Error::Timeout(_) => Failure::Timeout,
        ureq::Error::HostNotFound => Failure::Dns,
        ureq::Error::Io(_) | ureq::Error::ConnectionFailed => Failure::Connection,
        _ => Failure::InvalidResponse,
    }
}
