//! Checks the SARIF output of `lint`, `diff` and `check` against the standard's schema, and against rules that the
//! schema cannot state.

mod common;

use std::fs;
use std::process::Command;

use jsonschema::Validator;
use rstest::rstest;
use serde_json::Value;

use self::common::Folder;

const BROKEN: &str = "Disallow: /early\nUser-agent: Googlebot, Bingbot\nDisalow: /typo\n\
    Disallow: https://example.com/absolute\nDisallow: *.pdf\nAllow: /caf\u{E9}*\nCrawl-delay: 5\nNoindex: /x\n\n\
    user-agent: *\nDisallow: /a\nDisallow: /a/b\nno colon\nDisallow: /\u{1F600} x\nSitemap: /sitemap.xml\n";

/// Returns the schema of SARIF that OASIS publishes. The package serde-sarif contains a copy.
fn schema() -> Validator {
    let rustc = Command::new("rustc").arg("-vV").output().unwrap().stdout;
    let rustc = String::from_utf8(rustc).unwrap();
    let host = rustc.lines().find_map(|line| line.strip_prefix("host: ")).unwrap();
    // The filter is needed, because Cargo has downloaded only the packages for this platform.
    let options = ["--offline", "--locked", "--filter-platform", host].map(str::to_owned);
    let metadata = cargo_metadata::MetadataCommand::new()
        .manifest_path(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml"))
        .other_options(options)
        .exec()
        .unwrap();
    let package = metadata.packages.iter().find(|package| package.name.as_str() == "serde-sarif");
    let folder = package.unwrap().manifest_path.parent().unwrap();
    let text = fs::read_to_string(folder.join("src/schema.json")).unwrap();
    // The schema's pattern for a language has one bracket too many, and a strict parser of patterns refuses it. So the
    // test corrects the pattern.
    let misprint = "^[a-zA-Z]{2}|^[a-zA-Z]{2}-[a-zA-Z]{2}]?$";
    assert!(text.contains(misprint));
    let text = text.replace(misprint, "^[a-zA-Z]{2}(-[a-zA-Z]{2})?$");
    let schema: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(
        schema["$id"],
        "https://raw.githubusercontent.com/oasis-tcs/sarif-spec/master/Schemata/sarif-schema-2.1.0.json"
    );
    jsonschema::options().should_validate_formats(true).build(&schema).unwrap()
}

/// Makes a folder with robots.txt files of many kinds.
fn folder() -> Folder {
    let folder = Folder::with(&[]);
    folder.write("robots.txt", BROKEN.as_bytes());
    folder.write("a b#\u{FC}.txt", BROKEN.as_bytes());
    folder.write("bom.txt", "\u{FEFF}User-agent: examplebot/1.0\nDisallow: /a*\n\n".as_bytes());
    folder.write("octets.txt", b"User-agent: *\nDisallow: /\xFF\xFE%*\n");
    folder.write("empty.txt", b"");
    folder.write("html.txt", b"<!DOCTYPE html>\n<p>User-agent: *");
    folder.write(
        "long.txt",
        format!("User-agent: *\n{}", "Disallow: /a\n".repeat(50_000)).as_bytes(),
    );
    folder.write("full.txt", "x\n".repeat(5_000).as_bytes());
    folder.write(
        "expect.yaml",
        b"blocked: [Googlebot]\nurls: [{ disallow: [/x] }]\nsitemaps: [https://e.com/s.xml]\n",
    );
    folder
}

fn logged(folder: &Folder, arguments: &[&str]) -> Value {
    let output = folder.run(&[arguments, &["--format", "sarif"]].concat());
    serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&output.stderr)))
}

#[test]
fn every_log_is_valid_by_the_schema_of_the_standard() {
    let (folder, schema) = (folder(), schema());
    let files = [
        "robots.txt",
        "a b#\u{FC}.txt",
        "bom.txt",
        "octets.txt",
        "empty.txt",
        "html.txt",
        "long.txt",
        "full.txt",
    ];
    let outside = folder.path("robots.txt");
    let mut commands: Vec<Vec<&str>> = files.iter().map(|file| vec!["lint", file]).collect();
    commands.extend([
        [&["lint", "--all", "--portability=all"], &files[..]].concat(),
        vec!["lint", outside.to_str().unwrap(), "-"],
        vec!["diff", "robots.txt", "bom.txt"],
        vec!["diff", "robots.txt", "robots.txt"],
        vec!["diff", "long.txt", "octets.txt"],
        [&["check", "expect.yaml"], &files[..]].concat(),
    ]);
    for arguments in commands {
        let log = logged(&folder, &arguments);
        let errors: Vec<String> = schema
            .iter_errors(&log)
            .map(|error| format!("{}: {error}", error.instance_path()))
            .collect();
        assert_eq!(errors, [""; 0], "{arguments:?}");
        rules_that_the_schema_cannot_state(&log);
    }
    // The schema refuses a wrong log. This shows that the checks above can fail.
    let mut wrong = logged(&folder, &["lint", "robots.txt"]);
    wrong["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["region"]["startLine"] =
        0.into();
    assert!(!schema.is_valid(&wrong));
}

/// Checks indexes, places and references (SARIF 2.1.0, 3.4.3, 3.27.6, 3.30, 3.57).
fn rules_that_the_schema_cannot_state(log: &Value) {
    let run = &log["runs"][0];
    let rules = run["tool"]["driver"]["rules"].as_array().unwrap();
    for result in run["results"].as_array().unwrap() {
        let index = usize::try_from(result["ruleIndex"].as_u64().unwrap()).unwrap();
        assert_eq!(rules[index]["id"], result["ruleId"]);
        let locations = result["locations"].as_array().unwrap();
        let related = result["relatedLocations"].as_array();
        for location in locations.iter().chain(related.into_iter().flatten()) {
            let uri = location["physicalLocation"]["artifactLocation"]["uri"].as_str().unwrap();
            assert!(!uri.starts_with('/') && !uri.split('/').any(|part| part == ".."), "{uri}");
        }
        for fix in result["fixes"].as_array().into_iter().flatten() {
            let change = &fix["artifactChanges"][0];
            let uri = &locations[0]["physicalLocation"]["artifactLocation"]["uri"];
            assert_eq!(&change["artifactLocation"]["uri"], uri);
            for replacement in change["replacements"].as_array().unwrap() {
                let region = &replacement["deletedRegion"];
                let is_text = region["startLine"].is_u64();
                // If a region is given in lines, the new content is text. If it is given in octets, the new content is
                // octets.
                assert_ne!(is_text, region["byteOffset"].is_u64(), "{replacement}");
                assert_eq!(
                    is_text,
                    replacement["insertedContent"]["text"].is_string(),
                    "{replacement}"
                );
            }
        }
    }
}

/// Applies each fix of a log to the file, in the same way as a reader of SARIF, and returns the results.
fn fixed(log: &Value, body: &[u8]) -> Vec<Vec<u8>> {
    let mut bodies = Vec::new();
    for result in log["runs"][0]["results"].as_array().unwrap() {
        for fix in result["fixes"].as_array().into_iter().flatten() {
            let replacement = &fix["artifactChanges"][0]["replacements"][0];
            let region = &replacement["deletedRegion"];
            let number =
                |key: &str| region[key].as_u64().and_then(|number| usize::try_from(number).ok());
            let range =
                if let (Some(start), Some(len)) = (number("byteOffset"), number("byteLength")) {
                    start..start + len
                } else {
                    let line = number("startLine").unwrap();
                    assert_eq!(number("endLine"), Some(line));
                    at(body, line, number("startColumn").unwrap())
                        ..at(body, line, number("endColumn").unwrap())
                };
            let text = replacement["insertedContent"]["text"].as_str().unwrap_or_default();
            bodies.push([&body[..range.start], text.as_bytes(), &body[range.end..]].concat());
        }
    }
    bodies
}

/// Returns the offset of a line and a column in UTF-16 code units. A byte order mark is not counted.
fn at(body: &[u8], line: usize, column: usize) -> usize {
    let mark = usize::from(body.starts_with("\u{FEFF}".as_bytes())) * 3;
    let start: usize = body
        .split_inclusive(|octet| *octet == b'\n')
        .take(line - 1)
        .map(<[u8]>::len)
        .sum::<usize>();
    let start = start.max(mark);
    let text = String::from_utf8(body[start..].to_vec()).unwrap();
    let mut units = 0;
    for (offset, c) in text.char_indices() {
        if units == column - 1 {
            return start + offset;
        }
        units += c.len_utf16();
    }
    body.len()
}

#[rstest]
#[trace]
#[case::mark("bom.txt", &["User-agent: examplebot/1.0\nDisallow: /a*\n\n", "\u{FEFF}User-agent: examplebot\nDisallow: /a*\n\n", "\u{FEFF}User-agent: examplebot/1.0\nDisallow: /a\n\n"])]
fn a_fix_is_what_lint_suggests(#[case] file: &str, #[case] expected: &[&str]) {
    let folder = folder();
    let body = fs::read(folder.path(file)).unwrap();
    let bodies = fixed(&logged(&folder, &["lint", file]), &body);
    let bodies: Vec<String> =
        bodies.into_iter().map(|body| String::from_utf8(body).unwrap()).collect();
    assert_eq!(bodies, expected);
}

/// Each fix of the broken file removes its finding, and another run reads the fixed file.
#[test]
fn a_fix_removes_its_finding() {
    let folder = folder();
    let log = logged(&folder, &["lint", "robots.txt"]);
    let kinds = |log: &Value| {
        let results = log["runs"][0]["results"].as_array().unwrap();
        results.iter().map(|one| one["ruleId"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let with_fix =
        log["runs"][0]["results"].as_array().unwrap().iter().filter(|one| one["fixes"].is_array());
    let fixes = fixed(&log, BROKEN.as_bytes());
    assert!(fixes.len() >= 6, "{}", fixes.len());
    for (result, body) in with_fix.zip(fixes) {
        folder.write("fixed.txt", &body);
        let kind = result["ruleId"].as_str().unwrap();
        let after = kinds(&logged(&folder, &["lint", "fixed.txt"]));
        let count = |kinds: &[String]| kinds.iter().filter(|one| *one == kind).count();
        assert!(count(&after) < count(&kinds(&log)), "{kind}\n{}", String::from_utf8_lossy(&body));
    }
}
