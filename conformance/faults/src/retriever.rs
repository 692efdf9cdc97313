//! A retriever with at most one fault.
//!
//! [`answer`] sends the steps of a timeline to the retrieval of robots-fetch, which has no fault. A fault changes the
//! URL of a question, the clock, the requests, the answers of the network, or the verdicts. Start at [`Bent`]. This
//! module does not know individual cases.

use std::collections::BTreeMap;
use std::sync::Arc;

use robots_conformance::kind::{
    Agents, Answer, Delivered, Retrieve, RetrievedVerdict, ScriptedResponse, SentRequest,
    TimelineQuestion, TimelineStep,
};
use robots_core::Edition;
use robots_core::fetch::Basis;
use robots_fetch::{CacheKey, Settings};
use robots_retriever::Retriever;
use url::Url;

use super::bent::{authority, has_port, host, is_address, without_port};
use super::fault::Fault;

const DAY: u64 = 24 * 60 * 60;

/// The faults that this file implements. A reader with any other fault gets no timelines.
pub(super) const FAULTS: &[Fault] = &[
    Fault::BomKept,
    Fault::CrNoLineEnd,
    Fault::LimitOf8KiB,
    Fault::PortIgnored,
    Fault::SchemeIgnored,
    Fault::SubdomainIncluded,
    Fault::RedirectMovesScope,
    Fault::ServerErrorAllows,
    Fault::ForbiddenDisallows,
    Fault::FirstRedirectIsNotFound,
    Fault::CopiesNeverStale,
    Fault::NetworkFailureAllows,
    Fault::OnlyStatus200Counts,
    Fault::TooManyRequestsTurned,
    Fault::OutageNeverEnds,
    Fault::DefaultPortCompared,
    Fault::AddressGovernsNames,
    Fault::FileBesideThePage,
    Fault::NamelessRequests,
    Fault::ConditionInvented,
    Fault::ValidatorsShared,
    Fault::MissingFileDisallows,
    Fault::ErrorPageRead,
    Fault::ContentCodingIgnored,
    Fault::MediaTypeDecides,
    Fault::CutBodyTaken,
    Fault::OneRedirectFollowed,
    Fault::RelativeLocationUnknown,
    Fault::PermanentRedirectsOnly,
    Fault::RedirectsWithoutLimit,
    Fault::OtherHostsNotFollowed,
    Fault::NothingCached,
    Fault::OneRequestEach,
    Fault::ConfirmationIsEmpty,
    Fault::MaxAgeUnbounded,
    Fault::QuestionsRenewCopy,
    Fault::NewestTimeCounts,
    Fault::FailingRefreshAllows,
    Fault::FailureIsFinal,
    Fault::RetryAfterIgnored,
    Fault::RepeatsAtOnce,
    Fault::RetryAfterUnbounded,
    Fault::OutageOfADayAllows,
    Fault::OutagesAddUp,
    Fault::LastCopyDropped,
    Fault::FreshnessFieldsDropCopy,
    Fault::StoredCopyIsEmpty,
    Fault::ClockSetBackDropsCopy,
    Fault::HostIgnored,
];

/// The content codings that every reader accepts. A build of the whole workspace decodes more codings, and the matrix
/// must not depend on the build.
const CODINGS: &str = "gzip, br";

/// Answers a timeline.
pub(super) fn answer(
    fault: Option<Fault>,
    edition: Edition,
    timeline: &TimelineQuestion,
) -> Answer {
    let mut bent = Bent {
        fault,
        edition,
        agents: &timeline.agents,
        machines: BTreeMap::new(),
        origins: Vec::new(),
        step: 0,
        heard: Heard::default(),
    };
    timeline.run(&mut bent).map_or_else(Answer::from, Answer::Timeline)
}

/// The retriever: the retrieval, and the data that the fault needs.
struct Bent<'t> {
    fault: Option<Fault>,
    edition: Edition,
    agents: &'t Agents,
    /// The retrievals, each with its own cache. There is more than one retrieval only if the fault separates data that
    /// should be shared.
    machines: BTreeMap<String, Box<dyn Retrieve>>,
    /// The origins that were asked about, in the order of the first question.
    origins: Vec<Origin>,
    step: usize,
    heard: Heard,
}

/// An origin, and what the retriever knows about earlier questions and answers for this origin.
#[derive(Default)]
struct Origin {
    name: String,
    /// The time at which the last file arrived or was confirmed by a 304, and its `max-age` in seconds (0 if there is
    /// none).
    copy: Option<(u64, u64)>,
    /// Whether the last file arrived before the last restart.
    is_emptied: bool,
    /// Whether the last answer that was neither a failure nor a 3xx has Cache-Control, Expires, Age or Vary.
    limits_use: bool,
    /// The time of the last failure, and its `Retry-After` in seconds; `None` after an answer that ends the failure.
    failure: Option<(u64, u64)>,
    /// The time at which the current series of failures began.
    failing_since: Option<u64>,
    /// The time of the first failure, even if the site was reached since then.
    first_failure: Option<u64>,
    /// The status of the last answer, or `None` if the last request failed.
    status: Option<u16>,
    /// Whether the last request failed, or its file was cut.
    has_no_answer: bool,
    /// The time of the last question.
    asked: u64,
    /// The latest time of all questions. The time differs from `asked` if the clock was set back.
    newest: u64,
}

/// Data from earlier answers of the network, which all origins share.
#[derive(Default)]
struct Heard {
    /// The last `ETag` that any origin sent.
    etag: Option<String>,
    /// The files that arrived after a redirect to another host. The key is the URL of the robots.txt of that other
    /// host.
    moved: BTreeMap<String, ScriptedResponse>,
}

impl Retrieve for Bent<'_> {
    fn restart(&mut self) {
        for origin in &mut self.origins {
            origin.is_emptied = origin.copy.is_some();
        }
        for machine in self.machines.values_mut() {
            machine.restart();
        }
    }

    fn ask(
        &mut self,
        step: &TimelineStep,
        send: &mut dyn FnMut(SentRequest) -> Delivered,
    ) -> Result<Vec<RetrievedVerdict>, Answer> {
        let mut now = step.at;
        let urls = step.urls.iter().enumerate();
        let verdicts = urls.map(|it| self.verdict(step, it, &mut now, send)).collect();
        self.step += 1;
        verdicts
    }
}

impl Bent<'_> {
    fn verdict(
        &mut self,
        step: &TimelineStep,
        (index, url): (usize, &String),
        now: &mut u64,
        send: &mut dyn FnMut(SentRequest) -> Delivered,
    ) -> Result<RetrievedVerdict, Answer> {
        let failed = |error: robots_fetch::Error| Answer::Error(error.to_string());
        let key = match self.fault {
            Some(Fault::NothingCached) => self.step.to_string(),
            Some(Fault::OneRequestEach) => index.to_string(),
            Some(Fault::DefaultPortCompared) => has_port(url).to_string(),
            _ => String::new(),
        };
        if !self.machines.contains_key(&key) {
            let settings = Settings::default().edition(self.edition);
            let machine = Retriever::begin(self.agents, settings)?;
            self.machines.insert(key.clone(), Box::new(machine));
        }
        let mut name = CacheKey::of(url).map_err(failed)?.to_string();
        if self.fault == Some(Fault::PortIgnored) {
            name = without_port(&name);
        }
        let known = self.origins.iter().position(|origin| self.takes_for(&origin.name, &name));
        let known = known.unwrap_or_else(|| {
            self.origins.push(Origin { name: name.clone(), ..Origin::default() });
            self.origins.len() - 1
        });
        let origin = &mut self.origins[known];
        let (_, _, path) = authority(url).unwrap_or_default();
        let asked = origin.name.clone() + path;
        let clock = origin.clock(self.fault, *now);
        let (fault, edition, heard) = (self.fault, self.edition, &mut self.heard);
        let mut hops = 0;
        let mut exchange = |mut request: SentRequest| {
            request.at = *now;
            set_field(&mut request, "accept-encoding", CODINGS);
            let moved = heard.moved.get(&request.url).filter(|_| hops == 0);
            if let (Some(Fault::RedirectMovesScope), Some(moved)) = (fault, moved) {
                return Delivered { delay: 0, end: Ok(moved.clone()) };
            }
            if hops == 0 {
                bend_request(fault, &mut request, url, heard);
            }
            let mut delivered = send(request.clone());
            while fault == Some(Fault::RedirectsWithoutLimit)
                && let Some(next) = target(&request, &delivered)
            {
                request.url = next.into();
                delivered = send(request.clone());
            }
            if fault == Some(Fault::RepeatsAtOnce)
                && delivered.end.as_ref().is_ok_and(|response| response.status == 503)
            {
                *now = now.saturating_add(delivered.delay);
                request.at = *now;
                delivered = send(request.clone());
            }
            *now = now.saturating_add(delivered.delay);
            origin.hear(&delivered, *now);
            heard.hear(&origin.name, &request, hops, &delivered);
            bend_answer(fault, edition, &request, hops, &mut delivered);
            hops += 1;
            delivered
        };
        let machine = self.machines.get_mut(&key).expect("it was inserted above");
        let step = TimelineStep { at: clock, urls: vec![asked], ..step.clone() };
        let verdicts = machine.ask(&step, &mut exchange)?;
        let verdict = verdicts.into_iter().next().expect("a verdict for the URL");
        Ok(bend_verdict(fault, origin, *now, verdict))
    }

    /// Returns whether the retriever treats two origins as one, because they are the same, or because the fault
    /// confuses them.
    fn takes_for(&self, known: &str, name: &str) -> bool {
        let is_same = match self.fault {
            Some(Fault::SchemeIgnored) => host_and_port(known) == host_and_port(name),
            Some(Fault::SubdomainIncluded) => host(name).ends_with(&format!(".{}", host(known))),
            Some(Fault::AddressGovernsNames) => is_address(&host(known)),
            Some(Fault::HostIgnored) => host(known) != host(name),
            _ => false,
        };
        is_same || known == name
    }
}

impl Origin {
    /// Returns the time that the retrieval gets as the current time.
    fn clock(&mut self, fault: Option<Fault>, now: u64) -> u64 {
        let idle = now.saturating_sub(self.asked);
        self.asked = now;
        self.newest = self.newest.max(now);
        match (fault, self.copy, self.failure) {
            (Some(Fault::CopiesNeverStale), Some((at, _)), None)
            | (Some(Fault::FailureIsFinal), _, Some((at, _))) => at,
            (Some(Fault::MaxAgeUnbounded), Some((at, time)), None)
            | (Some(Fault::RetryAfterUnbounded), _, Some((at, time)))
                if now < at.saturating_add(time) =>
            {
                at
            }
            (Some(Fault::QuestionsRenewCopy), Some((at, _)), None) => at + idle,
            (Some(Fault::NewestTimeCounts), ..) => self.newest,
            _ => now,
        }
    }

    fn hear(&mut self, delivered: &Delivered, now: u64) {
        self.status = delivered.end.as_ref().ok().map(|response| response.status);
        let is_whole = |it: &ScriptedResponse| !it.is_cut || it.status >= 300;
        self.has_no_answer = !delivered.end.as_ref().is_ok_and(is_whole);
        match &delivered.end {
            Ok(response) if response.status == 304 => {
                self.copy = self.copy.map(|(_, life)| (now, life));
                (self.failure, self.failing_since) = (None, None);
            }
            Ok(response) if (300..400).contains(&response.status) => {}
            Ok(response) if response.status < 500 && response.status != 429 && !response.is_cut => {
                let life = field(response, "cache-control").and_then(|control| {
                    control.split(',').find_map(|one| one.trim().strip_prefix("max-age="))
                });
                let is_file = response.status < 300;
                self.is_emptied &= !is_file;
                let names = ["cache-control", "expires", "age", "vary"];
                self.limits_use = names.iter().any(|name| field(response, name).is_some());
                self.copy = is_file.then(|| (now, life.map_or(0, seconds))).or(self.copy);
                (self.failure, self.failing_since) = (None, None);
            }
            end => {
                let pause = end.as_ref().ok().and_then(|response| field(response, "retry-after"));
                self.failure = Some((now, pause.map_or(0, seconds)));
                self.failing_since.get_or_insert(now);
                self.first_failure.get_or_insert(now);
            }
        }
    }
}

impl Heard {
    fn hear(&mut self, origin: &str, request: &SentRequest, hops: usize, delivered: &Delivered) {
        let Ok(response) = &delivered.end else { return };
        if let Some(etag) = field(response, "etag") {
            self.etag = Some(etag.to_owned());
        }
        let target = CacheKey::of(&request.url).ok().filter(|target| target.as_str() != origin);
        if let Some(target) = target.filter(|_| hops > 0 && response.status == 200) {
            self.moved.insert(target.robots_url(), response.clone());
        }
    }
}

/// Replaces the value of a field that the request has.
fn set_field(request: &mut SentRequest, name: &str, value: &str) {
    for (_, sent) in request.fields.iter_mut().filter(|(field, _)| field == name) {
        value.clone_into(sent);
    }
}

fn bend_request(fault: Option<Fault>, request: &mut SentRequest, page: &str, heard: &Heard) {
    let is_conditional = request.fields.iter().any(|(name, _)| name.starts_with("if-"));
    let add = |request: &mut SentRequest, name: &str, value: &str| {
        if !is_conditional {
            request.fields.push((name.to_owned(), value.to_owned()));
        }
    };
    match fault {
        Some(Fault::ConditionInvented) => {
            add(request, "if-modified-since", "Thu, 01 Jan 1970 00:00:00 GMT");
        }
        Some(Fault::ValidatorsShared) => {
            if let Some(etag) = &heard.etag {
                add(request, "if-none-match", etag);
            }
        }
        Some(Fault::NamelessRequests) => set_field(request, "user-agent", "a library"),
        Some(Fault::DefaultPortCompared) => {
            if let Some((scheme, authority, _)) = authority(page).filter(|_| has_port(page)) {
                request.url = format!("{scheme}://{authority}/robots.txt");
            }
        }
        Some(Fault::FileBesideThePage) => {
            let beside = Url::parse(page).and_then(|page| page.join("robots.txt"));
            request.url = beside.map_or_else(|_| page.to_owned(), String::from);
        }
        _ => {}
    }
}

fn bend_answer(
    fault: Option<Fault>,
    edition: Edition,
    request: &SentRequest,
    hops: usize,
    delivered: &mut Delivered,
) {
    let Some(fault) = fault else { return };
    let next = target(request, delivered);
    let Ok(response) = &mut delivered.end else { return };
    let leaves_host = || {
        let host = next.as_ref().and_then(Url::host_str);
        host.is_some_and(|next| next != self::host(&request.url))
    };
    match (fault, response.status) {
        (Fault::PermanentRedirectsOnly, 302 | 303 | 307) => response.status = 404,
        (Fault::TooManyRequestsTurned, 429) => {
            response.status = if edition == Edition::Google2022 { 404 } else { 500 };
        }
        (Fault::FirstRedirectIsNotFound, _) if next.is_some() => response.status = 404,
        (Fault::OneRedirectFollowed, _) if next.is_some() && hops > 0 => response.status = 404,
        (Fault::OtherHostsNotFollowed, _) if leaves_host() => response.status = 404,
        (Fault::OnlyStatus200Counts, 201..=299)
        | (Fault::ForbiddenDisallows, 401 | 403)
        | (Fault::MissingFileDisallows, 400..=428 | 430..=499) => {
            let body = b"user-agent: *\ndisallow: /\n"[..].into();
            *response = ScriptedResponse { status: 200, body, ..ScriptedResponse::default() };
        }
        (Fault::ErrorPageRead, 400..=599) if !response.body.is_empty() => response.status = 200,
        (Fault::ConfirmationIsEmpty, 304) => response.status = 200,
        (Fault::ContentCodingIgnored, _) => drop_field(response, "content-encoding"),
        (Fault::RetryAfterIgnored, _) => drop_field(response, "retry-after"),
        (Fault::RelativeLocationUnknown, _)
            if field(response, "location").is_some_and(|location| !location.contains("://")) =>
        {
            drop_field(response, "location");
        }
        (Fault::MediaTypeDecides, _)
            if field(response, "content-type").is_some_and(|it| it.starts_with("text/html")) =>
        {
            response.body = Arc::default();
        }
        (Fault::CutBodyTaken, _) => response.is_cut = false,
        (Fault::LimitOf8KiB, _) => {
            response.body = response.body[..response.body.len().min(8 << 10)].into();
        }
        (Fault::BomKept, _) if response.body.starts_with(b"\xEF\xBB\xBF") => {
            response.body = [b"-", &response.body[3..]].concat().into();
        }
        (Fault::CrNoLineEnd, _) => {
            let plain = |at: usize| match response.body[at..] {
                [b'\r', b'\n', ..] => b'\r',
                [b'\r', ..] => b' ',
                [octet, ..] => octet,
                [] => unreachable!("an index of the body"),
            };
            response.body = (0..response.body.len()).map(plain).collect();
        }
        _ => {}
    }
}

fn bend_verdict(
    fault: Option<Fault>,
    origin: &Origin,
    now: u64,
    verdict: RetrievedVerdict,
) -> RetrievedVerdict {
    let copied_at = origin.copy.map(|(at, _)| at);
    let long = Some(Basis::UnreachableForLong);
    let lasted = now.saturating_sub(origin.failing_since.unwrap_or(now));
    let freed = match fault {
        Some(Fault::ServerErrorAllows) => matches!(origin.status, Some(500..=599)),
        Some(Fault::NetworkFailureAllows) => origin.has_no_answer,
        Some(Fault::FailingRefreshAllows) => origin.copy.is_some(),
        _ => false,
    };
    let dropped = match fault {
        Some(Fault::FreshnessFieldsDropCopy) => {
            origin.limits_use && copied_at.is_some_and(|at| at < now)
        }
        Some(Fault::StoredCopyIsEmpty) => origin.is_emptied,
        Some(Fault::ClockSetBackDropsCopy) => origin.newest > now,
        _ => false,
    };
    match (fault, verdict.basis) {
        (_, Some(Basis::Rules | Basis::StaleRules)) if dropped => {
            RetrievedVerdict { allowed: true, basis: Some(Basis::NoFile), ..verdict }
        }
        (_, Some(Basis::Unreachable | Basis::LastCopy)) if freed => {
            RetrievedVerdict { allowed: true, basis: None, ..verdict }
        }
        (Some(Fault::OutageNeverEnds), Some(Basis::UnreachableForLong)) => {
            RetrievedVerdict { allowed: false, basis: Some(Basis::Unreachable), ..verdict }
        }
        (Some(Fault::OutageOfADayAllows), Some(Basis::Unreachable)) if lasted > DAY => {
            RetrievedVerdict { allowed: true, basis: long, ..verdict }
        }
        (Some(Fault::OutagesAddUp), Some(Basis::Unreachable))
            if origin.first_failure.is_some_and(|first| now.saturating_sub(first) > 30 * DAY) =>
        {
            RetrievedVerdict { allowed: true, basis: long, ..verdict }
        }
        (Some(Fault::LastCopyDropped), Some(Basis::LastCopy)) => {
            RetrievedVerdict { allowed: true, basis: long, ..verdict }
        }
        _ => verdict,
    }
}

/// Returns the target of a redirect.
fn target(request: &SentRequest, delivered: &Delivered) -> Option<Url> {
    let response = delivered.end.as_ref().ok()?;
    let location = field(response, "location").filter(|_| (300..400).contains(&response.status))?;
    Url::parse(&request.url).ok()?.join(location).ok()
}

fn field<'r>(response: &'r ScriptedResponse, name: &str) -> Option<&'r str> {
    response.fields.iter().find(|(field, _)| field == name).map(|(_, value)| &**value)
}

fn drop_field(response: &mut ScriptedResponse, name: &str) {
    response.fields.retain(|(field, _)| field != name);
}

/// Reads a number of seconds. Returns the maximum if the number is too large, and 0 if the text is not a number.
fn seconds(text: &str) -> u64 {
    let is_number = !text.is_empty() && text.bytes().all(|octet| octet.is_ascii_digit());
    if is_number { text.parse().unwrap_or(u64::MAX) } else { 0 }
}

fn host_and_port(url: &str) -> Option<&str> {
    authority(url).map(|(_, authority, _)| authority)
}
