//! The crate `robotstxt`, a port of Google's library. The crate stores no parsed file: it calls a handler for each
//! line, and parses the file again for every question. So the crate has no row in the table of compiled rules.

use std::hint::black_box;

use robotstxt::{DefaultMatcher, RobotsParseHandler, parse_robotstxt};

use super::subject::{Asker, Subject};
use crate::corpus::CRAWLER;
use crate::slow::{Digest, Items, kind};

pub(super) const SUBJECT: Subject = Subject {
    name: "robotstxt",
    package: "robotstxt",
    parse: Some(
        "`parse_robotstxt(&str, handler)`; the handler makes the checksum, nothing is kept",
    ),
    verdict: None,
    read: |text| {
        let mut reader = Reader::default();
        parse_robotstxt(text, &mut reader);
        reader.0.value()
    },
    slow: |text| {
        let mut gatherer = Gatherer::default();
        parse_robotstxt(text, &mut gatherer);
        let digest = gatherer.0.digest().value();
        (gatherer.0, digest)
    },
    ask_once: |text, path| {
        DefaultMatcher::default().one_agent_allowed_by_robots(text, CRAWLER, path)
    },
    compile: |text| {
        let mut reader = Reader::default();
        parse_robotstxt(text, &mut reader);
        black_box(reader.0);
    },
    leak: |text| parse_robotstxt(text, &mut Reader::default()),
    leak_compiled: |text| parse_robotstxt(text, &mut Reader::default()),
    open: |text| Box::new(Anew(text)),
};

struct Anew(&'static str);

impl Asker for Anew {
    fn ask(&self, paths: &[String]) -> usize {
        paths.iter().filter(|path| black_box((SUBJECT.ask_once)(self.0, path))).count()
    }
}

#[derive(Default)]
struct Reader(Digest);

impl RobotsParseHandler for Reader {
    fn handle_robots_start(&mut self) {}
    fn handle_robots_end(&mut self) {}
    fn handle_user_agent(&mut self, _: u32, value: &str) {
        self.0.add(kind::AGENT, value.as_bytes());
    }
    fn handle_allow(&mut self, _: u32, value: &str) {
        self.0.add(kind::ALLOW, value.as_bytes());
    }
    fn handle_disallow(&mut self, _: u32, value: &str) {
        self.0.add(kind::DISALLOW, value.as_bytes());
    }
    fn handle_sitemap(&mut self, _: u32, value: &str) {
        self.0.add(kind::SITEMAP, value.as_bytes());
    }
    fn handle_unknown_action(&mut self, _: u32, _: &str, _: &str) {}
}

#[derive(Default)]
struct Gatherer(Items);

impl RobotsParseHandler for Gatherer {
    fn handle_robots_start(&mut self) {}
    fn handle_robots_end(&mut self) {}
    fn handle_user_agent(&mut self, _: u32, value: &str) {
        self.0.push(kind::AGENT, value);
    }
    fn handle_allow(&mut self, _: u32, value: &str) {
        self.0.push(kind::ALLOW, value);
    }
    fn handle_disallow(&mut self, _: u32, value: &str) {
        self.0.push(kind::DISALLOW, value);
    }
    fn handle_sitemap(&mut self, _: u32, value: &str) {
        self.0.push(kind::SITEMAP, value);
    }
    fn handle_unknown_action(&mut self, _: u32, _: &str, _: &str) {}
}
