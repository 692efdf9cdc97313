//! Checks that threads can share a parsed file that owns its body.

#[path = "dialect/line_parser.rs"]
mod line_parser;

use std::collections::HashMap;
use std::sync::{Arc, RwLock};
use std::thread;

use line_parser::LineParser;
use robots_core::{Options, RobotsTxt, Verdict};

#[test]
fn owned_files_are_kept_in_a_map_and_asked_from_other_threads() {
    type Cache = HashMap<String, Arc<RobotsTxt<Vec<u8>>>>;
    let cache: RwLock<Cache> = RwLock::default();
    thread::scope(|scope| {
        for host in 0..8 {
            let cache = &cache;
            scope.spawn(move || {
                let body = format!("user-agent: *\ndisallow: /{host}\n").into_bytes();
                let robots = RobotsTxt::parse(&LineParser, body, Options::default());
                cache.write().unwrap().insert(format!("host{host}"), Arc::new(robots));
            });
        }
    });
    let cache = cache.into_inner().unwrap();
    assert_eq!(cache.len(), 8);
    thread::scope(|scope| {
        for host in 0..8 {
            let robots = Arc::clone(&cache[&format!("host{host}")]);
            scope.spawn(move || {
                let rules = robots.rules_for("examplebot");
                assert!(!rules.verdict(&format!("/{host}")).is_allowed());
                assert!(rules.verdict("/other").is_allowed());
            });
        }
    });
}

#[test]
fn files_and_verdicts_cross_threads() {
    fn crosses<T: Send + Sync>() {}
    crosses::<RobotsTxt<Vec<u8>>>();
    crosses::<RobotsTxt<&[u8]>>();
    crosses::<Verdict<'_>>();
}
