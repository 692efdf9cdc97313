//! Writes the report as a page: a picture of the requests over days, a table, and what was disobeyed.
//!
//! The page has no script and loads nothing, so it works without network. `page.html` is its template, which escapes all
//! values by itself.

use std::io::{self, Write};
use std::time::Duration;

use minijinja::syntax::SyntaxConfig;
use minijinja::value::Serde;
use minijinja::{AutoEscape, Environment, UndefinedBehavior, Value as Data};
use robots_audit::{Cause, Class, CrawlerReport, Report};
use robots_console::render::{self, elided};
use serde_json::{Value, json};

use super::audited::{Audited, address, name, requests, why};
use crate::utc::{date, time};

/// The largest number of crawlers in the picture, and of bars for each.
const ROWS: usize = 12;
const BARS: u64 = 120;

/// The size of the picture of one crawler in pixels.
const WIDTH: u64 = 720;
const HEIGHT: u64 = 40;

pub(super) fn write(audited: &Audited<'_>, out: &mut dyn Write) -> io::Result<()> {
    let report = &audited.report;
    let days = Days::of(report);
    let data = json!({
        "first": report.first.map(date),
        "last": report.last.map(date),
        "requests": requests(report.requests),
        "of_crawlers": report.requests - report.of_others,
        "notes": audited.notes(),
        "width": WIDTH,
        "height": HEIGHT,
        "per_bar": days.per_bar,
        "pictures": report.crawlers.iter().take(ROWS).map(|it| days.picture(it)).collect::<Vec<_>>(),
        "classes": Class::ALL.iter().map(|class| class.id().replace('_', " ")).collect::<Vec<_>>(),
        "crawlers": report.crawlers.iter().map(row).collect::<Vec<_>>(),
        "causes": report.crawlers.iter().flat_map(causes).collect::<Vec<_>>(),
        "is_one": audited.arguments.explain.is_some(),
    });
    let page = page(&data).map_err(io::Error::other)?;
    out.write_all(page.as_bytes())
}

fn page(data: &Value) -> Result<String, minijinja::Error> {
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    environment.set_auto_escape_callback(|_| AutoEscape::Html);
    environment.set_syntax(SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).build()?);
    environment.add_template("page.html", include_str!("page.html"))?;
    environment.get_template("page.html")?.render(Data::from(Serde(data)))
}

/// The days of a report, and how many of them are one bar.
struct Days {
    first: u64,
    per_bar: u64,
    bars: u64,
}

impl Days {
    fn of(report: &Report) -> Self {
        let day = |time: Option<Duration>| time.unwrap_or_default().as_secs() / 86_400;
        let (first, last) = (day(report.first), day(report.last));
        let days = last.saturating_sub(first) + 1;
        let per_bar = days.div_ceil(BARS);
        Self { first, per_bar, bars: days.div_ceil(per_bar) }
    }

    /// Returns the bars of a crawler. The largest one has the whole height.
    fn picture(&self, crawler: &CrawlerReport) -> Value {
        let mut sums = vec![(0, 0); usize::try_from(self.bars).unwrap_or_default()];
        for (day, of) in &crawler.days {
            let at = usize::try_from(day.saturating_sub(self.first) / self.per_bar);
            if let Some(sum) = at.ok().and_then(|at| sums.get_mut(at)) {
                *sum = (sum.0 + of.requests, sum.1 + of.disobeyed);
            }
        }
        let most = sums.iter().map(|(requests, _)| *requests).max().unwrap_or_default().max(1);
        // A day with few requests is still seen.
        let high = |count: u64| if count == 0 { 0 } else { (count * HEIGHT).div_ceil(most) };
        let width = (WIDTH / self.bars).max(2);
        let bars =
            (0..).zip(&sums).filter(|(_, sum)| sum.0 > 0).map(|(at, (requests, disobeyed))| {
                let start = Duration::from_secs((self.first + at * self.per_bar) * 86_400);
                json!({
                    "x": at * WIDTH / self.bars,
                    "width": width - 1,
                    "height": high(*requests),
                    "y": HEIGHT - high(*requests),
                    "red": high(*disobeyed),
                    "red_y": HEIGHT - high(*disobeyed),
                    "title": format!("{}: {}, {disobeyed} disobeyed", date(start), self::requests(*requests)),
                })
            });
        json!({ "token": name(crawler), "most": requests(most), "bars": bars.collect::<Vec<_>>() })
    }
}

fn row(crawler: &CrawlerReport) -> Value {
    json!({
        "token": name(crawler),
        "is_for_a_person": crawler.is_for_a_person,
        "requests": crawler.requests,
        "robots_txt_requests": crawler.robots_txt_requests,
        "classes": Class::ALL.iter().map(|class| crawler.count(*class)).collect::<Vec<_>>(),
        "while_failing": crawler.while_failing,
        "lowest": crawler.distance.map(|distance| distance.lowest.as_secs_f64().to_string()),
        "median": crawler.distance.map(|distance| distance.median.as_secs_f64().to_string()),
        "crawl_delay": crawler.crawl_delay.map(|delay| delay.as_secs_f64().to_string()),
        "address": address(crawler),
    })
}

fn causes(crawler: &CrawlerReport) -> impl Iterator<Item = Value> {
    crawler.causes.iter().map(|cause| {
        json!({
            "token": name(crawler),
            "class": cause.class.id().replace('_', " "),
            "is_disobeyed": cause.class == Class::Disobeyed,
            "origin": render::name(&cause.origin),
            "why": render::message(&why(cause)),
            "requests": requests(cause.requests),
            "first": date(cause.first),
            "last": date(cause.last),
            "examples": examples(cause),
        })
    })
}

fn examples(cause: &Cause) -> Vec<Value> {
    let examples = cause.examples.iter().map(|example| {
        json!({
            "time": time(example.time),
            "request": format!("{} {}", render::name(&example.method), elided(&example.target)),
            "status": example.status,
            "address": example.address,
            "read": example.read.map(time),
        })
    });
    examples.collect()
}
