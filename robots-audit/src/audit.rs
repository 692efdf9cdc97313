//! Judges the requests of a log: [`Audit`].

use std::collections::HashMap;

use robots_core::Edition;

use crate::agents::{Agents, fetches_for_a_person};
use crate::history::History;
use crate::ranges::{Address, Ranges};
use crate::report::{CrawlerReport, Report};
use crate::request::Request;

/// An audit of access logs: it judges requests, and reports for each crawler whether it obeys.
///
/// Its memory grows with the number of crawlers and hosts, and not with the number of requests.
///
/// ```
/// use robots_audit::{Agents, Audit, Class, History, Request};
/// use robots_audit::robots_core::Edition;
/// use std::time::Duration;
///
/// let file = "user-agent: *\ndisallow: /private\n";
/// let mut audit = Audit::new(Edition::Rfc9309, History::one(file), Agents::default());
/// for (second, target) in ["/robots.txt", "/", "/private"].into_iter().enumerate() {
///     let time = Duration::from_secs(1_000_000_000 + second as u64);
///     let (target, user_agent) = (target.as_bytes(), &b"examplebot/1.0"[..]);
///     audit.request(&Request { time, target, user_agent, ..Request::default() });
/// }
/// let report = audit.finish();
/// let crawler = &report.crawlers[0];
/// assert_eq!((&*crawler.token, crawler.requests, crawler.robots_txt_requests), ("examplebot", 3, 1));
/// ```
#[derive(Debug)]
pub struct Audit {
    #[expect(dead_code, reason = "the judge, which comes next, reads both")]
    judged: (Edition, History),
    agents: Agents,
    ranges: Ranges,
    /// The row of each crawler, by its token in lower case, and whether its address is contradicted.
    rows: HashMap<(String, bool), usize>,
    report: Report,
}

impl Audit {
    /// The largest number of crawlers, and of pairs of a crawler and a host, that an audit keeps.
    pub const MOST: usize = 100_000;

    /// Begins an audit. `edition` decides what an answer to a request for robots.txt means, and which rule decides.
    #[must_use]
    pub fn new(edition: Edition, history: History, agents: Agents) -> Self {
        let (ranges, rows, report) = (Ranges::default(), HashMap::new(), Report::default());
        Self { judged: (edition, history), agents, ranges, rows, report }
    }

    /// Sets the published address ranges with which addresses are compared.
    #[must_use]
    pub fn with_ranges(self, ranges: Ranges) -> Self {
        Self { ranges, ..self }
    }

    /// Judges a request. The requests must come in the order of their times.
    pub fn request(&mut self, request: &Request<'_>) {
        let report = &mut self.report;
        report.requests += 1;
        report.first.get_or_insert(request.time);
        report.last = report.last.max(Some(request.time));
        let Some(crawler) = self.agents.recognise(request.user_agent) else {
            report.of_others += 1;
            return;
        };
        let token = crawler.tokens()[0].as_str();
        let address = self.ranges.check(token, request.address);
        let key = (token.to_ascii_lowercase(), address == Address::Contradicted);
        let row = *self.rows.entry(key).or_insert_with(|| {
            report.crawlers.push(CrawlerReport {
                token: token.to_owned(),
                is_for_a_person: fetches_for_a_person(token),
                is_contradicted: address == Address::Contradicted,
                first: request.time,
                ..CrawlerReport::default()
            });
            report.crawlers.len() - 1
        });
        let row = &mut report.crawlers[row];
        row.requests += 1;
        row.last = request.time;
        row.robots_txt_requests += u64::from(request.is_robots_txt());
        *row.addresses.entry(address).or_default() += 1;
        row.days.entry(request.time.as_secs() / 86_400).or_default().requests += 1;
    }

    /// Ends the audit.
    #[must_use]
    pub fn finish(self) -> Report {
        let mut report = self.report;
        report.crawlers.sort_by_key(|crawler| std::cmp::Reverse(crawler.requests));
        report
    }
}
