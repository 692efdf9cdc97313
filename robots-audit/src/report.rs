//! The results of an audit: [`Report`], with a [`CrawlerReport`] for each crawler.
//!
//! All types are plain data. Times are durations since the Unix epoch.

use std::collections::BTreeMap;
use std::net::IpAddr;
use std::time::Duration;

use serde::Serialize;

use crate::ranges::Address;

/// The results of an audit.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Report {
    /// The time of the first request.
    pub first: Option<Duration>,
    /// The time of the last request.
    pub last: Option<Duration>,
    /// The number of requests.
    pub requests: u64,
    /// The number of requests that came more than five minutes after a newer one, because the log is not sorted.
    pub late: u64,
    /// The number of requests of clients that are no known crawler. They are not judged.
    pub of_others: u64,
    /// The number of requests of crawlers that are in no row, because the log names more crawlers or hosts than
    /// [`Audit::MOST`](crate::Audit::MOST).
    pub not_kept: u64,
    /// The crawlers, those with the most requests first.
    pub crawlers: Vec<CrawlerReport>,
}

/// The results about one crawler, on all hosts of the log. Requests with the same product token are one crawler, except
/// that those from contradicted addresses have a row of their own.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct CrawlerReport {
    /// The product token, as the robots.txt file or the list writes it, or as the first request does.
    pub token: String,
    /// Whether the crawler fetches pages because a person asked for them. Such requests are counted, never judged.
    pub is_for_a_person: bool,
    /// Whether all addresses of this row are contradicted: the operator publishes its addresses, and these are others.
    pub is_contradicted: bool,
    /// The number of requests by what is known about their address.
    pub addresses: BTreeMap<Address, u64>,
    /// The number of requests, with those for robots.txt.
    pub requests: u64,
    /// The number of requests for robots.txt.
    pub robots_txt_requests: u64,
    /// The number of requests for robots.txt with a complete answer, which may be a failure.
    pub robots_txt_reads: u64,
    /// The number of judged requests of each class. A request for robots.txt has no class.
    pub classes: BTreeMap<Class, u64>,
    /// The number of requests that the file of their moment disallows, whether the crawler could know it or not.
    pub forbidden: u64,
    /// The number of pages that were requested while the last answer to a request for robots.txt was a failure (5xx).
    pub while_failing: u64,
    /// The time of the first request.
    pub first: Duration,
    /// The time of the last request.
    pub last: Duration,
    /// The time between a request for a page and the next one on the same host. `None` if there are not two.
    pub distance: Option<Distance>,
    /// The `Crawl-delay` of the crawler's group in the last file; `None` if there is none.
    pub crawl_delay: Option<Duration>,
    /// The requests for each day, by the number of days since the Unix epoch (UTC).
    pub days: BTreeMap<u64, Day>,
    /// Why requests have their classes: first what was disobeyed, with the most requests first.
    pub causes: Vec<Cause>,
}

impl CrawlerReport {
    /// Returns the number of requests of a class.
    #[must_use]
    pub fn count(&self, class: Class) -> u64 {
        self.classes.get(&class).copied().unwrap_or_default()
    }
}

/// The class of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Class {
    /// Every file that the crawler may have had disallows the URL.
    Disobeyed,
    /// The files that the crawler may have had allow the URL, and only a newer file disallows it. The crawler may use
    /// its copy for 24 hours (RFC 9309, 2.4).
    NotYetKnown,
    /// The log does not decide. The cause has the reason.
    Open,
    /// The log has no answer to an earlier request of the crawler for robots.txt.
    Unknown,
    /// Every file that the crawler may have had allows the URL.
    Obeyed,
}

impl Class {
    /// Contains every class.
    pub const ALL: &'static [Self] =
        &[Self::Disobeyed, Self::NotYetKnown, Self::Open, Self::Unknown, Self::Obeyed];

    /// Returns the class as a key.
    ///
    /// ```
    /// use robots_audit::Class;
    /// let ids: Vec<&str> = Class::ALL.iter().map(|class| class.id()).collect();
    /// assert_eq!(ids, ["disobeyed", "not_yet_known", "open", "unknown", "obeyed"]);
    /// ```
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::Disobeyed => "disobeyed",
            Self::NotYetKnown => "not_yet_known",
            Self::Open => "open",
            Self::Unknown => "unknown",
            Self::Obeyed => "obeyed",
        }
    }
}

/// Why a request has its class.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Reason {
    /// A rule disallows the URL. The cause has the line.
    Rule,
    /// No rule disallows the URL.
    Allowed,
    /// There is no file, so nothing is disallowed.
    NoFile,
    /// Robots.txt failed, and no edition lets the crawler fetch anything (RFC 9309, 2.3.1.4).
    Failing,
    /// Robots.txt failed. A crawler may fetch nothing, or use an earlier copy (RFC 9309, 2.4), or after a long time
    /// or after a 429 count the file as missing (2.3.1.4, 2.3.1.3).
    MayUseCopy,
    /// The crawler may have two files, because it read both within 24 hours, or because the history does not show which of
    /// them it read. Only one of them disallows the URL.
    MayUseEarlier,
    /// The file that the crawler read disallows the URL, and a newer one allows it. The log may lack a request.
    NewerAllows,
    /// The file that the crawler read more than 24 hours ago allows the URL, and a newer one disallows it.
    Expired,
    /// The last answer to a request for robots.txt is 30 days old. Requests that did not reach the server are in no log, and
    /// after an outage of 30 days a crawler may fetch everything (RFC 9309, 2.3.1.4).
    Outage,
    /// Robots.txt redirects, and the log does not show where to.
    Redirect,
    /// The history has no file for the time when the crawler read it.
    NoHistory,
    /// The crawler may have read another file before the log begins.
    BeforeLog,
    /// The log has no request for robots.txt before.
    NotRead,
    /// The request comes after the crawler's request for robots.txt in the log, but began before it.
    OutOfOrder,
    /// A rule of the crawler's group disallows the URL. But the crawler may follow another group or none, because the token
    /// of that group is in its `User-Agent` field (RFC 9309, 2.2.1), or because its operator documents it, and then the URL
    /// is allowed.
    OtherGroup,
    /// A rule disallows the URL. But the file exceeds the edition's limit of its size, and behind the limit it allows the
    /// URL. A crawler may read more than the limit (RFC 9309, 2.5).
    SizeLimit,
    /// A rule disallows the URL. But a request of the crawler for robots.txt comes more than five minutes too late in the
    /// log, so the log does not show what the crawler knew.
    Unsorted,
    /// The target of the request is not a path or a URL.
    NotAUrl,
    /// The log has a decoded path. The client may have sent one of several encoded forms, which different rules match.
    Decoded,
}

/// Requests of one class for one reason: a rule that was disobeyed, or why requests are open.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Cause {
    /// The class.
    pub class: Class,
    /// The reason.
    pub reason: Reason,
    /// The origin as scheme and host, as far as the log states them.
    pub origin: String,
    /// The rule, if a rule disallows the URLs.
    pub rule: Option<DecidingRule>,
    /// The number of requests.
    pub requests: u64,
    /// The time of the first request.
    pub first: Duration,
    /// The time of the last request.
    pub last: Duration,
    /// The first requests.
    pub examples: Vec<Example>,
}

/// A rule of a file of the history.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct DecidingRule {
    /// The time of the file's version, zero if the history has only one.
    pub version: Duration,
    /// The number of the line, from 1.
    pub line: u32,
    /// The line without its comment. Octets that are not UTF-8 become U+FFFD.
    pub text: String,
}

/// A request, as an example of a cause.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Example {
    /// The time of the request.
    pub time: Duration,
    /// The method.
    pub method: String,
    /// The target, at most 1024 octets of it. Octets that are not UTF-8 become U+FFFD.
    pub target: String,
    /// The status of the answer.
    pub status: u16,
    /// The address of the client, if the log states it.
    pub address: Option<IpAddr>,
    /// The time of the last answer to a request of the crawler for robots.txt.
    pub read: Option<Duration>,
}

/// The time between requests for pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Distance {
    /// The shortest time.
    pub lowest: Duration,
    /// The median: exact for whole seconds up to two minutes, and rounded down to a tenth of a second below one second,
    /// to minutes above two minutes, and to hours above two hours.
    pub median: Duration,
}

/// The requests of one day.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Day {
    /// The number of requests.
    pub requests: u64,
    /// The number of disobeyed requests.
    pub disobeyed: u64,
}
