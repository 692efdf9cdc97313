//! Writes the report as one JSON object; `audit.schema.json` is its schema.

use std::collections::BTreeMap;
use std::io;
use std::time::Duration;

use robots_audit::{Address, Cause, Class, CrawlerReport, Example};
use robots_console::json::pretty;
use serde_json::{Value, json};

use super::audited::Audited;
use crate::utc::{date, rfc3339};

/// The version of the object. The version changes when a key is removed or its meaning changes.
const VERSION: u32 = 1;

pub(super) fn write(audited: &Audited<'_>, out: impl io::Write) -> io::Result<()> {
    let report = &audited.report;
    let logs = audited.logs.iter().map(|log| {
        json!({
            "file": log.name(),
            "format": log.reader().name(),
            "lines": log.counts.lines,
            "unreadable": log.counts.unreadable,
            "first_unreadable": log.counts.first_unreadable,
            "no_url": log.counts.no_url,
            "is_cut": log.counts.is_cut,
        })
    });
    let object = json!({
        "audit": "robots",
        "version": VERSION,
        "edition": audited.arguments.edition.id(),
        "logs": logs.collect::<Vec<_>>(),
        "robots_txt_versions": audited.versions,
        "first": report.first.map(rfc3339),
        "last": report.last.map(rfc3339),
        "requests": report.requests,
        "late": report.late,
        "of_others": report.of_others,
        "not_kept": report.not_kept,
        "crawlers": report.crawlers.iter().map(crawler).collect::<Vec<_>>(),
    });
    pretty(&object, out)
}

fn crawler(crawler: &CrawlerReport) -> Value {
    let mut object = json!({
        "token": crawler.token,
        "is_for_a_person": crawler.is_for_a_person,
        "is_contradicted": crawler.is_contradicted,
        "requests": crawler.requests,
        "robots_txt_requests": crawler.robots_txt_requests,
        "robots_txt_reads": crawler.robots_txt_reads,
    });
    for class in Class::ALL {
        object[class.id()] = json!(crawler.count(*class));
    }
    let addresses = [Address::Confirmed, Address::Claimed, Address::Contradicted];
    let count = |address| (crawler.addresses.get(address)).copied().unwrap_or_default();
    let addresses: BTreeMap<&str, u64> =
        addresses.iter().map(|address| (address.id(), count(address))).collect();
    let days = crawler.days.iter().map(|(day, of)| {
        let date = date(Duration::from_secs(day.saturating_mul(86_400)));
        json!({ "date": date, "requests": of.requests, "disobeyed": of.disobeyed })
    });
    object["address"] = json!(addresses);
    object["forbidden"] = json!(crawler.forbidden);
    object["while_failing"] = json!(crawler.while_failing);
    object["first"] = json!(rfc3339(crawler.first));
    object["last"] = json!(rfc3339(crawler.last));
    object["distance"] = json!(crawler.distance.map(|distance| {
        json!({ "lowest": distance.lowest.as_secs_f64(), "median": distance.median.as_secs_f64() })
    }));
    object["crawl_delay"] = json!(crawler.crawl_delay.map(|delay| delay.as_secs_f64()));
    object["days"] = days.collect();
    object["causes"] = crawler.causes.iter().map(cause).collect();
    object
}

fn cause(cause: &Cause) -> Value {
    let rule = cause.rule.as_ref().map(|rule| {
        let version = (!rule.version.is_zero()).then(|| rfc3339(rule.version));
        json!({ "version": version, "line": rule.line, "text": rule.text })
    });
    json!({
        "class": cause.class,
        "reason": cause.reason,
        "origin": cause.origin,
        "rule": rule,
        "requests": cause.requests,
        "first": rfc3339(cause.first),
        "last": rfc3339(cause.last),
        "examples": cause.examples.iter().map(example).collect::<Vec<_>>(),
    })
}

fn example(example: &Example) -> Value {
    json!({
        "time": rfc3339(example.time),
        "method": example.method,
        "target": example.target,
        "status": example.status,
        "address": example.address,
        "read": example.read.map(rfc3339),
    })
}
