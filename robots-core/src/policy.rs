//! A crawler's cache entry for one robots.txt: [`Policy`].
//!
//! It puts `fetch` and `robots_txt` together: the access decision, the rules, when they were fetched and for how
//! long they hold. There is no clock here: the time of each question comes in.

use core::fmt;
use core::time::Duration;

use crate::agent::Crawler;

use crate::fetch::{self, Access, FetchResult, Retry, RobotsUrl};
use crate::file::Options;
use crate::parser::Parser;
use crate::path::PathAndQuery;
use crate::robots_txt::RobotsTxt;
use crate::verdict::{RuleSet, Verdict};

/// What one crawler may fetch where one robots.txt governs: a cache entry.
///
/// It begins without a file. Each answer to a request for the file goes into [`update`](Self::update), and
/// [`may_fetch`](Self::may_fetch) says whether a URL may be fetched, why, and up to when that holds. Times are
/// [`Duration`]s since an epoch that the caller chooses once, the Unix epoch say.
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
/// // Nothing is allowed before robots.txt was asked for.
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
/// // A site that fails is not to be crawled; one without robots.txt is free.
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
    /// The rules of the last file that could be read.
    copy: Option<Copied>,
}

/// What the last answer made of the site.
#[derive(Clone, Debug)]
enum State {
    /// There was none, or one that leads elsewhere.
    Unknown,
    /// The rules of the copy decide.
    Rules,
    /// Everything may be fetched.
    Free { since: Duration, max_age: Option<Duration> },
    /// Nothing may be fetched until another answer comes, or until long enough none has.
    Unreachable { fetch: FetchResult, since: Duration, asked: Duration },
}

#[derive(Clone, Debug)]
struct Copied {
    rules: RuleSet,
    fetched_at: Duration,
    max_age: Option<Duration>,
}

impl Policy {
    /// The time to wait with the next request where a server asked for a pause (503). The documents say
    /// "rather often" and name no number.
    pub const RETRY_SOON: Duration = Duration::from_secs(5 * 60);

    /// The time to wait with the next request after any other failure. The documents name no number.
    pub const RETRY: Duration = Duration::from_secs(60 * 60);

    /// Makes the entry of a robots.txt that was not asked for yet.
    ///
    /// The options are those of [`RobotsTxt::parse`], or an edition alone.
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

    /// Returns the rules of the last file that could be read, whether or not they decide now.
    #[must_use]
    pub fn rules(&self) -> Option<&RuleSet> {
        self.copy.as_ref().map(|copy| &copy.rules)
    }

    /// Takes an answer to a request for the file, and returns what it allows.
    ///
    /// [`Access::FollowRedirect`] leaves the entry as it was: the answer to take is that of the URL the redirect
    /// points to, with one redirect more. A file reached by redirects holds for the URL asked first (RFC 9309,
    /// 2.3.1.2). `now` is the time of the answer.
    pub fn update<P: Parser + ?Sized>(
        &mut self,
        parser: &P,
        answer: &Fetched<'_>,
        now: Duration,
    ) -> Access {
        let mut result = answer.result;
        result.cached_copy_age = self.copy.as_ref().map(|copy| copy.age(now));
        let since = match self.state {
            State::Unreachable { since, .. } => since,
            _ => now,
        };
        result.unreachable_for = now.saturating_sub(since);
        let access = fetch::access(self.options.by().semantics(), &result);
        let max_age = answer.max_age;
        match settled(access) {
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

    /// Returns whether a URL may be fetched at a time, why, and up to when that holds.
    ///
    /// Where the file has to be fetched first, because it never was or because the copy is too old, nothing is
    /// allowed.
    ///
    /// # Errors
    /// [`NotGoverned`] where this robots.txt says nothing about the URL: its scheme, host or port differ.
    pub fn may_fetch(&self, url: &str, now: Duration) -> Result<Permission<'_>, NotGoverned> {
        if !self.robots_url.governs(url) {
            return Err(NotGoverned(()));
        }
        let until = self.ask_again_at();
        let ground = self.ground(url, now, until.is_some_and(|until| until <= now));
        Ok(Permission { ground, until: until.unwrap_or(now) })
    }

    /// Returns when the file is to be fetched again; `None` where it was never fetched: at once.
    ///
    /// A copy and an allow without a file hold for the lifetime of the edition, 24 hours unless `max-age` says
    /// otherwise. After a failure the next request is due after [`RETRY`](Self::RETRY), or
    /// [`RETRY_SOON`](Self::RETRY_SOON).
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

    /// Whether a result allows everything by itself, and not only because it has lasted.
    fn is_answer(&self, result: &FetchResult) -> bool {
        let at_once = FetchResult { unreachable_for: Duration::ZERO, ..*result };
        fetch::access(self.options.by().semantics(), &at_once) == Access::FullAllow
    }

    fn ground(&self, url: &str, now: Duration, due: bool) -> Ground<'_> {
        match &self.state {
            State::Unknown => Ground::NotFetched,
            State::Rules | State::Free { .. } if due => Ground::Stale,
            State::Rules => self.verdict(url),
            State::Free { .. } => Ground::Access(Access::FullAllow),
            State::Unreachable { fetch: result, since, .. } => {
                let mut result = *result;
                result.unreachable_for = now.saturating_sub(*since);
                result.cached_copy_age = self.copy.as_ref().map(|copy| copy.age(now));
                let semantics = self.options.by().semantics();
                let access = fetch::access(semantics, &result);
                let path = PathAndQuery::of(url);
                let exempt = semantics.robots_txt_exempt;
                match settled(access) {
                    Access::UseCachedCopy => self.verdict(url),
                    _ if exempt && path.is_ok_and(|path| path.is_robots_txt()) => {
                        Ground::RobotsTxtItself
                    }
                    _ => Ground::Access(access),
                }
            }
        }
    }

    fn verdict(&self, url: &str) -> Ground<'_> {
        match &self.copy {
            Some(copy) => Ground::Verdict(copy.rules.verdict(url)),
            None => Ground::NotFetched,
        }
    }
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
    /// Makes an answer without a body. What the result says of a copy and of outages is of no matter: the
    /// entry knows.
    #[must_use]
    pub const fn new(result: FetchResult) -> Self {
        Self { result, body: &[], max_age: None }
    }

    /// Adds the body: octets as they came, without content coding.
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

/// Whether a URL may be fetched, why, and up to when that holds.
#[derive(Clone, Copy, Debug)]
pub struct Permission<'p> {
    ground: Ground<'p>,
    until: Duration,
}

/// What a permission rests on.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Ground<'p> {
    /// A rule of the file, or that there is none for it.
    Verdict(Verdict<'p>),
    /// What came in place of a file.
    Access(Access),
    /// The URL is that of robots.txt itself.
    RobotsTxtItself,
    /// The file was never fetched.
    NotFetched,
    /// The copy is too old; the file is to be fetched first.
    Stale,
}

impl<'p> Permission<'p> {
    /// Returns whether the URL may be fetched.
    #[must_use]
    pub fn is_allowed(&self) -> bool {
        match self.ground {
            Ground::Verdict(verdict) => verdict.is_allowed(),
            Ground::Access(access) => settled(access) == Access::FullAllow,
            Ground::RobotsTxtItself => true,
            Ground::NotFetched | Ground::Stale => false,
        }
    }

    /// Returns whether robots.txt has to be fetched before this can be said.
    #[must_use]
    pub fn needs_robots_txt(&self) -> bool {
        matches!(self.ground, Ground::NotFetched | Ground::Stale)
    }

    /// Returns what it rests on.
    #[must_use]
    pub fn ground(&self) -> Ground<'p> {
        self.ground
    }

    /// Returns the verdict of the file's rules, where they decided.
    #[must_use]
    pub fn verdict(&self) -> Option<Verdict<'p>> {
        match self.ground {
            Ground::Verdict(verdict) => Some(verdict),
            _ => None,
        }
    }

    /// Returns when robots.txt is to be fetched again: up to then this holds.
    #[must_use]
    pub fn until(&self) -> Duration {
        self.until
    }
}

impl fmt::Display for Permission<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = if self.is_allowed() { "allow" } else { "disallow" };
        match self.ground {
            Ground::Verdict(verdict) => verdict.fmt(f),
            Ground::Access(access) => write!(f, "{word}: the answer for robots.txt means {access}"),
            Ground::RobotsTxtItself => write!(f, "{word}: robots.txt itself"),
            Ground::NotFetched => write!(f, "{word}: robots.txt is to be fetched first"),
            Ground::Stale => write!(f, "{word}: the copy of robots.txt is too old"),
        }
    }
}

/// The error of a URL about which a robots.txt says nothing: its scheme, host or port differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct NotGoverned(());

impl fmt::Display for NotGoverned {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(
            "this robots.txt does not govern the URL: scheme, host or port differ; take the entry of \
             `RobotsUrl::governing(url)`",
        )
    }
}

impl core::error::Error for NotGoverned {}

/// What errs on the side of the site, where an edition leaves it undefined.
fn settled(access: Access) -> Access {
    match access {
        Access::Undefined { safe } => *safe,
        access => access,
    }
}

fn is_not_modified(result: &FetchResult) -> bool {
    matches!(result.end, fetch::FetchEnd::Status { status: 304, .. })
}
