//! Checks that compiled statements give the same preferences as the statements of the file, for any file and URL. Also
//! checks that the crate interprets the open points of the drafts as `docs/aipref.md` states.

include!("dialect/line_parser.rs");

use proptest::prelude::*;
use robots_core::syntax::{Field, LineKind};
use robots_core::usage::{Category, Preference, Preferences, Vocabulary, split};
use robots_core::{Edition, Options, RobotsTxt};
use rstest::rstest;

fn parsed(body: &str, edition: Edition) -> RobotsTxt<&str> {
    RobotsTxt::parse(&LineParser, body, Options::from(edition))
}

fn line() -> impl Strategy<Value = String> {
    let path =
        prop::sample::select(&["", "/", "/a", "/a/b", "/a*", "/a$", "*/a", "/%61", "/é"][..]);
    let preference = prop::sample::select(
        &["train-ai=n", "train-ai=y", "search=n, train-ai=y", "search=y", "train-ai=n,", "", "x=1"]
            [..],
    );
    let agent = prop::sample::select(&["a", "b", "*"][..]);
    prop_oneof![
        4 => (path.clone(), preference).prop_map(|(path, stated)| match path {
            "" => format!("content-usage: {stated}"),
            path => format!("content-usage: {path} {stated}"),
        }),
        2 => agent.prop_map(|agent| format!("user-agent: {agent}")),
        1 => path.clone().prop_map(|path| format!("disallow: {path}")),
        1 => path.prop_map(|path| format!("allow: {path}")),
        1 => Just("sitemap: https://example.com/".to_owned()),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2048))]
    #[test]
    fn compiled_statements_say_the_same(
        lines in prop::collection::vec(line(), 0..14),
        url in prop::sample::select(&["/", "/a", "/a/b", "/ab", "/b", "/%C3%A9", "/robots.txt", "x"][..]),
        agent in prop::sample::select(&["a", "b", "c"][..]),
        header in prop::option::of(prop::sample::select(&["train-ai=n", "search=y", "x,"][..])),
        edition in prop::sample::select(&[Edition::Aipref2026_08, Edition::Rfc9309][..]),
    ) {
        let body = lines.join("\n") + "\n";
        let robots = parsed(&body, edition);
        let header: Vec<&[u8]> = header.iter().map(|line| line.as_bytes()).collect();
        let (usage, rules) = (robots.usage(agent, url, &header), robots.rules_for(agent));
        let compiled = rules.usage(url, &header);
        prop_assert_eq!(usage.to_string(), compiled.to_string(), "{}", body);
        prop_assert_eq!(usage.preferences(), compiled.preferences());
        prop_assert_eq!(usage.verdict().to_string(), robots.verdict(agent, url).to_string());
        let numbers = |usage: &robots_core::usage::Usage<'_>| -> Vec<u32> {
            usage.statements().map(|statement| statement.line().number.get()).collect()
        };
        prop_assert_eq!(numbers(&usage), numbers(&compiled));
        if edition == Edition::Rfc9309 {
            prop_assert!(numbers(&usage).is_empty());
        }
    }
}

/// Only the draft edition defines the field `content-usage`. The field ends a run of user-agent lines in the draft
/// edition, but not in other editions.
#[rstest]
#[trace]
fn the_field_is_known_to_the_draft_alone(
    #[values(
        Edition::Google2018,
        Edition::Google2019,
        Edition::Google2022,
        Edition::Rfc9309,
        Edition::Aipref2026_08
    )]
    edition: Edition,
) {
    let robots =
        parsed("user-agent: a\ncontent-usage: train-ai=n\nuser-agent: b\ndisallow: /\n", edition);
    let kind = robots.lines().nth(1).unwrap().1;
    let is_known = edition.is_draft();
    let record = LineKind::Record { field: Field::ContentUsage, effect: Ok(()) };
    assert_eq!(kind, if is_known { record } else { LineKind::Unknown });
    assert_eq!(robots.groups().count(), if is_known { 2 } else { 1 });
    assert_eq!(robots.verdict("a", "/").is_allowed(), is_known);
}

/// Checks how the crate interprets the open points of the drafts. Each case has the number of a point in
/// `docs/aipref.md`.
#[rstest]
#[trace]
#[case::point_2(
    "content-usage: train-ai=n\ncontent-usage: */a train-ai=y",
    "/a",
    "train-ai disallowed"
)]
#[case::point_3("content-usage: train-ai=n\ncontent-usage: /a", "/a", "unknown")]
#[case::point_4("content-usage: /a \ttrain-ai=n", "/a", "train-ai disallowed")]
#[case::point_5("content-usage: train-ai=n\ncontent-usage: / train-ai=y", "/a", "train-ai allowed")]
#[case::point_6(
    "content-usage: /é train-ai=n\ncontent-usage: /%C3%A9 train-ai=y",
    "/é",
    "train-ai disallowed"
)]
#[case::point_7("content-usage: /a*c$ train-ai=n", "/abc", "train-ai disallowed")]
#[case::point_8("content-usage: train-ai=n;", "/a", "unknown")]
fn readings_of_open_points(#[case] lines: &str, #[case] url: &str, #[case] says: &str) {
    let body = format!("user-agent: *\n{lines}\n");
    let usage = parsed(&body, Edition::Aipref2026_08).usage("a", url, &[]).preferences().unwrap();
    assert_eq!(usage.to_string(), says);
    assert_eq!(usage.get(Category::Search).id(), "unknown");
}

/// A header is combined with the statements of the file: for each category, the greatest value wins. Lines of a header
/// are one dictionary, in which the last value of a key is used.
#[rstest]
#[trace]
#[case::none(&[], "train-ai allowed", None)]
#[case::another_category(&["search=n"], "train-ai allowed, search disallowed", Some("search disallowed"))]
#[case::it_disallows(&["train-ai=n"], "train-ai disallowed", Some("train-ai disallowed"))]
#[case::two_lines(&["search=n", "search=y, ai-use=n"], "train-ai allowed, search allowed", Some("search allowed"))]
#[case::no_dictionary(&["search=n", ","], "train-ai allowed", Some("unknown"))]
fn a_header_is_combined_with_the_file(
    #[case] header: &[&str],
    #[case] combined: &str,
    #[case] alone: Option<&str>,
) {
    let robots = parsed("user-agent: *\ncontent-usage: train-ai=y\n", Edition::Aipref2026_08);
    let header: Vec<&[u8]> = header.iter().map(|line| line.as_bytes()).collect();
    let usage = robots.usage("a", "/", &header);
    assert_eq!(usage.preferences().unwrap().to_string(), combined);
    assert_eq!(usage.header().map(|header| header.to_string()).as_deref(), alone);
    let disallowed = parsed("user-agent: *\ncontent-usage: train-ai=n\n", Edition::Aipref2026_08);
    let usage = disallowed.usage("a", "/", &[b"train-ai=y"]);
    assert_eq!(usage.preference(Category::TrainAi), Some(Preference::Disallowed));
}

/// The vocabulary selects the categories, and a URL that may not be fetched has no preference.
#[test]
fn a_vocabulary_selects_categories() {
    let body = "user-agent: *\ndisallow: /no\ncontent-usage: train-ai=n, ai-use=y\n";
    let robots = parsed(body, Edition::Aipref2026_08);
    let shown =
        |url: &str, vocabulary: Vocabulary| robots.usage("a", url, &[]).by(vocabulary).to_string();
    let line = "the longest matching path is line 3, `content-usage: train-ai=n, ai-use=y`";
    assert_eq!(shown("/", Vocabulary::Vocab07), format!("train-ai disallowed: {line}"));
    assert_eq!(
        shown("/", Vocabulary::Vocab08),
        format!("train-ai disallowed, ai-use allowed: {line}")
    );
    assert!(shown("/no", Vocabulary::Vocab08).starts_with("not applicable: disallow: "));
    let usage = robots.usage("a", "/no", &[]);
    assert_eq!((usage.preferences(), usage.preference(Category::TrainAi)), (None, None));
}

#[rstest]
#[trace]
#[case::no_path("train-ai=n", None, "train-ai=n")]
#[case::a_space("/a train-ai=n", Some("/a"), "train-ai=n")]
#[case::a_tab_and_spaces("/a\t  train-ai=n ", Some("/a"), "train-ai=n ")]
#[case::no_preference("/a", Some("/a"), "")]
#[case::white_space_alone("/a \t", Some("/a"), "")]
#[case::nothing("", None, "")]
fn a_value_is_split(#[case] value: &str, #[case] path: Option<&str>, #[case] preference: &str) {
    assert_eq!(split(value.as_bytes()), (path.map(str::as_bytes), preference.as_bytes()));
}

#[test]
fn names_of_values_are_read_as_they_are_written() {
    for preference in Preference::ALL {
        assert_eq!(preference.id().parse(), Ok(*preference));
    }
    for category in Category::ALL {
        assert_eq!(category.label().parse(), Ok(*category));
    }
    for vocabulary in Vocabulary::ALL {
        assert_eq!(vocabulary.id().parse(), Ok(*vocabulary));
    }
    let all = Category::ALL.iter();
    let disallowed =
        all.fold(Preferences::UNKNOWN, |stated, it| stated.with(*it, Preference::Disallowed));
    assert_eq!(disallowed.to_string(), "train-ai disallowed, search disallowed, ai-use disallowed");
    assert_eq!(disallowed.stated().count(), Category::ALL.len());
    assert_eq!(Preferences::UNKNOWN.to_string(), "unknown");
}
