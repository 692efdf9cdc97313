//! The flags of the example crawlers.

pub(crate) mod ftp;

use std::time::Duration;
use std::{env, fs};

use lexopt::prelude::*;
use robots_fetch::robots_core::Edition;
use robots_fetch::store::Memory;
use url::Url;

const USAGE: &str = "usage: crawl [--agent TOKEN] [--edition ID] [--ca FILE] [--store FILE | --redis URL] \
                     [--delay SECONDS] [--patience SECONDS] [--public] URL";

/// Where robots.txt is kept, beside the memory of the client.
#[derive(Clone, Debug, Default)]
pub enum Kept {
    /// Nowhere.
    #[default]
    Nowhere,
    /// In a file.
    File(String),
    /// On a server, by its URL.
    Server(String),
    /// In memory that several crawls share.
    Memory(Memory),
}

/// What the command line says.
#[derive(Clone, Debug)]
pub struct Flags {
    /// The product token.
    pub agent: String,
    /// The edition to follow.
    pub edition: Edition,
    /// The certificate of the only authority to trust, in PEM.
    pub authority: Option<Vec<u8>>,
    /// Where robots.txt is kept.
    pub kept: Kept,
    /// The pause before each page.
    pub delay: Duration,
    /// How long an answer may take to begin, and then to go on.
    pub patience: Duration,
    /// Whether to connect to public addresses alone.
    pub public: bool,
    /// Where to begin.
    pub seed: Url,
}

impl Flags {
    /// Makes flags that say as little as possible.
    pub fn new(agent: &str, seed: Url) -> Self {
        Self {
            agent: agent.to_owned(),
            edition: Edition::default(),
            authority: None,
            kept: Kept::Nowhere,
            delay: Duration::from_secs(1),
            patience: Duration::from_secs(10),
            public: false,
            seed,
        }
    }

    /// Returns what the crawler calls itself to servers.
    pub fn identification(&self) -> String {
        format!("{}/1.0 (+https://example.com/bot)", self.agent)
    }

    /// Reads the command line of this process.
    ///
    /// # Errors
    ///
    /// If it has a word that is no flag, a value that cannot be read, or no URL.
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
                Long("patience") => flags.patience = seconds(words.value()?.string()?)?,
                Long("public") => flags.public = true,
                Value(url) if seed.is_none() => seed = Some(Url::parse(&url.string()?)?),
                _ => return Err(USAGE.into()),
            }
        }
        flags.seed = seed.ok_or(USAGE)?;
        Ok(flags)
    }
}
