//! The crate `robotxt`. The crate parses a file for one crawler, and returns the crawler's rules, sorted and compiled.

use std::hint::black_box;

use robotxt::Robots;

use super::subject::{Asker, Subject};
use crate::corpus::CRAWLER;
use crate::slow::{Digest, Items, kind};

pub(super) const SUBJECT: Subject = Subject {
    name: "robotxt",
    package: "robotxt",
    parse: Some("`Robots::parse(&[u8], crawler)`; the rules of one crawler"),
    verdict: Some("`Robots::is_allowed(path)`"),
    read: |text| read(&parse(text)),
    slow: |text| slow(&parse(text)),
    ask_once: |text, path| parse(text).is_allowed(path),
    compile: |text| {
        black_box(&parse(text));
    },
    leak: |text| std::mem::forget(black_box(parse(text))),
    leak_compiled: |text| std::mem::forget(black_box(parse(text))),
    open: |text| Box::new(parse(text)),
};

impl Asker for Robots {
    fn ask(&self, paths: &[String]) -> usize {
        paths.iter().filter(|path| black_box(self.is_allowed(path))).count()
    }
}

fn parse(text: &str) -> Robots {
    Robots::parse(text.as_bytes(), CRAWLER)
}

fn read(robots: &Robots) -> u64 {
    let mut digest = Digest::default();
    digest.add(kind::AGENT, robots.user_agent().as_bytes());
    for rule in robots.rules() {
        let kind = if rule.is_allow() { kind::ALLOW } else { kind::DISALLOW };
        digest.add(kind, rule.pattern().as_bytes());
    }
    for sitemap in robots.sitemaps() {
        digest.add(kind::SITEMAP, sitemap.as_str().as_bytes());
    }
    digest.value()
}

fn slow(robots: &Robots) -> (Items, u64) {
    let mut items = Items::default();
    items.push(kind::AGENT, robots.user_agent());
    for rule in robots.rules().to_vec() {
        items.push(if rule.is_allow() { kind::ALLOW } else { kind::DISALLOW }, rule.pattern());
    }
    robots.sitemaps().iter().for_each(|sitemap| items.push(kind::SITEMAP, sitemap.to_string()));
    let digest = items.digest().value();
    (items, digest)
}
