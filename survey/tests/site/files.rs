//! The files about which the tests ask questions: the files in the folder `ROBOTS_CORPUS`, or files made from those of
//! the suite.

use std::collections::BTreeSet;
use std::env;
use std::fmt::Write as _;
use std::fs;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use robots_core::{Options, ProductToken, RobotsTxt, RuleKind};
use robots_nom_parser::ScanParser;
use serde_json::Value;

/// The number of files, and of URLs for each file.
pub(crate) const FILES: usize = 200;
pub(crate) const URLS: usize = 5;

pub(crate) struct Asked {
    pub(crate) body: Vec<u8>,
    pub(crate) agents: Vec<String>,
    pub(crate) urls: Vec<String>,
}

/// Returns the files, each with the questions about it.
pub(crate) fn files() -> Vec<Asked> {
    let bodies = match env::var_os("ROBOTS_CORPUS") {
        Some(folder) => {
            let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
            let mut paths: Vec<_> = entries.filter(|path| path.is_file()).collect();
            paths.sort_unstable();
            assert!(paths.len() >= FILES, "{} files", paths.len());
            let step = paths.len() / FILES;
            paths.iter().step_by(step).take(FILES).map(|path| fs::read(path).unwrap()).collect()
        }
        None => made(),
    };
    assert_eq!(bodies.len(), FILES);
    bodies.into_iter().map(asked).collect()
}

/// Makes each file by joining three files of the suite. So no case of the suite is about exactly such a file.
fn made() -> Vec<Vec<u8>> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../spec-cases/vectors/google-2022.json");
    let vectors: Vec<Value> = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    let file = |vector: &Value| {
        if let Some(text) = vector["robots_txt"].as_str() {
            return Some(text.as_bytes().to_vec());
        }
        BASE64_STANDARD.decode(vector["robots_txt_base64"].as_str()?).ok()
    };
    let written: BTreeSet<Vec<u8>> =
        vectors.iter().filter_map(file).filter(|octets| octets.len() < 4096).collect();
    let written: Vec<Vec<u8>> = written.into_iter().collect();
    assert!(written.len() > FILES, "{}", written.len());
    (0..FILES)
        .map(|number| {
            let places = [number, number * 7 + 1, number * 13 + 2];
            places.map(|place| written[place % written.len()].clone()).join(&b"\n"[..])
        })
        .collect()
}

fn asked(body: Vec<u8>) -> Asked {
    let robots = RobotsTxt::parse(&ScanParser, &body[..], Options::default());
    let mut agents = vec!["examplebot".to_owned()];
    let named = robots.groups().flat_map(|group| group.user_agents()).find_map(|line| {
        let token = std::str::from_utf8(line.value()).ok()?.parse::<ProductToken>().ok()?;
        Some(token.as_str().to_owned())
    });
    agents.extend(named);
    // Use URLs that the first and the last rule of each kind match, and then fixed URLs, until there are enough.
    let of = |kind: RuleKind| {
        let mut rules =
            robots.groups().flat_map(|group| group.rules()).filter(|rule| rule.kind() == kind);
        let first = rules.next().map(|rule| url(rule.path()));
        [first, rules.last().map(|rule| url(rule.path()))]
    };
    let rules = [of(RuleKind::Disallow), of(RuleKind::Allow)].into_iter().flatten().flatten();
    let mut urls: Vec<String> = rules.collect();
    for other in ["/", "/index.html", "/a/b?c=d", "/%7Ex/%41", "https://example.com/x.pdf"] {
        if urls.len() < URLS {
            urls.push(other.to_owned());
        }
    }
    Asked { body, agents, urls }
}

/// Makes a URL that a pattern matches.
fn url(path: &[u8]) -> String {
    let path = path.strip_suffix(b"$").unwrap_or(path);
    let mut url = String::from("https://example.com");
    if path.first() != Some(&b'/') {
        url.push('/');
    }
    for &octet in path {
        let is_plain = octet.is_ascii_graphic() && !b"#\"<>\\".contains(&octet);
        match octet {
            b'*' => url.push_str("xy"),
            _ if is_plain => url.push(char::from(octet)),
            _ => write!(url, "%{octet:02X}").expect("writing to a String cannot fail"),
        }
    }
    url
}
