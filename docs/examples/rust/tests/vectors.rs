//! Asks `texting_robots` the questions of RFC 9309. `known.txt` lists the vectors that this crate fails. The reader is the
//! one in the README of the vectors.

mod my_parser {
    use texting_robots::Robot;

    /// Returns whether a URL is allowed. If the crate refuses the file, nothing is.
    pub fn is_allowed(robots_txt: &[u8], user_agent: &str, url: &str) -> bool {
        Robot::new(user_agent, robots_txt).is_ok_and(|robot| robot.allowed(url))
    }
}

use my_parser::is_allowed; // fn(robots_txt: &[u8], user_agent: &str, url: &str) -> bool

#[test]
fn vectors() {
    let known = include_str!("known.txt").lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let words = known.map(|line| line.split(' ').collect::<Vec<_>>());
    let mut known: std::collections::BTreeMap<_, _> = words.map(|words| (words[0], words[1])).collect();
    let vectors: Vec<serde_json::Value> = serde_json::from_str(include_str!("rfc9309.json")).unwrap();
    let mut failed = false;
    for v in vectors.iter().filter(|v| v.is_object()) {
        let text = |key: &str| v[key].as_str().unwrap_or_default();
        use base64::{Engine, prelude::BASE64_STANDARD};
        let octets = BASE64_STANDARD.decode(text("robots_txt_base64")).unwrap();
        let robots = [text("robots_txt").as_bytes(), &octets].concat();
        let got = std::panic::catch_unwind(|| is_allowed(&robots, text("user_agent"), text("url")));
        if got.as_ref().is_ok_and(|got| *got == v["allowed"]) {
            continue;
        }
        let tag = if got.is_ok() { "bug" } else { "error" };
        let listed = known.remove(text("id"));
        if listed.is_some_and(|listed| (listed == "error") == (tag == "error")) {
            continue;
        }
        failed |= text("level") == "must" || listed.is_some();
        let word = if text("level") == "must" { "FAILED" } else { "ADVICE" };
        let [id, level, section] = ["id", "level", "section"].map(text);
        println!("{word} {id} ({level}, section {section}): {}", text("about"));
        // A comment says what the requirement says.
        let begin = format!("{}: ", text("requirement"));
        let says = vectors.iter().filter_map(|v| v.as_str()).find(|line| line.starts_with(&begin));
        println!("  {}", says.unwrap_or_default());
        let shown = String::from_utf8_lossy(&robots);
        shown.lines().zip(1..).for_each(|(line, number)| println!("  {number} {line:?}"));
        let got = got.map_or("a panic".to_owned(), |got| got.to_string());
        println!("  {} {}: allowed must be {}, got {got}", text("user_agent"), text("url"), v["allowed"]);
        println!("  known.txt: {id} {tag} WHY");
    }
    assert!(!failed && known.is_empty(), "see above; passes or is gone: {known:?}");
}
