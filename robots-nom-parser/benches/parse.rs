//! Measures the time of parsing: one file of each kind and, if `ROBOTS_CORPUS` names a folder, all files of this
//! folder. `cargo xtask bench` compares the parser with other parsers.

use std::ffi::OsStr;
use std::fmt::Write as _;

use divan::counter::BytesCount;
use divan::{Bencher, black_box};
use robots_core::syntax::{self, Parser};
use robots_nom_parser::{NomParser, ScanParser};

fn main() {
    divan::main();
}

fn kinds() -> Vec<&'static str> {
    let mut kinds = vec!["small", "large", "comments", "html"];
    kinds.extend(std::env::var_os("ROBOTS_CORPUS").map(|_| "corpus"));
    kinds
}

/// Measures the parsing of a file into the whole model: lines, groups and sitemaps.
#[divan::bench(args = kinds())]
fn parse(bencher: Bencher<'_, '_>, kind: &str) {
    let files = files(kind);
    bencher.counter(octets(&files)).bench_local(|| {
        for file in &files {
            black_box(robots_nom_parser::parse(black_box(file.as_slice())));
        }
    });
}

/// Measures only the division of a file into lines.
#[divan::bench(args = kinds(), types = [ScanParser, NomParser])]
fn lines<P: Parser + Default>(bencher: Bencher<'_, '_>, kind: &str) {
    let files = files(kind);
    bencher.counter(octets(&files)).bench_local(|| {
        for file in &files {
            black_box(syntax::lines(&P::default(), black_box(file)));
        }
    });
}

/// Measures the parsing of a file together with one verdict.
#[divan::bench(args = kinds())]
fn parse_and_one_verdict(bencher: Bencher<'_, '_>, kind: &str) {
    let files = files(kind);
    bencher.counter(octets(&files)).bench_local(|| {
        for file in &files {
            let robots = robots_nom_parser::parse(black_box(file.as_slice()));
            black_box(robots.verdict("googlebot", black_box("/search/node/17?page=2")));
        }
    });
}

fn octets(files: &[Vec<u8>]) -> BytesCount {
    BytesCount::new(files.iter().map(Vec::len).sum::<usize>())
}

fn files(kind: &str) -> Vec<Vec<u8>> {
    let text = match kind {
        "small" => robots(16),
        "large" => robots(4_000),
        "comments" => {
            "# a comment of a usual length, of which some files have many\r\n\r\n".repeat(500)
        }
        "html" => "<div class=\"page\"><a href=\"https://www.example.com/#top\">up</a></div>\n"
            .repeat(500),
        _ => {
            return folder(
                &std::env::var_os("ROBOTS_CORPUS")
                    .expect("the kind is listed only if the folder is set"),
            );
        }
    };
    vec![text.into_bytes()]
}

fn robots(rules: usize) -> String {
    let mut text = String::from("# example.com\nUser-agent: *\nCrawl-delay: 2\n");
    for number in 0..rules {
        match number % 16 {
            7 => writeln!(text, "Allow: /search/*/page-{number}$"),
            15 => writeln!(text, "\nUser-agent: examplebot-{number}"),
            _ => writeln!(text, "Disallow: /archive/{number}/"),
        }
        .expect("writing to a String cannot fail");
    }
    text + "Sitemap: https://www.example.com/sitemap.xml\n"
}

fn folder(path: &OsStr) -> Vec<Vec<u8>> {
    let mut paths: Vec<_> = std::fs::read_dir(path)
        .unwrap_or_else(|error| panic!("ROBOTS_CORPUS={}: {error}", path.display()))
        .map(|entry| entry.expect("a folder can be listed").path())
        .filter(|path| path.is_file())
        .collect();
    paths.sort();
    paths.into_iter().map(|path| std::fs::read(path).expect("a file can be read")).collect()
}
