//! Audits random logs whose truth is known. No crawler that obeys may be called disobeying, and no planted violation may
//! count as obeyed.
//!
//! The simulator does not use the crate's judgements. Its files have one-letter rules, which it compares itself. An
//! obeying crawler has up to three machines with caches of their own, of up to 24 hours. It follows redirects, sends
//! conditional requests, breaks some of them off, cannot receive some answers, and in an outage fetches nothing or uses its copy. Files change, are
//! removed, and fail; clocks differ, and lines are written late.
//!
//! `ROBOTS_SIMULATED` is the number of requests; the default is 10,000.

use std::collections::HashMap;
use std::env;
use std::time::Duration;

use robots_audit::robots_core::Edition;
use robots_audit::{Agents, Audit, Class, History, Report, Request};

const HOUR: u64 = 3_600;
const DAY: u64 = 24 * HOUR;
/// The time at which the log begins. The crawlers run for two days before.
const START: u64 = 1_767_225_600;

/// A sequence of random numbers (splitmix64).
struct Random(u64);

impl Random {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (mixed ^ (mixed >> 31)) % end
    }

    fn one_in(&mut self, times: u64) -> bool {
        self.below(times) == 0
    }
}

/// The robots.txt of a host over time.
struct Site {
    /// The times of the versions, each with the letters that it disallows, or `None` if there is no file.
    versions: Vec<(u64, Option<Vec<u8>>)>,
    /// The periods in which robots.txt fails.
    outages: Vec<(u64, u64)>,
    /// Whether the http URL of robots.txt redirects to the https URL.
    redirects: bool,
}

impl Site {
    fn random(random: &mut Random, days: u64) -> Self {
        let mut versions = vec![(0, Some(letters(random)))];
        for _ in 0..random.below(12) {
            let from = START - 2 * DAY + random.below((days + 2) * DAY);
            let file = (!random.one_in(5)).then(|| letters(random));
            versions.push((from, file));
        }
        versions.sort_by_key(|version| version.0);
        let outages = (0..random.below(4)).map(|_| {
            let from = START - DAY + random.below(days * DAY);
            let length = if random.one_in(8) { 35 * DAY } else { random.below(3 * DAY) };
            (from, from + length)
        });
        Self { outages: outages.collect(), redirects: random.one_in(2), versions }
    }

    fn version(&self, now: u64) -> usize {
        self.versions.iter().rposition(|(from, _)| *from <= now).unwrap()
    }

    fn fails(&self, now: u64) -> bool {
        self.outages.iter().any(|(from, until)| (*from..*until).contains(&now))
    }

    fn allows(&self, version: usize, letter: u8) -> bool {
        self.versions[version].1.as_ref().is_none_or(|letters| !letters.contains(&letter))
    }

    fn history(&self, host: &str, skew: u64, history: &mut History) {
        for (from, letters) in &self.versions {
            let file = letters.as_ref().map(|letters| {
                let rules = letters.iter().map(|it| format!("disallow: /{}\n", char::from(*it)));
                format!("user-agent: *\n{}", rules.collect::<String>()).into_bytes()
            });
            let from = Duration::from_secs(from.saturating_sub(skew));
            for scheme in ["http", "https"] {
                assert!(history.add(Some(&format!("{scheme}://{host}")), from, file.clone()));
            }
        }
    }
}

fn letters(random: &mut Random) -> Vec<u8> {
    (b'a'..=b'f').filter(|_| random.one_in(3)).collect()
}

/// A line of the log.
struct Line {
    time: u64,
    token: String,
    scheme: &'static str,
    host: String,
    method: &'static str,
    target: String,
    status: u16,
    is_aborted: bool,
}

/// What a machine knows about an origin.
#[derive(Clone, Default)]
struct Cache {
    /// The time of the last answer.
    at: u64,
    /// The last file.
    copy: Option<usize>,
    state: State,
}

#[derive(Clone, Copy, Default, PartialEq)]
enum State {
    #[default]
    Nothing,
    File,
    Missing,
    Failing {
        since: u64,
    },
}

/// A machine of a crawler.
struct Machine {
    lifetime: u64,
    uses_copy: bool,
    sends_validators: bool,
    /// The caches by scheme and host.
    caches: HashMap<(&'static str, usize), Cache>,
}

/// A world: sites, and the log that crawlers leave there.
struct World {
    random: Random,
    sites: Vec<Site>,
    days: u64,
    log: Vec<Line>,
}

impl World {
    fn new(seed: u64) -> Self {
        let mut random = Random(seed);
        let days = 5 + random.below(50);
        let sites = (0..=random.below(3)).map(|_| Site::random(&mut random, days)).collect();
        Self { random, sites, days, log: Vec::new() }
    }

    fn write(
        &mut self,
        now: u64,
        token: &str,
        place: (&'static str, usize),
        line: (&'static str, String, u16),
    ) {
        let (method, target, status) = line;
        let is_aborted = status == 0;
        self.log.push(Line {
            // Some servers write a line when the answer ends.
            time: now + self.random.below(30),
            token: token.to_owned(),
            scheme: place.0,
            host: format!("host{}.example", place.1),
            method,
            target,
            status: if is_aborted { 200 } else { status },
            is_aborted,
        });
    }

    /// Requests robots.txt, and changes the cache of a machine.
    fn read(&mut self, now: u64, token: &str, machine: &mut Machine, place: (&'static str, usize)) {
        let robots_txt = || "/robots.txt".to_owned();
        if self.random.one_in(20) {
            self.write(now, token, place, ("HEAD", robots_txt(), 200));
        }
        if self.random.one_in(20) {
            self.write(now, token, place, ("GET", robots_txt(), 0));
        }
        if self.random.one_in(25) {
            // The connection breaks off, so robots.txt is unreachable for the crawler.
            let status = if self.random.one_in(2) { 499 } else { 0 };
            self.write(now, token, place, ("GET", robots_txt(), status));
            let cache = machine.caches.entry(place).or_default();
            let since = if let State::Failing { since } = cache.state { since } else { now };
            (cache.at, cache.state) = (now, State::Failing { since });
            return;
        }
        let (mut answering, mut redirected) = (place, 0);
        if place.0 == "http" && self.sites[place.1].redirects {
            self.write(now, token, place, ("GET", robots_txt(), 301));
            answering.0 = "https";
            redirected = self.log.len();
        }
        let cache = machine.caches.entry(place).or_default();
        let (site, now_version) = (&self.sites[place.1], self.sites[place.1].version(now));
        let status = if site.fails(now) {
            let since = match cache.state {
                State::Failing { since } => since,
                _ => now,
            };
            cache.state = State::Failing { since };
            [500, 503, 502][usize::try_from(self.random.below(3)).unwrap()]
        } else if site.versions[now_version].1.is_none() {
            (cache.copy, cache.state) = (None, State::Missing);
            404
        } else {
            let is_known = cache.copy == Some(now_version) && machine.sends_validators;
            (cache.copy, cache.state) = (Some(now_version), State::File);
            if is_known { 304 } else { 200 }
        };
        cache.at = now;
        self.write(now, token, answering, ("GET", robots_txt(), status));
        if redirected > 0 {
            // The target is requested after the answer with the redirect.
            let answer = &self.log[redirected];
            self.log[redirected - 1].time = answer.time.min(self.log[redirected - 1].time);
        }
    }

    /// Runs a crawler that obeys.
    fn obeying(&mut self, token: &str) {
        let mut machines: Vec<Machine> =
            (0..=self.random.below(3)).map(|_| self.machine()).collect();
        let mut now = START - 2 * DAY + self.random.below(self.days * DAY / 2);
        let pace = 60 + self.random.below(4 * HOUR);
        while now < START + self.days * DAY {
            now += self.random.below(2 * pace);
            let machine = usize::try_from(self.random.below(machines.len() as u64)).unwrap();
            let machine = &mut machines[machine];
            let scheme = if self.random.one_in(3) { "http" } else { "https" };
            let host = usize::try_from(self.random.below(self.sites.len() as u64)).unwrap();
            let known = machine.caches.get(&(scheme, host)).cloned().unwrap_or_default();
            if known.state == State::Nothing || now - known.at > machine.lifetime {
                self.read(now, token, machine, (scheme, host));
            }
            let cache = &machine.caches[&(scheme, host)];
            let letter = b'a' + u8::try_from(self.random.below(6)).unwrap();
            let by_copy = |allows_without| {
                cache.copy.map_or(allows_without, |copy| self.sites[host].allows(copy, letter))
            };
            let allowed = match cache.state {
                State::Nothing => false,
                State::File => by_copy(false),
                State::Missing => true,
                // The document says about 30 days; this crawler waits an hour more.
                State::Failing { since } if now - since > 30 * DAY + HOUR => by_copy(true),
                State::Failing { since } => {
                    machine.uses_copy && now - since < 29 * DAY && by_copy(false)
                }
            };
            if allowed {
                // A server writes the line of a page after the line of the robots.txt that was read before.
                let late = now + 30 + self.random.below(60);
                let target = format!("/{}/{now}", char::from(letter));
                self.write(late, token, (scheme, host), ("GET", target, 200));
            }
        }
    }

    /// Runs a crawler that reads robots.txt and requests only pages that its file disallows.
    fn disobeying(&mut self, token: &str) {
        let mut machine = self.machine();
        let mut now = START + self.random.below(DAY);
        while now < START + self.days * DAY {
            now += self.random.below(6 * HOUR);
            let host = usize::try_from(self.random.below(self.sites.len() as u64)).unwrap();
            let place = ("https", host);
            let known = machine.caches.get(&place).cloned().unwrap_or_default();
            if known.state == State::Nothing || now - known.at > machine.lifetime {
                self.read(now, token, &mut machine, place);
            }
            let cache = &machine.caches[&place];
            let Some(copy) = cache.copy.filter(|_| cache.state == State::File) else { continue };
            let letter = b'a' + u8::try_from(self.random.below(6)).unwrap();
            if !self.sites[host].allows(copy, letter) {
                let target = format!("/{}/{now}", char::from(letter));
                // So much later, the line is after the line of the answer in any case.
                self.write(now + 60, token, place, ("GET", target, 200));
            }
        }
    }

    fn machine(&mut self) -> Machine {
        Machine {
            lifetime: if self.random.one_in(2) { DAY } else { self.random.below(DAY) },
            uses_copy: self.random.one_in(2),
            sends_validators: self.random.one_in(2),
            caches: HashMap::new(),
        }
    }

    /// Audits the log from [`START`] on.
    fn audit(&mut self) -> Report {
        let mut history = History::default();
        for (host, site) in self.sites.iter().enumerate() {
            // The clock of the history differs from the clock of the log.
            let skew = self.random.below(120);
            site.history(&format!("host{host}.example"), skew, &mut history);
        }
        let mut audit = Audit::new(Edition::Rfc9309, history, Agents::default());
        self.log.sort_by_key(|line| line.time);
        for line in self.log.iter().filter(|line| line.time >= START) {
            audit.request(&Request {
                time: Duration::from_secs(line.time),
                scheme: Some(line.scheme),
                host: Some(&line.host),
                method: line.method.as_bytes(),
                target: line.target.as_bytes(),
                status: line.status,
                user_agent: line.token.as_bytes(),
                is_aborted: line.is_aborted,
                ..Request::default()
            });
        }
        audit.finish()
    }
}

#[test]
fn no_obeying_crawler_is_called_disobeying_and_no_violation_is_called_obeyed() {
    let wanted = env::var("ROBOTS_SIMULATED").map_or(10_000, |it| it.parse().unwrap());
    let (mut requests, mut obeying, mut planted) = (0, HashMap::new(), HashMap::new());
    for seed in 0.. {
        let mut world = World::new(seed);
        for crawler in ["onebot", "twobot", "threebot"] {
            world.obeying(crawler);
        }
        world.disobeying("roguebot");
        let report = world.audit();
        requests += report.requests;
        for crawler in &report.crawlers {
            let is_rogue = crawler.token == "roguebot";
            let wrong = if is_rogue {
                crawler.count(Class::Obeyed) + crawler.count(Class::NotYetKnown)
            } else {
                crawler.count(Class::Disobeyed)
            };
            assert_eq!(wrong, 0, "seed {seed}: {:#?}", crawler.causes);
            for class in Class::ALL {
                let counts = if is_rogue { &mut planted } else { &mut obeying };
                *counts.entry(*class).or_insert(0) += crawler.count(*class);
            }
        }
        if requests >= wanted {
            println!("{requests} requests in {} worlds", seed + 1);
            break;
        }
    }
    println!("obeying {obeying:?}\nplanted {planted:?}");
    // An audit that leaves most requests open would be right, but useless.
    let most = |counts: &HashMap<Class, u64>, class| 2 * counts[&class] > counts.values().sum();
    assert!(most(&obeying, Class::Obeyed), "{obeying:?}");
    assert!(most(&planted, Class::Disobeyed), "{planted:?}");
}
