//! One crawler of the report while the audit runs: [`Row`] counts its requests and keeps examples.

use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, HashMap};
use std::time::Duration;

use crate::agents::{Client, fetches_for_a_person};
use crate::files::{Files, List, Rules};
use crate::judge::{Judged, Ruling};
use crate::origins::{OriginId, Origins};
use crate::ranges::Address;
use crate::report::{Cause, Class, CrawlerReport, Day, DecidingRule, Distance, Example, Reason};
use crate::request::Request;

/// A crawler of the report.
#[derive(Debug)]
pub(crate) struct Row {
    pub(crate) report: CrawlerReport,
    pub(crate) client: Client,
    pub(crate) rules: Rules,
    /// The redirects of robots.txt that the crawler may be following: each origin with the time of its answer.
    pub(crate) redirects: Vec<(OriginId, Duration)>,
    /// The versions of the last origin.
    pub(crate) list: List,
    /// Whether a request for robots.txt came too late, so that no judgement is sure.
    pub(crate) is_unsorted: bool,
    gaps: Gaps,
    causes: HashMap<(Class, Reason, OriginId, Option<Ruling>), Tally>,
}

/// The requests of a cause.
#[derive(Debug)]
struct Tally {
    requests: u64,
    first: Duration,
    last: Duration,
    examples: Vec<Example>,
}

/// The largest number of examples of a cause.
const EXAMPLES: usize = 10;

/// The largest number of causes of a row. The rules of later causes are not kept.
const CAUSES: usize = 1_000;

/// The largest number of days of a row: 27 years.
const DAYS: usize = 10_000;

/// The largest part of a target in an example, in octets.
const TARGET: usize = 1_024;

impl Row {
    pub(crate) fn new(client: Client, is_contradicted: bool) -> Self {
        let (token, is_for_a_person) = (client.name.clone(), fetches_for_a_person(&client.name));
        let report =
            CrawlerReport { token, is_for_a_person, is_contradicted, ..CrawlerReport::default() };
        Self {
            report,
            client,
            rules: Rules::default(),
            redirects: Vec::new(),
            list: List::SHARED,
            is_unsorted: false,
            gaps: Gaps::default(),
            causes: HashMap::new(),
        }
    }

    /// Counts a request.
    pub(crate) fn count(&mut self, request: &Request<'_>, address: Address) {
        let report = &mut self.report;
        if report.requests == 0 || request.time < report.first {
            report.first = request.time;
        }
        report.last = report.last.max(request.time);
        report.requests += 1;
        report.robots_txt_requests += u64::from(request.is_robots_txt());
        *report.addresses.entry(address).or_default() += 1;
        if let Some(day) = self.day(request.time) {
            day.requests += 1;
        }
    }

    fn day(&mut self, time: Duration) -> Option<&mut Day> {
        let (days, day) = (&mut self.report.days, time.as_secs() / 86_400);
        (days.len() < DAYS || days.contains_key(&day)).then(|| days.entry(day).or_default())
    }

    /// Adds the time between two requests for pages.
    pub(crate) fn add_gap(&mut self, gap: Duration) {
        self.gaps.add(gap);
    }

    /// Adds a judged request. `read` is the time of the last answer to a request for robots.txt.
    pub(crate) fn add(
        &mut self,
        judged: Judged,
        origin: OriginId,
        request: &Request<'_>,
        read: Option<Duration>,
    ) {
        *self.report.classes.entry(judged.class).or_default() += 1;
        if judged.class == Class::Disobeyed
            && let Some(day) = self.day(request.time)
        {
            day.disobeyed += 1;
        }
        let mut key = (judged.class, judged.reason, origin, judged.rule);
        if self.causes.len() >= CAUSES && !self.causes.contains_key(&key) {
            key.3 = None;
        }
        let tally = self.causes.entry(key).or_insert_with(|| Tally {
            requests: 0,
            first: request.time,
            last: request.time,
            examples: Vec::new(),
        });
        tally.requests += 1;
        tally.first = tally.first.min(request.time);
        tally.last = tally.last.max(request.time);
        if tally.examples.len() < EXAMPLES {
            tally.examples.push(example(request, read));
        }
    }

    /// Makes each disobeyed request open, because the log is not sorted.
    fn excuse(&mut self) {
        let classes = &mut self.report.classes;
        if let Some(disobeyed) = classes.remove(&Class::Disobeyed) {
            *classes.entry(Class::Open).or_default() += disobeyed;
        }
        self.report.days.values_mut().for_each(|day| day.disobeyed = 0);
        for ((class, reason, origin, rule), tally) in std::mem::take(&mut self.causes) {
            let (class, reason) = match class {
                Class::Disobeyed => (Class::Open, Reason::Unsorted),
                _ => (class, reason),
            };
            match self.causes.entry((class, reason, origin, rule)) {
                Entry::Occupied(mut same) => same.get_mut().add(tally),
                Entry::Vacant(new) => drop(new.insert(tally)),
            }
        }
    }

    /// Returns the finished report.
    pub(crate) fn finish(mut self, files: &Files, origins: &Origins) -> CrawlerReport {
        if self.is_unsorted {
            self.excuse();
        }
        let mut report = self.report;
        report.distance = self.gaps.distance();
        let rules = files.last(self.list);
        let rules =
            rules.and_then(|version| files.rules(version, &self.client.crawler, &mut self.rules));
        report.crawl_delay = rules.and_then(robots_core::RuleSet::crawl_delay);
        let causes = self.causes.into_iter().map(|((class, reason, origin, ruling), tally)| {
            let Tally { requests, first, last, examples } = tally;
            let origin = origins.get(origin).shown.clone();
            let rule = ruling.map(|ruling| deciding(ruling, files));
            Cause { class, reason, origin, rule, requests, first, last, examples }
        });
        report.causes = causes.collect();
        report.causes.sort_by(|a, b| {
            let order = |cause: &Cause| (cause.class, u64::MAX - cause.requests, cause.first);
            let place = |cause: &Cause| {
                let rule = cause.rule.as_ref().map(|rule| (rule.version, rule.line));
                (cause.reason, cause.origin.clone(), rule)
            };
            order(a).cmp(&order(b)).then_with(|| place(a).cmp(&place(b)))
        });
        report
    }
}

impl Tally {
    fn add(&mut self, mut other: Self) {
        self.requests += other.requests;
        self.first = self.first.min(other.first);
        self.last = self.last.max(other.last);
        self.examples.append(&mut other.examples);
        self.examples.truncate(EXAMPLES);
    }
}

fn deciding(ruling: Ruling, files: &Files) -> DecidingRule {
    let octets = files.line(ruling.version, ruling.line).trim_ascii();
    let text = String::from_utf8_lossy(octets).into_owned();
    DecidingRule { version: files.from(ruling.version), line: ruling.line.get(), text }
}

fn example(request: &Request<'_>, read: Option<Duration>) -> Example {
    let text =
        |octets: &[u8]| String::from_utf8_lossy(&octets[..octets.len().min(TARGET)]).into_owned();
    Example {
        time: request.time,
        method: text(request.method),
        target: text(request.target),
        status: request.status,
        address: request.address,
        read,
    }
}

/// The times between requests, rounded as [`Distance::median`] explains, with the number of each.
#[derive(Debug, Default)]
struct Gaps {
    lowest: Option<Duration>,
    counts: BTreeMap<u64, u64>,
}

impl Gaps {
    fn add(&mut self, gap: Duration) {
        self.lowest = Some(self.lowest.map_or(gap, |lowest| lowest.min(gap)));
        let milliseconds = u64::try_from(gap.as_millis()).unwrap_or(u64::MAX);
        let step = match milliseconds {
            0..=999 => 100,
            1_000..=119_999 => 1_000,
            120_000..=7_199_999 => 60_000,
            _ => 3_600_000,
        };
        // More than 100 days count as 100 days, so the number of counts is limited.
        let rounded = (milliseconds - milliseconds % step).min(100 * 24 * 3_600_000);
        *self.counts.entry(rounded).or_default() += 1;
    }

    fn distance(&self) -> Option<Distance> {
        let all: u64 = self.counts.values().sum();
        let mut before = 0;
        let median = self.counts.iter().find_map(|(gap, count)| {
            before += count;
            (2 * before >= all).then_some(*gap)
        });
        Some(Distance { lowest: self.lowest?, median: Duration::from_millis(median?) })
    }
}
