//! Tests unusual files with snapshots. A snapshot shows the parts and the meaning of each line.
//!
//! In a snapshot, `derives` names an edition from whose grammar the line derives.

use std::fmt::Write as _;

use robots_nom_parser::robots_core::Edition;
use robots_nom_parser::robots_core::syntax::{LineKind, Parser, Span};
use robots_nom_parser::{NomParser, parse};
use rstest::rstest;

#[rstest]
#[trace]
#[case::byte_order_mark(b"\xEF\xBB\xBFUser-agent: *\n\xEF\xBB\xBFDisallow: /\n")]
#[case::byte_order_mark_alone(b"\xEF\xBB\xBF")]
#[case::carriage_returns(b"user-agent: a\rdisallow: /\r\ruser-agent: b\r\n\n\rallow: /")]
#[case::comments(b"# c\n \t# : c\nallow: /a#b\nallow#: /\nuser-agent: * # a # b\r\n#")]
#[case::control_octets(
    b"dis\0allow: /\nallow: /\x01\nuser-agent: a\x7F\n# \x02\nallow: /\x0B/\x0C\n"
)]
#[case::fields_of_all_sorts(
    b"crawl-delay: 10\nHost: a\nuseragent: a\nsite map: /s\ncontent-usage: ai=n\n"
)]
#[case::html(b"<!DOCTYPE html>\n<p style=\"color:red\">User-agent: *</p>\nDisallow: /a\n</html>")]
#[case::no_colon(b"user-agent *\ndisallow /\n:\n : /\nallow\n")]
#[case::other_line_ends(
    b"allow: /a\xE2\x80\xA8allow: /b\xC2\x85allow: /c\nallow: /d\x0Ballow: /e\n"
)]
#[case::tabs_and_spaces(b"\tUser-Agent\t:\t a b \t\n  allow :/a b\t# c\n \t \ndisallow:\t\n")]
#[case::truncated(b"user-agent: a\ndisallow: /a\ndisal")]
#[case::utf16(b"\xFF\xFEa\0l\0l\0o\0w\0:\0/\0\n\0")]
#[case::values_of_all_sorts(
    b"allow: *.gif$\nallow: a\ndisallow: http://a/b:c\nsitemap: /s\nallow: /\xFF\xC3\xA9%\n"
)]
fn awkward(#[case] octets: &[u8]) {
    let name = std::thread::current().name().expect("tests have names").to_owned();
    let (_, name) = name.split_once("::case_").expect("a case of rstest");
    let name = name.trim_start_matches(|c: char| c.is_ascii_digit()).trim_start_matches('_');
    insta::assert_snapshot!(name, annotated(octets));
}

fn annotated(octets: &[u8]) -> String {
    let derivations = [Edition::Rfc9309, Edition::Google2018].map(|edition| {
        let grammar = edition.grammar().expect("the edition publishes one");
        (edition, NomParser.derives(grammar, octets).expect("it is here"))
    });
    let shown = |span: Span| format!("{span} `{}`", octets[span.range()].escape_ascii());
    let mut page = String::new();
    for (index, (line, kind)) in parse(octets).lines().enumerate() {
        writeln!(page, "line {} {}", line.number, shown(line.span)).unwrap();
        let content = (line.content.start() != line.span.start()).then_some(line.content);
        let parts = [
            ("content", content),
            ("field", line.field),
            ("colon", line.colon),
            ("value", line.value),
            ("comment", line.comment),
        ];
        for (name, span) in parts {
            if let Some(span) = span {
                writeln!(page, "    {name:7} {}", shown(span)).unwrap();
            }
        }
        writeln!(page, "    means   {}", meaning(kind)).unwrap();
        for remark in line.remarks(octets) {
            writeln!(page, "    remark  {remark}").unwrap();
        }
        for (edition, derivation) in &derivations {
            if derivation.lines()[index] {
                writeln!(page, "    derives {edition}").unwrap();
            }
        }
    }
    page
}

fn meaning(kind: LineKind) -> String {
    let (what, effect) = match kind {
        LineKind::Record { field, effect } => (field, effect),
        LineKind::Malformed(why) => return format!("malformed: {why}"),
        other => return format!("{other:?}").to_lowercase(),
    };
    match effect {
        Ok(()) => what.to_string(),
        Err(why) => format!("{what} without effect: {why}"),
    }
}
