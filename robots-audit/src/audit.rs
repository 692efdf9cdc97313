//! Judges the requests of a log: [`Audit`].
//!
//! Each crawler has a row of the report and, at each origin, a timeline. A request changes the timeline if it is for
//! robots.txt. Otherwise the timeline judges it, and the row counts it.

use std::cell::Cell;
use std::cmp::Reverse;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::iter;
use std::time::Duration;

use robots_core::Edition;

use crate::agents::{Agents, Client, token};
use crate::files::Files;
use crate::history::History;
use crate::judge::Judged;
use crate::origins::{OriginId, Origins};
use crate::ranges::{Address, Ranges};
use crate::report::{Class, Reason, Report};
use crate::request::Request;
use crate::row::Row;
use crate::timeline::{Context, Permitted, SLACK, Timeline};

/// An audit of access logs: it judges requests, and reports for each crawler whether it obeys.
///
/// Its memory grows with the number of crawlers and hosts, and not with the number of requests.
///
/// ```
/// use robots_audit::{Agents, Audit, Class, History, Request};
/// use robots_audit::robots_core::Edition;
/// use std::time::Duration;
///
/// let file = "user-agent: *\ndisallow: /private\n";
/// let mut audit = Audit::new(Edition::Rfc9309, History::one(file), Agents::default());
/// for (second, target) in ["/robots.txt", "/", "/private/x"].into_iter().enumerate() {
///     let time = Duration::from_secs(1_000_000_000 + second as u64);
///     let (target, user_agent) = (target.as_bytes(), &b"examplebot/1.0"[..]);
///     audit.request(&Request { time, target, user_agent, ..Request::default() });
/// }
/// let report = audit.finish();
/// let crawler = &report.crawlers[0];
/// assert_eq!((crawler.count(Class::Obeyed), crawler.count(Class::Disobeyed)), (1, 1));
/// let rule = crawler.causes[0].rule.as_ref().unwrap();
/// assert_eq!((rule.line, &*rule.text), (2, "disallow: /private"));
/// ```
#[derive(Debug)]
pub struct Audit {
    agents: Agents,
    ranges: Ranges,
    files: Files,
    permitted: Permitted,
    origins: Origins,
    /// The crawlers that were recognised, and the number of each by its name in lower case.
    crawlers: Vec<Known>,
    names: HashMap<String, usize>,
    /// The crawlers of the `User-Agent` fields that were seen; `None` if a field names none.
    fields: HashMap<Vec<u8>, Option<usize>>,
    rows: Vec<Row>,
    /// The timelines, by row and origin.
    timelines: HashMap<(usize, OriginId), Timeline>,
    report: Report,
}

/// A crawler that was recognised.
#[derive(Debug)]
struct Known {
    client: Client,
    /// Its row, and the row of its requests from contradicted addresses.
    rows: [Option<usize>; 2],
}

/// The largest number of `User-Agent` fields whose crawlers are remembered.
const FIELDS: usize = 50_000;

/// The largest part of a `User-Agent` field that is read, in octets.
const FIELD: usize = 1_024;

/// The longest time between a redirect of robots.txt and the request for its target.
const FOLLOWING: Duration = Duration::from_secs(60);

/// The largest number of redirects that are followed one after another.
const HOPS: usize = 10;

impl Audit {
    /// The largest number of crawlers, of hosts, and of pairs of a crawler and a host, that an audit keeps.
    pub const MOST: usize = 100_000;

    /// Begins an audit. `edition` decides what an answer to a request for robots.txt means, and which rule decides.
    #[must_use]
    pub fn new(edition: Edition, history: History, agents: Agents) -> Self {
        Self {
            agents,
            ranges: Ranges::default(),
            files: Files::new(history, edition),
            permitted: Permitted::by(edition),
            origins: Origins::default(),
            crawlers: Vec::new(),
            names: HashMap::new(),
            fields: HashMap::new(),
            rows: Vec::new(),
            timelines: HashMap::new(),
            report: Report::default(),
        }
    }

    /// Sets the published address ranges with which addresses are compared.
    #[must_use]
    pub fn with_ranges(self, ranges: Ranges) -> Self {
        Self { ranges, ..self }
    }

    /// Sets the `max-age` of the answers for robots.txt, if it is longer than 24 hours. A crawler may use a copy for this
    /// time (RFC 9309, 2.4). Logs do not have it.
    #[must_use]
    pub fn with_max_age(mut self, max_age: Duration) -> Self {
        self.permitted.lifetime = self.permitted.lifetime.max(max_age);
        self
    }

    /// Judges a request, and returns its class and the reason. Returns `None` for a request for robots.txt, of a person,
    /// of no known crawler, or beyond [`MOST`](Self::MOST). The requests should come in the order of their times: if a
    /// request for robots.txt comes too late, the report calls nothing of this crawler disobeyed.
    pub fn request(&mut self, request: &Request<'_>) -> Option<(Class, Reason)> {
        self.report.requests += 1;
        let (first, last) = (&mut self.report.first, &mut self.report.last);
        *first = Some(first.map_or(request.time, |first| first.min(request.time)));
        let is_late = last.is_some_and(|last| request.time.saturating_add(SLACK) < last);
        self.report.late += u64::from(is_late);
        *last = (*last).max(Some(request.time));
        let Some(crawler) = self.crawler(request.user_agent) else {
            self.report.of_others += 1;
            return None;
        };
        let Some(row) = self.row(crawler, request) else {
            self.report.not_kept += 1;
            return None;
        };
        if self.rows[row].report.is_for_a_person {
            return None;
        }
        let origin = self.origins.number(request.origin(), request.time, &self.files, Self::MOST);
        let timeline = origin.and_then(|origin| Some((origin, self.timeline(row, origin)?)));
        let Some((origin, timeline)) = timeline else {
            self.report.not_kept += 1;
            return None;
        };
        let is_late = request.time.saturating_add(SLACK) < timeline.newest;
        timeline.newest = timeline.newest.max(request.time);
        self.rows[row].is_unsorted |= is_late && request.is_robots_txt();
        if request.is_robots_txt() {
            self.robots_txt(row, origin, request);
            return None;
        }
        let judged = self.page(row, origin, request)?;
        Some((judged.class, judged.reason))
    }

    /// Ends the audit.
    #[must_use]
    pub fn finish(self) -> Report {
        let mut report = self.report;
        let rows = self.rows.into_iter();
        report.crawlers = rows.map(|row| row.finish(&self.files, &self.origins)).collect();
        report.crawlers.sort_by_key(|crawler| Reverse(crawler.requests));
        report
    }

    /// Returns the number of the crawler that a `User-Agent` field names.
    fn crawler(&mut self, field: &[u8]) -> Option<usize> {
        let field = &field[..field.len().min(FIELD)];
        if let Some(known) = self.fields.get(field) {
            return *known;
        }
        let crawler = self.agents.client(field).map(|client| {
            *self.names.entry(client.name.to_ascii_lowercase()).or_insert_with(|| {
                self.crawlers.push(Known { client, rows: [None; 2] });
                self.crawlers.len() - 1
            })
        });
        if self.fields.len() >= FIELDS {
            self.fields.clear();
        }
        self.fields.insert(field.to_owned(), crawler);
        crawler
    }

    /// Counts a request of a crawler, and returns its row.
    fn row(&mut self, crawler: usize, request: &Request<'_>) -> Option<usize> {
        let Known { client, rows } = &mut self.crawlers[crawler];
        let address = self.ranges.check(token(&client.crawler), request.address);
        let is_contradicted = address == Address::Contradicted;
        let row = match &mut rows[usize::from(is_contradicted)] {
            Some(row) => *row,
            None if self.rows.len() >= Self::MOST => return None,
            new => {
                self.rows.push(Row::new(client.clone(), is_contradicted));
                *new.insert(self.rows.len() - 1)
            }
        };
        self.rows[row].count(request, address);
        Some(row)
    }

    /// Returns the timeline of a crawler at an origin, which begins if there is none and the limit permits it.
    fn timeline(&mut self, row: usize, origin: OriginId) -> Option<&mut Timeline> {
        let is_full = self.timelines.len() >= Self::MOST;
        match self.timelines.entry((row, origin)) {
            Entry::Occupied(known) => Some(known.into_mut()),
            Entry::Vacant(_) if is_full => None,
            Entry::Vacant(new) => {
                let context = Context { permitted: &self.permitted, files: &self.files };
                let of = self.origins.get(origin);
                Some(new.insert(Timeline::new(of.key.clone(), of.list, of.begins, context)))
            }
        }
    }

    /// Handles a request for robots.txt.
    fn robots_txt(&mut self, number: usize, origin: OriginId, request: &Request<'_>) {
        let (row, list) = (&mut self.rows[number], self.origins.get(origin).list);
        let context = Context { permitted: &self.permitted, files: &self.files };
        let (now, status) = (request.time, request.status);
        row.list = list;
        if !confirms(
            request,
            self.files.at(list, request.time).and_then(|it| self.files.octets(it)),
        ) {
            let timeline = self.timelines.get_mut(&(number, origin));
            if let Some(timeline) = timeline.filter(|_| is_perhaps_received(request)) {
                timeline.perhaps_answered(list, status, now, context);
            }
            return;
        }
        row.report.robots_txt_reads += 1;
        let redirects = &mut row.redirects;
        let is_following = redirects.last().is_some_and(|(from, at)| {
            now.saturating_sub(*at) <= FOLLOWING && self.origins.are_related(*from, origin)
        });
        if !is_following || redirects.len() >= HOPS {
            redirects.clear();
        }
        if matches!(status, 300..=303 | 305..=399) {
            redirects.push((origin, now));
        } else {
            for (from, at) in redirects.drain(..) {
                let Some(timeline) = self.timelines.get_mut(&(number, from)) else { continue };
                timeline.forget_redirect(at, context);
                if from != origin {
                    timeline.answered(list, status, now, context);
                }
            }
        }
        if let Some(timeline) = self.timelines.get_mut(&(number, origin)) {
            timeline.answered(list, status, now, context);
        }
    }

    /// Judges a request for a page.
    fn page(&mut self, number: usize, origin: OriginId, request: &Request<'_>) -> Option<Judged> {
        let row = &mut self.rows[number];
        let timeline = self.timelines.get_mut(&(number, origin))?;
        if let Some(before) = timeline.page.replace(request.time) {
            row.add_gap(request.time.saturating_sub(before));
        }
        row.report.while_failing += u64::from(timeline.is_failing);
        let (files, permitted) = (&self.files, &self.permitted);
        let judged = match request.urls() {
            None => {
                let reason = if request.decoded > 0 { Reason::Decoded } else { Reason::NotAUrl };
                Judged { class: Class::Open, reason, rule: None }
            }
            Some((url, forms)) => {
                let (client, rules) = (&row.client, &mut row.rules);
                let field = &request.user_agent[..request.user_agent.len().min(FIELD)];
                let (otherwise, is_mixed) = (Cell::new(None), Cell::new(false));
                // Most crawlers can have only the file of today, which is asked about first.
                let mut last = None;
                let mut ruling = |version| {
                    if let Some((same, line)) = last
                        && same == version
                    {
                        return line;
                    }
                    let rules = files.rules(version, &client.crawler, rules)?;
                    let line_of = |url: &str| {
                        let verdict = rules.verdict(url);
                        let rule = verdict.rule().filter(|_| !verdict.is_allowed());
                        rule.map(|rule| rule.line().number)
                    };
                    let line = line_of(&url);
                    if forms.iter().any(|form| line_of(form).is_some() != line.is_some()) {
                        is_mixed.set(true);
                    }
                    if line.is_some() && otherwise.get().is_none() {
                        let mut all = iter::once(&*url).chain(forms.iter().map(String::as_str));
                        let allowed = |url| files.allowed_otherwise(version, client, field, url);
                        otherwise.set(all.find_map(allowed));
                    }
                    last = Some((version, line));
                    line
                };
                let current = files.at(self.origins.get(origin).list, request.time);
                row.report.forbidden += u64::from(current.and_then(&mut ruling).is_some());
                let judged =
                    timeline.judge(request.time, Context { permitted, files }, &mut ruling);
                match (judged.class, otherwise.get()) {
                    (Class::Disobeyed | Class::Obeyed | Class::NotYetKnown, _)
                        if is_mixed.get() =>
                    {
                        Judged { class: Class::Open, reason: Reason::Decoded, ..judged }
                    }
                    (Class::Disobeyed, Some(reason)) => {
                        Judged { class: Class::Open, reason, ..judged }
                    }
                    _ => judged,
                }
            }
        };
        row.add(judged, origin, request, timeline.read);
        Some(judged)
    }
}

/// Returns whether an answer to a request for robots.txt tells the crawler something. A `HEAD`, a part of a file and an
/// answer that was not sent completely do not. `file` is the file of that time.
fn confirms(request: &Request<'_>, file: Option<&[u8]>) -> bool {
    let is_empty = file.is_some_and(<[u8]>::is_empty) || matches!(request.status, 204 | 205);
    // No compression makes a robots.txt so small.
    let least = file.map_or(0, |file| file.len().div_ceil(20).max(file.len().min(20)) as u64);
    let is_short = request.octets.is_some_and(|octets| octets == 0 || octets < least);
    let is_cut = request.is_aborted || (is_short && !is_empty);
    match request.status {
        _ if request.method != b"GET" => false,
        // No answer was sent (nginx: 444 and 499; the load balancer of AWS: 460).
        206 | 444 | 460 | 499 => false,
        200..=299 => !is_cut,
        300..=599 => !request.is_aborted,
        _ => false,
    }
}

/// Returns whether an answer that confirms nothing can still change what the crawler knows: it received the answer, or
/// for the crawler the server was unreachable.
fn is_perhaps_received(request: &Request<'_>) -> bool {
    request.method == b"GET" && request.status != 206
}
