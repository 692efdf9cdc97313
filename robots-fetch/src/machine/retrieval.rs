//! The retrieval of one robots.txt, without I/O and without a clock.
//!
//! Start at [`Retrieval`]. A [`Retrieval`] returns the next step; a driver does the step and reports the result. The
//! clients of this crate are drivers. A driver can use any HTTP library.

use std::borrow::Cow;
use std::time::Duration;

use robots_core::fetch::{Access, Failure, FetchEnd, Location};
use url::Url;

#[cfg(feature = "warc")]
pub(crate) use super::body::ARCHIVED;
use super::body::accept_encoding;
pub use super::body::{Body, BodyError, BodyReader, Progress};
use super::markup;
pub use super::reading::Reading;
pub use super::response::Response;
use super::retry;
use crate::error::ErrorKind;
use crate::key::{self, CacheKey};
use crate::lifetime;
use crate::record::{About, End, FileCopy, Hop, Last, Record};
use crate::settings::Settings;
use crate::standing::{self, Outage};

/// The retrieval of one robots.txt: a state machine that returns the next step.
///
/// ```
/// use robots_fetch::retrieval::{Body, Next, Response, Retrieval};
/// use robots_fetch::{CacheKey, Settings};
/// use std::time::Duration;
///
/// let settings = Settings::default();
/// let key = CacheKey::of("http://example.com/page")?;
/// let mut retrieval = Retrieval::new(&key, &settings, "examplebot/1.0", None);
///
/// let now = Duration::from_secs(1_000_000); // since the Unix epoch
/// let Next::Request(request) = retrieval.step(now) else { unreachable!() };
/// assert_eq!(request.url().as_str(), "http://example.com/robots.txt");
///
/// let location = &b"https://example.com/robots.txt"[..];
/// retrieval.answered(Response::new(301, [("location", location)]), now);
/// let Next::Request(request) = retrieval.step(now) else { unreachable!() };
/// assert_eq!(request.url().scheme(), "https");
///
/// let body = Body::of("user-agent: *\ndisallow: /private\n");
/// retrieval.answered(Response::new(200, []).with_body(body), now);
/// assert_eq!(retrieval.step(now), Next::Done);
/// let record = retrieval.into_record().expect("there was an answer");
/// // The rules apply to the origin that was asked about, and not to the target of the redirect.
/// assert_eq!(record.key, "http://example.com");
/// # Ok::<(), robots_fetch::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Retrieval {
    settings: Settings,
    identification: String,
    key: CacheKey,
    record: Option<Record>,
    /// The URL to request, or `None` if it is not valid.
    target: Option<Url>,
    hops: Vec<Hop>,
    server_errors_for_missing_pages: bool,
    /// Whether any answer, also a redirect, declares that another identification may get another answer.
    varies: bool,
    access: Option<Access>,
    /// When the driver reports that rules forbid the target of a redirect, the number of redirects so far is stored
    /// here.
    disallowed_hops: usize,
    is_done: bool,
}

/// The next action of a driver.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Next {
    /// Send this request, follow no redirect, and report the result to [`Retrieval::answered`] or
    /// [`Retrieval::failed`].
    Request(Request),
    /// Send no request before this time since the Unix epoch. The site failed, and until this time the existing record
    /// decides.
    Wait {
        /// The earliest time of the next request.
        until: Duration,
    },
    /// There is no further step: the record is still valid, or the retrieval has ended.
    Done,
}

/// A request, which is always a `GET` without a body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    url: Url,
    fields: Vec<(&'static str, Cow<'static, str>)>,
}

impl Request {
    /// Returns the URL to request.
    #[must_use]
    pub fn url(&self) -> &Url {
        &self.url
    }

    /// Returns the fields to send, with names in lower case. Send no other fields, except `Host` and the fields that
    /// the connection needs. So send no cookie, no credentials and no `Referer`.
    pub fn fields(&self) -> impl Iterator<Item = (&'static str, &str)> {
        self.fields.iter().map(|(name, value)| (*name, &**value))
    }

    /// Returns whether the request is conditional, so that the answer may be a 304.
    #[must_use]
    pub fn is_conditional(&self) -> bool {
        self.fields.iter().any(|(name, _)| name.starts_with("if-"))
    }
}

impl Retrieval {
    /// Begins the retrieval of a robots.txt, given its known record.
    ///
    /// The identification is sent as `User-Agent`. A record with another key is ignored. If answers vary by
    /// identification, a record for another identification is ignored too.
    #[must_use]
    pub fn new(
        key: &CacheKey,
        settings: &Settings,
        identification: &str,
        record: Option<Record>,
    ) -> Self {
        let record = record.filter(|record| record.key == key.as_str()).and_then(|mut record| {
            let is_others =
                |of: &Option<String>| of.as_ref().is_some_and(|of| of != identification);
            if is_others(&record.last.varies_for) {
                return None;
            }
            if record.copy.as_ref().is_some_and(|copy| is_others(&copy.about.varies_for)) {
                record.copy = None;
                return (!record.last.end.is_file()).then_some(record);
            }
            Some(record)
        });
        let known =
            record.as_ref().is_some_and(|record| record.last.server_errors_for_missing_pages);
        Self {
            settings: settings.clone(),
            identification: identification.to_owned(),
            key: key.clone(),
            record,
            target: Url::parse(&key.robots_url()).ok(),
            hops: Vec::new(),
            server_errors_for_missing_pages: known,
            varies: false,
            access: None,
            disallowed_hops: 0,
            is_done: false,
        }
    }

    /// Marks the site as one that is known to answer 5xx for pages that do not exist. Under the Google editions, its
    /// 5xx answers then count as 404.
    #[must_use]
    pub fn with_server_errors_for_missing_pages(self) -> Self {
        Self { server_errors_for_missing_pages: true, ..self }
    }

    /// Returns the next step. `now` is the time since the Unix epoch.
    #[must_use]
    pub fn step(&self, now: Duration) -> Next {
        if self.is_done {
            return Next::Done;
        }
        if let Some(record) = &self.record
            && self.hops.is_empty()
            && !lifetime::is_due(record, &self.settings, now)
        {
            return record.last.next_try.map_or(Next::Done, |until| Next::Wait { until });
        }
        match &self.target {
            Some(url) => Next::Request(self.request(url)),
            None => Next::Done,
        }
    }

    fn request(&self, url: &Url) -> Request {
        let mut fields = vec![
            ("user-agent", self.identification.clone().into()),
            ("accept", "text/plain, */*;q=0.5".into()),
            ("accept-encoding", accept_encoding().into()),
        ];
        // Validators are sent only to the URL that they came from. A copy that was cut at a smaller limit must be
        // fetched again, so its validators are not sent.
        let about = self.copy().map(|copy| &copy.about);
        let about = about.filter(|about| about.url == url.as_str());
        if let Some(about) =
            about.filter(|about| !(about.cut && about.limit < self.settings.limit()))
        {
            let validators =
                [("if-none-match", &about.etag), ("if-modified-since", &about.last_modified)];
            fields.extend(
                validators
                    .into_iter()
                    .filter_map(|(name, value)| Some((name, value.clone()?.into()))),
            );
        }
        Request { url: url.clone(), fields }
    }

    /// Reports an answer. `now` is the time at which it arrived.
    pub fn answered(&mut self, response: Response, now: Duration) {
        let status = response.status;
        self.varies |= response.varies;
        // The head is checked for every status, because if it is malformed, or if the end of the answer is unknown, its
        // octets may belong to another answer.
        if let Some(why) = response.invalid_head() {
            return self.invalid(format!("status {status}, and {why}"), response, now);
        }
        // The request had no validators, so this 304 cannot confirm a copy. Either there is no copy, or the copy has no
        // validators, comes from another URL, or was cut at a smaller limit than the limit of these settings.
        if status == 304
            && !self.target.as_ref().is_some_and(|url| self.request(url).is_conditional())
        {
            let why = "status 304, although the request had no validators";
            self.invalid(why.to_owned(), response, now);
            // Some editions leave the meaning of a failure undefined. Here an answer arrived, so the safe meaning
            // applies.
            self.access = self.access.map(Access::or_safe);
            return;
        }
        let (location, next) = match self.follow(&response) {
            Ok(found) => found,
            Err(why) => {
                return self.invalid(format!("status {status}, and {why}"), response, now);
            }
        };
        let last = self.last(FetchEnd::Status { status, location }, None, &response, now);
        let access = self.decide(&last, now);
        match (access, next) {
            (Access::FollowRedirect, Some(next)) => {
                self.target = Some(next);
                self.hops.push(Hop { url: last.url, status });
            }
            _ => self.settle(last, response, now),
        }
    }

    /// Ends the retrieval with an invalid answer, which counts as a failure. `why` is the reason as a part of a
    /// sentence.
    fn invalid(&mut self, why: String, response: Response, now: Duration) {
        self.end(FetchEnd::Failure(Failure::InvalidResponse), Some(why), response, now);
    }

    /// Reports a failure: no usable answer arrived. `why` is the reason as a part of a sentence, for example "the
    /// connection was reset".
    pub fn failed(&mut self, failure: Failure, why: impl Into<String>, now: Duration) {
        self.end(FetchEnd::Failure(failure), Some(why.into()), Response::default(), now);
    }

    /// Reports that the rules for the redirect's target are known, and that they disallow the URL of the next request.
    /// Under google-2018, nothing is allowed after such a report, because that edition leaves the effect undefined. The
    /// other editions follow the redirect anyway.
    pub fn disallowed(&mut self, now: Duration) {
        let Some(hop) = self.hops.pop() else { return };
        self.disallowed_hops = self.hops.len() + 1;
        let end = FetchEnd::Status { status: hop.status, location: Location::Disallowed };
        let response = Response::default();
        let mut last = self.last(end, None, &response, now);
        if self.decide(&last, now) == Access::FollowRedirect {
            return self.hops.push(hop);
        }
        last.url = hop.url;
        self.settle(last, response, now);
    }

    /// Returns whether the driver has already reported that rules forbid the target of the last hop.
    pub(super) fn knows_disallowed(&self) -> bool {
        self.disallowed_hops >= self.hops.len()
    }

    /// Returns the meaning of the last answer or failure under the edition, or `None` if no result was reported.
    #[must_use]
    pub fn access(&self) -> Option<Access> {
        self.access
    }

    /// Returns the redirects that were followed.
    #[must_use]
    pub fn hops(&self) -> &[Hop] {
        &self.hops
    }

    /// Returns the current record, or `None` if there was no record before and the retrieval has not ended.
    #[must_use]
    pub fn into_record(self) -> Option<Record> {
        self.record
    }

    /// Returns the current record. If the URL of the key cannot be requested, the site counts as unreachable.
    pub(super) fn into_record_or_failure(mut self, now: Duration) -> Record {
        if self.record.is_none() {
            self.failed(Failure::Dns, "its URL cannot be requested", now);
        }
        let key = self.key.to_string();
        self.record.unwrap_or(Record { key, copy: None, last: Last::default() })
    }

    fn copy(&self) -> Option<&FileCopy> {
        self.record.as_ref()?.copy.as_ref()
    }

    /// Reads the `Location` of a redirect: returns its kind, and the URL of the target if there is one.
    fn follow(&self, response: &Response) -> Result<(Location, Option<Url>), String> {
        if !matches!(response.status, 300..=399) {
            return Ok((Location::Present, None));
        }
        let (Some(target), Some(location)) = (&self.target, response.location()) else {
            return Ok((Location::Missing, None));
        };
        let location = location?;
        let mut next =
            target.join(location).map_err(|error| format!("its Location is not a URL: {error}"))?;
        match key::refusal(next.scheme(), next.as_str()) {
            Some(ErrorKind::Scheme) => {
                return Err(format!("its Location has the scheme {}", next.scheme()));
            }
            Some(_) => return Err("its Location has user information".to_owned()),
            None => {}
        }
        next.set_fragment(None);
        let before = self.hops.iter().any(|hop| hop.url == next.as_str());
        let location = if before || next == *target { Location::Loop } else { Location::Present };
        Ok((location, Some(next)))
    }

    /// Returns the meaning of an answer under the edition, given the record as it was before the answer.
    fn decide(&mut self, last: &Last, now: Duration) -> Access {
        let access = standing::access(last, self.copy(), &self.settings, now);
        self.access = Some(access);
        access
    }

    fn last(&self, end: FetchEnd, why: Option<String>, response: &Response, now: Duration) -> Last {
        let end = End::new(end, why);
        let before = self.record.as_ref().map(|record| &record.last);
        let outage = end.is_failure().then(|| Outage::with(before, &self.settings, now));
        Last {
            at: now,
            end,
            unreachable_since: outage.map(|outage| outage.since),
            failures: outage.map_or(0, |outage| outage.failures),
            hops: self.hops.clone(),
            url: self.target.as_ref().map_or_else(String::new, ToString::to_string),
            max_age: response.life_left(),
            varies_for: self.varies.then(|| self.identification.clone()),
            server_errors_for_missing_pages: self.server_errors_for_missing_pages,
            logical_redirect: response.has_a_file() && markup::redirects(response.body.octets()),
            ..Last::default()
        }
    }

    /// Decides the meaning of the answer that ends the retrieval, and stores the answer in the record.
    fn end(&mut self, end: FetchEnd, why: Option<String>, response: Response, now: Duration) {
        let last = self.last(end, why, &response, now);
        self.decide(&last, now);
        self.settle(last, response, now);
    }

    /// Stores the answer that ends the retrieval in the record.
    fn settle(&mut self, mut last: Last, response: Response, now: Duration) {
        if last.end.is_failure() {
            let wait = retry::wait(
                &self.settings,
                self.key.as_str(),
                last.failures,
                standing::asks_for_pause(&last, &self.settings),
                response.retry_after(now),
            );
            last.next_try = Some(now.saturating_add(wait));
        }
        let copy = self.record.take().and_then(|record| record.copy);
        let copy = match last.end.status {
            Some(200..=299) => Some(self.fetched(response, &last, now)),
            Some(304) => copy.map(|copy| confirmed(copy, &response, &last, now)),
            _ => copy,
        };
        self.record = Some(Record { key: self.key.to_string(), copy, last });
        self.is_done = true;
    }

    fn fetched(&self, response: Response, last: &Last, now: Duration) -> FileCopy {
        let about = About {
            fetched_at: now,
            validated_at: now,
            max_age: response.life_left(),
            age: response.age(now),
            url: last.url.clone(),
            etag: response.etag,
            last_modified: response.last_modified,
            content_type: response.content_type,
            limit: self.settings.limit(),
            cut: response.body.is_cut(),
            varies_for: last.varies_for.clone(),
        };
        FileCopy { body: response.body.into_octets(), about }
    }
}

/// Returns the copy after a 304 has confirmed it. Validators in the 304 replace the old ones (RFC 9111, 4.3.4); the
/// lifetime and the age always come from the 304.
fn confirmed(copy: FileCopy, response: &Response, last: &Last, now: Duration) -> FileCopy {
    let FileCopy { body, mut about } = copy;
    about.validated_at = now;
    about.max_age = response.life_left();
    about.age = response.age(now);
    about.etag = response.etag.clone().or(about.etag);
    about.last_modified = response.last_modified.clone().or(about.last_modified);
    about.varies_for = last.varies_for.clone().or(about.varies_for);
    FileCopy { body, about }
}

#[cfg(test)]
mod tests;
