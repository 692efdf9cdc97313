//! Searches the access log for evidence: which pages the crawler fetched, and which answers it had received before.
//!
//! The methods of [`Log`] return the facts that `judge.rs` needs. Start at [`Log::fetched_against`], which describes
//! the fetch of a page, and at [`Log::offends`], which describes the violation of a check. Requests and pages are
//! compared by path and query in normal form. Some crawlers change the spelling of a link, so [`Log::is_respelt`]
//! compares less strictly. This module describes the requests; `judge.rs` decides whether they conform.

use std::collections::HashSet;

use crate::case::{Case, Check, Kind};
use crate::probes::Page;
use crate::run::CrawlRecord;
use crate::served::NEUTRAL;
use crate::start::{HUB, allows};
use robots_test_web::{Answer, LogEntry};

/// The record of a crawl, with methods that search its access log.
pub(crate) struct Log<'r>(pub(crate) &'r CrawlRecord);

impl Log<'_> {
    /// Returns whether the crawler fetched all control pages of a case.
    pub(crate) fn came_by(&self, case: &Case) -> bool {
        let mut controls = case.form.all_controls(&self.0.start);
        controls.all(|control| self.fetch(&control).is_some())
    }

    /// Returns whether the crawl began on the host under test, and the crawler requested the robots.txt of this host,
    /// but not the page where it was started. So it took the page for a forbidden one, or ended.
    pub(crate) fn stopped_at_the_rules(&self) -> bool {
        self.asked_for_the_rules() && self.fetch(&self.0.start).is_none()
    }

    /// Returns whether the crawl began at a page that the case does not allow, because the crawler stays on its host, and
    /// the crawler requested the robots.txt of this host. After that, the crawler need not fetch anything.
    pub(crate) fn may_fetch_nothing(&self, case: &Case) -> bool {
        self.asked_for_the_rules() && !allows(case, &self.0.agent, &self.0.start)
    }

    fn asked_for_the_rules(&self) -> bool {
        let start = self.0.start.origin.as_str();
        start != HUB && self.robots(start).next().is_some()
    }

    /// Returns whether the crawler sent no request to a host that it can reach only from another host: to [`NEUTRAL`]
    /// from the hub, or to the host of the start page from the common page of many cases.
    pub(crate) fn stayed_on_its_host(&self) -> bool {
        let start = self.0.start.origin.as_str();
        self.of(if start == HUB { NEUTRAL } else { start }).next().is_none()
    }

    /// Returns the first request for a page.
    pub(crate) fn fetch(&self, page: &Page) -> Option<&LogEntry> {
        let wanted = robots_test_web::normalize(&page.target);
        self.of(&page.origin).find(|entry| asked(entry) == wanted)
    }

    fn of(&self, origin: &str) -> impl Iterator<Item = &LogEntry> {
        self.0.log.iter().filter(move |entry| entry.origin == origin)
    }

    fn robots(&self, origin: &str) -> impl Iterator<Item = &LogEntry> {
        self.of(origin).filter(|entry| asked(entry) == "/robots.txt")
    }

    /// Returns whether a page was fetched before the robots.txt of its origin was requested.
    pub(crate) fn is_unasked(&self, page: &Page) -> bool {
        self.fetch(page).is_some_and(|fetch| self.robots_before(fetch).is_none())
    }

    /// Returns whether the crawler never requested the robots.txt of a page's origin, but had requested the robots.txt
    /// of another port or scheme of the same host before it fetched the page.
    pub(crate) fn knew_a_sibling(&self, page: &Page, case: &Case) -> bool {
        let Some(fetch) = self.fetch(page) else { return false };
        if self.robots(&page.origin).next().is_some() {
            return false;
        }
        let before = self.0.log.iter().take_while(|entry| !std::ptr::eq(*entry, fetch));
        let mut robots = before.filter(|entry| asked(entry) == "/robots.txt");
        robots.any(|entry| {
            entry.origin != page.origin
                && case.form.host(&entry.origin) == case.form.host(&page.origin)
        })
    }

    /// Returns the last request for robots.txt that came before a given request to the same origin. If both requests
    /// arrived in the same microsecond, their order in the log decides.
    fn robots_before(&self, fetch: &LogEntry) -> Option<&LogEntry> {
        let before = self.of(&fetch.origin).take_while(|entry| !std::ptr::eq(*entry, fetch));
        before.filter(|entry| asked(entry) == "/robots.txt").last()
    }

    /// Returns whether the crawler may have followed the link to a page, but requested another spelling of its URL. The
    /// result is false if the page itself was requested. If the result is true, the log does not show which spelling
    /// the crawler compared with the rules.
    ///
    /// The comparison decodes both URLs and ignores case. It treats successive slashes as one, and ignores slashes at
    /// the end. The parameters of a query may have another order, and the equals sign before an empty value is ignored.
    /// A request without the query matches too, except for the root of the origin. If a request is exactly the URL of
    /// another page of the case, it belongs only to that other page.
    pub(crate) fn is_respelt(&self, page: &Page, case: &Case) -> bool {
        if self.fetch(page).is_some() {
            return false;
        }
        let pages = case.expect.values().flat_map(|expectation| expectation.conforming.pages());
        let known: HashSet<String> =
            pages.map(|page| robots_test_web::normalize(&page.target)).collect();
        let wanted = robots_test_web::normalize(&page.target);
        let bare = wanted.split_once('?').map(|(path, _)| path).filter(|path| *path != "/");
        let is_it = |asked: &str| {
            let asked = loosely(asked);
            asked == loosely(&wanted) || bare.is_some_and(|bare| asked == loosely(bare))
        };
        let asked = self.of(&page.origin).map(asked).filter(|asked| asked != "/robots.txt");
        let mut others = asked.filter(|asked| !known.contains(asked));
        others.any(|asked| is_it(&asked))
    }

    /// Returns whether the request is for the page where the crawl begins. It violates nothing, because a user names it.
    fn was_given(&self, entry: &LogEntry) -> bool {
        let start = &self.0.start;
        entry.origin == start.origin && asked(entry) == robots_test_web::normalize(&start.target)
    }

    /// Describes the fetch of a page, and the answer to the last request for robots.txt before this fetch. Returns
    /// `None` if the page was not fetched.
    pub(crate) fn fetched_against(&self, page: &Page) -> Option<String> {
        let fetch = self.fetch(page)?;
        let Some(robots) = self.robots_before(fetch) else {
            return Some(format!("fetched {page} without having asked for /robots.txt there"));
        };
        let after = |at: u64| milliseconds(fetch.at.saturating_sub(at));
        Some(match &robots.answer {
            Some(answer) if answer.at <= fetch.at => {
                let end = match self.end_of_hops(robots, fetch) {
                    Some((last, end)) => {
                        format!(" and in the end {} of {} {}", last.target, last.origin, end.what)
                    }
                    None => String::new(),
                };
                let after = after(answer.at);
                format!("fetched {page} {after} after /robots.txt {}{end}", answer.what)
            }
            _ => format!(
                "fetched {page} {} after asking for /robots.txt, before it was answered",
                after(robots.at)
            ),
        })
    }

    /// Follows a chain of redirects through the log, and returns its last request with the answer. Ignores requests
    /// that did not come before the request `until`.
    fn end_of_hops(&self, first: &LogEntry, until: &LogEntry) -> Option<(&LogEntry, &Answer)> {
        let mut at = first.at;
        let mut location = self.resolve(first)?;
        let mut end = None;
        for entry in &self.0.log {
            let on_the_way = entry.at >= at && entry.at < until.at;
            if on_the_way && location.matches(&self.url(entry)) {
                end = entry.answer.as_ref().map(|answer| (entry, answer));
                match self.resolve(entry) {
                    Some(next) => (at, location) = (entry.at, next),
                    None => break,
                }
            }
        }
        end
    }

    /// If the answer to a request is a redirect, returns its target.
    fn resolve(&self, entry: &LogEntry) -> Option<Next> {
        let location = entry.answer.as_ref()?.location.as_deref()?;
        let location = location.split('#').next().unwrap_or_default();
        Some(match location {
            absolute if absolute.contains("://") => Next::Whole(absolute.to_owned()),
            // A target that begins with `//` and a host has the scheme of the URL that redirects.
            host if host.starts_with("//") => {
                let (scheme, _) = self.0.origins.get(&entry.origin)?.split_once("//")?;
                Next::Whole(format!("{scheme}{host}"))
            }
            path if path.starts_with('/') => {
                Next::Whole(format!("{}{path}", self.0.origins.get(&entry.origin)?))
            }
            relative => Next::End(format!("/{}", relative.trim_start_matches("../"))),
        })
    }

    fn url(&self, entry: &LogEntry) -> String {
        let origin = self.0.origins.get(&entry.origin).map_or("", String::as_str);
        format!("{origin}{}", asked(entry))
    }

    /// Describes how the crawler violates a check, or returns `None` if it does not. The first value of the pair is
    /// true if the violation is an omission.
    pub(crate) fn offends(&self, check: &Check) -> Option<(bool, String)> {
        let origin = check.origin.as_str();
        let times = self.robots(origin).count();
        let sentence = match check.kind {
            Kind::RobotsFirst => {
                let first = self.of(origin).find(|entry| !self.was_given(entry))?;
                (asked(first) != "/robots.txt").then(|| {
                    format!("asked {origin} for {} before asking for /robots.txt", first.target)
                })
            }
            Kind::Get => {
                let other = |entry: &&LogEntry| !matches!(entry.method.as_str(), "GET" | "RETR");
                let other = self.robots(origin).find(other)?;
                Some(format!("asked {origin} for /robots.txt by {}", other.method))
            }
            Kind::Unconditional => {
                let first = self.robots(origin).next()?;
                let conditions = ["if-modified-since", "if-none-match", "range"];
                let header = conditions.into_iter().find(|name| first.header(name).is_some())?;
                Some(format!("asked {origin} for /robots.txt for the first time with {header}"))
            }
            Kind::AtLeast(least) => {
                let sentence =
                    format!("asked {origin} for /robots.txt {times} times; the minimum is {least}");
                return (times < least).then_some((true, sentence));
            }
            Kind::AtMost(most) => (times > most).then(|| {
                format!("asked {origin} for /robots.txt {times} times, but {most} would be enough")
            }),
            Kind::Anonymous => {
                let named = |entry: &&LogEntry| {
                    !entry.header("user").unwrap_or_default().eq_ignore_ascii_case("anonymous")
                };
                let named = self.robots(origin).find(named)?;
                let user = named.header("user").unwrap_or_default();
                Some(format!(
                    "asked {origin} for /robots.txt as the user {user:?}, not as anonymous"
                ))
            }
            Kind::TokenCharacters => {
                let defined =
                    |octet: u8| octet.is_ascii_alphabetic() || matches!(octet, b'_' | b'-');
                (!self.0.agent.bytes().all(defined)).then(|| {
                    format!(
                        "has the product token {:?}; a token contains only letters, underscores and hyphens",
                        self.0.agent
                    )
                })
            }
            Kind::NamesToken => {
                let token = self.0.agent.to_ascii_lowercase();
                let names = |entry: &&LogEntry| {
                    let agent = entry.header("user-agent").unwrap_or_default();
                    !agent.to_ascii_lowercase().contains(&token)
                };
                let silent = self.of(origin).find(names)?;
                let agent = silent.header("user-agent").unwrap_or_default();
                Some(format!(
                    "asked {origin} for {} as {agent:?}, which does not contain {:?}",
                    silent.target, self.0.agent
                ))
            }
        };
        sentence.map(|sentence| (false, sentence))
    }
}

/// The target of a redirect: a whole URL, or the end of a URL if only a relative path is known.
enum Next {
    Whole(String),
    End(String),
}

impl Next {
    fn matches(&self, url: &str) -> bool {
        match self {
            Self::Whole(whole) => url == whole,
            Self::End(end) => url.ends_with(end.as_str()),
        }
    }
}

/// Returns the path and the query of a request, in normal form.
fn asked(entry: &LogEntry) -> String {
    let target = entry.target.as_str();
    let path = match target.split_once("://") {
        Some((_, rest)) if !target.starts_with('/') => rest.find('/').map_or("/", |at| &rest[at..]),
        _ => target,
    };
    robots_test_web::normalize(path)
}

/// Returns the path and the parameters in the form that [`Log::is_respelt`] compares.
fn loosely(target: &str) -> (String, Vec<String>) {
    let decoded = |part: &str| {
        let decoded = percent_encoding::percent_decode_str(part).decode_utf8_lossy();
        let decoded = unescaped(&decoded);
        let parts = decoded.split('/').filter(|part| !part.is_empty());
        parts.collect::<Vec<_>>().join("/").to_lowercase()
    };
    let target = unescaped(target);
    let (path, query) = target.split_once('?').unwrap_or((&target, ""));
    let parameters = query.split('&').filter(|parameter| !parameter.is_empty());
    let mut parameters: Vec<String> =
        parameters.map(|parameter| decoded(parameter.trim_end_matches('='))).collect();
    parameters.sort();
    (decoded(path), parameters)
}

/// Replaces each `&amp;` of a URL by `&`, because some crawlers do not decode links in HTML.
fn unescaped(target: &str) -> String {
    let mut text = target.to_owned();
    while text.contains("&amp;") {
        text = text.replace("&amp;", "&");
    }
    text
}

fn milliseconds(microseconds: u64) -> String {
    match microseconds / 1000 {
        0 => "less than 1 ms".to_owned(),
        milliseconds => format!("{milliseconds} ms"),
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::loosely;

    #[rstest]
    #[trace]
    #[case::as_the_page_has_it("/a?x&amp;id=1", "/a?x&id=1", true)]
    #[case::escaped("/a%26amp%3Bamp%3Bb", "/a&amp;b", true)]
    #[case::in_another_order("/a?id=1&x", "/a?x&id=1", true)]
    #[case::another("/a?x&id=1", "/a?x&id=2", false)]
    fn spellings_are_compared(#[case] one: &str, #[case] two: &str, #[case] are_equal: bool) {
        assert_eq!(loosely(one) == loosely(two), are_equal);
    }
}
