//! Tests the texts of each kind of finding with a snapshot, so that a change of a text is reviewed. The lines come from
//! `ScanParser`.

use std::collections::BTreeSet;

use robots_core::{Edition, Options, RobotsTxt};
use robots_lint::{FindingKind, findings};
use robots_nom_parser::ScanParser;

/// The lines of the test files. Each is put after a line `user-agent: *`.
const LINES: &[&[u8]] = &[
    b"x y",
    b"disallow /x",
    b"disallow /x:y",
    b": /x",
    b"disalow: /x",
    b"robots: /x",
    b"craw-delay: 5",
    b"crawl-delay: 5",
    b"host: example.com",
    b"noindex: /x",
    b"acap-crawler: x",
    b"robot-version: 2",
    b"https://example.com/s.xml",
    b"disallow: /a disallow: /b",
    b"disallow: \xC2\xA0/x",
    b"dis\x01allow: /x",
    b"disallow: /\x01",
    b"disallow: /x # \x01",
    b"disallow: /\xFF",
    b"user-agent:",
    b"user-agent: a, b",
    b"user-agent: a(b), c",
    b"user-agent: *, b",
    b"user-agent: Mozilla/5.0 (compatible; bot/1.0)",
    b"user-agent: Mozilla/5.0",
    b"user-agent: Mozilla/5.0 bot/1.0",
    b"user-agent: browser (compatible; bot/1.0)",
    b"user-agent: *bot",
    b"user-agent: bot/1.0",
    b"user-agent: two words",
    b"user-agent: bot2",
    b"user-agent: *",
    b"crawl-delay: 5\n\nuser-agent: a",
    b"disallow: /x\nuser-agent: *\ndisallow: /y",
    b"allow:",
    b"disallow:\ndisallow: /x",
    b"disallow: https://example.com/x",
    b"disallow: x",
    b"disallow: www.example.com/x",
    b"disallow: *.pdf",
    b"allow: /*.css\ndisallow: *poisk",
    b"disallow: */x",
    b"disallow: /x /y",
    b"disallow: /x, /y",
    b"disallow: /x , /y",
    b"disallow: /x ,",
    b"disallow: /a b",
    b"disallow: /\xC3\xA9",
    b"disallow: /a%",
    b"disallow: /a%4",
    b"disallow: /a%zz",
    b"disallow: /a%4z",
    b"disallow: /a$b",
    b"disallow: /a*$",
    b"disallow: /a*",
    b"disallow: /a**b",
    b"disallow: *",
    b"allow: /a\ndisallow: /a*",
    b"disallow: /a#b",
    b"disallow: /robots.txt",
    b"disallow: /robots.txt2",
    b"allow: /a\ndisallow: /a",
    b"disallow: /a\ndisallow: /a/b",
    b"disallow: /a\nallow: /b",
    b"sitemap:",
    b"sitemap: /s.xml",
    b"sitemap: //example.com/s.xml",
    b"sitemap: s.xml",
    b"sitemap: https://example.com/a https://example.com/b",
    b"content-usage: train-ai=n\nuser-agent: a\ndisallow: /",
    b"disallow: /a\ncontent-usage: /a/b train-ai=n",
    b"content-usage:",
    b"content-usage: /a",
    b"content-usage: train-ai=n search=y",
    b"content-usage: train-ai=n,",
    b"content-usage: train-ai=n;",
    b"content-usage: train-ai=n;a=\"#\"",
    b"content-usage: Train-AI=n",
    b"content-usage: train-ai=no",
    b"content-usage: train-ai=maybe",
    b"content-usage: train-ai",
    b"content-usage: genai=n",
    b"content-usage: ai-train=no",
    b"content-usage: ai-input=no",
    b"content-signal: train-ai=n",
    b"content-signal: ai-use=n",
    b"content-signal: ai-train=n",
    b"content-signal: ai-train=maybe",
];

/// Whole files, each with a short description.
fn files() -> Vec<(&'static str, Vec<u8>)> {
    vec![
        ("no group", b"disallow: /x\n".to_vec()),
        ("a preference without a group", b"content-usage: train-ai=n\nuser-agent: *\ndisallow: /x\n".to_vec()),
        ("a byte order mark", b"\xEF\xBB\xBFuser-agent: *\ndisallow: /x\n".to_vec()),
        ("UTF-16", b"\xFF\xFEu\0s\0e\0r\0".to_vec()),
        ("gzip", b"\x1F\x8B\x08\0\0\0\0\0\0\x03".to_vec()),
        ("HTML", b"<!DOCTYPE html>\n".to_vec()),
        ("everything blocked", b"user-agent: *\ndisallow: /\n".to_vec()),
        (
            "search engines blocked",
            b"user-agent: googlebot\nuser-agent: bingbot\ndisallow: /\n\nuser-agent: *\ndisallow:\n".to_vec(),
        ),
        ("600 KiB", b"#\n".repeat(300 * 1024)),
        ("a line of 20,000 octets", b"#".repeat(20_000)),
    ]
}

/// Writes one line per finding, below the line or file that it is about, so that a reviewer sees the text as users do.
#[test]
fn what_findings_say() {
    let (mut text, mut kinds) = (String::new(), BTreeSet::new());
    let mut tell = |about: &str, body: &[u8], edition: Edition| {
        text.extend(["\n", about, "\n"]);
        let robots = RobotsTxt::parse(&ScanParser, body, Options::from(edition));
        for finding in findings(&robots) {
            kinds.insert(finding.kind());
            text.extend(["  ", &finding.to_string(), "\n"]);
        }
    };
    for line in LINES {
        let body = [b"user-agent: *\n", *line, b"\n"].concat();
        tell(&line.escape_ascii().to_string(), &body, Edition::Rfc9309);
    }
    for (name, body) in files() {
        tell(name, &body, Edition::Rfc9309);
    }
    tell("google-2018: disallow: x", b"user-agent: *\ndisallow: x\n", Edition::Google2018);
    let missing: Vec<_> = FindingKind::ALL.iter().filter(|kind| !kinds.contains(kind)).collect();
    assert!(missing.is_empty(), "nothing here shows {missing:?}");
    insta::assert_snapshot!(text);
}
