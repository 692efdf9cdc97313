//! An [`Entry`] is a record as one crawler reads it with its settings.
//!
//! The first question about an entry reads the file itself. Only the second question compiles the rules, because a
//! broad crawl asks about most origins only once. The module `standing` decides whether rules apply at all, and what
//! applies while the site fails.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use robots_core::fetch::Basis;
use robots_core::syntax::Span;
use robots_core::{Crawler, Reason, RobotsTxt, RuleSet};
use robots_nom_parser::ScanParser;

use crate::lifetime;
use crate::record::{FileCopy, Record};
use crate::settings::Settings;
use crate::standing::{self, Standing};

/// The crawler that reads records, and its settings.
pub(crate) struct Reader {
    pub(crate) crawler: Crawler,
    pub(crate) settings: Settings,
    /// The cache that keeps the entries; it is called after an entry has compiled its rules and so has grown.
    pub(crate) grown: Option<Grown>,
}

type Grown = Box<dyn Fn(&Arc<Entry>) + Send + Sync>;

/// A record, and its meaning for a crawler. The fields that every verdict reads come first, so that they are in few
/// cache lines of the processor.
#[repr(C)]
pub(crate) struct Entry {
    pub(crate) due: Duration,
    /// If the current time is before this time, a clock was wrong, and the record must be fetched again.
    #[cfg(feature = "cache")]
    from: Duration,
    /// The result of reading the copy; the second question reads it.
    read: OnceLock<Read>,
    was_asked: AtomicBool,
    standing: Standing,
    pub(crate) record: Record,
    reader: Arc<Reader>,
}

/// The parts of a file that a crawler needs for many questions.
pub(crate) struct Read {
    pub(crate) rules: RuleSet,
    sitemaps: Box<[Span]>,
}

/// The decision about a URL: whether it may be fetched, and why.
#[derive(Clone, Copy)]
pub(crate) struct Decision {
    pub(crate) allowed: bool,
    pub(crate) basis: Basis,
}

impl Entry {
    /// Makes the entry of a record for this reader.
    pub(crate) fn new(record: Record, reader: &Arc<Reader>) -> Self {
        let settings = &reader.settings;
        Self {
            due: lifetime::due(&record, settings),
            #[cfg(feature = "cache")]
            from: standing::known_from(&record.last),
            read: OnceLock::new(),
            was_asked: AtomicBool::new(false),
            standing: Standing::of(&record, settings),
            record,
            reader: Arc::clone(reader),
        }
    }

    /// Returns whether the entry may be used at the time `now`, and need not be fetched again.
    #[cfg(feature = "cache")]
    #[inline]
    pub(crate) fn is_fresh(&self, now: Duration) -> bool {
        (self.from..self.due).contains(&now)
    }

    /// Returns whether an entry that is not fresh may be used while robots.txt is fetched again.
    #[cfg(feature = "cache")]
    pub(crate) fn is_stale(&self, now: Duration) -> bool {
        let longer = self.due.saturating_add(self.settings().stale_while_revalidate);
        self.standing != Standing::Failing && (self.from..longer).contains(&now)
    }

    /// Returns the rules, if they are compiled.
    #[inline]
    pub(crate) fn rules(&self) -> Option<&RuleSet> {
        self.read.get().map(|read| &read.rules)
    }

    /// Counts a question. If this is not the first question, and the rules may decide, compiles them.
    #[inline]
    pub(crate) fn ask(self: &Arc<Self>) {
        if self.read.get().is_none()
            && self.record.copy.is_some()
            && self.standing != Standing::NoFile
            && self.was_asked.swap(true, Ordering::Relaxed)
        {
            self.compile();
        }
    }

    /// Compiles the rules of the copy, if there is one and they are not compiled yet.
    #[cold]
    pub(crate) fn compile(self: &Arc<Self>) {
        let Some(copy) = &self.record.copy else { return };
        let mut is_new = false;
        // If many threads call this function at the same time, one of them compiles, and the others wait.
        self.read.get_or_init(|| {
            is_new = true;
            self.compiled(copy)
        });
        if let Some(grown) = self.reader.grown.as_ref().filter(|_| is_new) {
            grown(self);
        }
    }

    /// Compiles the rules of the copy and returns them without storing them here.
    pub(crate) fn compile_apart(&self) -> Option<RuleSet> {
        self.record.copy.as_ref().map(|copy| self.compiled(copy).rules)
    }

    fn compiled(&self, copy: &FileCopy) -> Read {
        let file = self.read(copy);
        let sitemaps = file.sitemaps().filter_map(|(_, line)| line.value).collect();
        Read { rules: file.rules_for(&self.reader.crawler), sitemaps }
    }

    /// Answers a question: returns what a function takes from the file that decides at a time, or `None` if no file
    /// decides. The first question reads the whole file.
    pub(crate) fn of_file<T>(
        self: &Arc<Self>,
        now: Duration,
        take: impl FnOnce(&Read) -> T,
    ) -> Option<T> {
        self.ask();
        let decides = match self.standing {
            Standing::Rules => true,
            Standing::NoFile => false,
            Standing::Failing => {
                standing::in_outage(&self.record, self.settings(), now) == Basis::LastCopy
            }
        };
        let copy = self.record.copy.as_ref().filter(|_| decides)?;
        Some(match self.read.get() {
            Some(read) => take(read),
            None => take(&self.compiled(copy)),
        })
    }

    /// Returns the values of the `sitemap` lines of the file that decides at a time, as written. This is a question too.
    pub(crate) fn sitemaps(self: &Arc<Self>, now: Duration) -> Vec<String> {
        let copy = self.record.copy.as_ref();
        let octets = copy.map_or(&[][..], |copy| &copy.body);
        let url = |span: &Span| text(&octets[span.range()]);
        self.of_file(now, |read| read.sitemaps.iter().map(url).collect()).unwrap_or_default()
    }

    fn read<'c>(&self, copy: &'c FileCopy) -> RobotsTxt<&'c [u8]> {
        RobotsTxt::parse(&ScanParser, &copy.body, self.settings().options())
    }

    pub(crate) fn settings(&self) -> &Settings {
        &self.reader.settings
    }

    /// Decides whether a URL of this origin, or a path on it, may be fetched.
    #[inline]
    pub(crate) fn decide(&self, url: &str, now: Duration) -> Decision {
        let basis = lifetime::basis(&self.record, self.standing, self.due, self.settings(), now);
        let basis = match basis {
            Basis::Unreachable if self.is_exempt(url) => Basis::RobotsTxtItself,
            basis => basis,
        };
        let allowed = basis.allows().unwrap_or_else(|| self.is_allowed_by_rules(url));
        Decision { allowed, basis }
    }

    #[inline]
    fn is_allowed_by_rules(&self, url: &str) -> bool {
        match self.rules() {
            Some(rules) => rules.verdict(url).is_allowed(),
            None => self.decide_once(url),
        }
    }

    /// Decides with the file itself, without compiled rules.
    #[cold]
    fn decide_once(&self, url: &str) -> bool {
        let copy = self.record.copy.as_ref();
        copy.is_some_and(|copy| self.read(copy).verdict(&self.reader.crawler, url).is_allowed())
    }

    /// Returns whether the edition exempts a URL from all rules: the URL of robots.txt itself (RFC 9309, 2.2.2).
    fn is_exempt(&self, url: &str) -> bool {
        self.empty().verdict(&self.reader.crawler, url).reason() == Reason::RobotsTxtItself
    }

    /// Returns the rules of an empty file.
    #[cfg(feature = "usage")]
    pub(crate) fn no_rules(&self) -> RuleSet {
        self.empty().rules_for(&self.reader.crawler)
    }

    fn empty(&self) -> RobotsTxt<&'static [u8]> {
        RobotsTxt::parse(&ScanParser, b"", self.settings().options())
    }

    /// Returns the time until which a decision is valid: until robots.txt must be fetched again, or the effect of
    /// an outage changes.
    pub(crate) fn holds_until(&self, now: Duration) -> Duration {
        match self.standing {
            Standing::Failing => standing::changes_at(&self.record, self.settings(), now, self.due),
            Standing::Rules | Standing::NoFile => self.due,
        }
    }

    /// Returns the approximate size of this entry in memory, in octets.
    #[cfg(feature = "cache")]
    pub(crate) fn size(&self) -> usize {
        // The cache has the key too, and its overhead for an entry is about 512 octets with that of the allocator.
        let head = 512 + self.record.key.len() * 2;
        let read = self.read.get();
        let read = read.map_or(0, |read| read.rules.size() + size_of_val(&*read.sitemaps));
        size_of::<Self>() + head + self.record.size() + read
    }
}

/// Returns the octets of a value as text. Octets that are not UTF-8 become U+FFFD.
pub(crate) fn text(octets: &[u8]) -> String {
    String::from_utf8_lossy(octets).into_owned()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::time::Duration;

    use robots_core::Crawler;
    use robots_core::Edition;
    use robots_core::fetch::LASTING;
    use rstest::rstest;

    use super::{Basis, Entry, Reader};
    use crate::record::{About, End, FileCopy, Last, Record};
    use crate::settings::Settings;

    const NOW: Duration = Duration::from_secs(1_000_000_000);
    const HOUR: Duration = Duration::from_secs(3600);

    fn record(status: u16, copy: Option<&str>) -> Record {
        let copy = copy.map(|body| FileCopy {
            body: body.into(),
            about: About { fetched_at: NOW, validated_at: NOW, ..About::default() },
        });
        let end = End { status: Some(status), ..End::default() };
        let last = Last { at: NOW, end, ..Last::default() };
        Record { key: "http://example.com".to_owned(), copy, last }
    }

    fn entry(record: Record, settings: &Settings) -> Arc<Entry> {
        let crawler = Crawler::new(["examplebot"]).unwrap();
        let reader = Reader { crawler, settings: settings.clone(), grown: None };
        Arc::new(Entry::new(record, &Arc::new(reader)))
    }

    /// If the last answer of a record is a file, but the record has no copy of a file, nothing is allowed. This crate
    /// never writes such a record, but another program that uses the store could.
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

    /// A stale file or a stale 404 may be used while robots.txt is fetched again. When the time of the next request has
    /// come, a stored failure may not be used any more.
    #[cfg(feature = "cache")]
    #[rstest]
    #[trace]
    #[case(200, true)]
    #[case(404, true)]
    #[case(503, false)]
    fn only_answers_are_used_while_they_are_fetched_anew(
        #[case] status: u16,
        #[case] expected: bool,
    ) {
        let record = record(status, Some("user-agent: *\nallow: /\n"));
        let settings = Settings::default().stale_while_revalidate(10 * HOUR);
        let entry = entry(record, &settings);
        let last = entry.due.saturating_sub(Duration::from_nanos(1));
        assert_eq!([last, entry.due].map(|now| entry.is_fresh(now)), [true, false]);
        let stale = [HOUR, 10 * HOUR].map(|late| entry.is_stale(entry.due + late));
        assert_eq!(stale, [expected, false]);
    }

    /// If the time of a record is in the future, it may be wrong. So robots.txt is fetched again before the record is
    /// used. The clocks of two machines may differ by five minutes.
    #[cfg(feature = "cache")]
    #[rstest]
    #[trace]
    fn a_record_of_the_future_is_not_used(
        #[values(200, 404, 503)] status: u16,
        #[values(0, 10)] hours: u32,
    ) {
        let settings = Settings::default().stale_while_revalidate(hours * HOUR);
        let mut record = record(status, Some("user-agent: *\nallow: /\n"));
        if status == 503 {
            record.last.next_try = Some(NOW + HOUR);
        }
        let entry = entry(record, &settings);
        let before = |seconds| NOW.saturating_sub(Duration::from_secs(seconds));
        let [skewed, earlier, days] = [300, 301, 10 * 86_400].map(before);
        assert!(entry.is_fresh(skewed));
        assert!([earlier, days].iter().all(|now| !entry.is_fresh(*now) && !entry.is_stale(*now)));
    }

    const FORBIDDING: &str = "user-agent: *\ndisallow: /private\n";

    /// The file itself and the compiled rules give the same decisions, and the basis shows whether the rules are stale.
    #[test]
    fn rules_decide_before_and_after_they_are_compiled() {
        let entry = entry(record(200, Some(FORBIDDING)), &Settings::default());
        for is_new in [true, false] {
            for (path, allowed) in [("/private/x", false), ("/x", true)] {
                let url = format!("http://example.com{path}");
                let last = entry.due.saturating_sub(Duration::from_nanos(1));
                for (now, basis) in [
                    (NOW, Basis::Rules),
                    (last, Basis::Rules),
                    (entry.due, Basis::StaleRules),
                    (entry.due + HOUR, Basis::StaleRules),
                ] {
                    let decision = entry.decide(&url, now);
                    assert_eq!((decision.allowed, decision.basis), (allowed, basis), "{url}");
                }
            }
            assert_eq!(entry.rules().is_none(), is_new);
            entry.compile();
        }
        let rules = entry.compile_apart().unwrap();
        assert!(!rules.verdict("/private/x").is_allowed() && rules.verdict("/x").is_allowed());
    }

    /// Rules are compiled for the second question, if they may decide and are not compiled yet.
    #[rstest]
    #[trace]
    #[case::a_file(200, true, true)]
    #[case::a_copy_in_an_outage(503, true, true)]
    #[case::an_outage_without_a_copy(503, false, false)]
    #[case::no_file_after_one(404, true, false)]
    #[case::no_file(404, false, false)]
    fn only_rules_that_decide_again_are_compiled(
        #[case] status: u16,
        #[case] has_copy: bool,
        #[case] decide: bool,
    ) {
        let entry = entry(record(status, has_copy.then_some(FORBIDDING)), &Settings::default());
        for is_compiled in [false, decide] {
            entry.ask();
            assert_eq!(entry.rules().is_some(), is_compiled);
        }
        entry.compile();
        assert_eq!(entry.rules().is_some(), has_copy);
        assert_eq!(entry.compile_apart().is_some(), has_copy);
    }

    /// The other fields are those of the file that decides, compiled or not. If no file decides, there are none.
    #[rstest]
    #[trace]
    #[case::a_file(200, 0, true)]
    #[case::a_copy_in_an_outage(503, 0, true)]
    #[case::an_outage_that_outlasts_the_copy(503, 2, false)]
    #[case::no_file_after_one(404, 0, false)]
    fn the_fields_are_those_of_the_file_that_decides(
        #[case] status: u16,
        #[case] hours: u32,
        #[case] decides: bool,
        #[values(false, true)] is_compiled: bool,
    ) {
        let file = "user-agent: *\ncrawl-delay: 2\nallow: /\nsitemap: http://a.example\n\nsitemap: http://a.example/\u{fc}\n";
        let mut record = record(status, Some(file));
        record.last.unreachable_since = (status == 503).then_some(NOW);
        let entry = entry(record, &Settings::default().stale_if_error(HOUR));
        if is_compiled {
            entry.compile();
        }
        let now = NOW + hours * HOUR;
        let delay = entry.of_file(now, |read| read.rules.crawl_delay()).flatten();
        assert_eq!(delay, decides.then_some(Duration::from_secs(2)));
        let sitemaps = ["http://a.example", "http://a.example/\u{fc}"];
        assert_eq!(entry.sitemaps(now), if decides { &sitemaps[..] } else { &[] });
        assert_eq!(entry.rules().is_some(), is_compiled || status != 404);
    }

    /// In an outage only robots.txt itself may be fetched, if the edition exempts it (RFC 9309, 2.2.2), until the
    /// outage has lasted more than 30 days.
    #[rstest]
    #[trace]
    #[case(Edition::Google2022, 0, "/x", false, Basis::Unreachable)]
    #[case(Edition::Google2022, 0, "/robots.txt", true, Basis::RobotsTxtItself)]
    #[case::not_exempt(Edition::Google2019, 0, "/robots.txt", false, Basis::Unreachable)]
    #[case(Edition::Google2022, 31, "/x", true, Basis::UnreachableForLong)]
    #[case(Edition::Google2022, 31, "/robots.txt", true, Basis::UnreachableForLong)]
    fn an_outage_forbids_until_it_is_long(
        #[case] edition: Edition,
        #[case] days: u32,
        #[case] path: &str,
        #[case] allowed: bool,
        #[case] basis: Basis,
    ) {
        let mut record = record(500, None);
        record.last.unreachable_since = Some(NOW.saturating_sub(days * 24 * HOUR));
        let entry = entry(record, &Settings::default().edition(edition));
        let decision = entry.decide(&format!("http://example.com{path}"), NOW);
        assert_eq!((decision.allowed, decision.basis), (allowed, basis));
    }

    /// The size includes the body, the key and the compiled rules.
    #[cfg(feature = "cache")]
    #[test]
    fn the_size_grows_with_what_is_kept() {
        let of = |body: &str, key: &str| {
            let record = Record { key: key.to_owned(), ..record(200, Some(body)) };
            entry(record, &Settings::default())
        };
        let (key, longer) = ("http://example.com", "http://www.example.com");
        let small = of(FORBIDDING, key);
        assert!((size_of::<Entry>() + 512..2048).contains(&small.size()), "{}", small.size());
        assert_eq!(of(&format!("{FORBIDDING}# more"), key).size(), small.size() + 6);
        assert_eq!(of(FORBIDDING, longer).size(), small.size() + 4 * 3);
        let before = small.size();
        small.compile();
        assert_eq!(small.size(), before + small.rules().unwrap().size());
        assert!(small.size() > before);
    }

    /// In an outage, a decision is valid until the effect of the outage changes. The effect changes when the copy may
    /// no longer be used, and when the outage has lasted 30 days. This is also true if the record does not contain the
    /// beginning of the outage.
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
