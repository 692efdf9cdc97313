//! [`Redirects`] joins redirects with the answers to their targets, which come before or after them in an archive.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use super::answer::{Answer, Arrived, Pending, Undecided, first, report, size};
use crate::key::CacheKey;
use crate::machine::retrieval::{Next, Response, Retrieval};
use crate::settings::Settings;

/// A redirect and its target belong together if at most this time is between them: the time for which RFC 9309 lets
/// crawlers use a file without asking again (2.4).
const TOGETHER: Duration = Duration::from_secs(24 * 60 * 60);

/// The maximum number of redirects that wait for their target, and of answers that are kept for redirects after them.
const WAITING: usize = 4096;

/// The maximum number of octets of the redirects that wait, and of the answers that are kept.
const KEPT: usize = 8 << 20;

#[derive(Default)]
pub(super) struct Redirects {
    /// Redirects whose target has not been read yet, by their number. The first has the number `first`.
    waiting: VecDeque<Option<Waiting>>,
    first: usize,
    /// The number of octets of the redirects that wait.
    octets: usize,
    /// The numbers of the redirects that wait for a URL.
    wanted: HashMap<String, VecDeque<usize>>,
    recent: Recent,
    /// Responses that wait for nothing.
    pub(super) ready: VecDeque<Undecided>,
}

/// A redirect whose target has not been read yet.
struct Waiting {
    answer: Answer,
    retrieval: Box<Retrieval>,
    target: String,
    octets: usize,
}

impl Redirects {
    /// Returns whether redirects wait for any URL.
    pub(super) fn are_waiting(&self) -> bool {
        !self.wanted.is_empty()
    }

    /// Returns whether redirects wait for a URL in normal form.
    pub(super) fn want(&self, url: &str) -> bool {
        self.wanted.contains_key(url)
    }

    /// Gives an answer to the redirects that wait for its URL, if its date is near theirs. The others continue to wait.
    pub(super) fn join(&mut self, url: &str, date: Duration, arrived: &Arc<Arrived>) {
        let Some(numbers) = self.wanted.get_mut(url) else { return };
        let (mut joined, first) = (Vec::new(), self.first);
        numbers.retain(|number| {
            let waiting = number.checked_sub(first).and_then(|at| self.waiting.get_mut(at));
            let Some(waiting) = waiting else { return false };
            joined.extend(waiting.take_if(|waiting| is_near(waiting.answer.date, date)));
            waiting.is_some()
        });
        if numbers.is_empty() {
            self.wanted.remove(url);
        }
        for Waiting { answer, retrieval, octets, .. } in joined {
            self.octets -= octets;
            self.follow(answer, retrieval, date, Arc::clone(arrived));
        }
    }

    /// Takes what came for a robots.txt, and keeps it for the redirects after it.
    pub(super) fn answered(
        &mut self,
        answer: Answer,
        key: CacheKey,
        settings: &Arc<Settings>,
        arrived: Arc<Arrived>,
    ) {
        self.recent.keep(&key, answer.date, &arrived);
        if is_redirect(&arrived) {
            let date = answer.date;
            self.follow(answer, first(&key, settings), date, arrived);
        } else {
            self.push(answer, Pending::First(key, Arc::clone(settings), arrived));
        }
    }

    /// Follows the redirects of an answer to records that were read before. If the next target was not, the answer waits.
    fn follow(
        &mut self,
        answer: Answer,
        mut retrieval: Box<Retrieval>,
        mut date: Duration,
        mut arrived: Arc<Arrived>,
    ) {
        while is_redirect(&arrived) {
            report(&mut retrieval, Arc::unwrap_or_clone(arrived), date);
            let Next::Request(request) = retrieval.step(answer.date) else {
                return self.push(answer, Pending::Redirected(retrieval, None));
            };
            let target = request.url().as_str();
            let Some((at, next)) = self.recent.get(target, answer.date) else {
                return self.wait(answer, retrieval, target.to_owned());
            };
            (date, arrived) = (at, next);
        }
        self.push(answer, Pending::Redirected(retrieval, Some((date, arrived))));
    }

    fn wait(&mut self, answer: Answer, retrieval: Box<Retrieval>, target: String) {
        let number = self.first + self.waiting.len();
        self.wanted.entry(target.clone()).or_default().push_back(number);
        // The retrieval, the map and the list have the target.
        let octets = size_of::<Waiting>()
            + size(&retrieval)
            + answer.head.len()
            + answer.url.len()
            + 3 * target.len();
        self.octets += octets;
        self.waiting.push_back(Some(Waiting { answer, retrieval, target, octets }));
        self.give_up(WAITING);
    }

    fn push(&mut self, answer: Answer, pending: Pending) {
        self.ready.push_back(Undecided::new(answer, pending));
    }

    /// Gives up the oldest redirects, until at most this number waits, and they are not too long.
    pub(super) fn give_up(&mut self, most: usize) {
        while self.waiting.len() > most || self.octets > KEPT {
            let Some(oldest) = self.waiting.pop_front() else { break };
            self.first += 1;
            let Some(Waiting { answer, retrieval, target, octets }) = oldest else { continue };
            self.octets -= octets;
            if let Entry::Occupied(mut numbers) = self.wanted.entry(target) {
                // The oldest redirect waits longest for its target.
                numbers.get_mut().pop_front();
                if numbers.get().is_empty() {
                    numbers.remove();
                }
            }
            self.push(answer, Pending::Redirected(retrieval, None));
        }
    }
}

/// Answers that may be the target of a later redirect.
#[derive(Default)]
struct Recent {
    answers: HashMap<CacheKey, (Duration, Arc<Arrived>)>,
    order: VecDeque<(CacheKey, Duration, usize)>,
    octets: usize,
}

impl Recent {
    fn keep(&mut self, key: &CacheKey, date: Duration, arrived: &Arc<Arrived>) {
        let size = arrived.as_ref().as_ref().map_or(0, Response::size) + key.as_str().len();
        self.order.push_back((key.clone(), date, size));
        self.octets += size;
        self.answers.insert(key.clone(), (date, Arc::clone(arrived)));
        while self.order.len() > WAITING || self.octets > KEPT {
            let Some((key, date, size)) = self.order.pop_front() else { break };
            self.octets -= size;
            // A newer answer of the same URL stays.
            if self.answers.get(&key).is_some_and(|(kept, _)| *kept == date) {
                self.answers.remove(&key);
            }
        }
    }

    fn get(&self, url: &str, date: Duration) -> Option<(Duration, Arc<Arrived>)> {
        // A URL in normal form that is a key and this path is the URL of the key's robots.txt.
        let kept = self.answers.get(url.strip_suffix("/robots.txt")?);
        kept.filter(|(kept, _)| is_near(*kept, date)).cloned()
    }
}

fn is_redirect(arrived: &Arrived) -> bool {
    arrived.as_ref().is_ok_and(|response| response.status() / 100 == 3)
}

fn is_near(date: Duration, other: Duration) -> bool {
    date.abs_diff(other) <= TOGETHER
}
