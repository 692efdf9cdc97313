//! Tests the retrieval with the suite's cases about fetch results, caching and scope.
//!
//! The test converts the fetch result of a case to HTTP answers that lead to this result, and the copy of a case to a
//! record that contains the copy.

use std::process::ExitCode;
use std::sync::LazyLock;
use std::time::Duration;

use robots_conformance::engine::Profile;
use robots_conformance::engine::{Engine, Question};
use robots_conformance::harness::Harness;
use robots_conformance::kind::{
    AccessQuestion, Answer, Ask, FreshnessQuestion, Role, ScopeQuestion,
};
use robots_core::Edition;
use robots_core::fetch::{CachedCopy, FetchEnd, FetchResult, Freshness, Location, Refresh, Scope};
use robots_fetch::retrieval::{Body, Next, Response, Retrieval};
use robots_fetch::robots_core;
use robots_fetch::{CacheKey, Record, Settings};

/// The current time. It is so late that every age in the cases can be subtracted from it.
const NOW: Duration = Duration::from_secs(1_000_000_000);
const HOST: &str = "http://example.com/";
const FILE: &[u8] = b"user-agent: *\ndisallow: /private\n";

struct Machine;

impl Engine for Machine {
    fn name(&self) -> &str {
        "retrieval"
    }

    fn profiles(&self) -> &[Profile] {
        static EDITIONS: LazyLock<Vec<Profile>> =
            LazyLock::new(|| Edition::ALL.iter().copied().map(Profile::Edition).collect());
        &EDITIONS
    }

    fn roles(&self) -> &[Role] {
        &[Role::Crawler]
    }

    fn answer(&self, question: &Question) -> Answer {
        let Some(edition) = question.profile.edition() else {
            return Answer::unsupported("it answers questions under editions only");
        };
        // No document names these two bounds on lifetimes, so the test switches them off.
        let settings = Settings::default()
            .edition(edition)
            .shortest_life(Duration::ZERO)
            .longest_life(Duration::MAX);
        match &question.ask {
            Ask::Access(AccessQuestion { fetch }) => access(&settings, fetch),
            Ask::Freshness(FreshnessQuestion { copy }) => freshness(&settings, copy),
            Ask::Scope(ScopeQuestion { robots_url, url, .. }) => scope(robots_url, url),
            _ => Answer::unsupported("it answers questions about fetching only"),
        }
    }
}

fn access(settings: &Settings, fetch: &FetchResult) -> Answer {
    let mut retrieval = retrieval(settings, before(settings, fetch));
    if fetch.server_errors_for_missing_pages {
        retrieval = retrieval.with_server_errors_for_missing_pages();
    }
    let hop = |number: u32| format!("http://example.com/hop/{number}");
    for number in 0..fetch.redirects {
        retrieval.answered(redirect(301, Some(&hop(number))), NOW);
        if !matches!(retrieval.step(NOW), Next::Request(_)) {
            // The retrieval follows no more redirects, and does not request the next target.
            return answer(&retrieval);
        }
    }
    match fetch.end {
        FetchEnd::Failure(failure) => retrieval.failed(failure, "as the case says", NOW),
        FetchEnd::Status { status, location } => {
            let target = match location {
                Location::Present | Location::Disallowed => Some(hop(1000)),
                Location::Loop => Some(format!("{HOST}robots.txt")),
                Location::Missing => None,
            };
            let page = b"<meta http-equiv=refresh content='0; url=/x'>";
            let body: &[u8] = if fetch.logical_redirect { page } else { FILE };
            let response = redirect(status, target.as_deref().filter(|_| status != 304));
            retrieval.answered(response.with_body(Body::of(body)), NOW);
            if location == Location::Disallowed {
                retrieval.disallowed(NOW);
            }
        }
    }
    answer(&retrieval)
}

fn answer(retrieval: &Retrieval) -> Answer {
    retrieval.access().map_or_else(|| Answer::Error("nothing was decided".into()), Answer::Access)
}

/// Returns the record from before the request. This record contains the copy and the outage that the case describes.
fn before(settings: &Settings, fetch: &FetchResult) -> Option<Record> {
    let mut record = None;
    if let Some(age) = fetch.cached_copy_age {
        record = Some(fetched(settings, NOW.saturating_sub(age), None));
    }
    if !fetch.unreachable_for.is_zero() {
        // The attempts are so close together that they form one outage.
        let mut at = NOW.saturating_sub(fetch.unreachable_for);
        while at < NOW {
            let mut retrieval = self::retrieval(settings, record);
            retrieval.answered(Response::new(500, []), at);
            record = retrieval.into_record();
            at += Duration::from_secs(6 * 86_400);
        }
    }
    record
}

fn fetched(settings: &Settings, at: Duration, max_age: Option<Duration>) -> Record {
    let mut retrieval = retrieval(settings, None);
    let control = max_age.map(|age| format!("max-age={}", age.as_secs()));
    // The copy needs a validator, because a copy without one is never confirmed.
    let fields = control.iter().map(|control| ("cache-control", control.as_bytes()));
    let fields = fields.chain([("etag", &b"\"1\""[..])]);
    retrieval.answered(Response::new(200, fields).with_body(Body::of(FILE)), at);
    retrieval.into_record().unwrap()
}

fn retrieval(settings: &Settings, record: Option<Record>) -> Retrieval {
    Retrieval::new(&key(), settings, "examplebot", record)
}

fn key() -> CacheKey {
    CacheKey::of(HOST).unwrap()
}

fn redirect(status: u16, location: Option<&str>) -> Response {
    Response::new(status, location.map(|location| ("location", location.as_bytes())))
}

fn freshness(settings: &Settings, copy: &CachedCopy) -> Answer {
    let mut record = fetched(settings, NOW.saturating_sub(copy.age), copy.max_age);
    let is_due = |record: &Record| {
        matches!(retrieval(settings, Some(record.clone())).step(NOW), Next::Request(_))
    };
    if copy.refresh == Refresh::Failing && is_due(&record) {
        let mut refresh = retrieval(settings, Some(record));
        refresh.answered(Response::new(503, []), NOW);
        record = refresh.into_record().unwrap();
    }
    let is_fresh = retrieval(settings, Some(record)).step(NOW) == Next::Done;
    Answer::Freshness(if is_fresh { Freshness::Fresh } else { Freshness::Stale })
}

fn scope(robots_url: &str, url: &str) -> Answer {
    let key = CacheKey::of(robots_url);
    let is_robots_url = robots_core::fetch::RobotsUrl::parse(robots_url).is_ok();
    match (key, CacheKey::of(url)) {
        _ if !is_robots_url => Answer::Scope(Scope::NotARobotsUrl),
        (Ok(kept), Ok(asked)) if kept == asked => Answer::Scope(Scope::Governs),
        (Ok(_), _) => Answer::Scope(Scope::DoesNotGovern),
        (Err(why), _) => Answer::unsupported(why.to_string()),
    }
}

fn main() -> ExitCode {
    Harness::new(Machine).run()
}
