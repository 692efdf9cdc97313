//! Runs the cases of `spec-cases/audit`: each has a log of a few lines, the files over time, and the class of each
//! request. `spec-cases/README.md` explains the keys.

use std::collections::{BTreeMap, HashSet};
use std::net::IpAddr;
use std::time::Duration;

use robots_audit::robots_core::{Crawler, Edition};
use robots_audit::{Agents, Audit, CrawlerReport, History, Ranges, Report, Request};
use serde::Deserialize;

/// The time that the cases call 0: the first moment of 2026.
const START: i64 = 1_767_225_600;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    cases: Vec<Case>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Case {
    id: String,
    about: String,
    #[serde(default)]
    edition: Option<String>,
    #[serde(default)]
    source: Option<String>,
    #[serde(default)]
    says: Option<String>,
    #[serde(default)]
    robots: Option<String>,
    #[serde(default)]
    history: Vec<Version>,
    #[serde(default)]
    crawlers: Vec<String>,
    #[serde(default)]
    without_global: Vec<String>,
    max_age: Option<String>,
    #[serde(default)]
    ranges: BTreeMap<String, Vec<String>>,
    log: Vec<Entry>,
    #[serde(default)]
    rows: Vec<BTreeMap<String, serde_yaml::Value>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Version {
    from: String,
    /// The end of the period in which the file changed; `from` is then its beginning.
    until: Option<String>,
    robots: Option<String>,
    site: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    at: String,
    get: Option<String>,
    head: Option<String>,
    post: Option<String>,
    status: Option<u16>,
    by: Option<String>,
    address: Option<IpAddr>,
    site: Option<String>,
    octets: Option<u64>,
    #[serde(default)]
    aborted: bool,
    #[serde(default)]
    decoded: bool,
    class: Option<String>,
    because: Option<String>,
    line: Option<u32>,
}

impl Entry {
    fn request(&self) -> Request<'_> {
        let targets = [("GET", &self.get), ("HEAD", &self.head), ("POST", &self.post)];
        let found = targets.into_iter().find_map(|(method, it)| Some((method, it.as_deref()?)));
        let (method, target) = found.expect("a line has one of get, head and post");
        let site = self.site.as_deref().map(|site| match site.split_once("://") {
            Some((scheme, host)) => (Some(scheme), Some(host)),
            None => (None, Some(site)),
        });
        let (scheme, host) = site.unwrap_or_default();
        Request {
            time: time(&self.at),
            scheme,
            host,
            method: method.as_bytes(),
            target: target.as_bytes(),
            decoded: if self.decoded { target.find('?').unwrap_or(target.len()) } else { 0 },
            status: self.status.unwrap_or(200),
            octets: self.octets,
            user_agent: self.by.as_deref().unwrap_or("examplebot/1.0").as_bytes(),
            address: self.address,
            is_aborted: self.aborted,
        }
    }

    /// Returns the expected class, reason and line.
    fn expected(&self) -> Option<String> {
        let class = self.class.as_deref()?;
        Some(format!("{class}, {}, {:?}", self.because.as_deref().unwrap_or("?"), self.line))
    }
}

/// Reads a time such as `1d2h` or `-30m`, from [`START`].
fn time(text: &str) -> Duration {
    let (sign, mut rest) = text.strip_prefix('-').map_or((1, text), |rest| (-1, rest));
    let mut seconds = START;
    while let Some(at) = rest.find(|it: char| it.is_ascii_alphabetic()) {
        let unit = match rest.as_bytes()[at] {
            b'd' => 86_400,
            b'h' => 3_600,
            b'm' => 60,
            b's' => 1,
            _ => panic!("{text:?} is not a time; write 1d2h3m4s"),
        };
        seconds += sign * unit * rest[..at].parse::<i64>().unwrap();
        rest = &rest[at + 1..];
    }
    assert!(rest.is_empty() || rest == "0", "{text:?} is not a time; write 1d2h3m4s");
    Duration::from_secs(seconds.unsigned_abs())
}

fn audit(case: &Case) -> Report {
    let (mut history, mut agents) = (History::default(), Agents::default());
    let octets = |robots: &Option<String>| robots.as_ref().map(|it| it.clone().into_bytes());
    if let Some(robots) = octets(&case.robots) {
        history = History::one(robots);
    }
    for version in &case.history {
        let (site, file) = (version.site.as_deref(), octets(&version.robots));
        let until = version.until.as_ref().unwrap_or(&version.from);
        let added = history.add_between(site, time(&version.from), time(until), file);
        assert!(added, "{}: {:?} is not an origin", case.id, version.site);
    }
    let files = case.robots.iter().chain(case.history.iter().filter_map(|it| it.robots.as_ref()));
    for file in files {
        agents.add_file(file.as_bytes());
    }
    for crawler in &case.crawlers {
        agents.add(crawler.parse::<Crawler>().unwrap());
    }
    for crawler in &case.without_global {
        agents.add(crawler.parse::<Crawler>().unwrap().without_global());
    }
    let mut ranges = Ranges::default();
    for (token, prefixes) in &case.ranges {
        let key = |it: &&String| if it.contains(':') { "ipv6Prefix" } else { "ipv4Prefix" };
        let prefixes = prefixes.iter().map(|it| format!("{{{:?}: {it:?}}}", key(&it)));
        let json = format!("{{\"prefixes\": [{}]}}", prefixes.collect::<Vec<_>>().join(","));
        ranges.add(token, json.as_bytes()).unwrap();
    }
    let edition = case.edition.as_deref().map_or(Edition::Rfc9309, |it| it.parse().unwrap());
    let max_age =
        case.max_age.as_deref().map(|it| time(it).saturating_sub(time("0"))).unwrap_or_default();
    let mut audit = Audit::new(edition, history, agents).with_ranges(ranges).with_max_age(max_age);
    for line in &case.log {
        audit.request(&line.request());
    }
    audit.finish()
}

/// Returns the class, the reason and the line that the report has for a request.
fn found(report: &Report, request: &Request<'_>) -> Option<String> {
    let causes = report.crawlers.iter().flat_map(|crawler| &crawler.causes);
    let mut found = causes.filter(|cause| {
        let is_it = |(time, target): (Duration, &str)| {
            time == request.time && target.as_bytes() == request.target
        };
        cause.examples.iter().any(|example| is_it((example.time, &example.target)))
    });
    let cause = found.next()?;
    assert!(found.next().is_none(), "a request has two classes: {request:?}");
    let reason = serde_json::to_value(cause.reason).unwrap();
    let line = cause.rule.as_ref().map(|rule| rule.line);
    Some(format!("{}, {}, {line:?}", cause.class.id(), reason.as_str().unwrap()))
}

/// Returns a number or a text of a row of the report.
fn value(row: &CrawlerReport, key: &str) -> serde_yaml::Value {
    let seconds = |time: Option<Duration>| time.map(|time| time.as_secs_f64());
    let address = |id: &str| {
        row.addresses.iter().filter(|(it, _)| it.id() == id).map(|(_, count)| count).sum::<u64>()
    };
    let count = match key {
        "token" => return row.token.clone().into(),
        "is-for-a-person" => return row.is_for_a_person.into(),
        "is-contradicted" => return row.is_contradicted.into(),
        "lowest" => {
            return seconds(row.distance.map(|it| it.lowest)).into_iter().sum::<f64>().into();
        }
        "median" => {
            return seconds(row.distance.map(|it| it.median)).into_iter().sum::<f64>().into();
        }
        "crawl-delay" => return seconds(row.crawl_delay).into_iter().sum::<f64>().into(),
        "requests" => row.requests,
        "robots-txt-requests" => row.robots_txt_requests,
        "robots-txt-reads" => row.robots_txt_reads,
        "forbidden" => row.forbidden,
        "while-failing" => row.while_failing,
        "days" => row.days.len() as u64,
        "confirmed" | "claimed" | "contradicted" => address(key),
        _ => panic!("{key} is no key of a row"),
    };
    count.into()
}

/// Checks that a document has the sentence that decides a case.
fn check_sentence(case: &Case, documents: &serde_yaml::Value) {
    let (Some(source), Some(says)) = (&case.source, &case.says) else {
        assert!(case.source.is_none() && case.says.is_none(), "{}: one of source, says", case.id);
        return;
    };
    let edition = case.edition.as_deref().unwrap_or("rfc9309");
    let sections = documents["sentences"].as_sequence().unwrap().iter();
    let mut sections = sections.filter(|it| it["edition"] == edition && it["section"] == **source);
    let has = |section: &serde_yaml::Value| {
        let sentences = section["says"].as_sequence().unwrap().iter();
        let mut texts = sentences.flat_map(|it| it.as_mapping().unwrap().keys());
        texts.any(|text| text.as_str() == Some(says))
    };
    assert!(sections.any(has), "{}: {edition}, {source} has no sentence {says:?}", case.id);
}

#[test]
fn each_case_has_the_expected_classes() {
    let documents = robots_spec_cases::file("documents.yaml").unwrap();
    let documents = serde_yaml::from_str(documents).unwrap();
    let (mut ids, mut problems) = (HashSet::new(), Vec::new());
    for (path, text) in robots_spec_cases::files().filter(|(path, _)| path.starts_with("audit/")) {
        let file: File = serde_yaml::from_str(text).unwrap_or_else(|why| panic!("{path}: {why}"));
        for case in file.cases {
            assert!(ids.insert(case.id.clone()), "{} is there twice", case.id);
            assert!(case.about.ends_with('.'), "{}: `about` is a sentence", case.id);
            check_sentence(&case, &documents);
            let report = audit(&case);
            for line in &case.log {
                let (expected, found) = (line.expected(), found(&report, &line.request()));
                if expected != found {
                    problems.push(format!(
                        "{} at {}: expected {expected:?}, found {found:?}",
                        case.id, line.at
                    ));
                }
            }
            for (row, expected) in case.rows.iter().enumerate() {
                let Some(row) = report.crawlers.get(row) else {
                    problems.push(format!("{}: there is no row {row}", case.id));
                    continue;
                };
                for (key, expected) in expected {
                    let found = value(row, key);
                    if found != *expected {
                        problems.push(format!("{}: {key} is {found:?}, not {expected:?}", case.id));
                    }
                }
            }
        }
    }
    assert!(ids.len() >= 60, "{} cases", ids.len());
    assert!(problems.is_empty(), "{} problems\n{}", problems.len(), problems.join("\n"));
}
