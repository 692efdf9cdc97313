//! Checks the comparison of two files by brute force: asks about five agents, and about every path up to a certain
//! length that consists of octets of [`ALPHABET`].
//!
//! `ROBOTS_PAIRS` is the number of generated pairs; the default is 300. `ROBOTS_CORPUS` names a folder of real files.
//! Each real file is compared with changed versions of the same file.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs};

use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use robots_core::path::{PathAndQuery, Pattern};
use robots_core::usage::{Category, Vocabulary};
use robots_core::{Edition, Options, RobotsTxt, RuleSet};
use robots_lint::effect::{Agent, Blocking, Change, Effect, blocking, compare, compare_within};
use robots_lint::expect::{Checked, Expectations, check, draft};
use robots_lint::{Ignored, findings, fix};
use robots_nom_parser::{ScanParser, parse_with};
use rstest::rstest;

/// The octets of which the paths for brute force consist. After the first slash, a path has at most [`LONGEST`] octets.
const ALPHABET: &[u8] = b"abx/$";
const LONGEST: usize = 5;

/// Returns every path that consists of octets of the alphabet, the shortest first, and `/robots.txt`, which some
/// editions exempt.
fn paths() -> Vec<String> {
    let mut all = vec!["/".to_owned()];
    let mut last = all.clone();
    for _ in 0..LONGEST {
        last = last
            .iter()
            .flat_map(|path| {
                ALPHABET.iter().map(move |octet| format!("{path}{}", char::from(*octet)))
            })
            .collect();
        all.extend_from_slice(&last);
    }
    all.push("/robots.txt".to_owned());
    all
}

fn rule() -> impl Strategy<Value = String> {
    let path = prop_oneof![
        4 => "[/*][ab/*]{0,4}\\$?",
        1 => "[/*][ab/*$]{0,4}",
        1 => "/[ab]{0,2}",
        1 => Just("/robots.txt".to_owned()),
        1 => Just("*".to_owned()),
    ];
    let stated = prop::sample::select(
        &["train-ai=n", "train-ai=y", "search=n, train-ai=y", "ai-use=n", ""][..],
    );
    let kind = prop::sample::select(&["allow", "disallow"][..]);
    prop_oneof![
        3 => (kind, path.clone()).prop_map(|(kind, path)| format!("{kind}: {path}\n")),
        1 => (path, stated.clone()).prop_map(|(path, stated)| format!("content-usage: {path} {stated}\n")),
        1 => stated.prop_map(|stated| format!("content-usage: {stated}\n")),
    ]
}

fn group() -> impl Strategy<Value = String> {
    let agents = prop::collection::vec(
        prop::sample::select(&["*", "one", "One", "one-two", "two"][..]),
        1..3,
    );
    (agents, prop::collection::vec(rule(), 0..5)).prop_map(|(agents, rules)| {
        let agents: String = agents.iter().map(|agent| format!("user-agent: {agent}\n")).collect();
        agents + &rules.concat()
    })
}

fn file() -> impl Strategy<Value = String> {
    prop::collection::vec(group(), 0..4).prop_map(|groups| groups.concat())
}

/// Generates two files. In half of the pairs, the second file is the first file with another group, so that the two
/// files have rules in common.
fn pair() -> impl Strategy<Value = (String, String)> {
    prop_oneof![
        (file(), file()),
        (file(), group()).prop_map(|(file, group)| (file.clone(), file + &group))
    ]
}

/// Returns the length of the path in normal form. *Shortest* refers to this length, in which a `$` counts as three octets.
fn length(path: &str) -> usize {
    PathAndQuery::parse(path).unwrap().as_octets().len()
}

fn matches(change: &Change<'_>, path: &str) -> bool {
    Pattern::new(change.pattern()).matches(&PathAndQuery::parse(path).unwrap())
}

fn token(agent: &Agent) -> &str {
    match agent {
        Agent::Others => "somebot",
        Agent::Named(token) => token,
    }
}

fn effect(old: bool, new: bool) -> Option<Effect> {
    match (old, new) {
        (false, true) => Some(Effect::Opened),
        (true, false) => Some(Effect::Closed),
        _ => None,
    }
}

/// Returns what changes about a path: the verdict, or the preference for each category of any vocabulary.
fn effects(old: &RuleSet, new: &RuleSet, path: &str) -> Vec<Effect> {
    let [before, after] = [old, new].map(|rules| rules.verdict(path).is_allowed());
    let differs = |category: &Category| {
        let [before, after] = [old, new]
            .map(|rules| rules.usage(path, &[]).by(Vocabulary::Vocab08).preference(*category));
        before.is_some() && after.is_some() && before != after
    };
    let categories = Category::ALL.iter().copied().filter(differs).map(Effect::Preference);
    effect(before, after).into_iter().chain(categories).collect()
}

/// Compares two files, and checks the result for five agents and every given path.
fn agrees_with_brute_force(old: &str, new: &str, edition: Edition, paths: &[String]) {
    let (old, new) = (parse_with(old, edition), parse_with(new, edition));
    let difference = compare(&old, &new);
    assert!(!difference.is_sampled());
    for agent in ["somebot", "one", "one-two", "two", "one-two-three"] {
        let (before, after) = (old.rules_for(agent), new.rules_for(agent));
        // A token that falls back to another token follows the groups of that token.
        let mut listed = difference.agents().iter().filter(
            |known| matches!(known, Agent::Named(name) if name.eq_ignore_ascii_case(agent)),
        );
        let prefix = |known: &&Agent| {
            let falls_back = matches!(edition, Edition::Google2018 | Edition::Google2019);
            falls_back
                && matches!(known, Agent::Named(name) if agent.to_ascii_lowercase().starts_with(&format!("{}-", name.to_ascii_lowercase())))
        };
        let fallback =
            difference.agents().iter().filter(prefix).max_by_key(|known| token(known).len());
        let listed = listed.next_back().or(fallback).unwrap_or(&Agent::Others);
        let mut shortest: BTreeMap<Effect, usize> = BTreeMap::new();
        for path in paths {
            let long = length(path);
            for effect in effects(&before, &after, path) {
                let least = shortest.entry(effect).or_insert(long);
                *least = long.min(*least);
                let says = |change: &&Change<'_>| {
                    let known = change
                        .path_for(listed)
                        .is_some_and(|known| length(known) <= long && !known.contains("%24"));
                    change.effect() == effect && known && matches(change, path)
                };
                assert!(
                    difference.changes().iter().any(|change| says(&change)),
                    "{agent} {path} {effect}: {difference:#?}"
                );
            }
        }
        let preferences = Category::ALL.iter().copied().map(Effect::Preference);
        for kind in [Effect::Opened, Effect::Closed].into_iter().chain(preferences) {
            let of_agent = difference.changes().iter().filter(|change| change.effect() == kind);
            let least = of_agent.filter_map(|change| change.path_for(listed)).map(length).min();
            let least = least.filter(|least| *least <= LONGEST + 1);
            let brute = shortest.get(&kind).copied().filter(|least| *least <= LONGEST + 1);
            assert_eq!(least, brute, "{agent} {kind}: {difference:#?}");
        }
    }
    every_change_is_one(&old, &new, difference.changes());
    for file in [&old, &new] {
        for agent in ["somebot", "one", "two"] {
            let rules = file.rules_for(agent);
            let allowed = paths
                .iter()
                .filter(|path| *path != "/robots.txt" && rules.verdict(path).is_allowed())
                .min_by_key(|path| length(path));
            match blocking(file, agent) {
                Blocking::Blocked => assert_eq!(allowed, None, "{file:?}"),
                Blocking::Open(path) => {
                    assert!(
                        rules.verdict(&path).is_allowed() && path != "/robots.txt",
                        "{path}: {file:?}"
                    );
                    let shorter = allowed.is_some_and(|allowed| length(allowed) < length(&path));
                    assert!(!shorter, "{path}: {file:?}");
                }
                Blocking::Unknown => panic!("{file:?}"),
            }
        }
    }
}

/// Checks that the answer about each path of each change really changes.
fn every_change_is_one<B: AsRef<[u8]>>(
    old: &RobotsTxt<B>,
    new: &RobotsTxt<B>,
    changes: &[Change<'_>],
) {
    let mut rules = BTreeMap::new();
    for change in changes {
        for agent in change.agents() {
            let path = change.path_for(agent).unwrap();
            let [before, after] = rules
                .entry(agent)
                .or_insert_with(|| [old, new].map(|file| file.rules_for(token(agent))));
            assert!(
                effects(before, after, path).contains(&change.effect()),
                "{agent:?} {path}: {change:?}"
            );
            assert!(matches(change, path), "{change:?}");
        }
        assert!(matches(change, change.example()), "{change:?}");
        let [old, new] = [change.before(), change.after()];
        if let Effect::Preference(category) = change.effect() {
            let [old, new] = [change.usage_before(), change.usage_after()]
                .map(|usage| usage.unwrap().preference(category));
            assert!(old.is_some() && new.is_some() && old != new, "{change:?}");
        } else {
            assert_eq!(effect(old.is_allowed(), new.is_allowed()), Some(change.effect()));
            assert!(change.usage_before().is_none() && change.usage_after().is_none());
        }
        assert_eq!(change.path_for(change.agent()), Some(change.path()));
    }
}

#[test]
fn brute_force_finds_the_same() {
    let pairs = env::var("ROBOTS_PAIRS")
        .map_or(300, |pairs| pairs.parse().expect("ROBOTS_PAIRS is a number"));
    let paths = paths();
    let config = Config { cases: pairs, failure_persistence: None, ..Config::default() };
    let editions = [Edition::ALL, Edition::DRAFTS].concat();
    let editions = prop::sample::select(editions);
    TestRunner::new(config)
        .run(&(pair(), editions), |((old, new), edition)| {
            agrees_with_brute_force(&old, &new, edition, &paths);
            Ok(())
        })
        .unwrap();
}

/// With a work limit of 0, the comparison takes samples. Such a comparison may miss changes, but every change that it
/// reports is real.
#[test]
fn a_sampled_comparison_has_only_changes() {
    let config = Config { cases: 300, failure_persistence: None, ..Config::default() };
    TestRunner::new(config)
        .run(&pair(), |(old, new)| {
            let [old, new] = [old, new].map(|file| parse_with(file, Edition::Aipref2026_08));
            let (all, some) = (compare(&old, &new), compare_within(&old, &new, 0));
            every_change_is_one(&old, &new, some.changes());
            prop_assert!(some.changes().is_empty() || !all.changes().is_empty());
            Ok(())
        })
        .unwrap();
    let (old, new) = (
        parse_with("", Edition::Rfc9309),
        parse_with("user-agent: *\ndisallow: /a*b$\n", Edition::Rfc9309),
    );
    let some = compare_within(&old, &new, 0);
    assert!(some.is_sampled());
    assert_eq!(some.changes()[0].path(), "/ab");
}

/// The example of a change looks natural where a shortest path does not, and the answer about it changes too.
#[rstest]
#[trace]
#[case("", "disallow: /*.pdf", "/a.pdf")]
#[case("", "disallow: /*.pdf$", "/a.pdf")]
#[case("disallow: /*.pdf$", "disallow: /*.pdf", "/a.pdfx")]
#[case("", "disallow: /*/private/", "/a/private/")]
#[case("", "disallow: /shop/*?color=", "/shop/?color=")]
#[case("disallow: /a.pdf", "disallow: /*.pdf", "/.pdf")]
#[case("", "disallow: /a$b", "/a$b")]
fn an_example_looks_natural(#[case] old: &str, #[case] new: &str, #[case] expected: &str) {
    let [old, new] = [old, new]
        .map(|rules| parse_with(format!("user-agent: *\n{rules}\n"), Edition::Google2022));
    let difference = compare(&old, &new);
    let change = difference.changes().last().unwrap();
    assert_eq!(change.example(), expected);
    every_change_is_one(&old, &new, difference.changes());
}

/// `Crawl-delay` and its agents are compared, although it decides nothing.
#[test]
fn delays_are_compared() {
    let [old, new] = ["", "crawl-delay: 5\n"].map(|delay| {
        let body = format!("user-agent: a\n{delay}disallow: /x\nuser-agent: *\ncrawl-delay: 2\n");
        parse_with(body, Edition::Google2022)
    });
    let difference = compare(&old, &new);
    let delays = difference.crawl_delays().map(|(agents, [before, after])| {
        let seconds = [before, after].map(|delay| delay.map(|delay| delay.as_secs()));
        (difference.affected(agents), seconds)
    });
    assert_eq!(delays.collect::<Vec<_>>(), [("a".to_owned(), [None, Some(5)])]);
    assert!(difference.changes().is_empty());
}

#[rstest]
#[trace]
#[case::nothing("user-agent: *\ndisallow: /a\n", "# moved\nUser-Agent: *\n\nDisallow: /%61\n", &[])]
#[case::a_redundant_rule("user-agent: *\ndisallow: /a\n", "user-agent: *\ndisallow: /a\ndisallow: /a/b\n", &[])]
#[case::a_wildcard_opens(
    "user-agent: *\ndisallow: /shop/\n",
    "user-agent: *\ndisallow: /shop/\nallow: /shop/*?color=\n",
    &["opened /shop/*?color= /shop/?color= everyone"]
)]
#[case::the_whole_site_closes("user-agent: *\ndisallow:\n", "user-agent: *\ndisallow: /\n", &["closed / / everyone"])]
#[case::a_group_of_its_own(
    "user-agent: *\ndisallow: /private\n",
    "user-agent: *\ndisallow: /private\nuser-agent: GPTBot\ndisallow: /\n",
    &["closed / / GPTBot"]
)]
#[case::moved_to_another_group(
    "user-agent: a\ndisallow: /x\nuser-agent: b\ndisallow: /y\n",
    "user-agent: a\nuser-agent: b\ndisallow: /x\ndisallow: /y\n",
    &["closed /x /x b", "closed /y /y a"]
)]
#[case::an_end_is_added("user-agent: *\ndisallow: /a\n", "user-agent: *\ndisallow: /a$\n", &["opened /a /ax everyone"])]
#[case::the_exempt_path("user-agent: *\n", "user-agent: *\ndisallow: /robots.txt\n", &["closed /robots.txt /robots.txtx everyone"])]
#[case::the_exempt_path_alone("user-agent: *\n", "user-agent: *\ndisallow: /robots.txt$\n", &[])]
#[case::octets("user-agent: *\n", "user-agent: *\ndisallow: /caf\u{e9}/\n", &["closed /caf\u{e9}/ /caf%C3%A9/ everyone"])]
#[case::an_encoded_slash(
    "user-agent: *\ndisallow: /a/b\n",
    "user-agent: *\ndisallow: /a%2fb\n",
    &["opened /a/b /a/b everyone", "closed /a%2fb /a%2Fb everyone"]
)]
#[case::a_dollar_inside("user-agent: *\n", "user-agent: *\ndisallow: /a$b\n", &["closed /a$b /a$b everyone"])]
#[case::the_other_kind("user-agent: *\ndisallow: /a\n", "user-agent: *\nallow: /a\n", &["opened /a /a everyone"])]
fn a_change_is_told_in_the_words_of_the_files(
    #[case] old: &str,
    #[case] new: &str,
    #[case] expected: &[&str],
) {
    let (old, new) = (parse_with(old, Edition::Google2022), parse_with(new, Edition::Google2022));
    let difference = compare(&old, &new);
    let changes = difference.changes().iter().map(|change| {
        let agents: Vec<&str> = change.agents().map(token).collect();
        let agents =
            if difference.is_everyone(change) { "everyone".to_owned() } else { agents.join(",") };
        format!(
            "{} {} {} {agents}",
            change.effect(),
            String::from_utf8_lossy(change.pattern()),
            change.path()
        )
    });
    assert_eq!(changes.collect::<Vec<_>>(), expected);
}

/// Makes a file with this number of rules. The first `wild` rules have wildcards. Two files with different values of
/// `turn` have no rule in common.
fn large(rules: usize, wild: usize, turn: usize) -> String {
    let mut file = String::from("user-agent: *\n");
    for rule in 0..rules {
        let (kind, number) =
            (if rule % 7 == 0 { "allow" } else { "disallow" }, rule + turn * rules);
        let path = if rule < wild {
            format!("/*/p{number}?*sort=")
        } else {
            format!("/shop/{}/item-{number}/", number % 97)
        };
        let _ = writeln!(file, "{kind}: {path}");
    }
    file
}

/// Two files of 5,000 rules are compared within the work limit, whether few or all of their rules differ.
#[rstest]
#[trace]
#[case::a_rule_more(0, 0)]
#[case::wildcards(100, 0)]
#[case::nothing_in_common(0, 1)]
fn large_files_are_compared_exactly(#[case] wild: usize, #[case] turn: usize) {
    let old = large(5000, wild, 0);
    let new = large(5000, wild, turn) + "disallow: /*?color=\nallow: /shop/7/*/x$\n";
    let (old, new) = (parse_with(&old, Edition::Google2022), parse_with(&new, Edition::Google2022));
    let start = std::time::Instant::now();
    let difference = compare(&old, &new);
    println!("{wild} wild, {} changes in {:?}", difference.changes().len(), start.elapsed());
    assert!(!difference.is_sampled());
    assert!(!difference.changes().is_empty());
    every_change_is_one(&old, &new, difference.changes());
}

/// If many rules differ and many have wildcards, the work limit ends the search.
#[test]
fn beyond_the_bound_the_comparison_is_sampled() {
    let (old, new) = (large(5000, 200, 0), large(5000, 200, 1));
    let (old, new) = (parse_with(&old, Edition::Google2022), parse_with(&new, Edition::Google2022));
    let start = std::time::Instant::now();
    let difference = compare(&old, &new);
    println!("{} changes, sampled, in {:?}", difference.changes().len(), start.elapsed());
    assert!(difference.is_sampled());
    every_change_is_one(&old, &new, difference.changes());
}

/// Returns a different product token for each number.
fn name(mut number: usize) -> String {
    let mut name = String::from("z");
    loop {
        name.push(char::from(b'a' + u8::try_from(number % 26).unwrap()));
        number /= 26;
        if number == 0 {
            return name;
        }
    }
}

fn agents(count: usize) -> String {
    (0..count).map(|number| format!("user-agent: {}\n", name(number))).collect()
}

/// Makes a file in which each agent has a separate group.
fn groups(count: usize, path: &str) -> String {
    (0..count)
        .map(|number| format!("user-agent: {}\ndisallow: /{path}{number}\n", name(number)))
        .collect()
}

fn rules(count: usize, path: impl Fn(usize) -> String) -> String {
    (0..count).map(|number| format!("disallow: {}\n", path(number))).collect()
}

/// Hostile files of 500 KiB, for which an unlimited comparison needs hours or all memory. The test ends only because
/// the work is limited. It prints the times.
#[rstest]
#[trace]
#[case::agents_with_groups_of_their_own(&groups(14_000, "a"), &groups(14_000, "b"))]
#[case::each_agent_follows_each_rule(&(agents(14_000) + &rules(12_000, |n| format!("/{n:x}"))), "")]
#[case::agents_share_a_large_group(
    &(agents(5000) + &rules(10_000, |n| format!("/{n:x}")) + &groups(5000, "q")), ""
)]
#[case::wildcards(
    &("user-agent: *\n".to_owned() + &rules(22_000, |n| format!("/*{n:x}a*b"))),
    &("user-agent: *\n".to_owned() + &rules(22_000, |n| format!("/*{n:x}c*d")))
)]
#[case::one_octet_over_and_over(
    &format!("user-agent: *\ndisallow: /*{0}\nallow: /*{0}b\n", "a".repeat(240_000)), ""
)]
#[case::the_same_octet_again(
    &("user-agent: *\n".to_owned() + &rules(900, |n| format!("/*{}*b*b", "a".repeat(n)))), ""
)]
#[case::two_long_patterns(
    &format!("user-agent: *\ndisallow: /{}\nallow: /{}\n", "a*b*b*".repeat(40_000), "b*a*a*".repeat(40_000)), ""
)]
fn no_file_takes_long(#[case] old: &str, #[case] new: &str) {
    let (old, new) = (parse_with(old, Edition::Google2022), parse_with(new, Edition::Google2022));
    let start = std::time::Instant::now();
    let difference = compare(&old, &new);
    let changes = difference.changes().len();
    println!(
        "compared, {} sampled, {changes} changes: {:?}",
        difference.is_sampled(),
        start.elapsed()
    );
    let most = difference.changes().iter().take(50);
    let most: Vec<usize> = most.map(|change| change.path().len() + change.agents().len()).collect();
    assert!(most.iter().all(|count| *count > 0));
    println!("shown: {:?}", start.elapsed());
    let expected =
        Expectations::read("never-blocked: [everyone]\nurls: [{ allow: [/x], disallow: [/y] }]\n");
    let checked = check(&expected.unwrap(), &old);
    println!("checked: {:?}", start.elapsed());
    assert_eq!(checked.len(), 3);
    assert!(!draft(&old).is_empty());
    println!("drafted: {:?}", start.elapsed());
}

/// If a file names so many crawlers that not all can be checked, an expectation for everyone is not met.
#[test]
fn too_many_crawlers_are_not_everyone() {
    let file = groups(14_000, "a") + "user-agent: zzzz-last\ndisallow: /\n";
    let file = parse_with(&file[..], Edition::Google2022);
    let expected =
        Expectations::read("never-blocked: [everyone, zzzz-last]\nurls: [{ allow: [/] }]\n");
    let checked = check(&expected.unwrap(), &file);
    let reasons: Vec<&str> = checked.iter().filter_map(Checked::reason).collect();
    assert!(reasons[0].contains("too many crawlers"), "{reasons:?}");
    assert!(reasons[1].contains("zzzz-last may fetch nothing but robots.txt"), "{reasons:?}");
    assert!(reasons[2].contains("too many crawlers"), "{reasons:?}");
    assert!(!draft(&file).contains("everyone"), "{}", draft(&file));
}

/// Without `agents`, an entry of `urls` is about everyone. An empty list or a second list is a mistake, because the
/// entry would then be about other crawlers than its author intends.
#[test]
fn an_entry_names_its_agents_once() {
    let read = |text: &str| {
        let read = Expectations::read(text).map_err(|mistake| mistake.to_string());
        read.map(|read| read.all.iter().map(|one| one.what.to_string()).collect::<Vec<_>>())
    };
    let of = |agents: &str| read(&format!("urls: [{{ {agents}allow: [/x] }}]\n"));
    assert_eq!(of("").unwrap().len(), 1);
    assert_eq!(of(""), of("agents: [everyone], "));
    for empty in ["agents: [], ", "agents:, "] {
        assert!(of(empty).unwrap_err().contains("`agents` is empty"), "{empty}");
    }
    let named = read("lists: { none: [] }\nurls: [{ agents: [none], allow: [/x] }]\n");
    assert!(named.unwrap_err().contains("`agents` is empty"));
    let twice = of("agents: [abot], agents: [bbot], ");
    assert!(twice.unwrap_err().contains("twice"));
}

/// A long list of agents that is used many times would multiply the number of expectations, so this number has a limit.
#[test]
fn expectations_do_not_multiply() {
    let names = |count: usize, letter: &str| {
        let names: Vec<String> = (0..count).map(|n| format!("{letter}{}", name(n))).collect();
        names.join(", ")
    };
    let text = format!(
        "lists: {{ big: [{}] }}\nurls: [{{ agents: [big], allow: [{}] }}]\n",
        names(10_000, "a"),
        names(10_000, "/")
    );
    let mistake = Expectations::read(&text).unwrap_err().to_string();
    assert!(mistake.contains("more than 100000 expectations"), "{mistake}");
    let lists: String = (0..1001).map(|n| format!("  {}: [a]\n", name(n))).collect();
    let mistake = Expectations::read(&format!("lists:\n{lists}")).unwrap_err().to_string();
    assert!(mistake.contains("more than 1000 lists"), "{mistake}");
}

/// All fixes of a file share one work limit.
#[rstest]
#[trace]
#[case::typos(&("user-agent: *\n".to_owned() + &(0..30_000).map(|n| format!("Disalow: /{n}\n")).collect::<String>()))]
#[case::stars(&("user-agent: *\n".to_owned() + &rules(30_000, |n| format!("/{n}*"))))]
fn fixing_does_not_take_long(#[case] body: &str) {
    let start = std::time::Instant::now();
    let fixed = fix(&ScanParser, body.as_bytes(), Options::default(), None, |_| true);
    let (applied, left) = (fixed.applied.len(), fixed.left.len());
    println!("{applied} applied, {left} left: {:?}", start.elapsed());
    assert!(applied + left > 25_000, "{applied} applied, {left} left");
}

/// A file may have as many comments as findings. Looking up each finding in the comments must not need quadratic time.
#[rstest]
#[trace]
#[case::a_comment_in_each_line("x # robots-lint: ignore no-such\n".repeat(15_000))]
#[case::a_comment_of_many_names(
    format!("# robots-lint: ignore {}\n{}", "no-such ".repeat(30_000), "x\n".repeat(120_000))
)]
fn comments_cost_no_square(#[case] body: String) {
    let robots = parse_with(&body[..], Edition::Google2022);
    let ignored = Ignored::of(&robots);
    let found = findings(&robots);
    let found = found.filter(|found| !ignored.covers(found.kind().name(), found.line())).count();
    assert!(found >= 15_000, "{found}");
}

/// The expectations that `draft` writes can be read again, and each of their characters is visible.
#[test]
fn a_draft_shows_each_character() {
    let file = "user-agent: *\ndisallow: /\u{202e}\u{2028}\u{feff}\u{e0001}\u{85}'\"\\é\n";
    let robots = parse_with(file, Edition::Google2022);
    let text = draft(&robots);
    let hidden =
        |c: char| c != '\n' && !matches!(c, '"' | '\'' | '\\') && c.escape_debug().len() > 1;
    assert!(!text.contains(hidden), "{text:?}");
    let expectations = Expectations::read(&text).unwrap();
    let urls: Vec<String> = expectations.all.iter().map(|one| one.what.to_string()).collect();
    assert!(
        urls.contains(&format!("everyone may not fetch {}", &file.lines().nth(1).unwrap()[10..])),
        "{urls:?}"
    );
    assert!(check(&expectations, &robots).iter().all(Checked::is_met));
}

/// Changes each real file in three ways: removes a rule, replaces a rule with another rule, and makes a rule an allow
/// rule.
#[test]
fn real_files_differ_from_changed_versions_of_themselves() {
    let made_up = "user-agent: *\ndisallow: /cgi-bin/\nallow: /cgi-bin/*.css$\nuser-agent: GPTBot\ndisallow: /\n";
    check_changed(made_up.as_bytes());
    let Some(folder) = env::var_os("ROBOTS_CORPUS") else {
        println!("ROBOTS_CORPUS is not set: a made-up file is checked, no real ones");
        return;
    };
    let mut checked = 0;
    walk(Path::new(&folder), &mut |octets| {
        check_changed(octets);
        checked += 1;
    });
    assert!(checked > 0, "ROBOTS_CORPUS: no file in {}", folder.display());
    println!("{checked} files of {} checked", folder.display());
}

fn walk(folder: &Path, check: &mut impl FnMut(&[u8])) {
    for entry in fs::read_dir(folder)
        .unwrap_or_else(|error| panic!("ROBOTS_CORPUS: {}: {error}", folder.display()))
    {
        let path = entry.unwrap().path();
        if path.is_dir() {
            walk(&path, check);
        } else {
            println!("{}", path.display());
            check(&fs::read(&path).unwrap());
        }
    }
}

fn check_changed(octets: &[u8]) {
    let file = parse_with(octets, Edition::Google2022);
    assert!(compare(&file, &file).changes().is_empty());
    let rules: Vec<_> =
        file.groups().flat_map(|group| group.rules()).map(|rule| rule.line()).collect();
    let Some(line) = rules.get(rules.len() / 2) else { return };
    let (before, behind) = (&octets[..line.span.start()], &octets[line.span.end()..]);
    let value = &octets[line.value.unwrap().range()];
    for middle in [&b""[..], b"\nallow: /*?color=\n", &[b"\nallow: ", value, b"\n"].concat()] {
        let changed = [before, middle, behind].concat();
        let changed = parse_with(&changed[..], Edition::Google2022);
        let start = std::time::Instant::now();
        let there = compare(&file, &changed);
        let back = compare(&changed, &file);
        let time = start.elapsed();
        if there.is_sampled() || time.as_millis() > 500 {
            println!("  sampled: {}, {time:?}", there.is_sampled());
        }
        every_change_is_one(&file, &changed, there.changes());
        every_change_is_one(&changed, &file, back.changes());
        // If the new file opens URLs, the opposite change closes URLs for the same agents.
        let all = |changes: &[Change<'_>], effect| {
            let of = changes.iter().filter(|change| change.effect() == effect);
            let mut agents: Vec<String> = of
                .flat_map(Change::agents)
                .map(|agent| format!("{agent:?}").to_lowercase())
                .collect();
            agents.sort();
            agents.dedup();
            agents
        };
        if !there.is_sampled() && !back.is_sampled() {
            assert_eq!(all(there.changes(), Effect::Opened), all(back.changes(), Effect::Closed));
            assert_eq!(all(there.changes(), Effect::Closed), all(back.changes(), Effect::Opened));
        }
    }
}
