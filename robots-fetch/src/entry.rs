//! A record as one crawler reads it: its rules, compiled when asked again, and what holds at a time.

#[cfg(feature = "client")]
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use robots_core::fetch::{Access, Failure, FetchEnd, FetchResult, LASTING, RobotsUrl};
use robots_core::policy::{Fetched, Ground, Policy};
use robots_core::{Crawler, RobotsTxt, RuleSet};
use robots_nom_parser::ScanParser;

use crate::key::CacheKey;
use crate::life;
use crate::record::{Copy, Record};
use crate::settings::Settings;

/// Who reads records, and how.
pub(crate) struct Reader {
    pub(crate) crawler: Crawler,
    pub(crate) settings: Settings,
}

/// A record, and what it means to a crawler. What every verdict reads comes first, in few cache lines.
#[repr(C)]
pub(crate) struct Entry {
    pub(crate) due: Duration,
    /// Before this time the record is of the future: a clock went wrong.
    #[cfg(feature = "client")]
    from: Duration,
    /// Compiled for the second question; the first reads the file itself. Of most origins a broad crawl asks once.
    rules: OnceLock<RuleSet>,
    #[cfg(feature = "client")]
    was_asked: AtomicBool,
    standing: Standing,
    pub(crate) record: Record,
    /// Where the site fails: what that means changes with time.
    policy: Option<Box<Policy>>,
    reader: Arc<Reader>,
}

/// What decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Standing {
    /// The rules of the copy.
    Rules,
    /// Nothing restricts the crawler: there is no file.
    NoFile,
    /// The site fails, and the edition says what that means.
    Failing,
}

/// What a verdict rests on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Basis {
    /// The rules of the file, within its life.
    Rules,
    /// The rules of a file past its life, which is being fetched anew.
    StaleRules,
    /// The rules of the file fetched last, for robots.txt cannot be reached.
    LastCopy,
    /// There is no file to be followed, and the edition then restricts nothing.
    NoFile,
    /// Robots.txt cannot be reached, and the edition forbids everything for the time being.
    Unreachable,
    /// Robots.txt could not be reached for so long that the edition lets go of it.
    UnreachableForLong,
    /// The URL is that of robots.txt itself.
    RobotsTxtItself,
}

impl Basis {
    /// Returns the basis as one word.
    ///
    /// ```
    /// use robots_fetch::Basis;
    /// assert_eq!(Basis::LastCopy.id(), "last-copy");
    /// ```
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::Rules => "rules",
            Self::StaleRules => "stale-rules",
            Self::LastCopy => "last-copy",
            Self::NoFile => "no-file",
            Self::Unreachable => "unreachable",
            Self::UnreachableForLong => "unreachable-for-long",
            Self::RobotsTxtItself => "robots-txt-itself",
        }
    }
}

/// Whether a URL may be fetched, and by what.
#[derive(Clone, Copy)]
pub(crate) struct Decision {
    pub(crate) allowed: bool,
    pub(crate) basis: Basis,
}

/// Whether an entry answers.
#[cfg(feature = "client")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Use {
    /// It does.
    Now,
    /// It does, and is to be fetched anew meanwhile.
    Meanwhile,
    /// It is to be fetched anew first.
    No,
}

impl Entry {
    /// Reads a record of a key.
    pub(crate) fn new(key: &CacheKey, record: Record, reader: &Arc<Reader>) -> Self {
        let settings = &reader.settings;
        let last = &record.last;
        let mut standing = Standing::Rules;
        let mut policy = None;
        if !(last.end.is_file() && record.copy.is_some()) {
            let mut result = last.fetch_result(settings.hops(), settings.edition.redirects());
            // A file that is not there is no empty file.
            if last.end.is_file() {
                result.end = FetchEnd::Failure(Failure::Connection);
            }
            standing = match settings.edition.access(&result) {
                Access::FullAllow => Standing::NoFile,
                _ => Standing::Failing,
            };
            if standing == Standing::Failing {
                policy = Some(Box::new(failing(key, &record, &result, reader)));
            }
        }
        let rules = policy.as_ref().and_then(|policy| policy.rules());
        Self {
            due: life::due(&record, settings),
            #[cfg(feature = "client")]
            from: life::from(&record),
            rules: rules.cloned().map_or_else(OnceLock::new, OnceLock::from),
            #[cfg(feature = "client")]
            was_asked: AtomicBool::new(false),
            standing,
            record,
            policy,
            reader: Arc::clone(reader),
        }
    }

    /// Returns whether it answers at a time.
    #[cfg(feature = "client")]
    #[inline]
    pub(crate) fn usable(&self, now: Duration) -> Use {
        if (self.from..self.due).contains(&now) {
            return Use::Now;
        }
        let longer = self.due.saturating_add(self.settings().stale_while_revalidate);
        match self.standing {
            Standing::Rules | Standing::NoFile if now < longer => Use::Meanwhile,
            _ => Use::No,
        }
    }

    /// Returns the rules, where they are compiled.
    #[inline]
    pub(crate) fn rules(&self) -> Option<&RuleSet> {
        self.rules.get()
    }

    /// Returns whether the rules are to be compiled: they decide, and this is not the first question.
    #[cfg(feature = "client")]
    #[inline]
    pub(crate) fn is_asked_again(&self) -> bool {
        self.rules.get().is_none()
            && self.standing == Standing::Rules
            && self.was_asked.swap(true, Ordering::Relaxed)
    }

    /// Compiles the rules of the copy, where there is one; returns whether it was this that did.
    pub(crate) fn compile(&self) -> bool {
        let Some(copy) = &self.record.copy else { return false };
        let mut is_new = false;
        // Of many questions at once, one compiles, and the others wait for it.
        self.rules.get_or_init(|| {
            is_new = true;
            self.compiled(copy)
        });
        is_new
    }

    /// Returns the rules of the copy, compiled for whoever asks.
    pub(crate) fn own_rules(&self) -> Option<RuleSet> {
        self.record.copy.as_ref().map(|copy| self.compiled(copy))
    }

    fn compiled(&self, copy: &Copy) -> RuleSet {
        self.read(copy).rules_for(&self.reader.crawler)
    }

    fn read<'c>(&self, copy: &'c Copy) -> RobotsTxt<&'c [u8]> {
        RobotsTxt::parse(&ScanParser, &copy.body, self.settings().options())
    }

    pub(crate) fn settings(&self) -> &Settings {
        &self.reader.settings
    }

    /// Returns whether a URL of this origin, or a path there, may be fetched.
    #[inline]
    pub(crate) fn decide(&self, url: &str, now: Duration) -> Decision {
        match self.standing {
            Standing::Rules => {
                let basis = if now < self.due { Basis::Rules } else { Basis::StaleRules };
                let allowed = match self.rules.get() {
                    Some(rules) => rules.verdict(url).is_allowed(),
                    None => self.decide_once(url),
                };
                Decision { allowed, basis }
            }
            Standing::NoFile => Decision { allowed: true, basis: Basis::NoFile },
            Standing::Failing => self.decide_in_outage(url, now),
        }
    }

    /// Decides by the file itself.
    #[cold]
    fn decide_once(&self, url: &str) -> bool {
        let copy = self.record.copy.as_ref();
        copy.is_some_and(|copy| self.read(copy).verdict(&self.reader.crawler, url).is_allowed())
    }

    fn decide_in_outage(&self, url: &str, now: Duration) -> Decision {
        let since = self.record.last.unreachable_since.unwrap_or(self.record.last.at);
        let bridged = self.settings().stale_if_error.min(LASTING);
        if let (Some(rules), true) = (self.rules(), now.saturating_sub(since) < bridged) {
            return Decision { allowed: rules.verdict(url).is_allowed(), basis: Basis::LastCopy };
        }
        // The policy wants a URL of its own; a path is one of this origin.
        let whole;
        let url = if url.starts_with('/') {
            whole = format!("{}{url}", self.record.key);
            &whole
        } else {
            url
        };
        let permission = self.policy.as_ref().and_then(|policy| policy.may_fetch(url, now).ok());
        let Some(permission) = permission else {
            return Decision { allowed: false, basis: Basis::Unreachable };
        };
        let allowed = permission.is_allowed();
        let basis = match permission.ground() {
            Ground::Verdict(_) => Basis::LastCopy,
            Ground::RobotsTxtItself => Basis::RobotsTxtItself,
            Ground::Access(_) if allowed => Basis::UnreachableForLong,
            _ => Basis::Unreachable,
        };
        Decision { allowed, basis }
    }

    /// Returns up to when what was decided at a time holds: robots.txt is to be asked for again then, or an outage
    /// begins to mean something else.
    pub(crate) fn holds_until(&self, now: Duration) -> Duration {
        if self.standing != Standing::Failing {
            return self.due;
        }
        let since = self.record.last.unreachable_since.unwrap_or(self.record.last.at);
        let bridged = self.settings().stale_if_error.min(LASTING);
        let changes = [bridged, LASTING].map(|time| since.saturating_add(time));
        changes.into_iter().filter(|change| *change > now).fold(self.due, Duration::min)
    }

    /// Returns the octets of memory that it takes, roughly.
    #[cfg(feature = "client")]
    pub(crate) fn size(&self) -> usize {
        let body = self.record.copy.as_ref().map_or(0, |copy| copy.body.len());
        let head = 512 + self.record.key.len() * 3;
        size_of::<Self>() + head + body + self.rules().map_or(0, RuleSet::size)
    }
}

/// Returns what a site means that fails: its last copy, and since when it fails.
fn failing(key: &CacheKey, record: &Record, result: &FetchResult, reader: &Reader) -> Policy {
    let Reader { crawler, settings } = reader;
    let robots_url = RobotsUrl::governing(key.as_str()).expect("a key is the text of an origin");
    let mut policy = Policy::new(robots_url, crawler.clone(), settings.options());
    if let Some(copy) = &record.copy {
        let life = settings.max_age(copy.about.max_age);
        let answer = Fetched::new(FetchResult::status(200)).with_body(&copy.body);
        policy.update(&ScanParser, &answer.with_max_age(life), copy.about.validated_at);
    }
    let last = &record.last;
    let answer = Fetched::new(*result).with_max_age(settings.max_age(last.max_age));
    // Since when it fails, and when it was asked last.
    policy.update(&ScanParser, &answer, last.unreachable_since.unwrap_or(last.at));
    policy.update(&ScanParser, &answer, last.at);
    policy
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::time::Duration;

    use robots_core::Crawler;
    use robots_core::Edition;
    use robots_core::fetch::LASTING;
    use rstest::rstest;

    #[cfg(feature = "client")]
    use super::Use;
    use super::{Basis, Entry, Reader};
    use crate::key::CacheKey;
    use crate::record::{About, Copy, End, Last, Record};
    use crate::settings::Settings;

    const NOW: Duration = Duration::from_secs(1_000_000_000);
    const HOUR: Duration = Duration::from_secs(3600);

    fn record(status: u16, copy: Option<&str>) -> Record {
        let copy = copy.map(|body| Copy {
            body: body.into(),
            about: About { fetched_at: NOW, validated_at: NOW, ..About::default() },
        });
        let end = End { status: Some(status), ..End::default() };
        let last = Last { at: NOW, end, ..Last::default() };
        Record { key: "http://example.com".to_owned(), copy, last }
    }

    fn entry(record: Record, settings: &Settings) -> Entry {
        let key = CacheKey::of(&record.key).unwrap();
        let crawler = Crawler::new(["examplebot"]).unwrap();
        Entry::new(&key, record, &Arc::new(Reader { crawler, settings: settings.clone() }))
    }

    /// Nothing writes such a record, and whoever can write to the store could.
    #[rstest]
    #[trace]
    fn a_file_that_is_not_there_is_no_empty_file(
        #[values(200, 204, 304)] status: u16,
        #[values(Edition::Rfc9309, Edition::Google2018, Edition::Google2022)] edition: Edition,
    ) {
        let entry = entry(record(status, None), &Settings::default().edition(edition));
        let decision = entry.decide("http://example.com/x", NOW);
        assert_eq!((decision.allowed, decision.basis), (false, Basis::Unreachable));
        assert_eq!(entry.due, Duration::ZERO);
    }

    /// Stale rules may answer while they are fetched anew, but an outage is no answer that goes stale.
    #[cfg(feature = "client")]
    #[rstest]
    #[trace]
    #[case(200, Use::Meanwhile)]
    #[case(404, Use::Meanwhile)]
    #[case(503, Use::No)]
    fn only_answers_are_used_while_they_are_fetched_anew(
        #[case] status: u16,
        #[case] expected: Use,
    ) {
        let record = record(status, Some("user-agent: *\nallow: /\n"));
        let settings = Settings::default().stale_while_revalidate(10 * HOUR);
        let entry = entry(record, &settings);
        assert_eq!(entry.usable(entry.due + HOUR), expected);
        assert_eq!(entry.usable(entry.due + 11 * HOUR), Use::No);
    }

    /// A bridge ends, whether or not it is known when the outage began, and so does an outage's first meaning.
    #[rstest]
    #[trace]
    fn what_is_said_in_an_outage_holds_until_that_changes(
        #[values(false, true)] since_known: bool,
    ) {
        let mut record = record(500, Some("user-agent: *\nallow: /\n"));
        record.last.next_try = Some(NOW + 26 * HOUR);
        record.last.unreachable_since = since_known.then_some(NOW);
        let entry = entry(record, &Settings::default().stale_if_error(2 * HOUR));
        let at = |now| {
            let decision = entry.decide("http://example.com/x", now);
            (decision.allowed, decision.basis, entry.holds_until(now))
        };
        assert_eq!(at(NOW), (true, Basis::LastCopy, NOW + 2 * HOUR));
        let later = NOW + 2 * HOUR;
        assert_eq!(at(later), (false, Basis::Unreachable, NOW + 26 * HOUR));
        let mut record = entry.record.clone();
        record.last.next_try = Some(NOW + LASTING + HOUR);
        let entry = self::entry(record, &Settings::default());
        assert_eq!(entry.holds_until(later), NOW + LASTING);
        assert_eq!(entry.holds_until(NOW + LASTING), NOW + LASTING + HOUR);
    }
}
