//! Tests the texts of each kind of finding with a snapshot, so that a change of a text is reviewed. The lines come from
//! `ScanParser`.

use std::collections::BTreeSet;

use robots_core::{Edition, Options, RobotsTxt};
use robots_lint::{FindingKind, findings};
use robots_nom_parser::ScanParser;

/// Lines that the examples of the kinds do not have. Each is put after a line `user-agent: *`.
const LINES: &[&[u8]] = &[
    b"x y",
    b"disallow /x",
    b"disallow /x:y",
    b"craw-delay: 5",
    b"host: example.com",
    b"acap-crawler: x",
    b"robot-version: 2",
    b"disallow: \xC2\xA0/x",
    b"disallow: /\xFF",
    b"user-agent: a(b), c",
    b"user-agent: *, b",
    b"user-agent: Mozilla/5.0",
    b"user-agent: Mozilla/5.0 bot/1.0",
    b"user-agent: browser (compatible; bot/1.0)",
    b"user-agent: two words",
    b"disallow: https://example.com/x",
    b"disallow: www.example.com/x",
    b"allow: /*.css\ndisallow: *poisk",
    b"disallow: */x",
    b"disallow: /x, /y",
    b"disallow: /x , /y",
    b"disallow: /x ,",
    b"disallow: /a%4",
    b"disallow: /a%zz",
    b"disallow: /a%4z",
    b"disallow: /a**b",
    b"disallow: *",
    b"allow: /a\ndisallow: /a*",
    b"disallow: /robots.txt2",
    b"disallow: /a\nallow: /b",
    b"sitemap: //example.com/s.xml",
    b"sitemap: s.xml",
    b"content-usage:",
    b"content-usage: train-ai=n;",
    b"content-usage: train-ai=maybe",
    b"content-usage: train-ai",
    b"content-usage: ai-input=no",
    b"content-signal: ai-use=n",
    b"content-signal: ai-train=maybe",
];

/// Whole files, each with a short description.
fn files() -> Vec<(&'static str, Vec<u8>)> {
    vec![
        ("UTF-16", b"\xFF\xFEu\0s\0e\0r\0".to_vec()),
        ("gzip", b"\x1F\x8B\x08\0\0\0\0\0\0\x03".to_vec()),
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
    for kind in FindingKind::ALL {
        let Some(body) = kind.example() else { continue };
        // Only some editions assume the first slash of a path.
        let has = |edition: &&Edition| {
            findings(&RobotsTxt::parse(&ScanParser, body, Options::from(**edition)))
                .any(|finding| finding.kind() == *kind)
        };
        let edition = Edition::ALL.iter().rev().find(has);
        let edition = edition.unwrap_or_else(|| panic!("the example of {kind} does not have it"));
        tell(&format!("{kind}, {edition}: {}", body.escape_debug()), body.as_bytes(), *edition);
    }
    for line in LINES {
        let body = [b"user-agent: *\n", *line, b"\n"].concat();
        tell(&line.escape_ascii().to_string(), &body, Edition::Rfc9309);
    }
    for (name, body) in files() {
        tell(name, &body, Edition::Rfc9309);
    }
    let missing: Vec<_> = FindingKind::ALL.iter().filter(|kind| !kinds.contains(kind)).collect();
    assert!(missing.is_empty(), "nothing here shows {missing:?}");
    insta::assert_snapshot!(text);
}
