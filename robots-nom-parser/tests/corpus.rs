//! Tests invented and real files: parsing does not panic, and the lines cover every octet.
//!
//! The test always uses a few invented files. If the environment variable `ROBOTS_CORPUS` names a folder of robots.txt
//! files, the test uses these files too.

mod common;

use std::path::Path;
use std::{env, fs};

use common::accounted_lines;
use robots_nom_parser::parse_with;
use robots_nom_parser::robots_core::{Edition, Parser};

const MADE_UP: [&[u8]; 8] = [
    b"",
    b"\xEF\xBB\xBF",
    b"# a file\r\nUser-agent: *\r\nDisallow: /cgi-bin/\r\nCrawl-delay: 10\r\n\r\nSitemap: https://a/b.xml",
    b"User-agent: a\rUser-agent: b\rDisallow:\r\rUser-agent: *\rDisallow: /\r",
    b"<!DOCTYPE html>\n<html><head><title>404: not found</title></head>\n<body>#</body></html>\n",
    b"\xFF\xFEU\0s\0e\0r\0-\0a\0g\0e\0n\0t\0:\0 \0*\0\n\0",
    b"Useragent *\nDisallow : /a # b : c\n : \n:\n#:\n \t \n\0\x0B\x0C\xE2\x80\xA8\xC2\x85\n",
    b"{\"error\":\"not found\"}",
];

#[test]
fn every_line_is_accounted_for() {
    for octets in MADE_UP {
        check(octets);
    }
    let Some(folder) = env::var_os("ROBOTS_CORPUS") else {
        println!("ROBOTS_CORPUS is not set: {} made-up files checked, no real ones", MADE_UP.len());
        return;
    };
    let checked = check_folder(Path::new(&folder));
    assert!(checked > 0, "ROBOTS_CORPUS: no file in {}", folder.display());
    println!("{checked} files of {} checked", folder.display());
}

/// Checks every file in a folder and its subfolders, and returns their number.
fn check_folder(folder: &Path) -> usize {
    let entries = fs::read_dir(folder)
        .unwrap_or_else(|error| panic!("ROBOTS_CORPUS: cannot read {}: {error}", folder.display()));
    let mut checked = 0;
    for entry in entries {
        let path = entry.expect("every entry of an open folder can be read").path();
        if path.is_dir() {
            checked += check_folder(&path);
        } else {
            let octets = fs::read(&path)
                .unwrap_or_else(|error| panic!("cannot read {}: {error}", path.display()));
            println!("{}", path.display());
            check(&octets);
            checked += 1;
        }
    }
    checked
}

fn check(octets: &[u8]) {
    let lines = accounted_lines(octets);
    for &edition in Edition::ALL {
        let robots = parse_with(octets, edition);
        let read = robots.truncated_at().unwrap_or(octets.len());
        let within = lines.iter().take_while(|line| line.span.end() <= read);
        assert!(within.copied().eq(robots.lines().map(|(line, _)| line)));
        let verdict = robots.verdict("examplebot", "https://example.com/a/b?c");
        assert!(!verdict.to_string().is_empty());
        if let Some(grammar) = edition.grammar() {
            let derived = robots_nom_parser::NomParser.derives(grammar, octets).unwrap();
            assert_eq!(derived.lines().len(), lines.len());
        }
    }
}
