//! Reads the responses for robots.txt in web archives: WARC 1.0 and 1.1 (ISO 28500), plain, gzip or zstd.
//!
//! Start at [`Archive`]. `octets.rs` decodes the file, with `gzip.rs` for gzip members, `record.rs` reads records, and
//! `http.rs` reads the message of a record as a client would have. [`Retrieval`](crate::retrieval::Retrieval) decides in
//! `answer.rs` what an answer means, as for a client: the archive only takes the place of the network. So this module has
//! no rules of its own about statuses, redirects or broken bodies.
//!
//! An archive may be damaged or hostile. Damage is an [`Error`] for its place, and reading continues after it. The memory
//! is bounded whatever a record claims.

mod answer;
mod gzip;
mod http;
mod octets;
mod record;
mod redirects;

use std::collections::VecDeque;
use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;

use url::Url;

use self::answer::Arrived;
pub use self::answer::{Answer, Meaning, Undecided};
use self::http::Exchange;
use self::octets::{Broken, Octets};
use self::record::{Head, Kind, Records};
use self::redirects::Redirects;
use crate::error::Error as NotAKey;
use crate::key::CacheKey;
use crate::settings::Settings;

/// The responses for robots.txt in an archive, in their order, except that a redirect comes after its target.
///
/// ```
/// use robots_fetch::Settings;
/// use robots_fetch::warc::Archive;
///
/// let http = "HTTP/1.1 200 OK\r\n\r\nuser-agent: *\ndisallow: /private\n";
/// let archive = format!(
///     "WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: https://example.com/robots.txt\r\n\
///      WARC-Date: 2024-05-01T12:00:00Z\r\nContent-Type: application/http\r\nContent-Length: {}\r\n\r\n{http}\r\n\r\n",
///     http.len()
/// );
/// let mut archive = Archive::new(std::io::Cursor::new(archive), &Settings::default());
/// let answer = archive.next().unwrap()?;
/// assert_eq!((answer.url.as_str(), answer.status), ("https://example.com/robots.txt", Some(200)));
/// assert_eq!(answer.meaning.file(), Some(&b"user-agent: *\ndisallow: /private\n"[..]));
/// assert!(archive.next().is_none());
/// # Ok::<(), robots_fetch::warc::Error>(())
/// ```
pub struct Archive {
    records: Records,
    settings: Arc<Settings>,
    redirects: Redirects,
    /// Damage, which is reported after the responses before it.
    damage: VecDeque<Error>,
    /// Whether no head has been read since damage. All damage until the next head is one error.
    is_lost: bool,
    is_ended: bool,
}

/// A record that cannot be read, or a source that fails.
#[derive(Debug)]
#[non_exhaustive]
pub struct Error {
    /// Where the damage begins in the archive, in octets.
    pub offset: u64,
    /// The URL of the record, if its head could be read.
    pub url: Option<String>,
    kind: Broken,
}

impl Archive {
    /// Reads an archive from any source.
    pub fn new(source: impl Read + Send + 'static, settings: &Settings) -> Self {
        Self::of(Box::new(source), None, settings)
    }

    /// Opens an archive.
    ///
    /// # Errors
    /// Returns an error if the file cannot be opened.
    pub fn open(path: &Path, settings: &Settings) -> io::Result<Self> {
        let file = File::open(path)?;
        let about = file.metadata()?;
        if about.is_dir() {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        let length = about.is_file().then_some(about.len());
        Ok(Self::of(Box::new(file), length, settings))
    }

    fn of(source: Box<dyn Read + Send>, length: Option<u64>, settings: &Settings) -> Self {
        Self {
            records: Records::new(Octets::new(source, length)),
            settings: Arc::new(settings.clone()),
            redirects: Redirects::default(),
            damage: VecDeque::new(),
            is_lost: false,
            is_ended: false,
        }
    }

    /// Returns the next response without its meaning, so that another thread can compute it.
    pub fn next_undecided(&mut self) -> Option<Result<Undecided, Error>> {
        loop {
            if let Some(ready) = self.redirects.ready.pop_front() {
                return Some(Ok(ready));
            }
            if let Some(error) = self.damage.pop_front() {
                return Some(Err(error));
            }
            if self.is_ended {
                return None;
            }
            self.read();
        }
    }

    /// Reads the next record.
    fn read(&mut self) {
        let head = match self.records.next_head() {
            Ok(Some(head)) => head,
            Ok(None) => {
                self.is_ended = true;
                return self.redirects.give_up(0);
            }
            Err(broken) => return self.broken(broken, None),
        };
        self.is_lost = false;
        let key =
            (head.kind != Kind::Other && is_robots(&head.url)).then(|| CacheKey::of(&head.url));
        let wanted =
            if head.kind == Kind::Response { self.wanted(&head.url, key.as_ref()) } else { None };
        let read = if head.kind == Kind::Response && (key.is_some() || wanted.is_some()) {
            self.exchange(&head).map(Some)
        } else {
            self.records.end_block().map(|()| None)
        };
        match (read, key) {
            (Err(broken), _) => self.broken(broken, Some(head.url)),
            (Ok(Some((about, arrived))), key) => {
                let arrived = Arc::new(arrived);
                if let Some(url) = wanted {
                    self.redirects.join(&url, head.date, &arrived);
                }
                if let Some(key) = key {
                    self.answered(head, about, arrived, key);
                }
            }
            (Ok(None), Some(_)) => {
                let why = "it is a revisit record, and another record has the file".to_owned();
                self.unknown(head, About::default(), why);
            }
            (Ok(None), None) => {}
        }
    }

    /// Reads the HTTP message of a record.
    fn exchange(&mut self, head: &Head) -> Result<(About, Arrived), Broken> {
        let mut exchange = Exchange::new(self.settings.limit());
        while let Some(octets) = self.records.block()? {
            let length = octets.len();
            exchange.push(octets);
            self.records.consume(length);
        }
        self.records.end_block()?;
        let about = (exchange.status, std::mem::take(&mut exchange.head));
        Ok((about, exchange.finish(head.truncated.is_some())))
    }

    /// Returns the normal form of a URL, if redirects wait for it.
    fn wanted(&self, url: &str, key: Option<&Result<CacheKey, NotAKey>>) -> Option<String> {
        if !self.redirects.are_waiting() {
            return None;
        }
        let url = match key {
            Some(key) => key.as_ref().ok()?.robots_url(),
            None => Url::parse(url).ok()?.into(),
        };
        self.redirects.want(&url).then_some(url)
    }

    fn answered(
        &mut self,
        head: Head,
        about: About,
        arrived: Arc<Arrived>,
        key: Result<CacheKey, NotAKey>,
    ) {
        let key = match key {
            Ok(key) => key,
            Err(error) => return self.unknown(head, about, error.to_string()),
        };
        let answer = self.answer(head, about, String::new());
        self.redirects.answered(answer, key, &self.settings, arrived);
    }

    fn unknown(&mut self, head: Head, about: About, why: String) {
        let answer = self.answer(head, about, why);
        self.redirects.ready.push_back(Undecided::known(answer));
    }

    fn answer(&self, head: Head, about: About, why: String) -> Answer {
        let Head { url, date, truncated, .. } = head;
        let ((status, head), offset) = (about, self.records.offset);
        Answer { offset, url, date, status, truncated, meaning: Meaning::Unknown(why), head }
    }

    /// Reports damage, and continues after it. After a failure of the source, reading ends.
    fn broken(&mut self, kind: Broken, url: Option<String>) {
        let was_lost = std::mem::replace(&mut self.is_lost, true);
        let recovered = match &kind {
            Broken::Source(_) => {
                self.is_ended = true;
                Ok(())
            }
            damage => self.records.recover(damage),
        };
        let offset = self.records.offset;
        if !was_lost || self.is_ended {
            self.damage.push_back(Error { offset, url, kind });
        }
        if let Err(kind) = recovered {
            self.is_ended = true;
            self.damage.push_back(Error { offset, url: None, kind });
        }
        if self.is_ended {
            self.redirects.give_up(0);
        }
    }
}

/// The status of a response and its head.
type About = (Option<u16>, Vec<u8>);

impl Iterator for Archive {
    type Item = Result<Answer, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        self.next_undecided().map(|read| read.map(Undecided::decide))
    }
}

impl fmt::Debug for Archive {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Archive").field("offset", &self.records.offset).finish_non_exhaustive()
    }
}

impl Error {
    /// Returns the reason as a part of a sentence.
    #[must_use]
    pub fn why(&self) -> String {
        match &self.kind {
            Broken::Source(error) => error.to_string(),
            Broken::Member(why) | Broken::Record(why) => (*why).to_owned(),
        }
    }

    /// Returns the failure of the source, after which nothing more is read, or `None` for damage.
    #[must_use]
    pub fn source_failure(&self) -> Option<&io::Error> {
        match &self.kind {
            Broken::Source(error) => Some(error),
            _ => None,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "at octet {}: {}", self.offset, self.why())
    }
}

impl std::error::Error for Error {}

/// Returns whether a URL is the URL of a robots.txt.
fn is_robots(url: &str) -> bool {
    let path = url.split_once("://").and_then(|(_, rest)| rest.split_once('/'));
    path.is_some_and(|(_, path)| path == "robots.txt")
}
