//! Decides whether an origin was asked twice within the lifetime of its robots.txt, and whether the second request had
//! an excuse, for example because a process was killed.
//!
//! [`History`] collects the events of the test. Start at [`History::judge`], which compares them with the access log of
//! the server.

use std::collections::HashMap;
use std::time::Duration;

use robots_test_web::LogEntry;

/// The maximum difference between the times in the access log and the times of the test.
const SLACK: Duration = Duration::from_millis(1_100);

/// The maximum time between a request of a process and the write of its record, including a suspension of the process.
/// If a process is killed later, the record is already written.
const WRITTEN: Duration = Duration::from_secs(20);

/// The maximum time between the report of a client that its store failed, and the request that follows: three calls of
/// two seconds each.
const REPORTED: Duration = Duration::from_secs(6);

/// The events of the processes and of the store. Times count from the beginning of the test.
pub(crate) struct History {
    life: Duration,
    killed: HashMap<String, Duration>,
    /// The times at which each process reported that its store failed. On a busy machine this happens without a
    /// disturbance by the test, because a store does not always answer in time.
    failing: HashMap<String, Vec<Duration>>,
    away: Vec<(Duration, Option<Duration>)>,
}

/// The result about second requests within a lifetime: the number of requests with each excuse, and the requests
/// without an excuse.
#[derive(Debug, Default)]
pub(crate) struct Judged {
    pub(crate) after_a_kill: usize,
    pub(crate) while_away: usize,
    pub(crate) while_failing: usize,
    /// The time of each second request without an excuse, and its description.
    pub(crate) unexcused: Vec<(Duration, String)>,
}

struct Request {
    at: Duration,
    process: String,
}

impl History {
    pub(crate) fn new(life: Duration) -> Self {
        Self { life, killed: HashMap::new(), failing: HashMap::new(), away: Vec::new() }
    }

    pub(crate) fn killed(&mut self, process: String, at: Duration) {
        self.killed.insert(process, at);
    }

    /// Records an event that a client logged, for example `alone.3, message: …`.
    pub(crate) fn logged(&mut self, event: &str, at: Duration) {
        let Some((process, message)) = event.split_once(", message: ") else { return };
        if message.starts_with("the store failed") || message.starts_with("the store cannot") {
            self.failing.entry(process.to_owned()).or_default().push(at);
        }
    }

    pub(crate) fn store_is_away(&mut self, at: Duration) {
        self.away.push((at, None));
    }

    /// Records the time from which every process uses the store again.
    pub(crate) fn store_is_back(&mut self, at: Duration) {
        if let Some((_, until)) = self.away.last_mut() {
            *until = Some(at);
        }
    }

    fn was_away(&self, from: Duration, to: Duration) -> bool {
        let meets = |(away, back): &(Duration, Option<Duration>)| {
            *away <= to + SLACK && back.is_none_or(|back| from <= back)
        };
        self.away.iter().any(meets)
    }

    /// Returns whether the process that sent a request may have been killed before it wrote the record.
    fn was_killed(&self, first: &Request, until: Duration) -> bool {
        let killed = self.killed.get(&first.process);
        killed.is_some_and(|killed| *killed <= until + SLACK && *killed <= first.at + WRITTEN)
    }

    /// Returns whether one of the two processes that sent these requests reported that its store failed. The report may
    /// come shortly before the first request, or at any time until the second one.
    fn failed(&self, first: &Request, second: &Request) -> bool {
        let times = [first, second].into_iter().filter_map(|it| self.failing.get(&it.process));
        let around = first.at.saturating_sub(REPORTED)..=second.at + SLACK;
        times.flatten().any(|at| around.contains(at))
    }

    /// Returns the name of the process of a group that ran at a time, for example `alone.2`. The number counts the
    /// starts of the process, from 1.
    fn process_at(&self, group: &str, at: Duration) -> String {
        let is_of = |name: &str| name.split_once('.').is_some_and(|(of, _)| of == group);
        let lives = self.killed.iter().filter(|(name, killed)| is_of(name) && **killed < at);
        format!("{group}.{}", lives.count() + 1)
    }

    /// Judges all requests for robots.txt. A request by FTP does not name its process. If only one process asks the
    /// origin, the process is known from the time. FTP origins that several processes ask are not judged.
    pub(crate) fn judge(&self, log: &[LogEntry]) -> Judged {
        let mut origins: HashMap<&str, Vec<Request>> = HashMap::new();
        for entry in log.iter().filter(|entry| entry.target == "/robots.txt") {
            let at = Duration::from_micros(entry.at);
            let process = match entry.header("user-agent") {
                Some(agent) => agent
                    .split_once('(')
                    .map_or(agent, |(_, name)| name.trim_end_matches(')'))
                    .to_owned(),
                None if entry.origin.starts_with("shared-ftp") => continue,
                None => self.process_at(entry.origin.split_once('-').unwrap().0, at),
            };
            origins.entry(&entry.origin).or_default().push(Request { at, process });
        }
        let mut judged = Judged::default();
        for (origin, requests) in &origins {
            for (index, second) in requests.iter().enumerate() {
                let earlier = requests[..index].iter().rev();
                let within =
                    |first: &&Request| second.at < (first.at + self.life).saturating_sub(SLACK);
                for first in earlier.take_while(within) {
                    self.excuse(origin, first, second, &mut judged);
                }
            }
        }
        judged
    }

    fn excuse(&self, origin: &str, first: &Request, second: &Request, judged: &mut Judged) {
        let is_shared = first.process.starts_with("shared");
        if first.process == second.process {
            // If the process itself was not restarted, the second request has no excuse.
        } else if self.was_killed(first, second.at) {
            judged.after_a_kill += 1;
            return;
        } else if is_shared && self.was_away(first.at, second.at) {
            judged.while_away += 1;
            return;
        } else if self.failed(first, second) {
            judged.while_failing += 1;
            return;
        }
        let text = format!(
            "{origin} was asked by {} at {:?} and by {} at {:?}",
            first.process, first.at, second.process, second.at
        );
        judged.unexcused.push((second.at, text));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(at: u64, process: &str) -> Request {
        Request { at: Duration::from_secs(at), process: process.to_owned() }
    }

    /// Returns whether the second of two requests within a lifetime has an excuse.
    fn excused(first: &Request, second: &Request) -> bool {
        let mut history = History::new(Duration::from_secs(40));
        history.killed("alone.1".to_owned(), Duration::from_secs(110));
        history.store_is_away(Duration::from_secs(200));
        history.store_is_back(Duration::from_secs(240));
        let mut judged = Judged::default();
        history.excuse("site", first, second, &mut judged);
        judged.unexcused.is_empty()
    }

    #[test]
    fn a_request_by_ftp_is_of_the_process_that_ran() {
        let mut history = History::new(Duration::from_secs(40));
        history.killed("alone.1".to_owned(), Duration::from_secs(10));
        history.killed("alone.2".to_owned(), Duration::from_secs(20));
        let process = |at| history.process_at("alone", Duration::from_secs(at));
        assert_eq!([5, 15, 25].map(process), ["alone.1", "alone.2", "alone.3"]);
    }

    #[test]
    fn only_a_kill_or_a_store_that_is_away_excuses_a_request() {
        assert!(excused(&request(100, "alone.1"), &request(120, "alone.2")));
        assert!(!excused(&request(80, "alone.1"), &request(100, "alone.2")));
        assert!(!excused(&request(85, "alone.1"), &request(120, "alone.2")));
        assert!(!excused(&request(120, "alone.2"), &request(130, "alone.2")));
        assert!(excused(&request(190, "shared-a.1"), &request(210, "shared-b.1")));
        assert!(!excused(&request(210, "shared-a.1"), &request(215, "shared-a.1")));
        assert!(!excused(&request(250, "shared-a.1"), &request(255, "shared-b.1")));
        assert!(!excused(&request(190, "alone.7"), &request(210, "alone.8")));
    }

    #[test]
    fn a_store_that_a_client_reports_as_failing_excuses_a_request() {
        let mut history = History::new(Duration::from_secs(40));
        let at = Duration::from_secs(100);
        history.logged("alone.3, message: the store cannot write; the client continues", at);
        history.logged("alone.5, message: the store works again", at);
        let excused = |first: &Request, second: &Request| {
            let mut judged = Judged::default();
            history.excuse("site", first, second, &mut judged);
            judged.unexcused.is_empty() && judged.while_failing == 1
        };
        assert!(excused(&request(99, "alone.3"), &request(120, "alone.4")));
        assert!(excused(&request(80, "alone.2"), &request(99, "alone.3")));
        assert!(!excused(&request(110, "alone.3"), &request(120, "alone.4")));
        assert!(!excused(&request(80, "alone.3"), &request(90, "alone.4")));
        assert!(!excused(&request(99, "alone.5"), &request(101, "alone.6")));
        assert!(!excused(&request(99, "alone.3"), &request(101, "alone.3")));
    }
}
