//! What a case asks: its keys to the members of the case.

use std::fmt::Write as _;
use std::sync::Arc;

use robots_core::Crawler;
use robots_core::engine::{
    AccessQuestion, Ask, DerivesQuestion, FreshnessQuestion, GroupQuestion, GroupsQuestion,
    QuestionKind, RetryQuestion, ScopeQuestion, SitemapsQuestion, VerdictQuestion,
};
use robots_core::fetch::Scope;

use super::octets::{join, unescape};
use super::problem::KeyProblem;
use super::{raw, situation};
use crate::case::{Expected, Member};
use crate::render;

/// Returns whether the case asks by lists.
pub(super) fn has_lists(raw: &raw::Case) -> bool {
    !lists(raw).is_empty()
}

/// Adds the deciding line to a verdict where the file is a pair of rules: it follows from the verdict.
pub(super) fn with_deciding_line(raw: &raw::Case, answer: Expected) -> Expected {
    match answer {
        Expected::Verdict { allowed, lines } if lines.is_empty() && raw.allow.is_some() => {
            Expected::Verdict { allowed, lines: vec![if allowed { 2 } else { 3 }] }
        }
        other => other,
    }
}

/// Makes the members of a case of its keys.
///
/// # Errors
/// Everything that is wrong with them.
pub(super) fn members(raw: &raw::Case, ask: QuestionKind) -> Result<Vec<Member>, Vec<KeyProblem>> {
    let mut reading = Reading { raw, ask, problems: Vec::new() };
    reading.foreign_keys();
    let members = reading.members();
    reading.names(&members);
    if reading.problems.is_empty() { Ok(members) } else { Err(reading.problems) }
}

struct Reading<'a> {
    raw: &'a raw::Case,
    ask: QuestionKind,
    problems: Vec<KeyProblem>,
}

impl Reading<'_> {
    fn wrong(&mut self, key: &'static str, message: impl Into<String>) {
        self.problems.push(KeyProblem { key, message: message.into() });
    }

    /// Refuses keys that belong to another kind of question.
    fn foreign_keys(&mut self) {
        let ask = self.ask;
        let of_file: &[QuestionKind] = &[
            QuestionKind::Verdict,
            QuestionKind::Groups,
            QuestionKind::Group,
            QuestionKind::Sitemaps,
            QuestionKind::Derives,
        ];
        let raw = self.raw;
        let keys: [(&'static str, bool, &[QuestionKind]); 23] = [
            ("robots", raw.robots.is_some(), of_file),
            ("robots-escaped", raw.robots_escaped.is_some(), of_file),
            ("robots-parts", raw.robots_parts.is_some(), of_file),
            ("pattern", raw.pattern.is_some(), of_file),
            ("allow", raw.allow.is_some(), of_file),
            ("disallow", raw.disallow.is_some(), of_file),
            ("crawler", raw.crawler.is_some(), &[QuestionKind::Verdict, QuestionKind::Group]),
            (
                "identification",
                raw.identification.is_some(),
                &[QuestionKind::Verdict, QuestionKind::Group],
            ),
            ("url", raw.url.is_some(), &[QuestionKind::Verdict, QuestionKind::Scope]),
            ("url-parts", raw.url_parts.is_some(), &[QuestionKind::Verdict]),
            ("allowed", raw.allowed.is_some(), &[QuestionKind::Verdict]),
            ("disallowed", raw.disallowed.is_some(), &[QuestionKind::Verdict]),
            ("matches", raw.matches.is_some(), &[QuestionKind::Verdict]),
            ("does-not-match", raw.does_not_match.is_some(), &[QuestionKind::Verdict]),
            ("robots-url", raw.robots_url.is_some(), &[QuestionKind::Scope]),
            ("came-from", raw.came_from.is_some(), &[QuestionKind::Scope]),
            ("governs", raw.governs.is_some(), &[QuestionKind::Scope]),
            ("does-not-govern", raw.does_not_govern.is_some(), &[QuestionKind::Scope]),
            ("not-a-robots-url", raw.not_a_robots_url.is_some(), &[QuestionKind::Scope]),
            ("fetch", raw.fetch.is_some(), &[QuestionKind::Access, QuestionKind::Retry]),
            ("copy", raw.copy.is_some(), &[QuestionKind::Freshness]),
            ("derivable", raw.derivable.is_some(), &[QuestionKind::Derives]),
            ("not-derivable", raw.not_derivable.is_some(), &[QuestionKind::Derives]),
        ];
        for (key, present, asks) in keys {
            if present && !asks.contains(&ask) {
                self.wrong(key, format!("`{key}` does not belong to `ask: {ask}`; leave it out"));
            }
        }
        let listed = |key| lists(raw).iter().any(|list| list.key == key);
        if raw.pattern.is_none() && (listed("matches") || listed("does-not-match")) {
            let message = "`matches` and `does-not-match` belong to `pattern`; write `disallowed` and \
                           `allowed`";
            self.wrong("matches", message);
        }
        if raw.pattern.is_some() && (listed("allowed") || listed("disallowed")) {
            self.wrong("allowed", "with `pattern`, write `does-not-match` and `matches`");
        }
    }

    fn members(&mut self) -> Vec<Member> {
        let one = |ask: Option<Ask>| {
            ask.map(|ask| Member { name: None, ask, listed: None }).into_iter().collect()
        };
        match self.ask {
            QuestionKind::Verdict => self.verdicts(),
            QuestionKind::Groups => {
                let file = self.robots_txt();
                one(file.map(|robots_txt| Ask::Groups(GroupsQuestion { robots_txt })))
            }
            QuestionKind::Group => {
                let crawler = self.crawler();
                let file = self.robots_txt();
                one(file.map(|robots_txt| Ask::Group(GroupQuestion { robots_txt, crawler })))
            }
            QuestionKind::Sitemaps => {
                let file = self.robots_txt();
                one(file.map(|robots_txt| Ask::Sitemaps(SitemapsQuestion { robots_txt })))
            }
            QuestionKind::Scope => self.scopes(),
            QuestionKind::Access => one(self
                .situation(situation::fetch)
                .map(|fetch| Ask::Access(AccessQuestion { fetch }))),
            QuestionKind::Retry => one(self
                .situation(situation::fetch)
                .map(|fetch| Ask::Retry(RetryQuestion { fetch }))),
            QuestionKind::Freshness => one(self
                .situation(situation::copy)
                .map(|copy| Ask::Freshness(FreshnessQuestion { copy }))),
            QuestionKind::Derives => self.derivations(),
        }
    }

    /// Reads a fetch result or a copy.
    fn situation<T>(&mut self, read: fn(&raw::Case) -> Result<T, KeyProblem>) -> Option<T> {
        read(self.raw).map_err(|problem| self.problems.push(problem)).ok()
    }

    fn verdicts(&mut self) -> Vec<Member> {
        let crawler = self.crawler();
        let Some(robots_txt) = self.robots_txt() else { return Vec::new() };
        let ask = |url: &str| {
            Ask::Verdict(VerdictQuestion {
                robots_txt: Arc::clone(&robots_txt),
                crawler: crawler.clone(),
                url: absolute(url),
            })
        };
        let url = self.url();
        let lists = lists(self.raw);
        match (url, lists.is_empty()) {
            (Some(url), true) => {
                vec![Member { name: None, ask: ask(&url), listed: None }]
            }
            (Some(_), false) => {
                self.wrong("url", "both a URL and lists of URLs; keep one of the two");
                Vec::new()
            }
            (None, true) => {
                self.wrong("id", "nothing is asked; give `url`, `url-parts` or lists of URLs");
                Vec::new()
            }
            (None, false) => self.listed(&lists, |member| Some(ask(member))),
        }
    }

    fn scopes(&mut self) -> Vec<Member> {
        let Some(robots_url) = self.raw.robots_url.clone() else {
            self.wrong("id", "`robots-url` is missing: where the file was fetched");
            return Vec::new();
        };
        let robots_url = absolute(&robots_url);
        let came_from = self.raw.came_from.as_deref().map(absolute);
        let ask = |url: &str| {
            Ask::Scope(ScopeQuestion {
                robots_url: robots_url.clone(),
                came_from: came_from.clone(),
                url: absolute(url),
            })
        };
        let lists = lists(self.raw);
        match (&self.raw.url, lists.is_empty()) {
            (Some(url), true) => vec![Member { name: None, ask: ask(url), listed: None }],
            (Some(_), false) => {
                self.wrong("url", "both a URL and lists of URLs; keep one of the two");
                Vec::new()
            }
            (None, true) => {
                let message = "nothing is asked; give `url`, or the lists `governs`, `does-not-govern`, \
                               `not-a-robots-url`";
                self.wrong("id", message);
                Vec::new()
            }
            (None, false) => self.listed(&lists, |member| Some(ask(member))),
        }
    }

    fn derivations(&mut self) -> Vec<Member> {
        let lists = lists(self.raw);
        if lists.is_empty() {
            let file = self.robots_txt();
            let ask = file.map(|robots_txt| Ask::Derives(DerivesQuestion { robots_txt }));
            return ask.map(|ask| Member { name: None, ask, listed: None }).into_iter().collect();
        }
        if has_file(self.raw) {
            self.wrong("derivable", "both a robots.txt and lists of lines; keep one of the two");
        }
        let mut problems = Vec::new();
        let members = self.listed(&lists, |line| match unescape(line) {
            Ok(mut octets) => {
                if !matches!(octets.last(), Some(b'\r' | b'\n')) {
                    octets.push(b'\n');
                }
                Some(Ask::Derives(DerivesQuestion { robots_txt: octets.into() }))
            }
            Err(problem) => {
                problems.push(format!("{line:?}: {problem}"));
                None
            }
        });
        for problem in problems {
            self.wrong("derivable", problem);
        }
        members
    }

    fn listed(
        &mut self,
        lists: &[List<'_>],
        mut ask: impl FnMut(&str) -> Option<Ask>,
    ) -> Vec<Member> {
        let mut members = Vec::new();
        let mut seen: Vec<&str> = Vec::new();
        for list in lists {
            if list.members.is_empty() {
                self.wrong(list.key, format!("`{}` is empty; leave it out", list.key));
            }
            for member in list.members {
                if seen.contains(&member.as_str()) {
                    let message = format!("{member:?} stands twice in the lists; keep one");
                    self.wrong(list.key, message);
                    continue;
                }
                seen.push(member);
                if let Some(ask) = ask(member) {
                    let listed = Some(with_deciding_line(self.raw, list.answer.clone()));
                    let name = Some(name(member));
                    members.push(Member { name, ask, listed });
                }
            }
        }
        members
    }

    /// Refuses members whose printable names are the same.
    fn names(&mut self, members: &[Member]) {
        for (index, member) in members.iter().enumerate() {
            let Some(name) = &member.name else { continue };
            if members[..index].iter().any(|other| other.name.as_ref() == Some(name)) {
                let message = format!("two members are both named {name:?} in trials; shorten one");
                self.wrong("id", message);
            }
        }
    }

    fn crawler(&mut self) -> Crawler {
        let tokens = match &self.raw.crawler {
            None => vec!["examplebot".to_owned()],
            Some(crawler) => crawler.clone().into_vec(),
        };
        if tokens.is_empty() {
            self.wrong("crawler", "`crawler` is empty; give at least one product token");
        }
        // The observed profile takes any text; an edition wants product tokens.
        let crawler = Crawler::new(tokens.clone());
        let crawler = crawler.unwrap_or_else(|_| Crawler::as_given(tokens.clone()));
        let Some(identification) = &self.raw.identification else {
            return crawler;
        };
        let header = identification.to_ascii_lowercase();
        if let Some(token) =
            tokens.iter().find(|token| !header.contains(&token.to_ascii_lowercase()))
        {
            let message = format!("the product token {token:?} is no part of `identification`");
            self.wrong("identification", message);
        }
        crawler.identified_as(identification)
    }

    fn url(&mut self) -> Option<String> {
        match (&self.raw.url, &self.raw.url_parts) {
            (Some(_), Some(_)) => {
                self.wrong("url", "both `url` and `url-parts`; keep one");
                None
            }
            (Some(url), None) => Some(url.clone()),
            (None, Some(parts)) => match join(parts).map(String::from_utf8) {
                Ok(Ok(url)) => Some(url),
                Ok(Err(_)) => {
                    self.wrong("url-parts", "`url-parts` is not UTF-8; percent-encode the octets");
                    None
                }
                Err(problem) => {
                    self.wrong("url-parts", format!("`url-parts`: {problem}"));
                    None
                }
            },
            (None, None) => None,
        }
    }

    fn robots_txt(&mut self) -> Option<Arc<[u8]>> {
        let raw = self.raw;
        let pair = raw.allow.is_some() || raw.disallow.is_some();
        let given = [
            ("robots", raw.robots.is_some()),
            ("robots-escaped", raw.robots_escaped.is_some()),
            ("robots-parts", raw.robots_parts.is_some()),
            ("pattern", raw.pattern.is_some()),
            ("allow", pair),
        ];
        let mut given = given.into_iter().filter(|(_, given)| *given).map(|(key, _)| key);
        let Some(key) = given.next() else {
            let message = "no robots.txt; give one of `robots`, `robots-escaped`, `robots-parts`, \
                           `pattern`, or `allow` and `disallow`";
            self.wrong("id", message);
            return None;
        };
        if let Some(other) = given.next() {
            self.wrong(other, format!("both `{key}` and `{other}` give the robots.txt; keep one"));
            return None;
        }
        if pair && (raw.allow.is_none() || raw.disallow.is_none()) {
            self.wrong(
                if raw.allow.is_some() { "allow" } else { "disallow" },
                "`allow` and `disallow` come as a pair; for one rule write `pattern` or `robots`",
            );
            return None;
        }
        let octets = match key {
            "robots" => Ok(raw.robots.clone().unwrap_or_default().into_bytes()),
            "robots-escaped" => unescape(raw.robots_escaped.as_deref().unwrap_or_default()),
            "robots-parts" => join(raw.robots_parts.as_deref().unwrap_or_default()),
            "pattern" => Ok(file(&[("disallow", raw.pattern.as_deref())])),
            _ => {
                Ok(file(&[("allow", raw.allow.as_deref()), ("disallow", raw.disallow.as_deref())]))
            }
        };
        match octets {
            Ok(octets) => Some(octets.into()),
            Err(problem) => {
                self.wrong(key, format!("`{key}`: {problem}"));
                None
            }
        }
    }
}

/// A list of members that share an answer.
struct List<'a> {
    key: &'static str,
    members: &'a [String],
    answer: Expected,
}

fn lists(raw: &raw::Case) -> Vec<List<'_>> {
    let verdict = |allowed| Expected::Verdict { allowed, lines: Vec::new() };
    let derives = |line| Expected::Derives { file: None, lines: Some(vec![line]) };
    let all = [
        ("matches", &raw.matches, verdict(false)),
        ("does-not-match", &raw.does_not_match, verdict(true)),
        ("allowed", &raw.allowed, verdict(true)),
        ("disallowed", &raw.disallowed, verdict(false)),
        ("governs", &raw.governs, Expected::Scope(Scope::Governs)),
        ("does-not-govern", &raw.does_not_govern, Expected::Scope(Scope::DoesNotGovern)),
        ("not-a-robots-url", &raw.not_a_robots_url, Expected::Scope(Scope::NotARobotsUrl)),
        ("derivable", &raw.derivable, derives(true)),
        ("not-derivable", &raw.not_derivable, derives(false)),
    ];
    all.into_iter()
        .filter_map(|(key, members, answer)| {
            members.as_deref().map(|members| List { key, members, answer })
        })
        .collect()
}

fn has_file(raw: &raw::Case) -> bool {
    raw.robots.is_some()
        || raw.robots_escaped.is_some()
        || raw.robots_parts.is_some()
        || raw.pattern.is_some()
        || raw.allow.is_some()
        || raw.disallow.is_some()
}

fn file(rules: &[(&str, Option<&str>)]) -> Vec<u8> {
    let mut text = "user-agent: examplebot\n".to_owned();
    for (field, value) in rules {
        let _ = writeln!(text, "{field}: {}", value.unwrap_or_default());
    }
    text.into_bytes()
}

/// A URL that begins with `/` stands for one of `https://example.com`.
fn absolute(url: &str) -> String {
    if url.starts_with('/') { format!("https://example.com{url}") } else { url.to_owned() }
}

/// Makes a member's name: one printable line, a long one elided in the middle, spaces at its ends
/// escaped.
fn name(member: &str) -> String {
    const LONG: usize = 100;
    let shown = render::text(member);
    let inner = shown.trim_matches(' ');
    let before = shown.len() - shown.trim_start_matches(' ').len();
    let after = shown.len() - inner.len() - before;
    let shown = format!("{}{inner}{}", "\\x20".repeat(before), "\\x20".repeat(after));
    let count = shown.chars().count();
    if count <= LONG {
        return shown;
    }
    let head: String = shown.chars().take(LONG / 2).collect();
    let tail: String = shown.chars().skip(count - LONG / 4).collect();
    format!("{head}…{} octets…{tail}", member.len())
}
