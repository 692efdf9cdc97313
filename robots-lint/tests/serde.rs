//! Tests findings as JSON: the keys of a finding, and the names of kinds and levels.

use robots_core::{Options, RobotsTxt};
use robots_lint::{FindingKind, Level, findings};
use robots_nom_parser::ScanParser;
use serde_json::{from_value, json, to_value};

#[test]
fn a_finding_carries_cause_and_fix() {
    let robots = RobotsTxt::parse(&ScanParser, "user-agent: *\ndisalow: /x\n", Options::default());
    assert_eq!(
        to_value(findings(&robots).next().unwrap()).unwrap(),
        json!({
            "kind": "misspelt-field",
            "level": "error",
            "line": 2,
            "span": { "start": 14, "end": 21 },
            "cause": "robots.txt has no field `disalow`, so crawlers ignore this line",
            "fix": "did you mean `Disallow`?",
            "replacement": "Disallow",
            "other": null,
            "source": { "requirement": "FORMAT-TYPO", "edition": "google-2022", "section": "Syntax" },
        })
    );
}

#[test]
fn names_are_read_back() {
    for kind in FindingKind::ALL {
        assert_eq!(from_value::<FindingKind>(to_value(kind).unwrap()).unwrap(), *kind);
    }
    assert_eq!(from_value::<Level>(json!("warning")).unwrap(), Level::Warning);
    assert!(from_value::<Level>(json!("fatal")).is_err());
}
