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
    let mut known: std::collections::BTreeSet<_> = known.filter_map(|line| line.split(' ').next()).collect();
    let vectors: Vec<serde_json::Value> = serde_json::from_str(include_str!("rfc9309.json")).unwrap();
    let mut failed = false;
    for v in vectors.iter().filter(|v| v.is_object()) {
        let text = |key: &str| v[key].as_str().unwrap_or_default();
        use base64::{Engine, prelude::BASE64_STANDARD};
        let octets = BASE64_STANDARD.decode(text("robots_txt_base64")).unwrap();
        let robots = [text("robots_txt").as_bytes(), &octets].concat();
        if is_allowed(&robots, text("user_agent"), text("url")) == v["allowed"] || known.remove(text("id")) {
            continue;
        }
        failed |= text("level") == "must";
        let word = if text("level") == "must" { "FAILED" } else { "ADVICE" };
        let [id, level, section, requirement] = ["id", "level", "section", "requirement"].map(text);
        println!("{word} {id} ({level}, section {section}, {requirement}): {}", text("about"));
        let shown = String::from_utf8_lossy(&robots);
        shown.lines().zip(1..).for_each(|(line, number)| println!("  {number} {line:?}"));
        println!("  {} {}: allowed must be {}", text("user_agent"), text("url"), v["allowed"]);
        println!("  known.txt: {id} bug WHY");
    }
    assert!(!failed && known.is_empty(), "see above; passes or is gone: {known:?}");
}
