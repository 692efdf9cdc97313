//! Adapter for the crate robotstxt, a port of Google's C++ library. Like the library, the crate requires
//! percent-encoded URLs from its caller.

use robots_conformance_peers::{Question, Reply, json, serve, verdict};
use robotstxt::{DefaultMatcher, RobotsParseHandler, parse_robotstxt};

fn main() -> std::io::Result<()> {
    let editions = ["rfc9309", "google-2022"];
    serve("robotstxt", &editions, &[("verdict", allowed), ("sitemaps", sitemaps)])
}

fn allowed(question: &Question) -> Reply {
    let (text, url) = (question.text()?, question.encoded_url()?);
    verdict(DefaultMatcher::default().allowed_by_robots(&text, vec![question.token()?], &url))
}

fn sitemaps(question: &Question) -> Reply {
    let mut sitemaps = Sitemaps::default();
    parse_robotstxt(&question.text()?, &mut sitemaps);
    Ok(json!({ "sitemaps": sitemaps.0 }))
}

/// Collects the sitemap lines that the parser reports.
#[derive(Default)]
struct Sitemaps(Vec<String>);

impl RobotsParseHandler for Sitemaps {
    fn handle_sitemap(&mut self, _: u32, value: &str) {
        self.0.push(value.to_owned());
    }

    fn handle_robots_start(&mut self) {}
    fn handle_robots_end(&mut self) {}
    fn handle_user_agent(&mut self, _: u32, _: &str) {}
    fn handle_allow(&mut self, _: u32, _: &str) {}
    fn handle_disallow(&mut self, _: u32, _: &str) {}
    fn handle_unknown_action(&mut self, _: u32, _: &str, _: &str) {}
}
