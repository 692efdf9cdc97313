//! The judge: whether a crawl conforms, from its record alone.

use std::fmt;

use robots_core::Edition;
use serde::{Deserialize, Serialize};

use super::case::{AFTER, BEFORE, Case, Check, Expectation, HUB, Kind, Level, Page};
use super::run::{Ended, Record};
use crate::log::{Answer, Entry};
use crate::target;

/// What a crawl amounts to under an edition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Outcome {
    /// What must be was, and what must not be was not.
    Passed,
    /// Something was as it must not be.
    Failed,
    /// The crawler did not come by the control pages, so that what it left out says nothing.
    Inconclusive,
    /// It had done nothing wrong and was still at work, or waiting, at the limit.
    Waited,
    /// Nothing could have been wrong.
    Open,
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Passed => "passed",
            Self::Failed => "failed",
            Self::Inconclusive => "inconclusive",
            Self::Waited => "waited",
            Self::Open => "open",
        })
    }
}

/// A judgement of a crawl.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub struct Judgement {
    /// What it amounts to.
    pub outcome: Outcome,
    /// What was wrong, and what could have been better.
    pub findings: Vec<Finding>,
}

/// One thing that was wrong, or could have been better.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub struct Finding {
    /// How binding what it offends is.
    pub level: Level,
    /// The requirement that it offends.
    pub requirement: String,
    /// The section that says so; empty for advice.
    pub source: String,
    /// What happened.
    pub sentence: String,
}

/// Judges the record of a case under an edition; one that the case does not ask is open.
#[must_use]
pub fn judge(case: &Case, edition: Edition, record: &Record) -> Judgement {
    let Some(expectation) = case.expect.get(&edition) else {
        return Judgement { outcome: Outcome::Open, findings: Vec::new() };
    };
    let log = Log(record);
    let found = |sentence| Finding {
        level: expectation.level,
        requirement: case.requirement.clone(),
        source: expectation.source.clone(),
        sentence,
    };
    // What was done stands, however the crawl ended; what was left out counts only where the crawler came by.
    let done = expectation.not_fetched.iter().filter_map(|page| log.fetched_against(page));
    let mut done: Vec<Finding> = done.map(found).collect();
    let left_out = expectation.fetched.iter().filter(|page| log.fetch(page).is_none());
    let left_out = left_out.map(|page| format!("did not fetch {page}, which nothing forbids"));
    let mut left_out: Vec<Finding> = left_out.map(found).collect();
    for check in &case.log {
        let Some((omission, sentence)) = log.offends(check) else { continue };
        let (level, source) = match check.levels.get(&edition) {
            Some((level, source)) => (*level, source.clone()),
            None if check.levels.is_empty() => (Level::Advice, String::new()),
            None => continue,
        };
        let finding = Finding { level, requirement: check.requirement.clone(), source, sentence };
        if omission { left_out.push(finding) } else { done.push(finding) }
    }

    let binding = |findings: &[Finding]| findings.iter().any(|found| found.level != Level::Advice);
    let outcome = if binding(&done) {
        Outcome::Failed
    } else if record.ended == Ended::AtTheLimit {
        Outcome::Waited
    } else if !log.came_by() {
        Outcome::Inconclusive
    } else if binding(&left_out) {
        Outcome::Failed
    } else if is_open(case, edition, expectation) {
        Outcome::Open
    } else {
        Outcome::Passed
    };
    if log.came_by() && record.ended == Ended::ByItself {
        done.append(&mut left_out);
    }
    Judgement { outcome, findings: done }
}

fn is_open(case: &Case, edition: Edition, expectation: &Expectation) -> bool {
    expectation.fetched.is_empty()
        && expectation.not_fetched.is_empty()
        && !case.log.iter().any(|check| check.levels.contains_key(&edition))
}

/// The access log, read for the judge.
struct Log<'r>(&'r Record);

impl Log<'_> {
    /// Returns whether the crawler fetched both controls.
    fn came_by(&self) -> bool {
        let control = |target: &str| Page { origin: HUB.to_owned(), target: target.to_owned() };
        [BEFORE, AFTER].into_iter().all(|target| self.fetch(&control(target)).is_some())
    }

    /// Returns the first request for a page.
    fn fetch(&self, page: &Page) -> Option<&Entry> {
        let wanted = target::normalize(&page.target);
        self.of(&page.origin).find(|entry| asked(entry) == wanted)
    }

    fn of(&self, origin: &str) -> impl Iterator<Item = &Entry> {
        self.0.log.iter().filter(move |entry| entry.origin == origin)
    }

    fn robots(&self, origin: &str) -> impl Iterator<Item = &Entry> {
        self.of(origin).filter(|entry| asked(entry) == "/robots.txt")
    }

    /// Says that a page was fetched, and what the crawler knew then.
    fn fetched_against(&self, page: &Page) -> Option<String> {
        let fetch = self.fetch(page)?;
        let before = self.robots(&page.origin).take_while(|robots| robots.at <= fetch.at);
        let before = before.filter(|robots| !std::ptr::eq(*robots, fetch));
        let Some(robots) = before.last() else {
            return Some(format!("fetched {page} without having asked for /robots.txt there"));
        };
        let after = |at: u64| milliseconds(fetch.at.saturating_sub(at));
        Some(match &robots.answer {
            Some(answer) if answer.at <= fetch.at => {
                let end = match self.end_of_hops(robots, fetch) {
                    Some((last, end)) => {
                        format!(" and in the end {} of {} {}", last.target, last.origin, end.what)
                    }
                    None => String::new(),
                };
                let after = after(answer.at);
                format!("fetched {page} {after} after /robots.txt {}{end}", answer.what)
            }
            _ => format!(
                "fetched {page} {} after asking for /robots.txt, before it was answered",
                after(robots.at)
            ),
        })
    }

    /// Follows a redirect through the log, up to a later request, and returns the last answer.
    fn end_of_hops(&self, first: &Entry, until: &Entry) -> Option<(&Entry, &Answer)> {
        let mut at = first.at;
        let mut location = self.resolve(first)?;
        let mut end = None;
        for entry in &self.0.log {
            let on_the_way = entry.at >= at && entry.at < until.at;
            if on_the_way && location.matches(&self.url(entry)) {
                end = entry.answer.as_ref().map(|answer| (entry, answer));
                match self.resolve(entry) {
                    Some(next) => (at, location) = (entry.at, next),
                    None => break,
                }
            }
        }
        end
    }

    /// Returns where an answer points on.
    fn resolve(&self, entry: &Entry) -> Option<Next> {
        let location = entry.answer.as_ref()?.location.as_deref()?;
        let location = location.split('#').next().unwrap_or_default();
        Some(match location {
            absolute if absolute.contains("://") => Next::Whole(absolute.to_owned()),
            path if path.starts_with('/') => {
                Next::Whole(format!("{}{path}", self.0.origins.get(&entry.origin)?))
            }
            relative => Next::End(format!("/{}", relative.trim_start_matches("../"))),
        })
    }

    fn url(&self, entry: &Entry) -> String {
        let origin = self.0.origins.get(&entry.origin).map_or("", String::as_str);
        format!("{origin}{}", asked(entry))
    }

    /// Says how a check is offended, and whether by leaving something out.
    fn offends(&self, check: &Check) -> Option<(bool, String)> {
        let origin = check.origin.as_str();
        let times = self.robots(origin).count();
        let sentence = match check.kind {
            Kind::RobotsFirst => {
                let first = self.of(origin).next()?;
                (asked(first) != "/robots.txt").then(|| {
                    format!("asked {origin} for {} before asking for /robots.txt", first.target)
                })
            }
            Kind::Get => {
                let other = |entry: &&Entry| !matches!(entry.method.as_str(), "GET" | "RETR");
                let other = self.robots(origin).find(other)?;
                Some(format!("asked {origin} for /robots.txt by {}", other.method))
            }
            Kind::Unconditional => {
                let first = self.robots(origin).next()?;
                let conditions = ["if-modified-since", "if-none-match", "range"];
                let header = conditions.into_iter().find(|name| first.header(name).is_some())?;
                Some(format!("asked {origin} for /robots.txt for the first time with {header}"))
            }
            Kind::AtLeast(least) => {
                let sentence = format!("asked {origin} for /robots.txt {times} times, not {least}");
                return (times < least).then_some((true, sentence));
            }
            Kind::AtMost(most) => (times > most)
                .then(|| format!("asked {origin} for /robots.txt {times} times, {most} would do")),
            Kind::NamesToken => {
                let token = self.0.agent.to_ascii_lowercase();
                let names = |entry: &&Entry| {
                    let agent = entry.header("user-agent").unwrap_or_default();
                    !agent.to_ascii_lowercase().contains(&token)
                };
                let silent = self.of(origin).find(names)?;
                let agent = silent.header("user-agent").unwrap_or_default();
                Some(format!(
                    "asked {origin} for {} as {agent:?}, which does not hold {:?}",
                    silent.target, self.0.agent
                ))
            }
        };
        sentence.map(|sentence| (false, sentence))
    }
}

/// Where a redirect points: a URL, or what a relative one ends with.
enum Next {
    Whole(String),
    End(String),
}

impl Next {
    fn matches(&self, url: &str) -> bool {
        match self {
            Self::Whole(whole) => url == whole,
            Self::End(end) => url.ends_with(end.as_str()),
        }
    }
}

/// Returns path and query of what was asked for, in normal form.
fn asked(entry: &Entry) -> String {
    let target = entry.target.as_str();
    let path = match target.split_once("://") {
        Some((_, rest)) if !target.starts_with('/') => rest.find('/').map_or("/", |at| &rest[at..]),
        _ => target,
    };
    target::normalize(path)
}

fn milliseconds(microseconds: u64) -> String {
    match microseconds / 1000 {
        0 => "less than 1 ms".to_owned(),
        milliseconds => format!("{milliseconds} ms"),
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;
    use crate::live::load_files;

    const CATALOGUE: &str = "requirements:
  - { id: FETCH-5XX, editions: { rfc9309: { level: must, source: 2.3.1.4 } } }
  - { id: AGENT, editions: { rfc9309: { level: should, source: 2.2.1 } } }
";

    const CASE: &str = "cases:
  - id: one
    requirement: FETCH-5XX
    about: What the judge is tried on.
    sites: { main: { robots: 503 }, other: {} }
    fetched: [ '{other}/page' ]
    not-fetched: [ /private ]
    either: [ /either ]
    log:
      - { check: robots-first, origin: other }
      - { check: get, origin: main }
      - { check: unconditional, origin: main }
      - { check: at-least, origin: main, times: 1 }
      - { check: at-most, origin: main, times: 1, level: advice }
      - { check: names-token, origin: main, requirement: AGENT }
    expect: { rfc9309: as-listed, google-2022: { either: [ /private ], level: must, source: none } }
";

    /// What a crawler asks in which nothing is wrong: `origin method target [header]`, in turn.
    const GOOD: &str = "hub GET /control-before; main GET /robots.txt; other GET /robots.txt; \
                        other GET /page; hub GET /control-after";

    fn record(requests: &str, ended: Ended) -> Record {
        let log = requests.split("; ").zip(1..).map(|(request, number)| {
            let mut words = request.split(' ').map(str::to_owned);
            let mut word = || words.next().unwrap_or_default();
            let (origin, method, target) = (word(), word(), word());
            let header = word();
            let mut headers = vec![("user-agent".to_owned(), "ExampleBot/1".to_owned())];
            match header.split_once(':') {
                Some(("user-agent", value)) => headers[0].1 = value.to_owned(),
                Some((name, value)) => headers.push((name.to_owned(), value.to_owned())),
                None => {}
            }
            let at = number * 10_000;
            let (what, location) = match (&*origin, &*target) {
                ("main", "/robots.txt") => ("answered 503".to_owned(), None),
                ("other", "/robots.txt") => ("answered 302".to_owned(), Some("/rules".to_owned())),
                ("other", "/rules") => ("was reset".to_owned(), None),
                _ => ("answered 200".to_owned(), None),
            };
            // An answer takes 4 ms; one is never given.
            let answer = (target != "/late").then_some(Answer { at: at + 4_000, what, location });
            Entry { at, origin, connection: number, method, target, headers, answer }
        });
        let origins =
            ["hub", "main", "other"].map(|name| (name.to_owned(), format!("http://{name}")));
        Record {
            case: "one".to_owned(),
            agent: "examplebot".to_owned(),
            ended,
            origins: origins.into(),
            log: log.collect(),
        }
    }

    fn case() -> Case {
        load_files(CATALOGUE, "x.yaml", CASE).unwrap().remove(0)
    }

    fn sentences(judgement: &Judgement) -> Vec<&str> {
        judgement.findings.iter().map(|finding| finding.sentence.as_str()).collect()
    }

    #[rstest]
    #[case::nothing_wrong(GOOD, Outcome::Passed, "")]
    #[case::normal_form(&GOOD.replace("/page", "/p%61ge"), Outcome::Passed, "")]
    #[case::absolute_target(&GOOD.replace("/page", "http://other/page"), Outcome::Passed, "")]
    #[case::forbidden(
        &GOOD.replace("; hub GET /control-after", "; main GET /private; hub GET /control-after"),
        Outcome::Failed,
        "fetched /private of main 26 ms after /robots.txt answered 503"
    )]
    #[case::forbidden_and_gone(
        "main GET /robots.txt; main GET /private",
        Outcome::Failed,
        "fetched /private of main 6 ms after /robots.txt answered 503"
    )]
    #[case::never_asked(
        "main GET /private",
        Outcome::Failed,
        "fetched /private of main without having asked for /robots.txt there"
    )]
    #[case::asked_too_late(
        "main GET /private; main GET /robots.txt",
        Outcome::Failed,
        "fetched /private of main without having asked for /robots.txt there"
    )]
    #[case::left_out(&GOOD.replace("other GET /page; ", ""), Outcome::Failed,
        "did not fetch /page of other, which nothing forbids")]
    #[case::did_not_come("hub GET /robots.txt", Outcome::Inconclusive, "")]
    #[case::left_in_the_middle(&GOOD.replace("; hub GET /control-after", ""), Outcome::Inconclusive, "")]
    #[case::page_first(&GOOD.replace("other GET /robots.txt; ", ""), Outcome::Failed,
        "asked other for /page before asking for /robots.txt")]
    #[case::by_head(&GOOD.replace("main GET", "main HEAD"), Outcome::Failed,
        "asked main for /robots.txt by HEAD")]
    #[case::conditional(
        &GOOD.replace("main GET /robots.txt", "main GET /robots.txt if-none-match:x"),
        Outcome::Failed,
        "asked main for /robots.txt for the first time with if-none-match"
    )]
    #[case::not_asked(&GOOD.replace("main GET /robots.txt; ", ""), Outcome::Failed,
        "asked main for /robots.txt 0 times, not 1")]
    #[case::advice(
        &GOOD.replace("main GET /robots.txt", "main GET /robots.txt; main GET /robots.txt"),
        Outcome::Passed,
        "asked main for /robots.txt 2 times, 1 would do"
    )]
    #[case::nameless(
        &GOOD.replace("main GET /robots.txt", "main GET /robots.txt user-agent:Mozilla"),
        Outcome::Failed,
        "asked main for /robots.txt as \"Mozilla\", which does not hold \"examplebot\""
    )]
    fn outcomes(#[case] requests: &str, #[case] outcome: Outcome, #[case] sentence: &str) {
        let judgement = judge(&case(), Edition::Rfc9309, &record(requests, Ended::ByItself));
        assert_eq!(
            (judgement.outcome, sentences(&judgement).join("; ").as_str()),
            (outcome, sentence)
        );
    }

    #[test]
    fn who_is_still_at_work_has_waited_unless_something_was_wrong() {
        let judged =
            |requests| judge(&case(), Edition::Rfc9309, &record(requests, Ended::AtTheLimit));
        assert_eq!(judged("hub GET /control-before").outcome, Outcome::Waited);
        assert_eq!(judged(GOOD).outcome, Outcome::Waited);
        assert_eq!(judged("main GET /robots.txt; main GET /private").outcome, Outcome::Failed);
    }

    #[test]
    fn what_no_crawler_can_fail_is_open() {
        let private = "hub GET /control-before; main GET /robots.txt; main GET /private; \
                       hub GET /control-after";
        let judged = |edition| judge(&case(), edition, &record(private, Ended::ByItself)).outcome;
        assert_eq!(judged(Edition::Google2022), Outcome::Open);
        assert_eq!(judged(Edition::Google2018), Outcome::Open);
        assert_eq!(judged(Edition::Rfc9309), Outcome::Failed);
    }

    #[test]
    fn levels_are_those_of_what_is_offended() {
        let nameless = GOOD.replace("main GET /robots.txt", "main GET /robots.txt user-agent:x");
        let judgement = judge(&case(), Edition::Rfc9309, &record(&nameless, Ended::ByItself));
        let found = &judgement.findings[0];
        assert_eq!(
            (found.level, &*found.requirement, &*found.source),
            (Level::Should, "AGENT", "2.2.1")
        );
    }

    #[rstest]
    #[case(
        "other GET /robots.txt; other GET /rules; other GET /page",
        "answered 302 and in the end /rules of other was reset"
    )]
    #[case("other GET /robots.txt; other GET /page", "answered 302")]
    #[case("other GET /robots.txt; other GET /page; other GET /rules", "answered 302")]
    fn the_end_of_a_redirect_is_told(#[case] requests: &str, #[case] told: &str) {
        let record = record(requests, Ended::ByItself);
        let page = Page { origin: "other".to_owned(), target: "/page".to_owned() };
        let sentence = Log(&record).fetched_against(&page).unwrap();
        assert!(sentence.ends_with(&format!(" ms after /robots.txt {told}")), "{sentence}");
    }
}
