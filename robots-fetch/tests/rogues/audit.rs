//! Audits the access logs of the test server with `robots-audit`, and compares each class with the judge's lists.
//!
//! The audit sees only what an ordinary log has: no header except `User-Agent`, no `Location`, and no body. It must not
//! call any crawler disobeying because of a page that the edition allows, and it must not call the fetch of a forbidden
//! page obeyed. A crawler without a fault disobeys nothing. `ROBOTS_AUDITED` has a line for each further crawler: its product token and its command.

use std::collections::{BTreeMap, HashSet};
use std::env;
use std::time::Duration;

use robots_audit::{Agents, Audit, Class, History, Reason, Request};
use robots_conformance_live::{self as live, Case, CrawlRecord, CrawlerCommand, Page, Task};
use robots_fetch::robots_core::{Crawler, Edition};
use robots_test_web::{Body, LogEntry, Part, Responses};

use crate::rogue::Rogue;
use crate::{asked, crawl, settings};

/// The crawlers of a short run; `None` has no fault. `ROBOTS_ROGUES=all` runs every rogue.
const FEW: [Option<Rogue>; 2] = [None, Some(Rogue::IgnoresRobots)];

const EDITION: Edition = Edition::Rfc9309;

/// The number of pages of each class.
type Counts = BTreeMap<Class, usize>;

#[test]
fn audits_agree_with_the_judge() {
    let is_all = env::var_os("ROBOTS_ROGUES").is_some_and(|value| value == "all");
    let rogues = Rogue::ALL.iter().copied().map(Some).filter(|_| is_all);
    let mut problems = Vec::new();
    for rogue in FEW.into_iter().chain(rogues.filter(|rogue| !FEW.contains(rogue))) {
        let crawler = move |task: &Task<'_>| crawl(task, rogue);
        let records = live::run_all(&asked(EDITION), &crawler, &settings(EDITION));
        let counts = audit_all(&format!("{rogue:?}"), "examplebot", records, &mut problems);
        println!("{rogue:?}: {counts:?}");
        let count = |class| counts.get(&class).copied().unwrap_or_default();
        match rogue {
            // The audit of a crawler without a fault decides about most pages.
            None => {
                assert_eq!(count(Class::Disobeyed), 0);
                assert!(count(Class::Obeyed) > 500, "{counts:?}");
            }
            Some(Rogue::IgnoresRobots) => assert!(count(Class::Disobeyed) > 100, "{counts:?}"),
            _ => {}
        }
    }
    assert!(problems.is_empty(), "{} problems\n{}", problems.len(), problems.join("\n"));
}

#[test]
fn audits_of_further_crawlers_agree_with_the_judge() {
    let crawlers = env::var("ROBOTS_AUDITED").unwrap_or_default();
    let mut problems = Vec::new();
    for line in crawlers.lines() {
        let (token, command) = line.split_once(' ').expect("a token and a command");
        let mut settings = settings(EDITION);
        (settings.agent, settings.jobs) = (token.to_owned(), 4);
        let crawler = CrawlerCommand::new(command).unwrap();
        let records = live::run_all(&asked(EDITION), &crawler, &settings);
        let counts = audit_all(token, token, records, &mut problems);
        println!("{token}: {counts:?}");
        assert!(counts.values().sum::<usize>() > 100, "{token} fetched few pages: {counts:?}");
    }
    assert!(problems.is_empty(), "{} problems\n{}", problems.len(), problems.join("\n"));
}

/// Audits the records of a crawler, in the order of the cases.
fn audit_all(
    name: &str,
    token: &str,
    records: Vec<Result<CrawlRecord, live::NotRun>>,
    problems: &mut Vec<String>,
) -> Counts {
    let mut counts = Counts::new();
    for (case, record) in asked(EDITION).iter().zip(records) {
        let Ok(record) = record else { continue };
        let expected = &case.expect[&EDITION].conforming;
        // A page under `either` may be disallowed: some cases do not test its rule, and some editions do not decide.
        let [wrong, fine] = [&expected.not_fetched, &expected.fetched]
            .map(|list| list.iter().map(known).collect::<HashSet<_>>());
        for (page, class, reason) in audit(case, token, &record) {
            *counts.entry(class).or_default() += 1;
            let is_wrong = match class {
                // The start page is given to the crawler, so it may fetch it in any case.
                Class::Disobeyed => fine.contains(&page) || page == known(&record.start),
                Class::Obeyed | Class::NotYetKnown => wrong.contains(&page),
                _ => false,
            };
            if is_wrong {
                let class = class.id();
                problems.push(format!("{name}, {}: {page:?} is {class}, {reason:?}", case.id));
            }
        }
    }
    counts
}

fn known(page: &Page) -> (String, String) {
    (page.origin.clone(), robots_test_web::normalize(&page.target))
}

/// Returns the pages that the audit judges, with their classes.
fn audit(case: &Case, token: &str, record: &CrawlRecord) -> Vec<((String, String), Class, Reason)> {
    let sites = live::served(case, token, &record.start);
    let mut history = History::default();
    for (name, origin) in &sites.0 {
        let url = &record.origins[name];
        // A file that changes with each request is no file of one time, so it is left out.
        let file = match origin.robots.as_ref() {
            None => Some(None),
            Some(Responses(answers)) => match &answers[..] {
                // An answer such as 404 may have rules in its body, but it is no file.
                [one] if one.status.is_some_and(|status| status >= 400) => Some(None),
                [one] => one.body.as_ref().map(|body| Some(octets(body, record))),
                _ => None,
            },
        };
        if let Some(file) = file {
            // An ftp URL is refused, and no line of such an origin is audited.
            history.add(Some(url), Duration::ZERO, file);
        }
    }
    let mut agents = Agents::default();
    agents.add(Crawler::new([token]).unwrap());
    let mut audit = Audit::new(EDITION, history, agents);
    let judged = record.log.iter().filter_map(|entry| {
        let (scheme, host) = record.origins[&entry.origin].split_once("://")?;
        let status = status(entry);
        let (class, reason) = audit.request(&Request {
            time: Duration::from_secs(1_000_000_000) + Duration::from_micros(entry.at),
            scheme: Some(scheme),
            host: Some(host),
            method: entry.method.as_bytes(),
            target: entry.target.as_bytes(),
            status: status.unwrap_or_default(),
            user_agent: entry.header("user-agent").unwrap_or_default().as_bytes(),
            is_aborted: status.is_none(),
            ..Request::default()
        })?;
        let page = (entry.origin.clone(), robots_test_web::normalize(&entry.target));
        (scheme != "ftp").then_some((page, class, reason))
    });
    judged.collect()
}

/// Returns the status of an answer without a fault.
fn status(entry: &LogEntry) -> Option<u16> {
    entry.answer.as_ref()?.what.strip_prefix("answered ")?.parse().ok()
}

/// Returns the octets of a body, in which `{name}` is the origin with this name.
fn octets(body: &Body, record: &CrawlRecord) -> Vec<u8> {
    let text = |text: &str| {
        let names = record.origins.iter();
        names.fold(text.to_owned(), |text, (name, url)| text.replace(&format!("{{{name}}}"), url))
    };
    let escaped = |it: &str| robots_spec_cases::unescape(&text(it)).unwrap();
    match body {
        Body::Text(it) => text(it).into_bytes(),
        Body::Escaped(it) => escaped(it),
        Body::Parts(parts) => {
            let octets = |Part { text: it, escaped: codes, times, .. }: &Part| {
                let it = it.as_deref().map(|it| text(it).into_bytes());
                it.or_else(|| codes.as_deref().map(escaped)).unwrap_or_default().repeat(*times)
            };
            parts.iter().flat_map(octets).collect()
        }
        // A page of HTML has no rule, and neither has any other body.
        _ => Vec::new(),
    }
}
