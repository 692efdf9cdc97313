//! Tests the findings about preferences on the use of content. Most of the twenty files have mistakes that sites make.
//! A property test compares the findings with a reader of structured fields. The lines come from `ScanParser`.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use proptest::prelude::*;
use robots_core::usage::Preferences;
use robots_core::{Edition, Options, RobotsTxt};
use robots_lint::{Finding, FindingKind, findings, findings_for};
use robots_nom_parser::ScanParser;
use rstest::rstest;

fn parse(body: &[u8], edition: Edition) -> RobotsTxt<&[u8]> {
    RobotsTxt::parse(&ScanParser, body, Options::from(edition))
}

/// Returns whether a finding is about a preference.
fn is_about_one(kind: FindingKind) -> bool {
    ["preference-", "usage-", "signal-"].iter().any(|prefix| kind.name().starts_with(prefix))
}

/// Returns the wanted findings of a file as text: two lines for each finding, the message and its place.
fn listed(body: &[u8], edition: Edition, is_wanted: impl Fn(FindingKind) -> bool) -> String {
    let robots = parse(body, edition);
    let found = findings(&robots).filter(|finding| is_wanted(finding.kind()));
    found.fold(String::new(), |mut text, finding| {
        let mark = finding.span().range();
        let _ = writeln!(text, "  {}: {finding}", finding.kind());
        let _ = writeln!(text, "    at `{}`", body[mark].escape_ascii());
        text
    })
}

/// The findings about preferences are the same in every edition, although only the draft edition defines the field
/// `Content-Usage`. Only one kind of finding is an exception. This kind depends on the groups of the file, which differ
/// between editions if a preference is between user-agent lines.
#[test]
fn twenty_files() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/preferences");
    let mut files: Vec<_> =
        fs::read_dir(&folder).unwrap().map(|file| file.unwrap().path()).collect();
    files.sort();
    assert_eq!(files.len(), 20);
    let (mut text, mut kinds) = (String::new(), BTreeSet::new());
    for file in files {
        let body = fs::read(&file).unwrap();
        let found = listed(&body, Edition::default(), is_about_one);
        let is_of_any_edition =
            |kind| is_about_one(kind) && kind != FindingKind::PreferenceNotCrawled;
        let of_any = |edition| listed(&body, edition, is_of_any_edition);
        for edition in Edition::ALL.iter().chain(Edition::DRAFTS) {
            let of_default = of_any(Edition::default());
            assert_eq!(of_any(*edition), of_default, "{} under {edition}", file.display());
        }
        kinds.extend(findings(&parse(&body, Edition::default())).map(|finding| finding.kind()));
        let _ = writeln!(text, "{}\n{found}", file.file_name().unwrap().display());
    }
    let kinds_of_preferences = FindingKind::ALL.iter().filter(|kind| is_about_one(**kind));
    let missing: Vec<_> = kinds_of_preferences.filter(|kind| !kinds.contains(kind)).collect();
    assert!(missing.is_empty(), "no file shows {missing:?}");
    insta::assert_snapshot!(text);
}

/// If a preference is between two user-agent lines, the finding about it affects the crawlers of these two lines, but
/// no other crawler.
#[rstest]
#[trace]
#[case("otherbot", true)]
#[case("trainerbot", true)]
#[case("apartbot", false)]
fn a_verdict_is_told_of_the_line_between(
    #[case] crawler: &str,
    #[case] is_told: bool,
    #[values(Edition::Rfc9309, Edition::Aipref2026_08)] edition: Edition,
) {
    let body = b"user-agent: apartbot\nallow: /\n\nuser-agent: *\ncontent-usage: train-ai=n\n\
                 user-agent: trainerbot\ndisallow: /\n";
    let robots = parse(body, edition);
    let found = findings_for(&robots, crawler, "/a");
    let kinds: Vec<_> = found.iter().map(Finding::kind).collect();
    assert_eq!(kinds.contains(&FindingKind::PreferenceBetweenAgents), is_told, "{kinds:?}");
}

/// Generates a preference from random pieces, so that many preferences are invalid.
fn preference() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(
        &[
            "train-ai", "search", "ai-train", "x", "*x", "Train-AI", "é", "9", "=", "=", "=", "y",
            "n", "no", "\"n\"", "\"", "\\", "(", ")", "?1", "?", ":", ":aGk=:", "@1", "1", "-1",
            "1.5", ",", ",", ", ", ";", "; ", " ", "\t", "a/b", "%\"a\"",
        ][..],
    );
    let pieces = prop::collection::vec(piece, 1..9).prop_map(|pieces| pieces.concat());
    let members = prop::collection::vec(
        prop::sample::select(
            &[
                "train-ai=n",
                "search=y;a=1",
                "x=(1 2)",
                "x",
                "train-ai=no",
                "Search=y",
                "genai=n",
                "use=full",
            ][..],
        ),
        1..4,
    );
    prop_oneof![2 => pieces, 1 => members.prop_map(|members| members.join(", "))]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4096))]
    /// If a finding says that a preference is invalid, the reader of structured fields must also refuse it. To see this,
    /// the test writes a valid preference behind it: the reader must still read none.
    #[test]
    fn what_is_reported_as_invalid_is_no_dictionary(preference in preference()) {
        let trimmed = preference.trim_matches([' ', '\t']);
        prop_assume!(!trimmed.is_empty() && !trimmed.starts_with('/'));
        let body = format!("user-agent: *\ncontent-usage: {trimmed}\ndisallow: /x\n");
        let robots = parse(body.as_bytes(), Edition::Aipref2026_08);
        let kinds: BTreeSet<_> = findings(&robots).map(|finding| finding.kind()).collect();
        let longer = format!("{trimmed}, train-ai=y");
        let is_valid = Preferences::read(longer.as_bytes()) != Preferences::UNKNOWN;
        let spoils = |kind| matches!(kind, FindingKind::UsageInvalid | FindingKind::UsageCapitals);
        let is_reported = kinds.iter().any(|kind| spoils(*kind));
        prop_assert!(!(is_valid && is_reported), "{kinds:?}");
        // This kind of finding is about the end of the preference, so the test adds no member after it.
        if kinds.contains(&FindingKind::UsageTrailingMark) {
            prop_assert_eq!(Preferences::read(trimmed.as_bytes()), Preferences::UNKNOWN);
        }
    }
}
