//! Checks that `ScanParser` reports the same lines as `NomParser`.
//!
//! `ScanParser` reads many octets at a time, so the tests vary the length of each part of a line. [`accounted_lines`]
//! compares the lines of the two parsers.

mod common;

use common::accounted_lines;
use proptest::prelude::*;
use proptest::test_runner::FileFailurePersistence;
use robots_nom_parser::robots_core::syntax::{Field, Grammar, Parser};
use robots_nom_parser::robots_core::{Options, RobotsTxt};
use robots_nom_parser::{NomParser, ScanParser};

/// Generates octets that separate lines or parts, long and short runs of other octets, and byte order marks.
fn octets() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        4 => prop::sample::select(vec![&b"\n"[..], b"\r", b"\r\n", b":", b"#", b" ", b"\t"])
            .prop_map(<[u8]>::to_vec),
        4 => (any::<u8>(), 1..8_usize).prop_map(|(octet, times)| vec![octet; times]),
        1 => (any::<u8>(), 16..140_usize).prop_map(|(octet, times)| vec![octet; times]),
        1 => Just(b"\xEF\xBB\xBF".to_vec()),
    ];
    prop::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 8192,
        failure_persistence: Some(Box::new(FileFailurePersistence::Direct(
            "proptest-regressions/parsers.txt",
        ))),
        ..ProptestConfig::default()
    })]

    #[test]
    fn on_any_octets(octets in octets()) {
        accounted_lines(&octets);
    }
}

#[test]
fn at_every_length() {
    for field in 0..70 {
        for value in 0..70 {
            for ending in ["", "\n", "\r\n", "\r", " # c\n", " \n", "\t\r\r\n"] {
                let octets = format!("{:x<field$}: {:y<value$}{ending}z: 1", "", "");
                accounted_lines(octets.as_bytes());
            }
        }
    }
}

#[test]
fn both_recognise_the_same_files() {
    let complete = &b"user-agent: a\ndisallow: /a\n"[..];
    for grammar in [Grammar::Google2018, Grammar::Rfc9309] {
        for (octets, derived) in [(complete, true), (b"user-agent:", false)] {
            let [scan, nom] = [&ScanParser as &dyn Parser, &NomParser]
                .map(|parser| parser.derives(grammar, octets).unwrap());
            assert_eq!((scan.file(), scan.lines()), (nom.file(), nom.lines()));
            assert_eq!(scan.file(), derived, "{grammar:?}");
        }
    }
    assert_eq!((ScanParser.name(), NomParser.name()), ("scan", "nom"));
}

#[test]
fn of_text_at_every_length() {
    for len in 0..140 {
        for ending in ["", "\n", "\r", "\r\n", "\r\r\n", "\n\n"] {
            for next in ["", "allow: /"] {
                accounted_lines(format!("{:x<len$}{ending}{next}", "").as_bytes());
            }
        }
    }
}

/// Tests records with values of many lengths. Some of these records are at the end of the file, with or without a line
/// ending.
#[test]
fn of_records_at_every_length() {
    let behind =
        ["", "\n", "\n\n", "\r", "\r\r", "\r\n\r\n", " ", "\t\n", "#", "\n#\n", "\0", "\nallow: /"];
    for field in ["allow", "Disallow", "user-agent"] {
        for colon in [":", ": ", ":  ", ":\t", " :"] {
            for value in 0..140 {
                for behind in behind {
                    let octets = format!("{field}{colon}{:/<value$}{behind}", "");
                    accounted_lines(octets.as_bytes());
                }
            }
        }
    }
}

/// Tests lines around the maximum length of a `CompactLine`.
#[test]
fn at_lengths_about_the_longest_short_line() {
    for len in 240..300 {
        for line in
            ["# {}", "x: {}", "{}: y", "{}", "{} : y # z", " \t{} ", "x: y # {}", "disallow: {}"]
        {
            for ending in ["", "\n", "\r\n", "\r"] {
                let octets = line.replace("{}", &"a".repeat(len)) + ending + "allow: /";
                accounted_lines(octets.as_bytes());
            }
        }
    }
}

/// Tests a record of each known field, and every text that differs from this record by one octet.
#[test]
fn on_names_of_fields_and_their_likes() {
    for field in Field::ALL {
        let record = format!("{}: /x\n", field.name());
        for (at, octet) in (0..record.len()).flat_map(|at| (0..=u8::MAX).map(move |o| (at, o))) {
            let mut octets = record.clone().into_bytes();
            octets[at] = octet;
            let read = RobotsTxt::parse(&NomParser, &octets, Options::default());
            let scanned = RobotsTxt::parse(&ScanParser, &octets, Options::default());
            assert!(scanned.lines().eq(read.lines()), "{}", octets.escape_ascii());
        }
    }
}
