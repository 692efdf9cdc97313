//! Adapter for the crate texting_robots. The crate parses octets for one crawler, and decides about a URL.

use robots_conformance_peers::{Question, Reply, json, serve, verdict};
use texting_robots::Robot;

fn main() -> std::io::Result<()> {
    let editions = ["rfc9309"];
    serve("texting_robots", &editions, &[("verdict", allowed), ("sitemaps", sitemaps)])
}

fn allowed(question: &Question) -> Reply {
    let robot = Robot::new(question.token()?, &question.octets()?)?;
    verdict(robot.allowed(question.url()?))
}

fn sitemaps(question: &Question) -> Reply {
    Ok(json!({ "sitemaps": Robot::new("*", &question.octets()?)?.sitemaps }))
}
