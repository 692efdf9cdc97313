//! The crate `texting_robots`. The crate parses and compiles a file for one crawler in one step. Its interface gives
//! access to the sitemaps, but not to the rules.

use std::hint::black_box;

use texting_robots::Robot;

use super::subject::{Asker, Subject};
use crate::corpus::CRAWLER;
use crate::slow::{Digest, Items, kind};

pub(super) const SUBJECT: Subject = Subject {
    name: "texting_robots",
    package: "texting_robots",
    parse: Some(
        "`Robot::new(crawler, &[u8])`; the rules of one crawler, which cannot be read back",
    ),
    verdict: Some("`Robot::allowed(path)`"),
    read: |text| parse(text).map_or(0, |robot| read(&robot)),
    slow: |text| parse(text).map_or_else(Default::default, |robot| slow(&robot)),
    ask_once: |text, path| parse(text).is_none_or(|robot| robot.allowed(path)),
    compile: |text| {
        black_box(&parse(text));
    },
    leak: |text| std::mem::forget(black_box(parse(text))),
    leak_compiled: |text| std::mem::forget(black_box(parse(text))),
    open: |text| Box::new(Parsed(parse(text))),
};

/// A parsed file, or `None` if the crate refuses the file.
struct Parsed(Option<Robot>);

impl Asker for Parsed {
    fn ask(&self, paths: &[String]) -> usize {
        let Some(robot) = &self.0 else { return 0 };
        paths.iter().filter(|path| black_box(robot.allowed(path))).count()
    }
}

fn parse(text: &str) -> Option<Robot> {
    Robot::new(CRAWLER, text.as_bytes()).ok()
}

fn read(robot: &Robot) -> u64 {
    let mut digest = Digest::default();
    for sitemap in &robot.sitemaps {
        digest.add(kind::SITEMAP, sitemap.as_bytes());
    }
    digest.value()
}

fn slow(robot: &Robot) -> (Items, u64) {
    let mut items = Items::default();
    robot.sitemaps.clone().iter().for_each(|sitemap| items.push(kind::SITEMAP, sitemap));
    let digest = items.digest().value();
    (items, digest)
}
