//! Adapter for the crate robotxt. The crate parses octets for one crawler, and decides about a path with its query. By
//! default, a name in the file must equal the crawler's token.

use robots_conformance_peers::{Question, Reply, json, serve, verdict};
use robotxt::{ANY_AGENT, Robots};

fn main() -> std::io::Result<()> {
    serve("robotxt", &["rfc9309"], &[("verdict", allowed), ("sitemaps", sitemaps)])
}

fn allowed(question: &Question) -> Reply {
    let robots = Robots::parse(&question.octets()?, question.token()?);
    verdict(robots.is_allowed(&question.path_and_query()?))
}

fn sitemaps(question: &Question) -> Reply {
    let robots = Robots::parse(&question.octets()?, ANY_AGENT);
    let sitemaps: Vec<&str> = robots.sitemaps().iter().map(|url| url.as_str()).collect();
    Ok(json!({ "sitemaps": sitemaps }))
}
