//! Tests that no archive takes much memory or time, whatever it claims. The memory of the process is read from `/proc`, so
//! there is one test, and it needs Linux.
#![cfg(target_os = "linux")]

use std::io::{self, Cursor, Read};
use std::time::{Duration, Instant};
use std::{fs, iter};

use flate2::Compression;
use flate2::write::GzEncoder;
use robots_fetch::Settings;
use robots_fetch::warc::Archive;

/// The length of what a hostile archive contains or claims, in octets.
const LONG: u64 = 128 << 20;

/// The length of an archive of many small parts, in octets.
const MANY: u64 = 32 << 20;

/// How much memory an archive may take, in octets.
const MEMORY: usize = 24 << 20;

const TIME: Duration = Duration::from_secs(60);

type Source = Box<dyn Read + Send>;

/// Returns the largest memory of this process so far, in octets.
fn peak() -> usize {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.trim().trim_end_matches(" kB").parse::<usize>().unwrap() * 1024
}

fn head(fields: &str) -> String {
    format!(
        "WARC/1.0\r\nWARC-Type: response\r\nWARC-Date: 2024-05-01T12:00:00Z\r\n\
         WARC-Target-URI: http://a.example/robots.txt\r\nContent-Type: application/http\r\n{fields}\r\n"
    )
}

fn response(length: u64, http: &str) -> String {
    head(&format!("Content-Length: {length}\r\n")) + http
}

fn gzip(mut octets: impl Read) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    io::copy(&mut octets, &mut encoder).unwrap();
    encoder.finish().unwrap()
}

fn zstd(octets: impl Read) -> Vec<u8> {
    zstd::encode_all(octets, 1).unwrap()
}

fn long(octet: u8) -> impl Read + Send {
    io::repeat(octet).take(LONG)
}

/// Repeats octets until there are `MANY` of them.
fn repeated(octets: &[u8]) -> Source {
    struct Repeated(Vec<u8>, u64);
    impl Read for Repeated {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let mut written = 0;
            while self.1 < MANY && buffer.len() - written >= self.0.len() {
                buffer[written..written + self.0.len()].copy_from_slice(&self.0);
                written += self.0.len();
                self.1 += self.0.len() as u64;
            }
            Ok(written)
        }
    }
    // Longer pieces are faster.
    let piece = octets.repeat((4096 / octets.len()).max(1));
    Box::new(Repeated(piece, 0))
}

/// A dictionary of a zstd archive that becomes long.
fn dictionary() -> Vec<u8> {
    let stored = zstd(long(b'x'));
    let length = u32::try_from(stored.len()).unwrap().to_le_bytes();
    [b"\x5d\x2a\x4d\x18", &length[..], &stored].concat()
}

/// A frame that says that its window has 2 GiB.
fn window() -> Vec<u8> {
    b"\x28\xb5\x2f\xfd\x00\xa8\x00\x00\x00".to_vec()
}

#[test]
fn no_archive_takes_much_memory_or_time() {
    const OK: &str = "HTTP/1.1 200 OK\r\n\r\n";
    let coded = "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n";
    let chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
    let claims = |http: &str| Cursor::new(response(1_000_000_000_000, http).into_bytes());
    let bomb = gzip(long(b'#'));
    let bomb_of_body = response((coded.len() + bomb.len()) as u64, coded).into_bytes();
    // The archives, and how many answers and errors they give.
    let archives: Vec<(&str, usize, Source)> = vec![
        ("a record of 1 TB", 1, Box::new(claims(OK).chain(long(b'#')))),
        (
            "a head of HTTP without end",
            1,
            Box::new(claims("HTTP/1.1 200 OK\r\nx: ").chain(long(b'#'))),
        ),
        (
            "a chunk of 1 TB",
            1,
            Box::new(claims(chunked).chain(&b"ffffffffff\r\n"[..]).chain(long(b'#'))),
        ),
        ("a line with a chunk's size", 1, Box::new(claims(chunked).chain(long(b'0')))),
        ("small chunks", 1, Box::new(claims(chunked).chain(repeated(b"1\r\nx\r\n")))),
        (
            "a head without end",
            1,
            Box::new(Cursor::new(head("x: ").into_bytes()).chain(long(b'#'))),
        ),
        (
            "many fields",
            1,
            Box::new(
                Cursor::new(head("").trim_end().to_owned().into_bytes())
                    .chain(repeated(b"\r\nx: y")),
            ),
        ),
        ("empty lines", 0, repeated(b"\r\n")),
        ("heads", 4, repeated(b"\nWARC/1.0\r\nContent-Length: 9999999\r\n\r\n")),
        ("a bomb as a body", 1, Box::new(Cursor::new([bomb_of_body, bomb].concat()))),
        ("a bomb as a record", 1, Box::new(Cursor::new(gzip(claims(OK).chain(long(b'#')))))),
        ("a bomb as a frame", 1, Box::new(Cursor::new(zstd(claims(OK).chain(long(b'#')))))),
        ("a bomb without a record", 1, Box::new(Cursor::new(gzip(long(b'#'))))),
        ("a bomb as a dictionary", 1, Box::new(Cursor::new(dictionary()))),
        ("a window of 2 GiB", 1, Box::new(Cursor::new(window()))),
        ("empty members", 0, Box::new(io::Cursor::new(gzip(&b""[..]).repeat(100_000)))),
        ("skippable frames", 0, repeated(b"\x51\x2a\x4d\x18\0\0\0\0")),
        (
            "a skippable frame",
            1,
            Box::new(Cursor::new(b"\x51\x2a\x4d\x18\xff\xff\xff\xff").chain(long(b'#'))),
        ),
        ("beginnings of members", 1, repeated(b"\x1f\x8b\x08")),
        (
            "members with long names",
            1,
            repeated(&[b"\x1f\x8b\x08\x08\0\0\0\0\0\0", &[b'x'; 500][..]].concat()),
        ),
        ("beginnings of frames", 1, Box::new(repeated(b"\x28\xb5\x2f\xfd").take(MANY / 8))),
        ("redirects", 20_000, Box::new(redirects(20_000))),
        ("redirects to one long file", 4_000, Box::new(Cursor::new(redirects_to_a_file(4_000)))),
    ];
    let before = peak();
    for (name, expected, source) in archives {
        let start = Instant::now();
        let count = Archive::new(source, &Settings::default()).count();
        assert_eq!(count, expected, "{name}");
        let (memory, time) = (peak() - before, start.elapsed());
        println!("{name}: {count}, {time:?}, {} MiB", memory >> 20);
        assert!(memory < MEMORY, "{name}: {memory} octets");
        assert!(time < TIME, "{name}: {time:?}");
    }
}

/// Redirects to long URLs that the archive does not have.
fn redirects(count: usize) -> impl Read + Send {
    let http = format!("HTTP/1.1 301 M\r\nLocation: /{}\r\n\r\n", "x".repeat(2_000));
    let record = response(http.len() as u64, &http) + "\r\n\r\n";
    let mut left = iter::repeat_n(record.into_bytes(), count);
    let mut open = Cursor::new(Vec::new());
    Each(move |buffer: &mut [u8]| {
        let read = open.read(buffer)?;
        match left.next() {
            Some(next) if read == 0 => {
                open = Cursor::new(next);
                open.read(buffer)
            }
            _ => Ok(read),
        }
    })
}

/// Redirects whose target comes after them and is as long as a file may be.
fn redirects_to_a_file(count: usize) -> Vec<u8> {
    let http = "HTTP/1.1 301 M\r\nLocation: /long\r\n\r\n";
    let redirect = response(http.len() as u64, http) + "\r\n\r\n";
    let file = format!("HTTP/1.1 200 OK\r\n\r\n{}", "#".repeat(500_000));
    let target = response(file.len() as u64, &file).replace("/robots.txt", "/long");
    (redirect.repeat(count) + &target).into_bytes()
}

struct Each<F>(F);

impl<F: FnMut(&mut [u8]) -> io::Result<usize>> Read for Each<F> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        (self.0)(buffer)
    }
}
