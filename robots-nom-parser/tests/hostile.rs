//! Tests hostile files at full size: the parser reads them to the end, and the verdicts are correct.
//!
//! The tests measure no time, because the benchmarks do. But with a search that backtracks, a test would not end.

use robots_nom_parser::parse;

const SIZE: usize = 500 * 1024;

fn filled(head: &str, unit: &str) -> String {
    let times = (SIZE - head.len()) / unit.len();
    format!("{head}{}", unit.repeat(times))
}

#[test]
fn wildcards_without_end() {
    let rule = format!("disallow: /{}b\n", "*a".repeat(800));
    let robots = parse(filled("user-agent: *\n", &rule));
    let url = format!("/{}", "a".repeat(64 * 1024));
    assert!(robots.verdict("examplebot", &url).is_allowed());
    assert!(!robots.verdict("examplebot", &format!("{url}b")).is_allowed());
    let rules = robots.rules_for("examplebot");
    assert!(rules.verdict(&url).is_allowed());
    assert!(!rules.verdict(&format!("{url}b")).is_allowed());
}

#[test]
fn one_rule_of_wildcards() {
    let robots = parse(filled("user-agent: *\ndisallow: /", "*a"));
    let url = format!("/{}", "a".repeat(64 * 1024));
    assert!(robots.verdict("examplebot", &url).is_allowed());
}

#[test]
fn one_endless_line() {
    let robots = parse(filled("", "x"));
    assert_eq!(robots.lines().count(), 1);
    assert!(robots.verdict("examplebot", "/").is_allowed());
}

#[test]
fn fifteen_thousand_groups_of_one_line() {
    let group = |n: u32| format!("user-agent: a\ndisallow: /{n}$\n");
    let groups = (0..15_000).map(group).collect::<Vec<_>>().concat();
    let robots = parse(groups);
    assert_eq!(robots.groups().count(), 15_000);
    assert!(!robots.verdict("a", "/14999").is_allowed());
    assert!(robots.verdict("a", "/15000").is_allowed());
}

#[test]
fn empty_lines() {
    let robots = parse("\n".repeat(250_000));
    assert_eq!(robots.lines().last().map(|(line, _)| line.number.get()), Some(250_000));
}
