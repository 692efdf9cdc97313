//! The crate `robots_txt`. The crate treats a path as a prefix, without wildcards, and the first matching rule decides.

use std::hint::black_box;

use robots_txt::Robots;
use robots_txt::matcher::SimpleMatcher;
use robots_txt::parts::Section;

use super::subject::{Asker, Subject, forever};
use crate::corpus::CRAWLER;
use crate::slow::{Digest, Items, kind};

pub(super) const SUBJECT: Subject = Subject {
    name: "robots_txt",
    package: "robots_txt",
    parse: Some("`Robots::from_str_lossy(&str)`"),
    verdict: Some(
        "`choose_section(crawler)`, `SimpleMatcher::new`, then `check_path(path)`; no wildcards",
    ),
    read: |text| read(&Robots::from_str_lossy(text)),
    slow: |text| slow(&Robots::from_str_lossy(text)),
    ask_once: |text, path| matcher(&Robots::from_str_lossy(text)).check_path(path),
    compile: |text| {
        black_box(&matcher(&Robots::from_str_lossy(text)));
    },
    leak: |text| std::mem::forget(black_box(Robots::from_str_lossy(text))),
    leak_compiled: |text| {
        black_box(matcher(forever(Robots::from_str_lossy(text))));
    },
    open: |text| Box::new(matcher(forever(Robots::from_str_lossy(text)))),
};

impl Asker for SimpleMatcher<'_> {
    fn ask(&self, paths: &[String]) -> usize {
        paths.iter().filter(|path| black_box(self.check_path(path))).count()
    }
}

fn matcher<'m>(robots: &'m Robots<'_>) -> SimpleMatcher<'m> {
    SimpleMatcher::new(&robots.choose_section(CRAWLER).rules)
}

fn sections<'m, 't>(robots: &'m Robots<'t>) -> impl Iterator<Item = &'m Section<'t>> {
    std::iter::once(&robots.default_section).chain(&robots.sections)
}

fn read(robots: &Robots<'_>) -> u64 {
    let mut digest = Digest::default();
    for section in sections(robots) {
        for agent in &section.useragents {
            digest.add(kind::AGENT, agent.as_bytes());
        }
        for rule in &section.rules {
            digest.add(if rule.allow { kind::ALLOW } else { kind::DISALLOW }, rule.path.as_bytes());
        }
        for sitemap in &section.sitemaps {
            digest.add(kind::SITEMAP, sitemap.as_str().as_bytes());
        }
    }
    digest.value()
}

fn slow(robots: &Robots<'_>) -> (Items, u64) {
    let mut items = Items::default();
    for section in sections(robots).cloned() {
        section.useragents.iter().for_each(|agent| items.push(kind::AGENT, &**agent));
        for rule in section.rules {
            items.push(if rule.allow { kind::ALLOW } else { kind::DISALLOW }, &*rule.path);
        }
        section.sitemaps.iter().for_each(|sitemap| items.push(kind::SITEMAP, sitemap.to_string()));
    }
    let digest = items.digest().value();
    (items, digest)
}
