//! Reads the responses for robots.txt in web archives: WARC 1.0 and 1.1 (ISO 28500), plain, gzip or zstd.
//!
//! Start at [`Archive`]. `octets.rs` decodes the file, `record.rs` reads records, and `http.rs` reads the message of a
//! record as a client would have. [`Retrieval`] decides what an answer means, as for a client: the archive only takes
//! the place of the network. So this module has no rules of its own about statuses, redirects or broken bodies.
//!
//! An archive may be damaged or hostile. Damage is an [`Error`] for its place, and reading continues after it. The memory
//! is bounded whatever a record claims.

mod http;
mod octets;
mod record;

use std::collections::hash_map::Entry;
use std::collections::{HashMap, VecDeque};
use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::time::Duration;

use robots_core::fetch::Access;
use url::Url;

use self::http::{Exchange, Failed};
use self::octets::{Broken, Octets};
use self::record::{Head, Kind, Records};
use crate::key::CacheKey;
use crate::machine::retrieval::{Next, Response, Retrieval};
use crate::record::Record;
use crate::settings::Settings;

/// A redirect and its target belong together if at most this time is between them: the time for which RFC 9309 lets
/// crawlers use a file without asking again (2.4).
const TOGETHER: Duration = Duration::from_secs(24 * 60 * 60);

/// The maximum number of redirects that wait for their target, and of answers that are kept for redirects after them.
const WAITING: usize = 4096;

/// The maximum number of octets of the redirects that wait, and of the answers that are kept.
const KEPT: usize = 8 << 20;

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
    settings: Settings,
    /// Answers that are complete.
    ready: VecDeque<Result<Answer, Error>>,
    /// Redirects whose target has not been read yet, by their number. The first has the number `first`.
    waiting: VecDeque<Option<(Answer, Retrieval)>>,
    first: usize,
    /// The number of octets of the redirects that wait.
    octets: usize,
    /// The numbers of the redirects that wait for a URL.
    wanted: HashMap<String, VecDeque<usize>>,
    recent: Recent,
    /// Whether no head has been read since damage. All damage until the next head is one error.
    is_lost: bool,
    is_ended: bool,
}

/// A response for a robots.txt.
#[derive(Debug)]
#[non_exhaustive]
pub struct Answer {
    /// Where the record begins in the archive, in octets.
    pub offset: u64,
    /// The URL that was requested.
    pub url: String,
    /// The time of the request since the Unix epoch.
    pub date: Duration,
    /// The status, or `None` if the answer is not HTTP.
    pub status: Option<u16>,
    /// Why the archive has only a part of the response (`WARC-Truncated`).
    pub truncated: Option<String>,
    /// What the response means for a crawler.
    pub meaning: Meaning,
    head: Vec<u8>,
}

/// What a response means under the edition of the settings.
#[derive(Debug)]
pub enum Meaning {
    /// A client that had got this answer would have this record. The access is what the record means.
    Decided(Access, Box<Record>),
    /// The archive does not show what the response means. The reason is a sentence without a full stop.
    Unknown(String),
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
            settings: settings.clone(),
            ready: VecDeque::new(),
            waiting: VecDeque::new(),
            first: 0,
            octets: 0,
            wanted: HashMap::new(),
            recent: Recent::default(),
            is_lost: false,
            is_ended: false,
        }
    }

    /// Reads the next record.
    fn read(&mut self) {
        let head = match self.records.next_head() {
            Ok(Some(head)) => head,
            Ok(None) => {
                self.is_ended = true;
                return self.give_up(0);
            }
            Err(broken) => return self.broken(broken, None),
        };
        self.is_lost = false;
        let is_robots = head.kind != Kind::Other && is_robots(&head.url);
        let wanted = if head.kind == Kind::Response { self.wanted(&head.url) } else { None };
        let read = if head.kind == Kind::Response && (is_robots || wanted.is_some()) {
            self.exchange(&head).map(Some)
        } else {
            self.records.end_block().map(|()| None)
        };
        match read {
            Err(broken) => self.broken(broken, Some(head.url)),
            Ok(Some(read)) => self.answered(head, read, wanted, is_robots),
            Ok(None) if is_robots => {
                let why = "it is a revisit record, and another record has the file".to_owned();
                let answer = self.answer(head, (None, Vec::new()), Meaning::Unknown(why));
                self.ready.push_back(Ok(answer));
            }
            Ok(None) => {}
        }
    }

    /// Reads the HTTP message of a record.
    fn exchange(&mut self, head: &Head) -> Result<Exchanged, Broken> {
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
    fn wanted(&self, url: &str) -> Option<String> {
        if self.wanted.is_empty() {
            return None;
        }
        let url = Url::parse(url).ok()?;
        self.wanted.contains_key(url.as_str()).then(|| url.into())
    }

    /// Uses an answer for its own record and for the redirects that wait for it.
    fn answered(&mut self, head: Head, read: Exchanged, wanted: Option<String>, is_robots: bool) {
        let (about, arrived) = read;
        for number in wanted.and_then(|url| self.wanted.remove(&url)).unwrap_or_default() {
            let waiting = number.checked_sub(self.first).and_then(|at| self.waiting.get_mut(at));
            let Some((answer, mut retrieval)) = waiting.and_then(Option::take) else { continue };
            self.octets -= size(&answer, &retrieval);
            if head.date.abs_diff(answer.date) <= TOGETHER {
                report(&mut retrieval, arrived.clone(), head.date);
            }
            self.follow(answer, retrieval);
        }
        if !is_robots {
            return;
        }
        let key = match CacheKey::of(&head.url) {
            Ok(key) => key,
            Err(error) => {
                let answer = self.answer(head, about, Meaning::Unknown(error.to_string()));
                return self.ready.push_back(Ok(answer));
            }
        };
        self.recent.keep(key.robots_url(), head.date, &arrived);
        let mut retrieval = Retrieval::new(&key, &self.settings, "", None);
        report(&mut retrieval, arrived, head.date);
        let answer = self.answer(head, about, Meaning::Unknown(String::new()));
        self.follow(answer, retrieval);
    }

    /// Follows the redirects of an answer to records that were read before. If the next target was not, the answer waits.
    fn follow(&mut self, answer: Answer, mut retrieval: Retrieval) {
        while let Next::Request(request) = retrieval.step(answer.date) {
            let url = request.url().as_str();
            if let Some((date, arrived)) = self.recent.get(url, answer.date) {
                report(&mut retrieval, arrived, date);
                continue;
            }
            let number = self.first + self.waiting.len();
            self.wanted.entry(url.to_owned()).or_default().push_back(number);
            self.octets += size(&answer, &retrieval);
            self.waiting.push_back(Some((answer, retrieval)));
            return self.give_up(WAITING);
        }
        self.ready.push_back(Ok(decided(answer, retrieval)));
    }

    /// Gives up the oldest redirects, until at most this number waits, and they are not too long.
    fn give_up(&mut self, most: usize) {
        while self.waiting.len() > most || self.octets > KEPT {
            let Some(oldest) = self.waiting.pop_front() else { break };
            self.first += 1;
            let Some((answer, retrieval)) = oldest else { continue };
            self.octets -= size(&answer, &retrieval);
            if let Next::Request(request) = retrieval.step(answer.date)
                && let Entry::Occupied(mut numbers) = self.wanted.entry(request.url().to_string())
            {
                // The oldest redirect waits longest for its target.
                numbers.get_mut().pop_front();
                if numbers.get().is_empty() {
                    numbers.remove();
                }
            }
            self.ready.push_back(Ok(decided(answer, retrieval)));
        }
    }

    fn answer(&self, head: Head, about: (Option<u16>, Vec<u8>), meaning: Meaning) -> Answer {
        let Head { url, date, truncated, .. } = head;
        let ((status, head), offset) = (about, self.records.offset);
        Answer { offset, url, date, status, truncated, meaning, head }
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
            self.ready.push_back(Err(Error { offset, url, kind }));
        }
        if let Err(kind) = recovered {
            self.is_ended = true;
            self.ready.push_back(Err(Error { offset, url: None, kind }));
        }
        if self.is_ended {
            self.give_up(0);
        }
    }
}

type Exchanged = ((Option<u16>, Vec<u8>), Result<Response, Failed>);

impl Iterator for Archive {
    type Item = Result<Answer, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            match self.ready.pop_front() {
                None if self.is_ended => return None,
                None => self.read(),
                ready => return ready,
            }
        }
    }
}

impl fmt::Debug for Archive {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Archive").field("offset", &self.records.offset).finish_non_exhaustive()
    }
}

impl Answer {
    /// Returns the names and values of the HTTP fields, as they are stored.
    pub fn fields(&self) -> impl Iterator<Item = (&[u8], &[u8])> {
        let lines = self.head.split(|octet| *octet == b'\n').skip(1);
        lines.filter_map(|line| {
            let colon = line.iter().position(|octet| *octet == b':')?;
            Some((&line[..colon], line[colon + 1..].trim_ascii()))
        })
    }
}

impl Meaning {
    /// Returns the access that a crawler should use, or `None` if the archive does not show it.
    #[must_use]
    pub fn access(&self) -> Option<Access> {
        match self {
            Self::Decided(access, _) => Some(access.or_safe()),
            Self::Unknown(_) => None,
        }
    }

    /// Returns why the answer is a failure, or why its meaning is unknown, as a sentence without a full stop.
    #[must_use]
    pub fn reason(&self) -> Option<String> {
        match self {
            Self::Decided(_, record) => record.last.end.why.clone(),
            Self::Unknown(why) => Some(why.clone()),
        }
    }

    /// Returns the octets of the file whose rules decide, or `None` if no file decides.
    #[must_use]
    pub fn file(&self) -> Option<&[u8]> {
        match self {
            Self::Decided(Access::ConditionalAllow, record) => Some(&record.copy.as_ref()?.body),
            _ => None,
        }
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

/// Answers that may be the target of a later redirect.
#[derive(Default)]
struct Recent {
    answers: HashMap<String, (Duration, Result<Response, Failed>)>,
    order: VecDeque<(String, Duration, usize)>,
    octets: usize,
}

impl Recent {
    fn keep(&mut self, url: String, date: Duration, answer: &Result<Response, Failed>) {
        let size = answer.as_ref().map_or(0, Response::size) + 2 * url.len();
        self.order.push_back((url.clone(), date, size));
        self.octets += size;
        self.answers.insert(url, (date, answer.clone()));
        while self.order.len() > WAITING || self.octets > KEPT {
            let Some((url, date, size)) = self.order.pop_front() else { break };
            self.octets -= size;
            // A newer answer of the same URL stays.
            if self.answers.get(&url).is_some_and(|(kept, _)| *kept == date) {
                self.answers.remove(&url);
            }
        }
    }

    fn get(&self, url: &str, date: Duration) -> Option<(Duration, Result<Response, Failed>)> {
        self.answers.get(url).filter(|(kept, _)| kept.abs_diff(date) <= TOGETHER).cloned()
    }
}

/// Returns the approximate size of a redirect that waits, in octets.
fn size(answer: &Answer, retrieval: &Retrieval) -> usize {
    let hops: usize = retrieval.hops().iter().map(|hop| hop.url.len()).sum();
    let target = match retrieval.step(answer.date) {
        Next::Request(request) => request.url().as_str().len(),
        _ => 0,
    };
    size_of::<(Answer, Retrieval)>() + answer.head.len() + answer.url.len() + hops + 3 * target
}

fn report(retrieval: &mut Retrieval, arrived: Result<Response, Failed>, date: Duration) {
    match arrived {
        Ok(response) => retrieval.answered(response, date),
        Err((failure, why)) => retrieval.failed(failure, why, date),
    }
}

fn decided(answer: Answer, retrieval: Retrieval) -> Answer {
    let target = match retrieval.step(answer.date) {
        Next::Request(request) => Some(request.url().to_string()),
        _ => None,
    };
    let meaning = match (target, retrieval.access()) {
        (Some(url), _) => {
            Meaning::Unknown(format!("it redirects to {url}, which the archive does not have"))
        }
        (None, Some(access)) => match retrieval.into_record() {
            Some(record) => Meaning::Decided(access, Box::new(record)),
            None => Meaning::Unknown("it has no record".to_owned()),
        },
        (None, None) => Meaning::Unknown("it was not read".to_owned()),
    };
    Answer { meaning, ..answer }
}

/// Returns whether a URL is the URL of a robots.txt.
fn is_robots(url: &str) -> bool {
    let path = url.split_once("://").and_then(|(_, rest)| rest.split_once('/'));
    path.is_some_and(|(_, path)| path == "robots.txt")
}
