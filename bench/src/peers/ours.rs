//! Our parser, `robots-nom-parser` with the types of `robots-core`: with compiled rules, and without.

use std::hint::black_box;

use robots_core::syntax::{Field, Line, LineKind, Malformed, NoEffect};
use robots_core::{RobotsTxt, RuleKind, RuleSet};

use super::subject::{Asker, Subject};
use crate::corpus::CRAWLER;
use crate::slow::{self, Digest, Items, code, kind};

pub(super) const SUBJECT: Subject = Subject {
    name: "robots-nom-parser",
    package: "robots-nom-parser",
    parse: Some("`parse(&str)`; also every line's kind, span and value are read"),
    verdict: Some("`rules_for(crawler)`, then `RuleSet::verdict(path)` with its evidence"),
    read: |text| read(&robots_nom_parser::parse(text)),
    slow,
    ask_once: |text, path| robots_nom_parser::parse(text).verdict(CRAWLER, path).is_allowed(),
    compile: |text| {
        let robots = robots_nom_parser::parse(text);
        black_box(&robots.rules_for(CRAWLER));
    },
    leak: |text| {
        std::mem::forget(black_box(robots_nom_parser::parse(text)));
    },
    leak_compiled: |text| {
        let robots = robots_nom_parser::parse(text);
        std::mem::forget(black_box(robots.rules_for(CRAWLER)));
        std::mem::forget(robots);
    },
    open: |text| Box::new(robots_nom_parser::parse(text).rules_for(CRAWLER)),
};

/// Our parser without compiled rules, for callers that have only a few questions about a file.
pub(super) const UNCOMPILED: Subject = Subject {
    name: "robots-nom-parser, not compiled",
    parse: None,
    verdict: Some("`RobotsTxt::verdict(crawler, path)`; nothing is compiled"),
    open: |text| Box::new(robots_nom_parser::parse(text)),
    ..SUBJECT
};

impl Asker for RobotsTxt<&str> {
    fn ask(&self, paths: &[String]) -> usize {
        paths.iter().filter(|path| black_box(&self.verdict(CRAWLER, path)).is_allowed()).count()
    }
}

impl Asker for RuleSet {
    fn ask(&self, paths: &[String]) -> usize {
        paths.iter().filter(|path| black_box(&self.verdict(path)).is_allowed()).count()
    }
}

fn read(robots: &RobotsTxt<&str>) -> u64 {
    let octets = robots.body();
    let mut digest = Digest::default();
    for (line, meaning) in robots.lines() {
        add_line(&mut digest, octets, &line, meaning);
    }
    for group in robots.groups() {
        for agent in group.user_agents() {
            digest.add(kind::AGENT, agent.value());
        }
        for rule in group.rules() {
            let kind = if rule.kind() == RuleKind::Allow { kind::ALLOW } else { kind::DISALLOW };
            digest.add(kind, rule.path());
        }
    }
    for (value, _) in robots.sitemaps() {
        digest.add(kind::SITEMAP, value);
    }
    digest.value()
}

#[inline]
fn add_line(digest: &mut Digest, octets: &[u8], line: &Line, meaning: LineKind) {
    digest.number((line.span.start() as u64) << 32 | line.span.end() as u64);
    digest.add(code(meaning), line.value.map_or(&[], |value| &octets[value.range()]));
}

#[inline]
fn code(meaning: LineKind) -> u8 {
    match meaning {
        LineKind::Blank => code::BLANK,
        LineKind::Comment => code::COMMENT,
        LineKind::Unknown => code::UNKNOWN,
        LineKind::Malformed(Malformed::NoColon) => code::MALFORMED,
        LineKind::Malformed(Malformed::NoField) => code::MALFORMED + 1,
        LineKind::Malformed(Malformed::ControlInField) => code::MALFORMED + 2,
        LineKind::Record { field, effect } => {
            let base = match field {
                Field::UserAgent => code::AGENT,
                Field::Allow => code::ALLOW,
                Field::Disallow => code::DISALLOW,
                Field::Sitemap => code::SITEMAP,
                _ => return u8::MAX,
            };
            base + reason(effect)
        }
        _ => u8::MAX,
    }
}

#[inline]
fn reason(effect: Result<(), NoEffect>) -> u8 {
    match effect {
        Ok(()) => 0,
        Err(NoEffect::Empty) => 1,
        Err(NoEffect::Control) => 2,
        Err(NoEffect::NoSlash) => 3,
        Err(NoEffect::NotAbsolute) => 4,
        Err(_) => 9,
    }
}

/// Reads the file with the reference implementation.
fn slow(text: &str) -> (Items, u64) {
    let mut digest = Digest::default();
    for line in slow::lines(text.as_bytes()) {
        digest.number((line.start as u64) << 32 | line.end as u64);
        digest.add(line.code, line.value.unwrap_or_default());
    }
    let items = slow::items(text.as_bytes());
    for (kind, value) in &items.0 {
        digest.add(*kind, value);
    }
    (items, digest.value())
}
