//! Archives: every coding, what responses mean, redirects, and archives that are damaged or hostile.

use std::io::{self, Cursor, Read, Write as _};

use flate2::Compression;
use flate2::write::{GzEncoder, ZlibEncoder};
use robots_fetch::Settings;
use robots_fetch::warc::{Answer, Archive, Error, Meaning};
use rstest::rstest;

const FILE: &str = "user-agent: *\ndisallow: /private\n";

/// Writes a record whose date is in May 2024. `day` may have a time.
fn record(kind: &str, url: &str, day: &str, block: impl AsRef<[u8]>) -> Vec<u8> {
    let block = block.as_ref();
    let time = if day.contains('T') { "" } else { "T12:00:00Z" };
    let head = format!(
        "WARC/1.1\r\nWARC-Type: {kind}\r\nWARC-Target-URI: {url}\r\nWARC-Date: 2024-05-{day}{time}\r\n\
         Content-Type: application/http; msgtype={kind}\r\nContent-Length: {}\r\n\r\n",
        block.len()
    );
    [head.as_bytes(), block, b"\r\n\r\n"].concat()
}

fn response(host: &str, http: impl AsRef<[u8]>) -> Vec<u8> {
    record("response", &format!("https://{host}/robots.txt"), "01", http)
}

fn ok(body: &str) -> String {
    format!("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n{body}")
}

fn gzip(octets: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(octets).unwrap();
    encoder.finish().unwrap()
}

fn zstd(octets: &[u8]) -> Vec<u8> {
    zstd::encode_all(octets, 3).unwrap()
}

/// An archive of four responses, with the other records that crawlers write.
fn records() -> Vec<Vec<u8>> {
    let mut records = vec![record("warcinfo", "", "01", "software: test\r\n")];
    for host in ["a.example", "b.example", "c.example", "d.example"] {
        let url = format!("https://{host}/robots.txt");
        records.push(record("request", &url, "01", "GET /robots.txt HTTP/1.1\r\n\r\n"));
        records.push(response(host, ok(&format!("{FILE}# {host}\n"))));
    }
    records
}

fn read(source: impl Read + Send + 'static) -> Vec<Result<Answer, Error>> {
    Archive::new(source, &Settings::default()).collect()
}

/// Returns an answer in one line.
fn line(read: &Result<Answer, Error>) -> String {
    match read {
        Err(error) => format!("{} {error}", error.url.as_deref().unwrap_or("?")),
        Ok(answer) => {
            let status = answer.status.map_or("-".to_owned(), |status| status.to_string());
            let meaning = match &answer.meaning {
                Meaning::Unknown(why) => why.clone(),
                Meaning::Decided(access, record) => match &record.last.end.why {
                    Some(why) => format!("{access}: {why}"),
                    None => access.to_string(),
                },
            };
            let file = answer.meaning.file().map(|file| String::from_utf8_lossy(file).into_owned());
            format!("{} {status} {meaning} {file:?}", answer.url)
        }
    }
}

fn lines(archive: impl AsRef<[u8]>) -> Vec<String> {
    read(Cursor::new(archive.as_ref().to_vec())).iter().map(line).collect()
}

/// A source that returns one octet at a time, or a few.
struct Drops(Cursor<Vec<u8>>, usize);

impl Read for Drops {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = buffer.len().min(self.1);
        self.0.read(&mut buffer[..length])
    }
}

/// A record whose head has LF as its line ends.
fn with_lf(record: &[u8]) -> Vec<u8> {
    let end = record.windows(4).position(|part| part == b"\r\n\r\n").unwrap() + 4;
    let (head, block) = record.split_at(end);
    head.iter().filter(|octet| **octet != b'\r').chain(block).copied().collect()
}

/// A zstd archive with a dictionary in its first frame, as the IIPC describes it.
fn zstd_with_dictionary(records: &[Vec<u8>]) -> Vec<u8> {
    let dictionary = records.concat();
    let stored = zstd(&dictionary);
    let mut archive = b"\x5d\x2a\x4d\x18".to_vec();
    archive.extend(u32::try_from(stored.len()).unwrap().to_le_bytes());
    archive.extend(stored);
    for record in records {
        let mut encoder = zstd::Encoder::with_dictionary(Vec::new(), 3, &dictionary).unwrap();
        encoder.write_all(record).unwrap();
        archive.extend(encoder.finish().unwrap());
    }
    archive
}

#[test]
fn every_coding_gives_the_same_answers() {
    let records = records();
    let plain = records.concat();
    let expected = lines(&plain);
    assert_eq!(expected.len(), 4);
    assert_eq!(
        expected[1],
        format!(
            "https://b.example/robots.txt 200 conditional-allow {:?}",
            Some(format!("{FILE}# b.example\n"))
        )
    );
    let pieces = || plain.chunks(100);
    let archives = [
        ("plain", plain.clone()),
        ("heads of records with LF", records.iter().flat_map(|record| with_lf(record)).collect()),
        (
            "gzip, a member for each record",
            records.iter().flat_map(|record| gzip(record)).collect(),
        ),
        ("gzip, one member", gzip(&plain)),
        ("gzip, records in many members", pieces().flat_map(gzip).collect()),
        (
            "gzip, with empty members",
            records.iter().flat_map(|r| [gzip(b""), gzip(r), gzip(b"")].concat()).collect(),
        ),
        ("zstd, a frame for each record", records.iter().flat_map(|record| zstd(record)).collect()),
        ("zstd, one frame", zstd(&plain)),
        ("zstd, records in many frames", pieces().flat_map(zstd).collect()),
        ("zstd, with a dictionary", zstd_with_dictionary(&records)),
        (
            "WARC/1.0",
            String::from_utf8(plain.clone()).unwrap().replace("WARC/1.1", "WARC/1.0").into(),
        ),
        (
            "folded, in other cases",
            String::from_utf8(plain.clone())
                .unwrap()
                .replace("WARC-Target-URI: ", "warc-target-uri:\r\n\t ")
                .replace("Content-Length", "CONTENT-LENGTH")
                .into(),
        ),
    ];
    for (name, archive) in archives {
        assert_eq!(lines(&archive), expected, "{name}");
        for size in [1, 7, 4099] {
            let read = read(Drops(Cursor::new(archive.clone()), size));
            assert_eq!(
                read.iter().map(line).collect::<Vec<_>>(),
                expected,
                "{name}, {size} at a time"
            );
        }
    }
}

#[rstest]
#[trace]
#[case("HTTP/1.1 404 Not Found\r\n\r\nno", "404 full-allow None")]
#[case("HTTP/1.1 503 Busy\r\n\r\nuser-agent: *", "503 full-disallow None")]
#[case("HTTP/2 200\r\n\r\nuser-agent: a", "200 conditional-allow Some(\"user-agent: a\")")]
#[case(
    "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>",
    "200 conditional-allow Some(\"<p>\")"
)]
#[case("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nabcd", "200 conditional-allow Some(\"ab\")")]
#[case(
    "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabcd",
    "200 full-disallow: the body has fewer octets than its Content-Length None"
)]
#[case(
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n1;x=y\r\nc\r\n0\r\n\r\n",
    "200 conditional-allow Some(\"abc\")"
)]
#[case(
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nabc",
    "200 full-disallow: the chunked body is malformed None"
)]
#[case(
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n",
    "200 full-disallow: the chunked body ends early None"
)]
#[case(
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\nab",
    "200 full-disallow: the chunked body ends early None"
)]
#[case(
    "HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "200 full-disallow: it is HTTP/1.0 with Transfer-Encoding None"
)]
#[case(
    "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\nuser-agent: *",
    "200 full-disallow: the body is not valid gzip, although the response declares it None"
)]
#[case("user-agent: *\n", "- full-disallow: it ends before its blank line None")]
#[case("user-agent: *\r\n\r\n", "- full-disallow: its head is malformed None")]
#[case("", "- full-disallow: it ends before its blank line None")]
fn the_core_decides_what_an_answer_means(#[case] http: &str, #[case] expected: &str) {
    let expected = format!("https://a.example/robots.txt {expected}");
    assert_eq!(lines(response("a.example", http)), [expected]);
}

#[test]
fn bodies_are_decoded() {
    let mut deflate = ZlibEncoder::new(Vec::new(), Compression::default());
    deflate.write_all(FILE.as_bytes()).unwrap();
    for (coding, body) in [
        ("gzip", gzip(FILE.as_bytes())),
        ("zstd", zstd(FILE.as_bytes())),
        ("deflate", deflate.finish().unwrap()),
    ] {
        let head = format!(
            "HTTP/1.1 200 OK\r\nContent-Encoding: {coding}\r\nContent-Length: {}\r\n\r\n",
            body.len()
        );
        let read = read(Cursor::new(response("a.example", [head.as_bytes(), &body].concat())));
        let answer = read[0].as_ref().unwrap();
        assert_eq!(answer.meaning.file(), Some(FILE.as_bytes()), "{coding}");
        assert_eq!(answer.fields().next(), Some((&b"Content-Encoding"[..], coding.as_bytes())));
    }
}

/// A file of which the archive has only a part may lack rules. Everything up to the limit is a whole file.
#[test]
fn a_truncated_body_is_no_file() {
    let truncated = |body: &str| {
        let archive = String::from_utf8(response("a.example", ok(body))).unwrap();
        lines(archive.replace("WARC-Date", "WARC-Truncated: length\r\nWARC-Date"))
    };
    let why = "the archive has only the beginning of the body";
    let expected = format!("https://a.example/robots.txt 200 full-disallow: {why} None");
    assert_eq!(truncated(FILE), [expected]);
    let long = truncated(&FILE.repeat(20_000));
    assert!(
        long[0].starts_with("https://a.example/robots.txt 200 conditional-allow"),
        "{}",
        &long[0][..90]
    );
}

#[test]
fn a_revisit_is_unknown() {
    let url = "https://a.example/robots.txt";
    let read = lines(record("revisit", url, "01", "HTTP/1.1 304 Not Modified\r\n\r\n"));
    assert_eq!(
        read,
        [format!("{url} - it is a revisit record, and another record has the file None")]
    );
}

/// The answers for other URLs are not of interest, and neither is a query.
#[test]
fn only_robots_txt_is_read() {
    let urls = [
        "https://a.example/",
        "https://a.example/a/robots.txt",
        "https://a.example/robots.txt?x",
        "dns:a.example",
    ];
    let archive: Vec<u8> =
        urls.iter().flat_map(|url| record("response", url, "01", ok(FILE))).collect();
    assert_eq!(lines(archive), [""; 0]);
}

mod redirects {
    use super::*;

    fn to(target: &str) -> String {
        format!("HTTP/1.1 301 Moved\r\nLocation: {target}\r\n\r\n")
    }

    const ANY: &str = "https://a.example/other";

    #[rstest]
    #[trace]
    #[case("target after", vec![response("a.example", to("/other")), record("response", ANY, "01", ok("x"))], "conditional-allow Some(\"x\")")]
    #[case("a day later", vec![response("a.example", to("/other")), record("response", ANY, "02T12:00:01Z", ok("x"))],
        "it redirects to https://a.example/other, which the archive does not have None")]
    #[case("no target", vec![response("a.example", to("/other")), record("response", "https://a.example/", "01", ok("x"))],
        "it redirects to https://a.example/other, which the archive does not have None")]
    #[case("404", vec![response("a.example", to("/other")), record("response", ANY, "01", "HTTP/1.1 404 No\r\n\r\n")], "full-allow None")]
    #[case("to itself", vec![response("a.example", to("/robots.txt"))], "full-allow None")]
    #[case("no Location", vec![response("a.example", "HTTP/1.1 301 Moved\r\n\r\n")], "full-allow None")]
    fn are_joined(#[case] name: &str, #[case] records: Vec<Vec<u8>>, #[case] expected: &str) {
        let expected = format!("https://a.example/robots.txt 301 {expected}");
        assert_eq!(lines(records.concat()), [expected], "{name}");
    }

    /// A robots.txt may be the target of a redirect before or after it, also through a third one.
    #[test]
    fn to_another_robots_txt() {
        let [a, b, c] = [
            response("a.example", to("https://b.example/robots.txt")),
            response("b.example", to("https://c.example/robots.txt")),
            response("c.example", ok("x")),
        ];
        for order in
            [[&a, &b, &c], [&a, &c, &b], [&b, &a, &c], [&b, &c, &a], [&c, &a, &b], [&c, &b, &a]]
        {
            let mut read = lines(order.map(|record| &record[..]).concat());
            read.sort();
            let found = "conditional-allow Some(\"x\")";
            assert_eq!(
                read,
                [
                    format!("https://a.example/robots.txt 301 {found}"),
                    format!("https://b.example/robots.txt 301 {found}"),
                    format!("https://c.example/robots.txt 200 {found}"),
                ]
            );
        }
    }

    /// Redirects without a target cost little memory, and none is lost.
    #[test]
    fn without_targets_are_all_reported() {
        let records = (0..10_000).flat_map(|n| response(&format!("{n}.example"), to("/other")));
        let read = lines(records.collect::<Vec<u8>>());
        assert_eq!(read.len(), 10_000);
        assert!(
            read[0].starts_with("https://0.example/robots.txt 301 it redirects to"),
            "{}",
            read[0]
        );
    }
}

/// Every combination of the optional parts of a gzip head (RFC 1952, 2.3), with a part of every member at the end of what
/// the source returns at a time.
#[test]
fn gzip_heads() {
    const HEAD_CHECKSUM: u8 = 2;
    const EXTRA: u8 = 4;
    const NAME: u8 = 8;
    const COMMENT: u8 = 16;
    let member = |flags: u8, record: &Vec<u8>| {
        let member = gzip(record);
        let mut head = [&member[..3], &[flags], &member[4..10]].concat();
        let parts = [(EXTRA, &b"\x02\0\x1f\x8b"[..]), (NAME, b"a.warc\0"), (COMMENT, b"\0")];
        for (_, part) in parts.into_iter().filter(|(flag, _)| flags & flag != 0) {
            head.extend(part);
        }
        if flags & HEAD_CHECKSUM != 0 {
            let mut checksum = flate2::Crc::new();
            checksum.update(&head);
            head.extend(&checksum.sum().to_le_bytes()[..2]);
        }
        [&head, &member[10..]].concat()
    };
    let expected = lines(records().concat());
    let read = |archive: Vec<u8>, drop| {
        read(Drops(Cursor::new(archive), drop)).iter().map(line).collect::<Vec<_>>()
    };
    for flags in 0..=u8::MAX {
        let mut members: Vec<_> = records().iter().map(|record| member(flags, record)).collect();
        if flags & !(HEAD_CHECKSUM | EXTRA | NAME | COMMENT | 1) != 0 {
            assert!(read(members.concat(), 1000)[0].contains("not valid"), "flags {flags:#x}");
            continue;
        }
        for drop in [1, 7, 1000] {
            assert_eq!(read(members.concat(), drop), expected, "flags {flags:#x}");
        }
        if flags & HEAD_CHECKSUM != 0 {
            // The time of the second response, which nothing but the checksum of the head protects.
            members[4][5] ^= 1;
            let others = [&expected[..1], &expected[2..]].concat();
            let read = read(members.concat(), 1000);
            assert!(others.iter().all(|other| read.contains(other)), "flags {flags:#x}: {read:#?}");
            assert!(!read.contains(&expected[1]), "flags {flags:#x}: {read:#?}");
        }
    }
}

mod damaged {
    use super::*;

    fn members() -> Vec<Vec<u8>> {
        records().iter().map(|record| gzip(record)).collect()
    }

    fn hosts(read: &[Result<Answer, Error>]) -> Vec<&str> {
        let urls = read.iter().flatten().map(|answer| &answer.url);
        urls.map(|url| url.trim_start_matches("https://").trim_end_matches("/robots.txt")).collect()
    }

    /// Damage of one member is one error, or a few, and costs no other record. No damaged file is an answer, because a gzip
    /// member and a zstd frame have checksums.
    #[test]
    fn one_member_costs_no_other_record() {
        let zstd_members: Vec<Vec<u8>> = records()
            .iter()
            .map(|record| {
                let mut encoder = zstd::Encoder::new(Vec::new(), 3).unwrap();
                encoder.include_checksum(true).unwrap();
                encoder.write_all(record).unwrap();
                encoder.finish().unwrap()
            })
            .collect();
        for (name, members) in [("gzip", members()), ("zstd", zstd_members)] {
            let expected = lines(members.concat());
            // The second response is the fifth member.
            for place in 0..members[4].len() {
                for bit in [0, 3, 7] {
                    let mut members = members.clone();
                    members[4][place] ^= 1 << bit;
                    let read = lines(members.concat());
                    for host in [0, 2, 3] {
                        assert!(
                            read.contains(&expected[host]),
                            "{name}: octet {place}, bit {bit}: {read:#?}"
                        );
                    }
                    let others = read
                        .iter()
                        .filter(|line| line.contains("b.example") && line.contains("Some"));
                    let is_same = |line: &String| *line == expected[1];
                    assert!(
                        others.clone().all(is_same),
                        "{name}: octet {place}, bit {bit}: {read:#?}"
                    );
                    assert!(read.len() > 3, "{name}: octet {place}, bit {bit}: no error");
                }
            }
        }
    }

    /// The records before the cut remain, and the cut one is an error.
    #[test]
    fn an_archive_may_end_anywhere() {
        let plain = records().concat();
        for (name, archive) in [("plain", plain), ("gzip", members().concat())] {
            let whole = lines(&archive);
            for length in 0..archive.len() {
                let read = lines(&archive[..length]);
                let complete = read.iter().take_while(|line| whole.contains(line)).count();
                assert!(read.len() - complete <= 1, "{name}, {length}: {read:#?}");
                assert_eq!(read[..complete], whole[..complete], "{name}, {length}");
            }
        }
    }

    #[rstest]
    #[trace]
    #[case("too long", "Content-Length: 1000\r\n")]
    #[case("1 TB", "Content-Length: 1000000000000\r\n")]
    #[case("too short", "Content-Length: 50\r\n")]
    #[case("too large for a number", "Content-Length: 99999999999999999999999\r\n")]
    #[case("negative", "Content-Length: -1\r\n")]
    #[case("absent", "")]
    #[case("two", "Content-Length: 1\r\nContent-Length: 2\r\n")]
    fn a_wrong_length_costs_no_other_record(#[case] name: &str, #[case] field: &str) {
        let mut records = records();
        let record = String::from_utf8(records[4].clone()).unwrap();
        let length = record.lines().find(|line| line.starts_with("Content-Length")).unwrap();
        records[4] = record.replace(&format!("{length}\r\n"), field).into();
        let plain = records.concat();
        let gzip: Vec<u8> = records.iter().flat_map(|record| gzip(record)).collect();
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a.warc");
        std::fs::write(&file, &plain).unwrap();
        let file: Vec<_> = Archive::open(&file, &Settings::default()).unwrap().collect();
        for (kind, read) in
            [("plain", read(Cursor::new(plain))), ("file", file), ("gzip", read(Cursor::new(gzip)))]
        {
            assert_eq!(hosts(&read), ["a.example", "c.example", "d.example"], "{name}, {kind}");
            assert!(read.iter().any(Result::is_err), "{name}, {kind}");
        }
    }

    #[test]
    fn other_octets_are_errors() {
        for garbage in [
            "garbage",
            "\0\0\0\0",
            "WARC",
            "WARC/9.9\r\n\r\n",
            "\u{1f}\u{8b}\u{8}",
            "<html>\nWARC/1.1\r\n",
        ] {
            let read = lines([garbage.as_bytes(), b"\n", &records().concat()].concat());
            assert!(read[0].contains("at octet 0: "), "{garbage:?}: {read:#?}");
            assert_eq!(
                read.iter().filter(|line| line.contains("200")).count(),
                4,
                "{garbage:?}: {read:#?}"
            );
        }
        assert_eq!(lines(""), [""; 0]);
        assert_eq!(lines("\r\n\r\n"), [""; 0]);
    }

    #[test]
    fn a_failing_source_ends_reading() {
        struct Failing;
        impl Read for Failing {
            fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
                Err(io::Error::other("the disk is gone"))
            }
        }
        let read = read(Cursor::new(records().concat()).chain(Failing));
        // Whether the last response is complete is unknown.
        assert_eq!(hosts(&read), ["a.example", "b.example", "c.example"]);
        let error = read[3].as_ref().unwrap_err();
        assert_eq!(error.source_failure().unwrap().to_string(), "the disk is gone");
        assert_eq!(error.url.as_deref(), Some("https://d.example/robots.txt"));
        assert_eq!(read.len(), 4);
    }
}

/// Reads archives with random changes for two seconds, or `ROBOTS_ARCHIVES` seconds: reading ends without a panic, and gives
/// the same rows whatever the source returns at a time.
#[test]
fn changed_archives() {
    let seconds = std::env::var("ROBOTS_ARCHIVES").ok().map_or(2, |text| text.parse().unwrap());
    let end = std::time::Instant::now() + std::time::Duration::from_secs(seconds);
    let mut records = records();
    records.push(response(
        "e.example",
        "HTTP/1.1 301 M\r\nLocation: https://a.example/robots.txt\r\n\r\n",
    ));
    records.push(response(
        "f.example",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
    ));
    let members =
        |coded: fn(&[u8]) -> Vec<u8>| records.iter().flat_map(|record| coded(record)).collect();
    let archives: [Vec<u8>; 4] =
        [records.concat(), members(gzip), members(zstd), zstd_with_dictionary(&records)];
    let mut state = 0x9309_u64;
    let mut random = |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        usize::try_from(state % below.max(1) as u64).unwrap()
    };
    let mut count = 0;
    while std::time::Instant::now() < end {
        let coding = random(archives.len());
        let mut archive = archives[coding].clone();
        for _ in 0..=random(4) {
            let (from, to) = (random(archive.len()), random(archive.len()));
            let part = archive[from..archive.len().min(from + random(300))].to_vec();
            match random(5) {
                0 => archive[from] ^= 1 << random(8),
                1 => archive[from] = b"0\r\n: 9\xff"[random(7)],
                2 => drop(archive.drain(from..archive.len().min(from + random(300)))),
                3 => archive.truncate(archive.len().saturating_sub(random(200))),
                _ => drop(archive.splice(to..to, part)),
            }
            archive.resize(archive.len().max(1), 0);
        }
        let whole = lines(&archive);
        assert!(whole.len() <= archive.len());
        if coding == 0 && !archive.starts_with(b"\x1f\x8b\x08") {
            let pieces = read(Drops(Cursor::new(archive.clone()), 1 + random(50)));
            assert_eq!(pieces.iter().map(line).collect::<Vec<_>>(), whole, "{archive:?}");
        }
        count += 1;
    }
    println!("{count} archives");
}
