//! Adapter for the crate robotparser. The crate takes the text of a robots.txt, its origin, and the parsed URLs of
//! pages. The crate also decides about scope and about status codes.

use robotparser::parser::{parse_fetched_robots_txt, parse_robots_txt};
use robotparser::service::RobotsTxtService;
use robots_conformance_peers::{Failure, Question, Reply, json, serve, unsupported, verdict};
use url::Url;

fn main() -> std::io::Result<()> {
    let answers = [
        ("verdict", allowed as fn(&_) -> _),
        ("sitemaps", sitemaps),
        ("scope", scope),
        ("access", access),
    ];
    serve("robotparser", &["rfc9309"], &answers)
}

fn allowed(question: &Question) -> Reply {
    let url = url(question, "url")?;
    let robots = parse_robots_txt(url.origin(), &question.text()?).get_result();
    verdict(robots.can_fetch(question.token()?, &url))
}

fn sitemaps(question: &Question) -> Reply {
    let robots = parse_robots_txt(Url::parse("https://example.com")?.origin(), &question.text()?)
        .get_result();
    let sitemaps: Vec<&str> = robots.get_sitemaps().iter().map(Url::as_str).collect();
    Ok(json!({ "sitemaps": sitemaps }))
}

/// According to its documentation, `normalize_url` returns whether the URL has the origin of the robots.txt.
fn scope(question: &Question) -> Reply {
    let robots_url = url(question, "robots_url")?;
    if robots_url.path() != "/robots.txt" || robots_url.query().is_some() {
        return Err(unsupported("takes the origin of a robots.txt, not its URL"));
    }
    let robots = parse_robots_txt(robots_url.origin(), "").get_result();
    let governs = robots.normalize_url(&mut url(question, "url")?);
    Ok(json!({ "scope": if governs { "governs" } else { "does-not-govern" } }))
}

/// The crate takes only the status code of a fetch. To find out whether the rules of the file apply, the adapter asks
/// about two URLs. The file disallows one of these URLs.
fn access(question: &Question) -> Reply {
    let fetch = question.field("fetch").as_object().ok_or("the question has no fetch")?;
    if fetch.keys().any(|key| key != "status" && key != "redirects") {
        return Err(unsupported("a fetch is its status code here"));
    }
    let status =
        fetch.get("status").and_then(|status| status.as_u64()).ok_or("the fetch has no status")?;
    if (300..400).contains(&status) {
        return Err(unsupported("following redirects is left to the HTTP client"));
    }
    let (barred, open) =
        (Url::parse("https://example.com/barred")?, Url::parse("https://example.com/open")?);
    let rules = "user-agent: *\ndisallow: /barred\n";
    let robots = parse_fetched_robots_txt(barred.origin(), status.try_into()?, rules).get_result();
    let access =
        match (robots.can_fetch("examplebot", &barred), robots.can_fetch("examplebot", &open)) {
            (true, true) => "full-allow",
            (false, false) => "full-disallow",
            (false, true) => "conditional-allow",
            (true, false) => return Err("the barred URL is allowed, the open one is not".into()),
        };
    Ok(json!({ "access": access }))
}

fn url(question: &Question, name: &str) -> Result<Url, Failure> {
    let text = question.string(name)?;
    Url::parse(text)
        .map_err(|error| unsupported(&format!("takes a url::Url, which {name} is not: {error}")))
}
