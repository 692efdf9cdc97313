//! One crawler at one origin: a [`Timeline`] has every state in which an obeying crawler may be.
//!
//! A crawler may have several caches, for example one for each of its machines, and the log does not show which of them
//! asked. So an answer to a request for robots.txt changes every state, and the states before it remain possible until
//! they expire. A [`State`] is a record of `robots-fetch`, which decides what the crawler may do. This module adds no
//! rule about lifetimes or outages; it only keeps the possible records. Start at [`Timeline::answered`]. `judge.rs` judges
//! requests by the states.

use std::time::Duration;

use robots_core::Edition;
use robots_core::fetch::{Basis, LASTING};
use robots_fetch::retrieval::{Body, Response, Retrieval};
use robots_fetch::{CacheKey, Record, Settings};

use crate::files::{Files, List, VersionId};
use crate::report::Reason;

/// The time by which the order of events in a log can be wrong: clocks differ, some servers log the beginning of a
/// request and others its end, and a crawler may have sent requests before it read a new file. No document names a
/// number; this is the difference of clocks that `robots-fetch` accepts.
pub(crate) const SLACK: Duration = Duration::from_secs(5 * 60);

/// The crawlers that an edition permits.
#[derive(Debug)]
pub(crate) struct Permitted {
    /// A crawler with the settings of `robots-fetch`.
    pub(crate) strict: Settings,
    /// A crawler that asks rarely, and counts the failures of a month as one outage.
    pub(crate) lenient: Settings,
    /// The time for which a file may be used.
    pub(crate) lifetime: Duration,
}

impl Permitted {
    pub(crate) fn by(edition: Edition) -> Self {
        let settings = Settings::default().edition(edition);
        let lenient = settings.clone().outage_gap(LASTING);
        Self { strict: settings, lenient, lifetime: edition.lifetime(None) }
    }

    /// Returns the time after which no crawler has a file that it read.
    fn longest(&self) -> Duration {
        self.lifetime.max(LASTING)
    }
}

/// The file that an answer contains or confirms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Copy {
    Version(VersionId),
    /// A file without octets.
    Empty,
    /// A file that is not known, for this reason.
    Unknown(Reason),
}

/// A state in which the crawler may be.
#[derive(Clone, Debug)]
pub(crate) struct State {
    /// The file of the record's copy.
    pub(crate) copy: Copy,
    pub(crate) record: Record,
    /// Whether robots.txt failed, so that the edition decides what a crawler may do.
    pub(crate) is_failing: bool,
    pub(crate) is_before_log: bool,
    /// Whether this is a state after the last answer.
    pub(crate) is_latest: bool,
}

/// One crawler at one origin.
#[derive(Debug)]
pub(crate) struct Timeline {
    key: CacheKey,
    pub(crate) list: List,
    /// The time of the first request of a crawler at the origin.
    begins: Duration,
    /// The possible states. Those of the last answer come last.
    pub(crate) states: Vec<State>,
    /// Whether any answer was neither a failure nor a redirect.
    was_answered: bool,
    /// The time of the last redirect before the current one that the log does not resolve.
    unresolved: Option<Duration>,
    /// The time of the last answer that the crawler could use.
    pub(crate) read: Option<Duration>,
    /// Whether the last answer was a failure.
    pub(crate) is_failing: bool,
    /// The time of the last request for a page.
    pub(crate) page: Option<Duration>,
    /// The latest time of a request.
    pub(crate) newest: Duration,
}

/// What every timeline needs.
#[derive(Clone, Copy)]
pub(crate) struct Context<'c> {
    pub(crate) permitted: &'c Permitted,
    pub(crate) files: &'c Files,
}

impl Timeline {
    /// Begins the timeline of a crawler that requests something for the first time. `begins` is the time of the
    /// first request of a crawler at the origin, because the log of each host can begin at another time. Before it, the
    /// crawler may have read any file. Files that expired before count only in an outage.
    pub(crate) fn new(key: CacheKey, list: List, begins: Duration, context: Context<'_>) -> Self {
        let mut timeline = Self {
            key,
            list,
            begins,
            states: Vec::new(),
            was_answered: false,
            unresolved: None,
            read: None,
            is_failing: false,
            page: None,
            newest: Duration::ZERO,
        };
        let earliest = begins.saturating_sub(context.permitted.longest());
        let mut versions = context.files.during(list, earliest, begins).peekable();
        while let Some(version) = versions.next() {
            // The last moment at which the crawler may have read this version.
            let next = versions.peek().copied().flatten();
            let at = next.map_or(begins, |next| context.files.from(next).min(begins));
            let state = match version {
                None => timeline.fetched(Copy::Unknown(Reason::BeforeLog), 200, at, context),
                Some(version) if context.files.octets(version).is_none() => {
                    timeline.after(None, 404, at, context)
                }
                Some(version) => timeline.fetched(Copy::Version(version), 200, at, context),
            };
            timeline.states.push(State { is_before_log: true, is_latest: false, ..state });
        }
        timeline
    }

    /// Adds an answer to a request for robots.txt, with the versions of the origin that answered. The caller leaves out
    /// answers that confirm nothing.
    pub(crate) fn answered(
        &mut self,
        list: List,
        status: u16,
        now: Duration,
        context: Context<'_>,
    ) {
        self.list = list;
        let longest = context.permitted.longest();
        let is_kept = |state: &State| now < state.record.last.at.saturating_add(longest);
        self.states.retain(|state| state.is_latest || is_kept(state));
        let new = match status {
            304 => self.confirmed(now, context),
            200..=299 => self.copies(status, now, context),
            300..=399 => {
                let before = self.states.iter().find(|state| state.copy == REDIRECT);
                self.unresolved = before.map(|state| state.record.last.at);
                vec![self.fetched(REDIRECT, 200, now, context)]
            }
            // A crawler may read 429 as any other 4xx (RFC 9309, 2.3.1.3), whatever the edition says.
            429 => self.without_file(&[429, 404], self.earlier(context).as_ref(), now, context),
            _ => self.without_file(&[status], self.earlier(context).as_ref(), now, context),
        };
        let mut latest = different(new);
        self.states.retain(|state| !latest.iter().any(|new| state.is_like(new)));
        self.states.iter_mut().for_each(|state| state.is_latest = false);
        self.is_failing = latest.iter().any(|state| state.is_failing);
        self.states.append(&mut latest);
        self.was_answered |= !self.is_failing && !matches!(status, 300..=303 | 305..=399);
        self.read = Some(now);
    }

    /// Adds an answer that perhaps did not reach the crawler. Everything that was possible remains so. If it did not reach
    /// the crawler, robots.txt was unreachable for it (RFC 9309, 2.3.1.4).
    pub(crate) fn perhaps_answered(
        &mut self,
        list: List,
        status: u16,
        now: Duration,
        context: Context<'_>,
    ) {
        self.list = list;
        let mut new = self.without_file(&[503], None, now, context);
        match status {
            200..=299 | 304 => new.append(&mut self.copies(status, now, context)),
            // No answer was sent (nginx: 444 and 499; the load balancer of AWS: 460).
            444 | 460 | 499 => {}
            400..=499 => new.append(&mut self.without_file(&[status], None, now, context)),
            _ => {}
        }
        let mut new = different(new);
        for state in &mut new {
            state.is_latest = false;
        }
        self.states.retain(|state| state.is_latest || !new.iter().any(|new| state.is_like(new)));
        self.states.splice(0..0, new);
    }

    /// Forgets a redirect that was answered at a time, because the log shows its target.
    pub(crate) fn forget_redirect(&mut self, at: Duration, context: Context<'_>) {
        let is_it = |state: &State| state.copy == REDIRECT && state.record.last.at == at;
        let Some(index) = self.states.iter().position(is_it) else { return };
        self.states.remove(index);
        if let Some(before) = self.unresolved.take() {
            let before = self.fetched(REDIRECT, 200, before, context);
            self.states.insert(0, State { is_latest: false, ..before });
        }
    }

    /// Returns the state after a file was fetched. The `ETag` lets a later 304 confirm the copy.
    fn fetched(&self, copy: Copy, status: u16, now: Duration, context: Context<'_>) -> State {
        let response = Response::new(status, [("etag", &b"\"v\""[..])]).with_body(Body::of(""));
        self.state(copy, None, response, now, context)
    }

    /// Returns the state after an answer without a file. Without a state before, the crawler had no copy.
    fn after(
        &self,
        state: Option<&State>,
        status: u16,
        now: Duration,
        context: Context<'_>,
    ) -> State {
        let (copy, known) =
            state.map_or((Copy::Empty, None), |state| (state.copy, Some(state.record.clone())));
        let after = self.state(copy, known, Response::new(status, []), now, context);
        let is_before_log = after.is_failing && state.is_some_and(|state| state.is_before_log);
        State { is_before_log, ..after }
    }

    fn state(
        &self,
        copy: Copy,
        known: Option<Record>,
        response: Response,
        now: Duration,
        context: Context<'_>,
    ) -> State {
        let Permitted { strict, lenient, .. } = context.permitted;
        let mut retrieval = Retrieval::new(&self.key, lenient, IDENTIFICATION, known);
        retrieval.answered(response, now);
        let record =
            retrieval.into_record().expect("an answer without a Location ends the retrieval");
        let basis = record.basis(strict, now);
        let is_failing =
            matches!(basis, Basis::Unreachable | Basis::LastCopy | Basis::UnreachableForLong);
        State { copy, record, is_failing, is_before_log: false, is_latest: true }
    }

    /// Returns the state of a crawler for which robots.txt failed before the log begins, for as long as an outage can be.
    fn earlier(&self, context: Context<'_>) -> Option<State> {
        (!self.was_answered).then(|| {
            let since = self.begins.saturating_sub(LASTING);
            let began = self.after(None, 503, since, context);
            let lasting = self.after(Some(&began), 503, self.begins, context);
            State { is_before_log: true, ..lasting }
        })
    }

    /// Returns the states after answers without a file, one for each of these statuses. `earlier` is one more
    /// state before.
    fn without_file(
        &self,
        statuses: &[u16],
        earlier: Option<&State>,
        now: Duration,
        context: Context<'_>,
    ) -> Vec<State> {
        // The last one is a machine that has no copy.
        let before = || self.states.iter().chain(earlier).map(Some).chain([None]);
        let pairs = statuses.iter().flat_map(|it| before().map(move |state| (*it, state)));
        pairs.map(|(status, state)| self.after(state, status, now, context)).collect()
    }

    /// Returns the states after a file was sent: one for each version that may have been sent.
    fn copies(&self, status: u16, now: Duration, context: Context<'_>) -> Vec<State> {
        let fetched = |copy| self.fetched(copy, status, now, context);
        if matches!(status, 204 | 205) {
            return vec![fetched(Copy::Empty)];
        }
        let sent = self.sent(now, context).map(|version| fetched(Copy::Version(version)));
        let mut copies: Vec<State> = sent.collect();
        // The file that was sent may be older than the history.
        if copies.is_empty() || context.files.during(self.list, now, now).any(|it| it.is_none()) {
            copies.push(fetched(Copy::Unknown(Reason::NoHistory)));
        }
        copies
    }

    /// Returns the states after a 304. It confirms the last file. If this is not the valid one, another machine asked, or
    /// the crawler read the valid file before the log begins.
    fn confirmed(&self, now: Duration, context: Context<'_>) -> Vec<State> {
        let has_file = |state: &&State| state.record.copy.is_some() && !state.is_before_log;
        let last = self.states.iter().filter(|state| state.is_latest).filter(has_file);
        let mut states: Vec<State> =
            last.map(|state| self.after(Some(state), 304, now, context)).collect();
        let is_sent = |state: &State| {
            self.sent(now, context).any(|version| state.copy == Copy::Version(version))
        };
        if !states.iter().any(is_sent) {
            states.append(&mut self.copies(200, now, context));
        }
        states
    }

    /// Returns the versions with a file that may have been sent at a time.
    fn sent<'c>(
        &self,
        now: Duration,
        context: Context<'c>,
    ) -> impl Iterator<Item = VersionId> + use<'c> {
        let (from, until) = (now.saturating_sub(SLACK), now.saturating_add(SLACK));
        let versions = context.files.during(self.list, from, until).flatten();
        versions.filter(move |version| context.files.octets(*version).is_some())
    }
}

/// Returns the states that permit something different. If two states differ only in the beginning of an outage, the longer
/// outage permits more.
fn different(mut states: Vec<State>) -> Vec<State> {
    states.sort_by_key(|state| state.record.last.unreachable_since);
    let mut different: Vec<State> = Vec::new();
    for state in states {
        if !different.iter().any(|other| state.is_like(other)) {
            different.push(state);
        }
    }
    different
}

/// The copy after a redirect to an unknown URL.
const REDIRECT: Copy = Copy::Unknown(Reason::Redirect);

/// The identification of every retrieval. No answer of a log varies by it.
const IDENTIFICATION: &str = "crawler";

impl State {
    /// Returns whether two states permit the same, apart from their times.
    fn is_like(&self, other: &Self) -> bool {
        let kind = |state: &Self| (state.is_failing, state.has_file());
        kind(self) == kind(other) && (self.copy == other.copy || kind(self) == (false, false))
    }

    fn has_file(&self) -> bool {
        matches!(self.record.last.end.status, Some(200..=299 | 304))
    }
}
