//! The answer to a question: [`Verdict`].
//!
//! Start at [`Verdict::new`]. The decision is made once, together with the verdict, which stores only this
//! [`Decision`]. The evidence, the preferences and the texts are computed when a caller asks for them. A verdict refers
//! to an [`Entry`], which is the record as the crawler reads it. An [`Origin`] keeps an entry and a time, and answers
//! about many URLs without a cache or a clock.

use std::fmt;
use std::ops::Deref;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use robots_core::fetch::{Basis, FetchEnd, Location};
#[cfg(feature = "usage")]
use robots_core::usage::Usage;
use robots_core::{Crawler, RuleSet, Verdict as Evidence};

use crate::entry::{Decision, Entry, Read, Reader, text};
use crate::error::{Error, ErrorKind};
use crate::key::CacheKey;
use crate::record::{End, Record};
use crate::settings::Settings;

/// The answer to a question: whether a URL may be fetched, why, and until when the answer is valid.
///
/// A verdict contains an explanation. If a file decided, the explanation is the rule and its line. If no file decided,
/// the explanation is the result of the request, and the section of the specification that defines the meaning of this
/// result.
#[derive(Clone)]
pub struct Verdict<'v> {
    entry: Held<'v>,
    url: &'v str,
    decision: Decision,
    now: Duration,
    /// The rules that this verdict itself compiled for its evidence or its preferences. These are the rules of the
    /// copy, if the entry has not compiled them. If no rules decided, these are the rules of an empty file.
    rules: OnceLock<Option<RuleSet>>,
}

#[derive(Clone)]
pub(crate) enum Held<'v> {
    #[cfg(feature = "client")]
    Shared(Arc<Entry>),
    Borrowed(&'v Arc<Entry>),
}

impl Held<'_> {
    fn share(&self) -> Arc<Entry> {
        match self {
            #[cfg(feature = "client")]
            Self::Shared(entry) => Arc::clone(entry),
            Self::Borrowed(entry) => Arc::clone(entry),
        }
    }
}

impl Deref for Held<'_> {
    type Target = Entry;

    fn deref(&self) -> &Entry {
        match self {
            #[cfg(feature = "client")]
            Self::Shared(entry) => entry,
            Self::Borrowed(entry) => entry,
        }
    }
}

impl<'v> Verdict<'v> {
    #[inline]
    pub(crate) fn new(entry: Held<'v>, url: &'v str, now: Duration) -> Self {
        let decision = entry.decide(url, now);
        Self { entry, url, decision, now, rules: OnceLock::new() }
    }

    /// Returns whether the URL may be fetched.
    #[must_use]
    pub fn is_allowed(&self) -> bool {
        self.decision.allowed
    }

    /// Returns the basis of the verdict. If rules decided, [`evidence`](Self::evidence) returns the reason.
    #[must_use]
    pub fn basis(&self) -> Basis {
        self.decision.basis
    }

    /// Returns the URL of the question.
    #[must_use]
    pub fn url(&self) -> &'v str {
        self.url
    }

    /// Returns the verdict of the file's rules, with rule, line and group, or `None` if no rules decided.
    #[must_use]
    pub fn evidence(&self) -> Option<Evidence<'_>> {
        self.deciding_rules().map(|rules| rules.verdict(self.url))
    }

    /// Returns the preferences about the use of the URL's content, with the evidence, or `None` if the URL is forbidden
    /// because the site fails. No preference applies to such a URL.
    ///
    /// `header` contains the values of the `Content-Usage` field lines in the response for the URL, in order. The
    /// preferences come from the same copy of robots.txt as the verdict. So ask for the verdict when you fetch the page
    /// (draft-ietf-aipref-attach-05, 3.3). If no rules decided, for example because there is no robots.txt, the header
    /// alone states preferences.
    ///
    /// ```
    /// use robots_fetch::retrieval::{Body, Response, Retrieval};
    /// use robots_fetch::robots_core::usage::{Category, Preference};
    /// use robots_fetch::robots_core::{Crawler, Edition};
    /// use robots_fetch::{CacheKey, Origin, Settings};
    /// use std::time::Duration;
    ///
    /// let settings = Settings::default().edition(Edition::Aipref2026_08);
    /// let (key, now) = (CacheKey::of("http://example.com/")?, Duration::from_secs(1_000_000_000));
    /// let mut retrieval = Retrieval::new(&key, &settings, "examplebot/1.0", None);
    /// let body = Body::of("user-agent: *\ncontent-usage: train-ai=n\n");
    /// retrieval.answered(Response::new(200, []).with_body(body), now);
    /// let crawler = Crawler::new(["examplebot"]).unwrap();
    /// let origin = Origin::of(retrieval.into_record().unwrap(), &crawler, &settings, now)?;
    ///
    /// let verdict = origin.verdict("http://example.com/page")?;
    /// let usage = verdict.usage(&[b"search=y"]).unwrap();
    /// assert_eq!(usage.preference(Category::TrainAi), Some(Preference::Disallowed));
    /// assert_eq!(usage.preference(Category::Search), Some(Preference::Allowed));
    /// # Ok::<(), robots_fetch::Error>(())
    /// ```
    #[cfg(feature = "usage")]
    #[must_use]
    pub fn usage(&self, header: &[&[u8]]) -> Option<Usage<'_>> {
        let rules = match self.deciding_rules() {
            Some(rules) => rules,
            None if self.is_allowed() => {
                self.rules.get_or_init(|| Some(self.entry.no_rules())).as_ref()?
            }
            None => return None,
        };
        Some(rules.usage(self.url, header))
    }

    /// Returns the rules of the file, if they decided.
    fn deciding_rules(&self) -> Option<&RuleSet> {
        if self.basis().allows().is_some() {
            return None;
        }
        match self.entry.rules() {
            Some(rules) => Some(rules),
            None => self.rules.get_or_init(|| self.entry.compile_apart()).as_ref(),
        }
    }

    /// Returns a handle for the origin of the URL. The handle has the record and the time of this verdict.
    #[must_use]
    pub fn origin(&self) -> Origin {
        Origin { entry: self.entry.share(), now: self.now }
    }

    /// Returns the record of the robots.txt: when it was fetched, from which URL, and the last answer.
    #[must_use]
    pub fn record(&self) -> &Record {
        &self.entry.record
    }

    /// Returns the time until which the verdict is valid: until robots.txt must be fetched again, or the effect of an
    /// outage changes. For a stale verdict ([`Settings::stale_while_revalidate`]), this time has already passed,
    /// because a stale verdict is valid only at the time of the question.
    #[must_use]
    pub fn until(&self) -> SystemTime {
        time(self.entry.holds_until(self.now))
    }

    /// Returns the sections of the documents that explain the basis. Returns `None` for [`Basis::Rules`] and
    /// [`Basis::StaleRules`], because the rules themselves are the explanation.
    #[must_use]
    pub fn source(&self) -> Option<&'static str> {
        Some(match self.decision.basis {
            Basis::NoFile => match self.entry.record.last.end.status {
                Some(300..=399) => {
                    "RFC 9309, 2.3.1.2; \"handling of HTTP result codes\" of the Google editions, 3xx"
                }
                Some(500..) => "\"handling of HTTP result codes\" of the Google editions, 5xx",
                _ => {
                    "RFC 9309, 2.3.1.3; \"handling of HTTP result codes\" of the Google editions, 4xx"
                }
            },
            Basis::Unreachable => {
                "RFC 9309, 2.3.1.4; \"handling of HTTP result codes\" of the Google editions, 5xx"
            }
            Basis::LastCopy | Basis::UnreachableForLong => {
                "RFC 9309, 2.3.1.4 and 2.4; \"handling of HTTP result codes\" and \"caching\" of the Google \
                 editions"
            }
            Basis::RobotsTxtItself => "RFC 9309, 2.2.2",
            _ => return None,
        })
    }
}

impl fmt::Display for Verdict<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = if self.is_allowed() { "allow" } else { "disallow" };
        let edition = self.entry.settings().edition;
        let last = &self.entry.record.last;
        let end = &last.end;
        match (self.decision.basis, self.evidence()) {
            (Basis::Rules | Basis::StaleRules, Some(evidence)) => evidence.fmt(f)?,
            (Basis::LastCopy, Some(evidence)) => {
                write!(f, "{evidence}; the rules are those of the last copy, because {end}")?;
            }
            (Basis::NoFile, _) => {
                write!(f, "{word}: {end}, so {edition} restricts nothing")?;
            }
            (Basis::UnreachableForLong, _) => {
                write!(f, "{word}: {end} for more than 30 days, so {edition} restricts nothing")?;
            }
            (Basis::RobotsTxtItself, _) => write!(f, "{word}: robots.txt itself")?,
            _ => write!(f, "{word}: {end}, so {edition} allows nothing")?,
        }
        self.source().map_or(Ok(()), |source| write!(f, " ({source})"))
    }
}

impl fmt::Debug for Verdict<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Verdict")
            .field("url", &self.url)
            .field("is_allowed", &self.is_allowed())
            .field("basis", &self.basis())
            .finish_non_exhaustive()
    }
}

impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.fetch_end() {
            FetchEnd::Status { status, location } => {
                write!(f, "robots.txt answered {status}")?;
                f.write_str(match location {
                    Location::Present if matches!(status, 300..=303 | 305..=399) => {
                        " after the maximum number of redirects"
                    }
                    Location::Present => "",
                    Location::Missing => " without a target",
                    Location::Loop => " after the maximum number of redirects, which form a loop",
                    Location::Disallowed => ", which redirects to a disallowed URL",
                })
            }
            FetchEnd::Failure(_) => {
                write!(f, "robots.txt could not be reached")?;
                match (&self.failure, &self.why) {
                    (_, Some(why)) => write!(f, ": {why}"),
                    (Some(failure), None) => write!(f, ": {failure}"),
                    (None, None) => Ok(()),
                }
            }
        }
    }
}

/// A handle for one origin: it answers questions about many URLs without reading the cache.
///
/// A handle is a snapshot and reads no clock. Get a new handle when [`until`](Self::until) has passed.
#[derive(Clone)]
pub struct Origin {
    pub(crate) entry: Arc<Entry>,
    pub(crate) now: Duration,
}

impl Origin {
    /// Makes a handle from a record that was retrieved without a client of this crate. `now` is the time since the Unix
    /// epoch.
    ///
    /// ```
    /// use robots_fetch::retrieval::{Body, Response, Retrieval};
    /// use robots_fetch::robots_core::Crawler;
    /// use robots_fetch::{CacheKey, Origin, Settings};
    /// use std::time::Duration;
    ///
    /// let (key, settings) = (CacheKey::of("http://example.com/")?, Settings::default());
    /// let now = Duration::from_secs(1_000_000_000);
    /// let mut retrieval = Retrieval::new(&key, &settings, "examplebot/1.0", None);
    /// let body = Body::of("user-agent: *\ndisallow: /private\n");
    /// retrieval.answered(Response::new(200, []).with_body(body), now);
    /// let record = retrieval.into_record().unwrap();
    ///
    /// let crawler = Crawler::new(["examplebot"]).unwrap();
    /// let origin = Origin::of(record, &crawler, &settings, now)?;
    /// assert!(!origin.verdict("http://example.com/private/x")?.is_allowed());
    /// let url = url::Url::parse("http://example.com/private/x").unwrap();
    /// assert!(!origin.verdict(&url)?.is_allowed());
    /// # Ok::<(), robots_fetch::Error>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error if the key of the record is not an origin.
    pub fn of(
        record: Record,
        crawler: &Crawler,
        settings: &Settings,
        now: Duration,
    ) -> Result<Self, Error> {
        CacheKey::of(&record.key)?;
        let reader = Reader { crawler: crawler.clone(), settings: settings.clone(), grown: None };
        let entry = Arc::new(Entry::new(record, &Arc::new(reader)));
        entry.compile();
        Ok(Self { entry, now })
    }

    /// Returns the verdict on a URL of this origin, or on a path of it.
    ///
    /// # Errors
    /// Returns an error if the text is neither a URL nor a path, or the URL belongs to another origin, which has
    /// another robots.txt.
    #[inline]
    pub fn verdict<'v, U>(&'v self, url: &'v U) -> Result<Verdict<'v>, Error>
    where
        U: AsRef<str> + ?Sized,
    {
        let (entry, url) = (&self.entry, url.as_ref());
        if !is_of(&entry.record.key, url) {
            let key = CacheKey::of(url)?;
            if key.as_str() != entry.record.key {
                return Err(Error::new(
                    ErrorKind::OtherOrigin,
                    format!("{} is not {key}", entry.record.key),
                ));
            }
        }
        entry.ask();
        Ok(Verdict::new(Held::Borrowed(entry), url, self.now))
    }

    /// Makes the verdict on a URL, which must belong to this origin.
    #[cfg(feature = "client")]
    #[inline]
    pub(crate) fn into_verdict(self, url: &str) -> Verdict<'_> {
        self.entry.ask();
        let verdict = Verdict::new(Held::Shared(self.entry), url, self.now);
        tracing::debug!(
            target: "robots.verdict",
            url,
            allowed = verdict.is_allowed(),
            basis = ?verdict.basis(),
        );
        verdict
    }

    /// Returns the record of the robots.txt.
    #[must_use]
    pub fn record(&self) -> &Record {
        &self.entry.record
    }

    /// Returns the first valid `crawl-delay` of the crawler's groups, or `None` if no file decides now. No edition
    /// defines this field, but many sites use it, and a crawler may obey it.
    ///
    /// This function and the next two count as questions: if the rules are not compiled, the first question reads the
    /// whole file, and the second one compiles the rules. A handle of a client always has compiled rules.
    ///
    /// ```
    /// use robots_fetch::retrieval::{Body, Response, Retrieval};
    /// use robots_fetch::robots_core::Crawler;
    /// use robots_fetch::{CacheKey, Origin, Settings};
    /// use std::time::Duration;
    /// # let (key, settings) = (CacheKey::of("http://example.com/")?, Settings::default());
    /// # let now = Duration::from_secs(1_000_000_000);
    /// # let mut retrieval = Retrieval::new(&key, &settings, "examplebot/1.0", None);
    /// let file = "user-agent: *\ncrawl-delay: 2\nrequest-rate: 1/2\nsitemap: http://example.com/a.xml\n";
    /// # retrieval.answered(Response::new(200, []).with_body(Body::of(file)), now);
    /// # let record = retrieval.into_record().unwrap();
    /// # let crawler = Crawler::new(["examplebot"]).unwrap();
    /// let origin = Origin::of(record, &crawler, &settings, now)?;
    /// assert_eq!(origin.crawl_delay(), Some(Duration::from_secs(2)));
    /// assert_eq!(origin.values("request-rate"), ["1/2"]);
    /// assert_eq!(origin.sitemaps(), ["http://example.com/a.xml"]);
    /// # Ok::<(), robots_fetch::Error>(())
    /// ```
    #[must_use]
    pub fn crawl_delay(&self) -> Option<Duration> {
        self.entry.of_file(self.now, |read| read.rules.crawl_delay()).flatten()
    }

    /// Returns the values of a field for the crawler, as written, in the order of the file: those after the user-agent
    /// line that selects its groups. Octets that are not UTF-8 become U+FFFD.
    #[must_use]
    pub fn values(&self, field: &str) -> Vec<String> {
        let values = |read: &Read| read.rules.values(field).map(text).collect();
        self.entry.of_file(self.now, values).unwrap_or_default()
    }

    /// Returns the values of the `sitemap` lines of the whole file, as written, in their order.
    #[must_use]
    pub fn sitemaps(&self) -> Vec<String> {
        self.entry.sitemaps(self.now)
    }

    /// Returns the compiled rules of the last copy, or `None` if there is no copy, or if its rules are not compiled
    /// yet. The basis of a verdict shows whether these rules decide now.
    #[must_use]
    pub fn rules(&self) -> Option<&RuleSet> {
        self.entry.rules()
    }

    /// Returns the time until which the handle's answers are valid. Get a new handle then. For a stale handle, this
    /// time has already passed.
    #[must_use]
    pub fn until(&self) -> SystemTime {
        time(self.entry.holds_until(self.now))
    }
}

impl fmt::Debug for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Origin").field("key", &self.entry.record.key).finish_non_exhaustive()
    }
}

/// Converts a time. If the time is too late for `SystemTime`, returns the Unix epoch. This is safe, because the answer
/// then counts as expired.
fn time(since_epoch: Duration) -> SystemTime {
    UNIX_EPOCH.checked_add(since_epoch).unwrap_or(UNIX_EPOCH)
}

/// Returns whether the text of a URL alone shows that the URL belongs to an origin: the text begins with the key, or is
/// a path.
#[inline]
fn is_of(key: &str, url: &str) -> bool {
    if let Some(rest) = url.strip_prefix(key) {
        return matches!(rest.as_bytes().first(), None | Some(b'/' | b'?' | b'#'));
    }
    // If a URL parser would read the start of the text as an authority, the text is not a path.
    url.strip_prefix('/').is_some_and(|path| {
        !matches!(path.as_bytes().first(), Some(b'/' | b'\\' | b'\t' | b'\r' | b'\n'))
    })
}
