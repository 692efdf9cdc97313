//! Adapter for the crate robots_txt. The crate takes the file as text, chooses the group of the crawler (its
//! "section"), and compares a path with the rules of this group.

use robots_conformance_peers::{Question, Reply, serve, verdict};
use robots_txt::{Robots, matcher::SimpleMatcher};

fn main() -> std::io::Result<()> {
    serve("robots_txt", &["rfc9309"], &[("verdict", allowed)])
}

fn allowed(question: &Question) -> Reply {
    let text = question.text()?;
    let robots = Robots::from_str_lossy(&text);
    let matcher = SimpleMatcher::new(&robots.choose_section(question.token()?).rules);
    verdict(matcher.check_path(&question.path_and_query()?))
}
