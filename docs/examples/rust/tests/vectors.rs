//! Asks `texting_robots` the verdict questions of RFC 9309. `known-failures.txt` lists the vectors that this crate
//! fails.

use std::collections::{BTreeMap, BTreeSet};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use serde::Deserialize;
use texting_robots::Robot;

#[derive(Deserialize)]
struct Suite {
    vectors: Vec<Vector>,
}

#[derive(Deserialize)]
struct Vector {
    name: String,
    about: String,
    ask: String,
    role: Option<String>,
    robots_txt: Option<String>,
    robots_txt_base64: Option<String>,
    #[serde(default)]
    robots_txt_parts: Vec<Part>,
    robots_txt_length: Option<usize>,
    #[serde(default)]
    tokens: Vec<String>,
    #[serde(default)]
    url: String,
    expected: serde_json::Value,
    editions: BTreeMap<String, serde_json::Value>,
}

#[derive(Deserialize)]
struct Part {
    text: Option<String>,
    base64: Option<String>,
    times: Option<u32>,
    counter: Option<String>,
}

fn plain(text: Option<&String>, base64: Option<&String>) -> Vec<u8> {
    match text {
        Some(text) => text.clone().into_bytes(),
        None => BASE64.decode(base64.expect("text or base64")).expect("base64"),
    }
}

impl Vector {
    /// Returns the octets of the robots.txt of this vector. If the vector has the file in parts, they are joined.
    fn octets(&self) -> Vec<u8> {
        if self.robots_txt_parts.is_empty() {
            return plain(self.robots_txt.as_ref(), self.robots_txt_base64.as_ref());
        }
        let repeated = self.robots_txt_parts.iter().flat_map(|part| {
            (1..=part.times.unwrap_or(1)).map(move |number| match (&part.text, &part.counter) {
                (Some(text), Some(counter)) => {
                    text.replace(counter.as_str(), &number.to_string()).into_bytes()
                }
                (text, _) => plain(text.as_ref(), part.base64.as_ref()),
            })
        });
        let octets: Vec<u8> = repeated.flatten().collect();
        assert_eq!(Some(octets.len()), self.robots_txt_length);
        octets
    }

    /// Returns whether this vector is a verdict question to a parser about a crawler with one product token. Other
    /// vectors are not asked, because `texting_robots` accepts only one token.
    fn is_asked(&self) -> bool {
        let is_verdict = self.ask == "verdict" && self.role.is_none() && self.tokens.len() == 1;
        is_verdict && self.editions.contains_key("rfc9309")
    }

    fn is_right(&self) -> bool {
        let robot = Robot::new(&self.tokens[0], &self.octets());
        let verdict = robot.map(|robot| if robot.allowed(&self.url) { "allow" } else { "disallow" });
        verdict.is_ok_and(|verdict| self.expected["verdict"] == verdict)
    }
}

#[test]
fn what_fails_is_known_and_what_is_known_fails() {
    let suite: Suite = serde_json::from_str(include_str!("../vectors.json")).expect("vectors.json");
    let mut known: BTreeSet<&str> = include_str!("../known-failures.txt").lines().collect();
    let mut wrong = Vec::new();
    for vector in suite.vectors.iter().filter(|vector| vector.is_asked()) {
        match (vector.is_right(), known.remove(vector.name.as_str())) {
            (true, true) => wrong.push(format!("healed: {}", vector.name)),
            (false, false) => wrong.push(format!("failed: {}: {}", vector.name, vector.about)),
            _ => {}
        }
    }
    wrong.extend(known.iter().map(|name| format!("no vector: {name}")));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
