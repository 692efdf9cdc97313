//! [`Answer`] is a response with its meaning, and [`Undecided`] one whose meaning has not been computed yet.

use std::sync::Arc;
use std::time::Duration;

use robots_core::fetch::Access;

use super::http::Failed;
use crate::key::CacheKey;
use crate::machine::retrieval::{Next, Response, Retrieval};
use crate::record::Record;
use crate::settings::Settings;

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
    pub(super) head: Vec<u8>,
}

/// What a response means under the edition of the settings.
#[derive(Debug)]
pub enum Meaning {
    /// A client that had got this answer would have this record. The access is what the record means.
    Decided(Access, Box<Record>),
    /// The archive does not show what the response means. The reason is a sentence without a full stop.
    Unknown(String),
}

/// A response for a robots.txt that has been read, with the targets of its redirects, but whose meaning has not been
/// computed. One thread reads an archive, and [`Undecided::decide`] may run on others.
#[derive(Debug)]
pub struct Undecided {
    answer: Answer,
    pending: Option<Pending>,
}

/// What a retrieval got: an answer, or the reason why a client would have got none. Redirects share it with the answer
/// to their target.
pub(super) type Arrived = Result<Response, Failed>;

#[derive(Debug)]
pub(super) enum Pending {
    /// The first request gets what ends the retrieval. To begin a retrieval takes time, so `decide` does it.
    First(CacheKey, Arc<Settings>, Arc<Arrived>),
    /// A retrieval that followed redirects, and what it gets last.
    Redirected(Box<Retrieval>, Option<(Duration, Arc<Arrived>)>),
}

impl Undecided {
    /// The answer has its meaning already.
    pub(super) fn known(answer: Answer) -> Self {
        Self { answer, pending: None }
    }

    pub(super) fn new(answer: Answer, pending: Pending) -> Self {
        Self { answer, pending: Some(pending) }
    }

    /// Computes what the response means.
    #[must_use]
    pub fn decide(self) -> Answer {
        let Self { mut answer, pending } = self;
        let (mut retrieval, last) = match pending {
            None => return answer,
            Some(Pending::First(key, settings, arrived)) => {
                (first(&key, &settings), Some((answer.date, arrived)))
            }
            Some(Pending::Redirected(retrieval, last)) => (retrieval, last),
        };
        if let Some((date, arrived)) = last {
            report(&mut retrieval, Arc::unwrap_or_clone(arrived), date);
        }
        answer.meaning = meaning(*retrieval, answer.date);
        answer
    }

    /// Returns the approximate size in memory, in octets.
    #[must_use]
    pub fn size(&self) -> usize {
        let (retrieval, last) = match &self.pending {
            None => (0, None),
            Some(Pending::First(_, _, arrived)) => (0, Some(arrived)),
            Some(Pending::Redirected(retrieval, last)) => {
                (size(retrieval), last.as_ref().map(|(_, arrived)| arrived))
            }
        };
        let arrived = last.and_then(|arrived| arrived.as_ref().as_ref().ok());
        let texts = self.answer.url.len() + self.answer.head.len();
        size_of::<Self>() + texts + retrieval + arrived.map_or(0, Response::size)
    }
}

/// Begins the retrieval of a robots.txt.
pub(super) fn first(key: &CacheKey, settings: &Settings) -> Box<Retrieval> {
    Box::new(Retrieval::new(key, settings, "", None))
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

/// Returns the approximate size of a retrieval without a record, in octets.
pub(super) fn size(retrieval: &Retrieval) -> usize {
    let hops: usize = retrieval.hops().iter().map(|hop| hop.url.len()).sum();
    size_of::<Retrieval>() + hops
}

pub(super) fn report(retrieval: &mut Retrieval, arrived: Arrived, date: Duration) {
    match arrived {
        Ok(response) => retrieval.answered(response, date),
        Err((failure, why)) => retrieval.failed(failure, why, date),
    }
}

fn meaning(retrieval: Retrieval, date: Duration) -> Meaning {
    if let Next::Request(request) = retrieval.step(date) {
        let url = request.url();
        return Meaning::Unknown(format!("it redirects to {url}, which the archive does not have"));
    }
    match (retrieval.access(), retrieval.into_record()) {
        (Some(access), Some(record)) => Meaning::Decided(access, Box::new(record)),
        _ => Meaning::Unknown("it has no record".to_owned()),
    }
}
