//! The parts that the example crawlers share: the flags, the links of a page, and pages by FTP.

pub(crate) mod ftp;

use std::time::Duration;
use std::{env, fs};

use html5gum::{Token, Tokenizer};

use lexopt::prelude::*;
use robots_fetch::Settings;
use robots_fetch::robots_core::Edition;
use robots_fetch::store::Memory;
use url::Url;

const USAGE: &str = "usage: crawl [--agent TOKEN] [--edition ID] [--ca FILE] [--store FILE | --redis URL] \
                     [--delay SECONDS] [--timeout SECONDS] [--retry SECONDS] [--wait SECONDS] [--public] URL";

/// The store for robots.txt records, in addition to the client's memory.
#[derive(Clone, Debug, Default)]
pub enum Kept {
    /// No store.
    #[default]
    Nowhere,
    /// A file.
    File(String),
    /// A server, by its URL.
    Server(String),
    /// Memory that several crawls share.
    Memory(Memory),
}

/// The options of the command line.
#[derive(Clone, Debug)]
pub struct Flags {
    /// The product token.
    pub agent: String,
    /// The edition to follow.
    pub edition: Edition,
    /// The certificate of the only certificate authority to trust, in PEM.
    pub authority: Option<Vec<u8>>,
    /// The store of robots.txt records.
    pub kept: Kept,
    /// The pause before each page.
    pub delay: Duration,
    /// The time limit for making a connection, for the start of an answer, and for each pause in the answer.
    pub timeout: Duration,
    /// The delay before the first retry of a robots.txt that cannot be reached. `None` means the default of the
    /// library.
    pub retry: Option<Duration>,
    /// The time after the start of the crawl until which it waits for a robots.txt that cannot be reached. The crawl
    /// waits only if it has no other work.
    pub wait: Duration,
    /// Whether the client for robots.txt connects only to public addresses. The client for pages has no such limit.
    pub public: bool,
    /// The URL where the crawl begins.
    pub seed: Url,
}

impl Flags {
    /// Makes flags with default values.
    pub fn new(agent: &str, seed: Url) -> Self {
        Self {
            agent: agent.to_owned(),
            edition: Edition::default(),
            authority: None,
            kept: Kept::Nowhere,
            delay: Duration::from_secs(1),
            timeout: Duration::from_secs(10),
            retry: None,
            wait: Duration::ZERO,
            public: false,
            seed,
        }
    }

    /// Returns the `User-Agent` of the crawler.
    pub fn identification(&self) -> String {
        format!("{}/1.0 (+https://example.com/bot)", self.agent)
    }

    /// Returns the settings of the client for robots.txt.
    pub fn settings(&self) -> Settings {
        let settings = Settings::default().edition(self.edition);
        let day = Duration::from_secs(24 * 60 * 60);
        match self.retry {
            Some(retry) => settings.first_retry(retry).retry_after_503(retry).longest_retry(day),
            None => settings,
        }
    }

    /// Reads the command line of this process.
    ///
    /// # Errors
    ///
    /// Returns an error if a word is not a flag, a value cannot be read, or there is no URL.
    pub fn of_process() -> Result<Self, Box<dyn std::error::Error + Send + Sync>> {
        let seconds = |text: String| text.parse().map(Duration::from_secs_f64);
        let mut seed = None;
        let mut flags = Self::new("examplebot", Url::parse("http://localhost/")?);
        let mut words = lexopt::Parser::from_iter(env::args_os());
        while let Some(word) = words.next()? {
            match word {
                Long("agent") => flags.agent = words.value()?.string()?,
                Long("edition") => flags.edition = words.value()?.string()?.parse()?,
                Long("ca") => flags.authority = Some(fs::read(words.value()?)?),
                Long("store") => flags.kept = Kept::File(words.value()?.string()?),
                Long("redis") => flags.kept = Kept::Server(words.value()?.string()?),
                Long("delay") => flags.delay = seconds(words.value()?.string()?)?,
                Long("timeout") => flags.timeout = seconds(words.value()?.string()?)?,
                Long("retry") => flags.retry = Some(seconds(words.value()?.string()?)?),
                Long("wait") => flags.wait = seconds(words.value()?.string()?)?,
                Long("public") => flags.public = true,
                Value(url) if seed.is_none() => seed = Some(Url::parse(&url.string()?)?),
                _ => return Err(USAGE.into()),
            }
        }
        flags.seed = seed.ok_or(USAGE)?;
        Ok(flags)
    }
}

/// Returns the targets of a page's links. The result is empty if the media type of the page is not HTML.
pub(crate) fn links(page: &Url, media_type: Option<&[u8]>, html: &[u8]) -> Vec<Url> {
    let mut links = Vec::new();
    if !media_type.is_some_and(|kind| kind.starts_with(b"text/html")) {
        return links;
    }
    for Ok(token) in Tokenizer::new(&*String::from_utf8_lossy(html)) {
        let Token::StartTag(tag) = token else { continue };
        let href = tag.attributes.get(&b"href"[..]).filter(|_| **tag.name == *b"a");
        if let Some(Ok(mut link)) = href.map(|href| page.join(&String::from_utf8_lossy(href))) {
            link.set_fragment(None);
            links.push(link);
        }
    }
    links
}
