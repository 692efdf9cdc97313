//! Measures how long verdicts take, from a parsed file and with compiled rules.
//!
//! `LineParser`, the simple parser of the tests, parses the files. The benchmarks of `robots-nom-parser` measure
//! parsing.

use std::fmt::Write as _;

use divan::{Bencher, black_box};
use robots_core::{Options, RobotsTxt};

#[path = "../tests/dialect/line_parser.rs"]
mod line_parser;

use line_parser::LineParser;

fn main() {
    divan::main();
}

const RULES: [usize; 4] = [4, 16, 256, 10_000];
const CRAWLER: &str = "examplebot";
const URLS: [&str; 4] = [
    "https://www.example.com/",
    "https://www.example.com/archive/3/page.html?sort=newest",
    "https://www.example.com/search/any/page-7",
    "https://www.example.com/elsewhere/2019/04/17/an-article",
];

/// Measures verdicts on four URLs, from the parsed file without compiled rules.
#[divan::bench(args = RULES)]
fn once(bencher: Bencher<'_, '_>, rules: usize) {
    let robots = robots(rules);
    bencher.counter(URLS.len()).bench_local(|| {
        for url in URLS {
            black_box(robots.verdict(CRAWLER, black_box(url)));
        }
    });
}

/// Measures how long it takes to compile the rules of one crawler.
#[divan::bench(args = RULES)]
fn compile(bencher: Bencher<'_, '_>, rules: usize) {
    let robots = robots(rules);
    bencher.counter(rules).bench_local(|| robots.rules_for(black_box(CRAWLER)));
}

/// Measures verdicts on four URLs with compiled rules.
#[divan::bench(args = RULES)]
fn compiled(bencher: Bencher<'_, '_>, rules: usize) {
    let robots = robots(rules);
    let rules = robots.rules_for(CRAWLER);
    bencher.counter(URLS.len()).bench_local(|| {
        for url in URLS {
            black_box(rules.verdict(black_box(url)));
        }
    });
}

/// Returns a file with one group. One rule in eight has a wildcard, and the others are prefixes.
fn robots(rules: usize) -> RobotsTxt<String> {
    let mut text = String::from("user-agent: *\n");
    for number in 0..rules {
        match number % 8 {
            7 => writeln!(text, "allow: /search/*/page-{number}$"),
            _ => writeln!(text, "disallow: /archive/{number}/"),
        }
        .expect("a String takes all");
    }
    RobotsTxt::parse(&LineParser, text, Options::default())
}
