//! A record as one crawler reads it: its rules, compiled when asked again, and what holds at a time.

#[cfg(feature = "client")]
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use robots_core::{Crawler, Reason, RobotsTxt, RuleSet};
use robots_nom_parser::ScanParser;

use crate::lifetime;
use crate::record::{Copy, Record};
use crate::settings::Settings;
use crate::standing::{self, Basis, Standing};

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
    reader: Arc<Reader>,
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
    /// Reads a record.
    pub(crate) fn new(record: Record, reader: &Arc<Reader>) -> Self {
        let settings = &reader.settings;
        Self {
            due: lifetime::due(&record, settings),
            #[cfg(feature = "client")]
            from: lifetime::from(&record.last),
            rules: OnceLock::new(),
            #[cfg(feature = "client")]
            was_asked: AtomicBool::new(false),
            standing: Standing::of(&record, settings),
            record,
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
            && self.record.copy.is_some()
            && self.standing != Standing::NoFile
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
                Decision { allowed: self.is_allowed_by_rules(url), basis }
            }
            Standing::NoFile => Decision { allowed: true, basis: Basis::NoFile },
            Standing::Failing => self.decide_in_outage(url, now),
        }
    }

    #[inline]
    fn is_allowed_by_rules(&self, url: &str) -> bool {
        match self.rules.get() {
            Some(rules) => rules.verdict(url).is_allowed(),
            None => self.decide_once(url),
        }
    }

    /// Decides by the file itself.
    #[cold]
    fn decide_once(&self, url: &str) -> bool {
        let copy = self.record.copy.as_ref();
        copy.is_some_and(|copy| self.read(copy).verdict(&self.reader.crawler, url).is_allowed())
    }

    fn decide_in_outage(&self, url: &str, now: Duration) -> Decision {
        match standing::in_outage(&self.record, self.settings(), now) {
            Basis::LastCopy => {
                Decision { allowed: self.is_allowed_by_rules(url), basis: Basis::LastCopy }
            }
            Basis::UnreachableForLong => {
                Decision { allowed: true, basis: Basis::UnreachableForLong }
            }
            _ if self.is_exempt(url) => Decision { allowed: true, basis: Basis::RobotsTxtItself },
            basis => Decision { allowed: false, basis },
        }
    }

    /// Returns whether the edition leaves a URL out of all rules: that of robots.txt itself (RFC 9309, 2.2.2).
    fn is_exempt(&self, url: &str) -> bool {
        let no_rules = RobotsTxt::parse(&ScanParser, b"", self.settings().options());
        no_rules.verdict(&self.reader.crawler, url).reason() == Reason::RobotsTxtItself
    }

    /// Returns up to when what was decided at a time holds: robots.txt is to be asked for again then, or an outage
    /// begins to mean something else.
    pub(crate) fn holds_until(&self, now: Duration) -> Duration {
        match self.standing {
            Standing::Failing => {
                standing::changes_at(&self.record.last, self.settings(), now, self.due)
            }
            Standing::Rules | Standing::NoFile => self.due,
        }
    }

    /// Returns the octets of memory that it takes, roughly.
    #[cfg(feature = "client")]
    pub(crate) fn size(&self) -> usize {
        let body = self.record.copy.as_ref().map_or(0, |copy| copy.body.len());
        let head = 512 + self.record.key.len() * 3;
        size_of::<Self>() + head + body + self.rules().map_or(0, RuleSet::size)
    }
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
        let crawler = Crawler::new(["examplebot"]).unwrap();
        Entry::new(record, &Arc::new(Reader { crawler, settings: settings.clone() }))
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
