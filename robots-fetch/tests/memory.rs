//! Tests that a limit on memory limits the memory of the process.
//!
//! Each case is a process of its own: the test binary starts itself, and `ROBOTS_FETCH_MEMORY` names the case. The memory
//! of a process is read from `/proc`, so the test needs Linux.
#![cfg(target_os = "linux")]

use std::io::Write as _;
use std::process::Command;
use std::time::Duration;
use std::{env, fs};

use robots_fetch::flight::Step;
use robots_fetch::retrieval::{BodyReader, Response};
use robots_fetch::robots_core::Crawler;
use robots_fetch::store::{BlockingStore, Memory};
use robots_fetch::{Cache, CacheKey, Lookup, Settings};
use rstest::rstest;

const LIMIT: usize = 32 << 20;

const NOW: Duration = Duration::from_secs(1_000_000_000);

/// Returns the memory of this process, in octets.
fn resident() -> usize {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
    line.trim().trim_end_matches(" kB").parse::<usize>().unwrap() * 1024
}

/// Returns a robots.txt of at least this length that arrived in parts.
fn file(octets: usize, number: usize) -> Response {
    let mut reader = BodyReader::new(None, 1 << 20).unwrap();
    reader.push(format!("user-agent: *\ndisallow: /{number}/\n").as_bytes()).unwrap();
    for part in 0..octets / 24 {
        reader.push(format!("disallow: /{part:011}/\n").as_bytes()).unwrap();
    }
    Response::new(200, [("etag", &b"\"1\""[..])]).with_body(reader.finish().unwrap())
}

/// Returns redirects to URLs of 8,000 octets, and then a small file.
fn redirected(number: usize) -> Vec<Response> {
    let redirect = |hop| {
        let location = format!("/{number}/{hop}/{}", "x".repeat(8_000));
        Response::new(301, [("location", location.as_bytes())])
    };
    (0..5).map(redirect).chain([file(100, number)]).collect()
}

fn fill(case: &str) {
    let crawler = Crawler::new(["examplebot"]).unwrap();
    let cache = Cache::new(crawler, "examplebot", Settings::default(), LIMIT as u64).unwrap();
    let store = Memory::of_octets(LIMIT as u64);
    let before = resident();
    let (mut most, mut kept) = (0, 0);
    for number in 0.. {
        if kept > 2 * LIMIT {
            break;
        }
        let url = format!("http://host{number}.example/x");
        let answers = match case {
            "small files" => vec![file(1_000, number)],
            "large files" | "compiled rules" => vec![file(280_000, number)],
            "long fields" => redirected(number),
            _ => Vec::new(),
        };
        if case == "a store" {
            let record = vec![b'x'; 1_000];
            kept += record.len();
            store.put(&url, record, Duration::MAX).unwrap();
        } else {
            let mut flight = cache.flight(&CacheKey::of(&url).unwrap());
            for answer in answers {
                assert!(matches!(flight.step(NOW), Step::Request(_)));
                flight.answered(answer, NOW);
            }
            let record = flight.into_record();
            assert!(record.copy.is_some(), "{}", record.last.end);
            kept += record.to_octets().len();
            cache.keep(record, NOW).unwrap();
            for _ in 0..if case == "compiled rules" { 2 } else { 0 } {
                let Lookup::Fresh(origin) = cache.look_up(&url, NOW).unwrap() else { panic!() };
                origin.verdict(&url).unwrap();
            }
        }
        if number % 97 == 0 {
            most = most.max(resident().saturating_sub(before));
        }
    }
    most = most.max(resident().saturating_sub(before));
    let percent = most * 100 / LIMIT;
    println!("{case}: {most} octets, {percent} % of the limit");
    assert!(percent > 50, "the case does not fill the memory");
    assert!(percent <= 125, "{case}: {percent} % of the limit");
}

/// The number of readers that exist at once: the maximum number of origins that a client asks at once.
const READERS: usize = 256;

/// Reads as many bodies as a client reads at once, nearly to their limit. Their codings declare the longest windows.
fn read(coding: &str) {
    let mut random = 1_u64;
    let body = std::iter::repeat_with(|| {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        random.to_le_bytes()[3]
    });
    let body: Vec<u8> = body.take(1 << 20).collect();
    let mut coded = Vec::new();
    if coding == "br" {
        brotli::CompressorWriter::new(&mut coded, 4096, 5, 24).write_all(&body).unwrap();
    } else {
        let mut encoder = zstd::Encoder::new(&mut coded, 3).unwrap();
        encoder.window_log(23).unwrap();
        encoder.write_all(&body).unwrap();
        encoder.finish().unwrap();
    }
    let before = resident();
    let readers: Vec<BodyReader> = (0..READERS)
        .map(|_| {
            let mut reader = BodyReader::new(Some(coding), 512_000).unwrap();
            reader.push(&coded[..510_000]).unwrap();
            reader
        })
        .collect();
    let each = resident().saturating_sub(before) / readers.len();
    println!("{coding}: {each} octets for each reader");
    assert!(each > 510_000, "the readers have not read their bodies");
    assert!(each <= 2 << 20, "{coding}: {each} octets for each reader");
}

#[rstest]
fn the_process_keeps_the_limit(
    #[values(
        "small files",
        "large files",
        "compiled rules",
        "long fields",
        "a store",
        "br",
        "zstd"
    )]
    case: &str,
) {
    const ROLE: &str = "ROBOTS_FETCH_MEMORY";
    if let Ok(case) = env::var(ROLE) {
        return if matches!(&*case, "br" | "zstd") { read(&case) } else { fill(&case) };
    }
    let name = std::thread::current().name().unwrap().to_owned();
    let mut command = Command::new(env::current_exe().unwrap());
    command.args([&name, "--exact", "--nocapture", "--test-threads=1"]).env(ROLE, case);
    let output = command.output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    eprintln!("{}", text.lines().find(|line| line.contains(" octets")).unwrap_or_default());
    assert!(output.status.success(), "{text}{}", String::from_utf8_lossy(&output.stderr));
}
