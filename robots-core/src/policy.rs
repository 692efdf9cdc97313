//! A crawler's cache entry for one robots.txt: [`Policy`]. An entry keeps the rules of the last file, and the time when
//! this file was fetched. The entry uses the module `fetch` to decide about access and about the lifetime of the rules.
//! This module reads no clock: the caller gives the current time in each call.

use core::fmt;
use core::time::Duration;

use crate::agent::Crawler;
use crate::fetch::robots_url::NotGoverned;
use crate::fetch::{self, Access, Basis, FetchResult, Retry, RobotsUrl};
use crate::file::Options;
use crate::parser::Parser;
use crate::path::PathAndQuery;
use crate::robots_txt::RobotsTxt;
use crate::verdict::{self, RuleSet, Verdict};

/// A crawler's cache entry for one robots.txt: it decides which URLs of the origin this crawler may fetch.
///
/// A new entry has no file. The caller passes each answer to a request for the file to [`update`](Self::update).
/// [`may_fetch`](Self::may_fetch) returns whether a URL may be fetched, why, and the time until which this answer is
/// valid. A time is a [`Duration`] since an epoch. The caller chooses one epoch for all times, for example the Unix
/// epoch.
///
/// ```
/// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/dialect/line_parser.rs"));
/// # fn main() -> Result<(), Box<dyn core::error::Error>> {
/// use core::time::Duration;
/// use robots_core::fetch::{FetchResult, RobotsUrl};
/// use robots_core::policy::{Fetched, Policy};
/// use robots_core::{Crawler, Edition};
///
/// let url = "https://example.com/private/x";
/// let robots_url = RobotsUrl::governing(url).ok_or("no host")?;
/// let mut policy = Policy::new(robots_url, Crawler::new(["examplebot"])?, Edition::Rfc9309);
///
/// // Nothing is allowed before robots.txt was fetched.
/// let now = Duration::from_secs(1_000_000);
/// assert!(!policy.may_fetch(url, now)?.is_allowed());
///
/// let body = b"user-agent: *\ndisallow: /private\n";
/// policy.update(&LineParser, &Fetched::new(FetchResult::status(200)).with_body(body), now);
/// let permission = policy.may_fetch(url, now)?;
/// assert!(!permission.is_allowed());
/// assert_eq!(permission.verdict().unwrap().rule().unwrap().line().number, 2);
/// assert_eq!(permission.until(), now + Duration::from_secs(86_400));
///
/// // A site that fails must not be crawled; a site without robots.txt may be crawled.
/// policy.update(&LineParser, &Fetched::new(FetchResult::status(503)), now);
/// assert!(!policy.may_fetch(url, now)?.is_allowed());
/// policy.update(&LineParser, &Fetched::new(FetchResult::status(404)), now);
/// assert!(policy.may_fetch(url, now)?.is_allowed());
/// assert!(policy.may_fetch("https://example.org/", now).is_err());
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Policy {
    robots_url: RobotsUrl,
    crawler: Crawler,
    options: Options,
    state: State,
    /// The rules of the last file that was fetched.
    copy: Option<Copied>,
}

/// The state of the site after the last answer.
#[derive(Clone, Debug)]
enum State {
    /// The entry has received no answer, or only redirects.
    Unknown,
    /// The rules of the copy decide.
    Rules,
    /// Everything may be fetched.
    Free { since: Duration, max_age: Option<Duration> },
    /// Nothing may be fetched until another answer comes, or until the failure has lasted long enough.
    Unreachable { fetch: FetchResult, since: Duration, asked: Duration },
}

#[derive(Clone, Debug)]
struct Copied {
    rules: RuleSet,
    fetched_at: Duration,
    max_age: Option<Duration>,
}

impl Policy {
    /// The time from a failure to the next request if the server answered with status 503. The documents say "rather
    /// often" and name no number.
    pub const RETRY_SOON: Duration = Duration::from_secs(5 * 60);

    /// The time from any other failure to the next request. The documents name no number.
    pub const RETRY: Duration = Duration::from_secs(60 * 60);

    /// The longest time between two failures of one outage: seven days. If more time than this passes after a failure,
    /// the state of the site during that time is unknown. So the next failure begins a new outage, and the length of
    /// the old outage is the time from its first to its last failure. The documents name no number.
    pub const OUTAGE_GAP: Duration = Duration::from_secs(7 * 24 * 60 * 60);

    /// The maximum difference between two clocks that is accepted: five minutes. If an answer is further in the future,
    /// a clock was wrong, so the file must be fetched again. The documents name no number.
    pub const CLOCK_SKEW: Duration = Duration::from_secs(5 * 60);

    /// Makes the entry of a robots.txt that was not requested yet.
    ///
    /// `options` are the same options as for [`RobotsTxt::parse`], or only an edition.
    #[must_use]
    pub fn new(robots_url: RobotsUrl, crawler: Crawler, options: impl Into<Options>) -> Self {
        Self { robots_url, crawler, options: options.into(), state: State::Unknown, copy: None }
    }

    /// Returns the URL of the robots.txt.
    #[must_use]
    pub fn robots_url(&self) -> &RobotsUrl {
        &self.robots_url
    }

    /// Returns the crawler.
    #[must_use]
    pub fn crawler(&self) -> &Crawler {
        &self.crawler
    }

    /// Returns the rules of the last file that was fetched, even if they do not decide now.
    #[must_use]
    pub fn rules(&self) -> Option<&RuleSet> {
        self.copy.as_ref().map(|copy| &copy.rules)
    }

    /// Records an answer to a request for the file, and returns the access that this answer gives. If this access is
    /// [`Access::FollowRedirect`], the entry does not change. The caller must request the target of the redirect next,
    /// and must count one more redirect in the result of that request. A file reached by redirects applies to the
    /// origin of the first request (RFC 9309, 2.3.1.2). `now` is the time of the answer.
    pub fn update<P: Parser + ?Sized>(
        &mut self,
        parser: &P,
        answer: &Fetched<'_>,
        now: Duration,
    ) -> Access {
        let mut result = answer.result;
        result.cached_copy_age = self.copy.as_ref().map(|copy| copy.age(now));
        let since = match self.state {
            // If the last failure is long ago, a new outage begins, because the caller's machine may have been off, or
            // its clock may have jumped.
            State::Unreachable { since, asked, .. } if is_near(asked, now) => since,
            _ => now,
        };
        result.unreachable_for = now.saturating_sub(since);
        let access = fetch::access(self.options.by().semantics(), &result);
        let max_age = answer.max_age;
        match access.or_safe() {
            Access::ConditionalAllow => {
                let robots = RobotsTxt::parse(parser, answer.body, self.options);
                let rules = robots.rules_for(&self.crawler);
                self.copy = Some(Copied { rules, fetched_at: now, max_age });
                self.state = State::Rules;
            }
            Access::UseCachedCopy if is_not_modified(&result) => {
                if let Some(copy) = &mut self.copy {
                    (copy.fetched_at, copy.max_age) = (now, max_age);
                    self.state = State::Rules;
                }
            }
            Access::FullAllow if self.is_answer(&result) => {
                self.state = State::Free { since: now, max_age };
            }
            Access::FollowRedirect => {}
            _ => self.state = State::Unreachable { fetch: result, since, asked: now },
        }
        access
    }

    /// Returns whether a URL may be fetched at a time, why, and the time until which this answer is valid.
    ///
    /// If the file was never fetched, or the copy is too old, the file must be fetched first, and nothing is allowed.
    /// This also applies if `now` is more than five minutes before the last answer. In this case a clock was wrong: the
    /// caller's clock was set back, or the answer was recorded with another clock.
    ///
    /// # Errors
    /// Returns [`NotGoverned`] if this robots.txt does not govern the URL, because scheme, host or port differ.
    pub fn may_fetch(&self, url: &str, now: Duration) -> Result<Permission<'_>, NotGoverned> {
        if !self.robots_url.governs(url) {
            return Err(NotGoverned(()));
        }
        let until = match self.answered_at() {
            Some(at) if is_future(at, now) => Some(now),
            _ => self.ask_again_at(),
        };
        let is_due = until.is_some_and(|until| until <= now);
        let (basis, access) = self.basis(url, now, is_due);
        let rules = self.copy.as_ref().filter(|_| basis.allows().is_none());
        let verdict = rules.map(|copy| copy.rules.verdict(url));
        Ok(Permission { basis, access, verdict, until: until.unwrap_or(now) })
    }

    /// Returns the time at which the file must be fetched again. Returns `None` if the file must be fetched at once,
    /// because it was never fetched. A copy is valid for the lifetime that the edition gives: 24 hours, or `max-age`.
    /// The answer that the site has no file is valid for the same time. After a failure, the next request is due after
    /// [`RETRY`](Self::RETRY), or after [`RETRY_SOON`](Self::RETRY_SOON) for status 503. This function does not check
    /// whether the clock was set back. [`may_fetch`](Self::may_fetch) checks this, so [`Permission::until`] can be an
    /// earlier time.
    #[must_use]
    pub fn ask_again_at(&self) -> Option<Duration> {
        let semantics = self.options.by().semantics();
        let (from, time) = match &self.state {
            State::Unknown => return None,
            State::Rules => {
                let copy = self.copy.as_ref()?;
                (copy.fetched_at, fetch::lifetime(semantics, copy.max_age))
            }
            State::Free { since, max_age } => (*since, fetch::lifetime(semantics, *max_age)),
            State::Unreachable { fetch: result, asked, .. } => {
                let soon = fetch::retry(semantics, result) == Retry::Frequently;
                (*asked, if soon { Self::RETRY_SOON } else { Self::RETRY })
            }
        };
        Some(from.saturating_add(time))
    }

    /// Returns the time of the last answer or failure.
    fn answered_at(&self) -> Option<Duration> {
        match &self.state {
            State::Unknown => None,
            State::Rules => self.copy.as_ref().map(|copy| copy.fetched_at),
            State::Free { since, .. } => Some(*since),
            State::Unreachable { asked, .. } => Some(*asked),
        }
    }

    /// Returns whether a result would allow every URL even if no failure came before it.
    fn is_answer(&self, result: &FetchResult) -> bool {
        let at_once = FetchResult { unreachable_for: Duration::ZERO, ..*result };
        fetch::access(self.options.by().semantics(), &at_once) == Access::FullAllow
    }

    /// Returns the basis of verdicts about a URL, and the access that the last answer gives.
    fn basis(&self, url: &str, now: Duration, is_due: bool) -> (Basis, Access) {
        match &self.state {
            State::Unknown => (Basis::NotFetched, Access::FullDisallow),
            State::Rules | State::Free { .. } if is_due => (Basis::Expired, Access::FullDisallow),
            State::Unreachable { asked, .. } if is_future(*asked, now) => {
                (Basis::Expired, Access::FullDisallow)
            }
            State::Rules => (Basis::Rules, Access::ConditionalAllow),
            State::Free { .. } => (Basis::NoFile, Access::FullAllow),
            State::Unreachable { fetch: result, since, asked } => {
                let mut result = *result;
                let known = if is_near(*asked, now) { now } else { *asked };
                result.unreachable_for = known.saturating_sub(*since);
                result.cached_copy_age = self.copy.as_ref().map(|copy| copy.age(now));
                let semantics = self.options.by().semantics();
                let access = fetch::access(semantics, &result);
                let is_exempt =
                    || PathAndQuery::of(url).is_ok_and(|path| verdict::exempt(semantics, &path));
                let basis = match Basis::in_outage(access) {
                    Basis::Unreachable if is_exempt() => Basis::RobotsTxtItself,
                    basis => basis,
                };
                (basis, access)
            }
        }
    }
}

/// Returns whether `now` is so soon after the last failure that both times belong to one outage.
fn is_near(asked: Duration, now: Duration) -> bool {
    !is_future(asked, now) && now.saturating_sub(asked) <= Policy::OUTAGE_GAP
}

/// Returns whether a time is later than `now` by more than [`Policy::CLOCK_SKEW`]. If so, one of the clocks was wrong.
fn is_future(at: Duration, now: Duration) -> bool {
    at > now.saturating_add(Policy::CLOCK_SKEW)
}

impl Copied {
    fn age(&self, now: Duration) -> Duration {
        now.saturating_sub(self.fetched_at)
    }
}

/// The answer to a request for robots.txt.
///
/// ```
/// use core::time::Duration;
/// use robots_core::policy::Fetched;
/// use robots_core::fetch::FetchResult;
/// let answer = Fetched::new(FetchResult::status(200).after_redirects(1))
///     .with_body(b"user-agent: *\nallow: /\n")
///     .with_max_age(Duration::from_secs(600));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Fetched<'b> {
    result: FetchResult,
    body: &'b [u8],
    max_age: Option<Duration>,
}

impl<'b> Fetched<'b> {
    /// Makes an answer without a body. [`Policy::update`] ignores the age of the copy and the length of the outage in
    /// this result, because the entry itself records them.
    #[must_use]
    pub const fn new(result: FetchResult) -> Self {
        Self { result, body: &[], max_age: None }
    }

    /// Adds the body: the octets as received, after any content coding was decoded.
    #[must_use]
    pub const fn with_body(self, body: &'b [u8]) -> Self {
        Self { body, ..self }
    }

    /// Adds the `max-age` of the answer's `Cache-Control`.
    #[must_use]
    pub const fn with_max_age(self, max_age: Duration) -> Self {
        Self { max_age: Some(max_age), ..self }
    }
}

/// Whether a URL may be fetched, why, and the time until which this answer is valid.
#[derive(Clone, Copy, Debug)]
pub struct Permission<'p> {
    basis: Basis,
    /// The access that the last answer gives. `Display` writes this access.
    access: Access,
    /// The verdict of the rules, if they decided.
    verdict: Option<Verdict<'p>>,
    until: Duration,
}

impl<'p> Permission<'p> {
    /// Returns whether the URL may be fetched.
    #[must_use]
    pub fn is_allowed(&self) -> bool {
        let by_rules = || self.verdict.is_some_and(|verdict| verdict.is_allowed());
        self.basis.allows().unwrap_or_else(by_rules)
    }

    /// Returns whether robots.txt must be fetched first, because it was never fetched or has expired.
    #[must_use]
    pub fn needs_robots_txt(&self) -> bool {
        matches!(self.basis, Basis::NotFetched | Basis::Expired)
    }

    /// Returns the basis of the permission.
    #[must_use]
    pub fn basis(&self) -> Basis {
        self.basis
    }

    /// Returns the verdict of the file's rules, if they decided.
    #[must_use]
    pub fn verdict(&self) -> Option<Verdict<'p>> {
        self.verdict
    }

    /// Returns the time at which robots.txt must be fetched again. The permission is valid until this time.
    #[must_use]
    pub fn until(&self) -> Duration {
        self.until
    }
}

impl fmt::Display for Permission<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(verdict) = self.verdict {
            return verdict.fmt(f);
        }
        let word = if self.is_allowed() { "allow" } else { "disallow" };
        match self.basis {
            Basis::RobotsTxtItself => write!(f, "{word}: robots.txt itself"),
            Basis::NotFetched => write!(f, "{word}: robots.txt is to be fetched first"),
            Basis::Expired => write!(f, "{word}: the copy of robots.txt is too old"),
            _ => write!(f, "{word}: the answer for robots.txt means {}", self.access),
        }
    }
}

fn is_not_modified(result: &FetchResult) -> bool {
    matches!(result.end, fetch::FetchEnd::Status { status: 304, .. })
}
