//! The crate `fast-robots`, which is measured in two ways: by questions to a parsed file, and by questions to its
//! `matcher()`.
//!
//! The checksum omits the crawl-delays and unknown directives, which the crate also returns. The matcher contains the
//! rules for all crawlers of the file, and looks up the crawler for every question.

use std::hint::black_box;

use fast_robots::{RobotsMatcher, RobotsTxt, RuleKind};

use super::subject::{Asker, Subject, forever};
use crate::corpus::CRAWLER;
use crate::slow::{Digest, Items, kind};

pub(super) const SUBJECT: Subject = Subject {
    name: "fast-robots",
    package: "fast-robots",
    parse: Some("`RobotsTxt::parse(&str)`, which checks no UTF-8"),
    verdict: Some("`RobotsTxt::is_allowed(crawler, path)`; nothing is compiled"),
    read: |text| read(&RobotsTxt::parse(text)),
    slow: |text| slow(&RobotsTxt::parse(text)),
    ask_once: |text, path| RobotsTxt::parse(text).is_allowed(CRAWLER, path),
    compile: |text| {
        black_box(&RobotsTxt::parse(text));
    },
    leak: |text| std::mem::forget(black_box(RobotsTxt::parse(text))),
    leak_compiled: |text| std::mem::forget(black_box(RobotsTxt::parse(text))),
    open: |text| Box::new(RobotsTxt::parse(text)),
};

pub(super) const MATCHER: Subject = Subject {
    name: "fast-robots, matcher()",
    package: "fast-robots",
    parse: None,
    verdict: Some("`RobotsTxt::matcher()`, then `RobotsMatcher::is_allowed(crawler, path)`"),
    ask_once: |text, path| RobotsTxt::parse(text).matcher().is_allowed(CRAWLER, path),
    compile: |text| {
        black_box(&RobotsTxt::parse(text).matcher());
    },
    leak_compiled: |text| {
        let robots = RobotsTxt::parse(text);
        std::mem::forget(black_box(robots.matcher()));
        std::mem::forget(robots);
    },
    open: |text| Box::new(forever(RobotsTxt::parse(text)).matcher()),
    ..SUBJECT
};

impl Asker for RobotsTxt<'_> {
    fn ask(&self, paths: &[String]) -> usize {
        paths.iter().filter(|path| black_box(self.is_allowed(CRAWLER, path))).count()
    }
}

impl Asker for RobotsMatcher<'_> {
    fn ask(&self, paths: &[String]) -> usize {
        paths.iter().filter(|path| black_box(self.is_allowed(CRAWLER, path))).count()
    }
}

fn read(robots: &RobotsTxt<'_>) -> u64 {
    let mut digest = Digest::default();
    for group in &robots.groups {
        for agent in &group.agents {
            digest.add(kind::AGENT, agent.as_bytes());
        }
        for rule in &group.rules {
            let kind = if rule.kind == RuleKind::Allow { kind::ALLOW } else { kind::DISALLOW };
            digest.add(kind, rule.pattern.as_bytes());
        }
    }
    for sitemap in &robots.extensions.sitemaps {
        digest.add(kind::SITEMAP, sitemap.as_bytes());
    }
    digest.value()
}

fn slow(robots: &RobotsTxt<'_>) -> (Items, u64) {
    let mut items = Items::default();
    for group in robots.groups.clone() {
        group.agents.iter().for_each(|agent| items.push(kind::AGENT, agent));
        for rule in group.rules {
            match rule.kind {
                RuleKind::Allow => items.push(kind::ALLOW, rule.pattern),
                RuleKind::Disallow => items.push(kind::DISALLOW, rule.pattern),
            }
        }
    }
    robots.extensions.sitemaps.iter().for_each(|sitemap| items.push(kind::SITEMAP, sitemap));
    let digest = items.digest().value();
    (items, digest)
}
