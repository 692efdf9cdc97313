//! Tests the interface between parsers and the core. A faulty parser can report any lines. Even so, the core must not
//! panic, and must produce lines that cover all octets.
//!
//! [`Liar`] is a parser that reports random lines. Other tests compare the forms in which a parser can report a line.

#[path = "dialect/line_parser.rs"]
mod line_parser;

use line_parser::LineParser;
use proptest::prelude::*;
use robots_core::syntax::{CompactLine, Field, Line, Parser, Report, Span, lines};
use robots_core::{Edition, Options, RobotsTxt};
use rstest::rstest;

/// One line as a faulty parser reports it.
#[derive(Clone, Debug)]
enum Reported {
    Line { starts: [u16; 6], lens: [u16; 6], parts: u8 },
    Compact { content: u8, parts: [u8; 6], which: u8, ending: u8 },
    Record { field: Field, value: u8, content: u8, ending: u8 },
}

/// A parser that reports the given lines, whatever the octets are.
struct Liar(Vec<Reported>);

impl Parser for Liar {
    fn name(&self) -> &str {
        "liar"
    }

    fn parse(&self, _: &[u8], report: &mut Report<'_>) {
        for reported in &self.0 {
            match reported.clone() {
                Reported::Line { starts, lens, parts } => {
                    let span = |at: usize| {
                        let start = usize::from(starts[at]);
                        Span::new(start, start + usize::from(lens[at]))
                    };
                    let mut line = Line::new(span(0), span(1));
                    if parts & 1 == 1 {
                        line = line.with_record(span(2), Some(span(3)), span(4));
                    }
                    if parts & 2 == 2 {
                        line = line.with_comment(span(5));
                    }
                    report.line(line);
                }
                Reported::Compact { content, parts, which, ending } => {
                    let mut line = CompactLine::new(content);
                    if which & 1 == 1 {
                        line = line.with_record(parts[0]..parts[1], parts[2], parts[3]..parts[4]);
                    }
                    if which & 2 == 2 {
                        line = line.with_comment(parts[5]);
                    }
                    report.compact(line, ending);
                }
                Reported::Record { field, value, content, ending } => {
                    report.record(field, value, content, ending);
                }
            }
        }
    }
}

fn reported() -> impl Strategy<Value = Reported> {
    let small = || prop_oneof![3 => 0..24_u8, 1 => any::<u8>()];
    let starts = || proptest::array::uniform6(prop_oneof![3 => 0..64_u16, 1 => any::<u16>()]);
    prop_oneof![
        (starts(), starts(), any::<u8>()).prop_map(|(starts, lens, parts)| Reported::Line {
            starts,
            lens,
            parts
        }),
        (small(), proptest::array::uniform6(small()), any::<u8>(), 0..3_u8).prop_map(
            |(content, parts, which, ending)| Reported::Compact { content, parts, which, ending }
        ),
        (prop::sample::select(Field::ALL), small(), small(), 0..3_u8).prop_map(
            |(field, value, content, ending)| Reported::Record { field, value, content, ending }
        ),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4096))]
    #[test]
    fn whatever_a_parser_says_the_lines_tile_the_octets(
        reported in prop::collection::vec(reported(), 0..12),
        octets in prop::collection::vec(prop_oneof![4 => Just(b'/'), 1 => any::<u8>()], 0..200),
        edition in prop::sample::select([Edition::ALL, Edition::DRAFTS].concat()),
    ) {
        let options = Options::from(edition);
        let robots = RobotsTxt::parse(&Liar(reported), &octets, options);
        let (mut end, mut number) = (0, 0);
        for (line, _) in robots.lines() {
            number += 1;
            prop_assert_eq!((line.span.start(), line.number.get()), (end, number));
            prop_assert!(!line.span.is_empty());
            prop_assert!(line.span.contains(line.content));
            for part in [line.field, line.colon, line.value, line.comment].into_iter().flatten() {
                prop_assert!(line.content.contains(part), "{:?}", line);
            }
            end = line.span.end();
        }
        prop_assert_eq!(end, octets.len());
        let _ = (robots.verdict("a", "/a").to_string(), robots.groups().count());
        let _ = (robots.rules_for("a").verdict("/a").to_string(), robots.sitemaps().count());
        let _ = (robots.records().count(), robots.remarks().count());
    }

    /// A line has the same meaning in all three forms in which a parser can report it: whole, compact, and as a record.
    #[test]
    fn a_record_means_what_the_whole_line_does(
        field in prop::sample::select(Field::ALL),
        space in any::<bool>(),
        value in "[/*a$:]{1,8}|https://e/x",
        ending in prop::sample::select(&["", "\n", "\r\n"]),
        edition in prop::sample::select([Edition::ALL, Edition::DRAFTS].concat()),
    ) {
        struct Whole;
        struct Compact;
        struct AsRecord(Field);
        fn narrow(len: usize) -> u8 {
            u8::try_from(len).unwrap()
        }
        fn parts(octets: &[u8]) -> (u8, u8, u8) {
            let colon = octets.iter().position(|octet| *octet == b':').unwrap();
            let value = colon + 1 + usize::from(octets[colon + 1] == b' ');
            (narrow(colon), narrow(value), narrow(octets.trim_ascii_end().len()))
        }
        impl Parser for Whole {
            fn name(&self) -> &str { "whole" }
            fn parse(&self, octets: &[u8], report: &mut Report<'_>) {
                LineParser.parse(octets, report);
            }
        }
        impl Parser for Compact {
            fn name(&self) -> &str { "compact" }
            fn parse(&self, octets: &[u8], report: &mut Report<'_>) {
                let (colon, value, content) = parts(octets);
                let line = CompactLine::new(content).with_record(0..colon, colon, value..content);
                report.compact(line, narrow(octets.len()) - content);
            }
        }
        impl Parser for AsRecord {
            fn name(&self) -> &str { "record" }
            fn parse(&self, octets: &[u8], report: &mut Report<'_>) {
                let (_, value, content) = parts(octets);
                report.record(self.0, value, content, narrow(octets.len()) - content);
            }
        }
        let body = format!("{field}:{}{value}{ending}", if space { " " } else { "" });
        let options = Options::from(edition);
        let read = |parser: &dyn Parser, body: &str| {
            let robots = RobotsTxt::parse(parser, body.to_owned(), options);
            (robots.lines().collect::<Vec<_>>(), robots.groups().count(), robots.sitemaps().count())
        };
        let record = read(&AsRecord(field), &body);
        prop_assert_eq!(&record, &read(&Compact, &body));
        if ending.is_empty() {
            prop_assert_eq!(&record, &read(&Whole, &body));
        }
    }
}

/// The core refuses a record if its parts are in the wrong order, or if it is too long. The core also refuses all lines
/// after a refused record.
#[rstest]
#[trace]
#[case::value_at_the_colon(5, 8, 0)]
#[case::no_value(7, 7, 0)]
#[case::content_too_long(7, 255, 0)]
#[case::behind_the_end(7, 50, 1)]
fn a_parser_that_errs_is_heard_no_more(
    #[case] value: u8,
    #[case] content: u8,
    #[case] less: usize,
) {
    let agent = Reported::Record { field: Field::UserAgent, value: 12, content: 13, ending: 0 };
    let rule = Reported::Record { field: Field::Allow, value, content, ending: 0 };
    let fits = Reported::Line { starts: [13; 6], lens: [20; 6], parts: 0 };
    let octets = format!("user-agent: aallow: /{}", "x".repeat(300));
    let octets = if less == 0 { &octets[..] } else { &octets[..62] };
    let robots = RobotsTxt::parse(&Liar(vec![agent, rule, fits]), octets, Options::default());
    let lines: Vec<_> =
        robots.lines().map(|(line, _)| (line.span.end(), line.field.is_none())).collect();
    assert_eq!(lines, [(13, false), (octets.len(), true)]);
}

/// A boxed parser reports the same lines as the parser itself.
#[test]
fn a_boxed_parser_reports_what_the_parser_does() {
    let octets = b"user-agent: *\ndisallow: /x\n# end";
    let boxed: Box<dyn Parser> = Box::new(LineParser);
    assert_eq!(lines(&boxed, octets), lines(&LineParser, octets));
    assert_eq!(lines(&std::sync::Arc::new(LineParser), octets), lines(&LineParser, octets));
}

/// Text after a value is not a part of the value, even if it would continue the path.
#[test]
fn a_value_ends_where_the_parser_says() {
    let reported = vec![
        Reported::Record { field: Field::UserAgent, value: 12, content: 13, ending: 1 },
        Reported::Compact { content: 16, parts: [0, 5, 5, 7, 9, 0], which: 1, ending: 0 },
    ];
    let octets = "user-agent: a\nallow: /abcdefgh";
    let robots = RobotsTxt::parse(&Liar(reported), octets, Options::default());
    let verdict = robots.verdict("a", "/abc");
    assert_eq!(verdict.rule().unwrap().path(), b"/a");
    assert_eq!(robots.rules_for("a").verdict("/abc").to_string(), verdict.to_string());
}
