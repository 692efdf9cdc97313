//! Checks that [`fix`] changes neither a verdict nor a preference, and that it applies no fix about which this is not
//! known.

use std::fmt::Write as _;

use proptest::prelude::*;
use robots_core::usage::Vocabulary;
use robots_core::{Edition, Options};
use robots_lint::effect::compare;
use robots_lint::{Finding, FindingKind, Fixed, fix};
use robots_nom_parser::{ScanParser, parse_with};
use rstest::rstest;

fn fixed(body: &str, edition: Edition, wanted: impl Fn(&Finding<'_>) -> bool) -> Fixed {
    fix(&ScanParser, body.as_bytes(), Options::from(edition), None, wanted)
}

/// The corrected line would begin a group for Googlebot, in which no preference is stated.
#[rstest]
#[trace]
#[case::of_the_default_vocabulary("train-ai=n")]
#[case::of_another_vocabulary("ai-use=n")]
fn a_fix_changes_no_preference(#[case] stated: &str) {
    let body = format!("user-agent: *\ncontent-usage: {stated}\nuser-agnt: Googlebot\n");
    let fixed = fixed(&body, Edition::Aipref2026_08, |_| true);
    assert_eq!(String::from_utf8_lossy(&fixed.body), body);
    assert!(fixed.left.iter().any(|(_, kind)| *kind == FindingKind::MisspeltField));
}

/// If two findings touch each other, both are fixed.
#[test]
fn neighbours_are_both_fixed() {
    let body = "\u{feff}https://example.com/sitemap.xml\n";
    let fixed = fixed(body, Edition::Google2022, |_| true);
    let kinds: Vec<FindingKind> = fixed.applied.iter().map(|(_, kind)| *kind).collect();
    assert_eq!(kinds, [FindingKind::ByteOrderMark, FindingKind::BareUrl]);
    assert_eq!(fixed.body, b"Sitemap: https://example.com/sitemap.xml\n");
}

/// The corrected rule closes `/aaaaaaaayb`. The rules with wildcards use up the work limit before the search comes to
/// this path, and no sample of the rule shows the change, because the allow rules match all of them.
#[test]
fn a_fix_without_proof_is_not_applied() {
    let mut body = String::from(
        "user-agent: *\nallow: /aaaaaaaab*$\nallow: /xaaaaaaaaxb\nallow: //xaaaaaaaa/xb\n",
    );
    (0..22_000).for_each(|n| {
        let _ = writeln!(body, "allow: /*{n:x}c*d");
    });
    body.push_str("disalow: /*aaaaaaaa*b\n");
    let wanted = |finding: &Finding<'_>| finding.kind() == FindingKind::MisspeltField;
    let fixed = fixed(&body, Edition::Google2022, wanted);
    for body in [body.as_bytes(), &fixed.body] {
        let rules = parse_with(body, Edition::Google2022).rules_for("a");
        assert!(rules.verdict("/aaaaaaaayb").is_allowed());
    }
    assert_eq!((fixed.applied.len(), fixed.left.len()), (0, 1));
    // Only samples were compared, and none of them shows a change. So the missing proof is the reason.
    let corrected = body.replace("disalow", "disallow");
    let [before, after] =
        [&body, &corrected].map(|body| parse_with(body.as_bytes(), Edition::Google2022));
    let difference = compare(&before, &after);
    assert!(difference.is_sampled() && difference.changes().is_empty());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]
    #[test]
    fn no_fix_changes_an_answer(
        lines in prop::collection::vec(
            prop::sample::select(&[
                "user-agent: *", "user-agent: a", "user-agnt: a", "user-agent b/1", "allow: /a*", "disallow: /", "disalow: /b",
                "disallow: /a$b*", "disallow: b", "content-usage: train-ai=n", "content-usage: /a* train-ai=no",
                "content-usge: /b search=y", "content-usage: Train-AI=n, search=y", "content-usage train-ai=y",
            ][..]),
            0..9,
        ),
        edition in prop::sample::select([Edition::ALL, Edition::DRAFTS].concat()),
    ) {
        let body = lines.join("\n") + "\n";
        let fixed = fixed(&body, edition, |_| true);
        let files = [body.as_bytes(), &fixed.body].map(|body| parse_with(body, edition));
        for agent in ["a", "b", "c"] {
            for url in ["/", "/a", "/ab", "/b", "/a$b", "/c"] {
                let [old, new] = files.each_ref().map(|file| {
                    file.usage(agent, url, &[]).by(Vocabulary::Vocab08).preferences()
                });
                prop_assert_eq!(old, new, "{} {}: {:?} by {:?}", agent, url, body, fixed);
            }
        }
    }
}
