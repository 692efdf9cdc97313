//! Answers, expectations and octets as text: one canonical form for diffs, deviations and reports.

use std::fmt::Write as _;

use robots_core::Crawler;
use robots_core::engine::{
    AccessQuestion, Answer, Ask, FreshnessQuestion, GroupQuestion, RetryQuestion, ScopeQuestion,
    VerdictAnswer, VerdictQuestion,
};
use robots_core::fetch::{Access, CachedCopy, FetchEnd, FetchResult, Location, Refresh};

use crate::case::{Conforming, Expected, Group, Rule};

/// Renders an expected answer, one fact a line.
#[must_use]
pub fn expected(expected: &Expected) -> String {
    match expected {
        Expected::Verdict { allowed, lines } if lines.is_empty() => verdict(*allowed).to_owned(),
        Expected::Verdict { allowed, lines } => {
            let lines: Vec<String> = lines.iter().map(ToString::to_string).collect();
            format!("{}\nline {}", verdict(*allowed), lines.join(" or "))
        }
        Expected::Groups(list) => groups(list),
        Expected::Group(None) => "none".to_owned(),
        Expected::Group(Some(list)) => group(list),
        Expected::Sitemaps(urls) => sitemaps(urls),
        Expected::Scope(scope) => scope.to_string(),
        Expected::Access(access) => access_text(access),
        Expected::Retry(retry) => retry.to_string(),
        Expected::Freshness(freshness) => freshness.to_string(),
        Expected::Derives { file, lines } => derives(*file, lines.as_deref()),
    }
}

/// Renders which answers conform, alternatives divided by a line.
#[must_use]
pub fn conforming(conforming: &Conforming) -> String {
    match conforming {
        Conforming::One(answer) => expected(answer),
        Conforming::AnyOf(answers) => {
            answers.iter().map(expected).collect::<Vec<_>>().join("\n-- or --\n")
        }
        Conforming::Readings(readings) => readings
            .iter()
            .map(|reading| format!("{}\n   by: {}", expected(&reading.answer), reading.passage))
            .collect::<Vec<_>>()
            .join("\n-- or --\n"),
        Conforming::Undefined => "any well-formed answer (undefined)".to_owned(),
    }
}

/// Renders an engine's answer in the form of [`expected`].
#[must_use]
pub fn answer(answer: &Answer) -> String {
    match answer {
        Answer::Verdict(VerdictAnswer { allowed, line: None, .. }) => verdict(*allowed).to_owned(),
        Answer::Verdict(VerdictAnswer { allowed, line: Some(line), .. }) => {
            format!("{}\nline {line}", verdict(*allowed))
        }
        Answer::Groups(written) => {
            let written: Vec<Group> = written
                .iter()
                .map(|group| Group::new(&group.agents, group.rules.clone()))
                .collect();
            groups(&written)
        }
        Answer::Group(None) => "none".to_owned(),
        Answer::Group(Some(written)) => group(&written.rules),
        Answer::Sitemaps(urls) => sitemaps(urls),
        Answer::Scope(scope) => scope.to_string(),
        Answer::Access(access) => access_text(access),
        Answer::Retry(retry) => retry.to_string(),
        Answer::Freshness(freshness) => freshness.to_string(),
        Answer::Derives(derivation) => derives(Some(derivation.file()), Some(derivation.lines())),
        Answer::Unsupported(reason) => format!("unsupported: {}", text(reason)),
        Answer::Error(what) => format!("error: {}", text(what)),
        other => format!("{other:?}"),
    }
}

/// Renders what is asked, without the robots.txt: one line, or one a fact.
#[must_use]
pub fn question(ask: &Ask) -> String {
    match ask {
        Ask::Verdict(VerdictQuestion { crawler, url, .. }) => {
            format!("may {} fetch <{}>?", crawler_text(crawler), elided(url))
        }
        Ask::Groups(_) => "which groups stand in the file, as written?".to_owned(),
        Ask::Group(GroupQuestion { crawler, .. }) => {
            format!("which merged group does {} follow?", crawler_text(crawler))
        }
        Ask::Sitemaps(_) => "which sitemaps does the file name?".to_owned(),
        Ask::Scope(ScopeQuestion { robots_url, came_from: None, url }) => {
            format!("does the file at <{}> govern <{}>?", elided(robots_url), elided(url))
        }
        Ask::Scope(ScopeQuestion { robots_url, came_from: Some(came_from), url }) => format!(
            "does the file asked for at <{}>, which came from <{}> by redirect, govern <{}>?",
            elided(robots_url),
            elided(came_from),
            elided(url)
        ),
        Ask::Access(AccessQuestion { fetch }) => {
            format!("what does this fetch result mean: {}?", fetch_text(fetch))
        }
        Ask::Retry(RetryQuestion { fetch }) => {
            format!("when is robots.txt fetched again after this result: {}?", fetch_text(fetch))
        }
        Ask::Freshness(FreshnessQuestion { copy }) => {
            format!("may this copy still be used: {}?", copy_text(copy))
        }
        Ask::Derives(_) => {
            "do the file and its lines derive from the edition's grammar?".to_owned()
        }
        other => format!("{other:?}"),
    }
}

/// Renders octets as numbered lines with visible control octets; long lines and long files are
/// elided in the middle, with counts.
///
/// ```
/// let shown = robots_conformance::render::octets(b"allow: /\xE3\x83\x84\r\n\xFF\0");
/// assert_eq!(shown, "   1  allow: /ツ\\r\\n\n   2  \\xFF\\x00\n      (no line ending)\n");
/// ```
#[must_use]
pub fn octets(octets: &[u8]) -> String {
    const HEAD: usize = 16;
    const TAIL: usize = 6;
    let lines = split_lines(octets);
    let mut out = String::new();
    for (index, line) in lines.iter().enumerate() {
        if lines.len() > HEAD + TAIL + 1 && index == HEAD {
            let left_out = &lines[HEAD..lines.len() - TAIL];
            let count: usize = left_out.iter().map(|line| line.len()).sum();
            let _ = writeln!(out, "      … {} lines, {count} octets …", left_out.len());
        }
        if lines.len() > HEAD + TAIL + 1 && (HEAD..lines.len() - TAIL).contains(&index) {
            continue;
        }
        let _ = writeln!(out, "{:>4}  {}", index + 1, long_line(line));
    }
    match octets.last() {
        None => out.push_str("      (no octets)\n"),
        Some(b'\r' | b'\n') => {}
        Some(_) => out.push_str("      (no line ending)\n"),
    }
    out
}

/// Renders a value on one line: what is not printable is escaped, backslashes too, and the middle of a long
/// value is left out.
#[must_use]
pub fn text(text: &str) -> String {
    let mut out = String::new();
    for part in shortened(text) {
        match part {
            Part::Shown(text) => escape(text, &mut out, true),
            Part::LeftOut(octets) => {
                let _ = write!(out, " [… {octets} octets …] ");
            }
        }
    }
    out
}

/// Renders a message as it is, line by line, but for what would mislead: controls, marks of direction and
/// whatever cannot be seen are escaped. Rendered again, it stays as it is.
///
/// ```
/// use robots_conformance::render::visible;
/// assert_eq!(visible("a\\b\n\u{1b}]0;\u{202e}é"), "a\\b\n\\x1B]0;\\u{202e}é");
/// ```
#[must_use]
pub fn visible(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    escape(text, &mut out, false);
    out
}

/// Renders foreign text for a report: [`visible`], the middle of long lines and of many lines left out.
#[must_use]
pub fn message(text: &str) -> String {
    const LINES: usize = 24;
    let lines: Vec<&str> = text.split('\n').collect();
    let mut out = Vec::new();
    for (index, line) in lines.iter().enumerate() {
        let is_shown =
            lines.len() <= LINES + 1 || index < LINES / 2 || lines.len() - index <= LINES / 2;
        if is_shown {
            out.push(short_line(line));
        } else if index == LINES / 2 {
            out.push(format!("[… {} lines …]", lines.len() - LINES));
        }
    }
    out.join("\n")
}

/// Renders a name on one line: what would mislead is escaped, and more than 100 characters are cut.
#[must_use]
pub fn name(name: &str) -> String {
    const LONGEST: usize = 100;
    let shown = visible(name).replace('\n', "\\n");
    match shown.char_indices().nth(LONGEST) {
        None => shown,
        Some((at, _)) => format!("{}…", &shown[..at]),
    }
}

/// Renders a line of a message, its middle left out where it is long. It is cut as it is shown, so that what was
/// rendered once is not cut again.
fn short_line(line: &str) -> String {
    let part = |part| match part {
        Part::Shown(text) => text.to_owned(),
        Part::LeftOut(octets) => format!(" [… {octets} octets …] "),
    };
    shortened(&visible(line)).map(part).collect()
}

/// A piece of a text.
enum Part<'t> {
    Shown(&'t str),
    LeftOut(usize),
}

/// Cuts the middle out of a long text.
fn shortened(text: &str) -> impl Iterator<Item = Part<'_>> {
    /// A text of so many octets is long; the pieces that are left of it are half of it.
    const LONG: usize = 400;
    let parts = if text.len() <= LONG {
        [Some(Part::Shown(text)), None, None]
    } else {
        let boundary = |at: usize| (0..=at).rev().find(|at| text.is_char_boundary(*at));
        let head = boundary(LONG / 4).unwrap_or_default();
        let tail = boundary(text.len() - LONG / 4).unwrap_or_default();
        let (head, left_out, tail) = (&text[..head], tail - head, &text[tail..]);
        [Some(Part::Shown(head)), Some(Part::LeftOut(left_out)), Some(Part::Shown(tail))]
    };
    parts.into_iter().flatten()
}

/// Escapes what is not printable; backslashes too where the text is to be told from its escapes, and line
/// ends.
fn escape(text: &str, out: &mut String, is_value: bool) {
    for c in text.chars() {
        match c {
            '\\' if is_value => out.push_str("\\\\"),
            '\n' if !is_value => out.push(c),
            '"' | '\'' | '\\' => out.push(c),
            '\0'..='\u{1f}' | '\u{7f}' => octet(out, c as u8),
            c => out.extend(c.escape_debug()),
        }
    }
}

fn verdict(allowed: bool) -> &'static str {
    if allowed { "allow" } else { "disallow" }
}

fn groups(groups: &[Group]) -> String {
    if groups.is_empty() {
        return "no groups".to_owned();
    }
    let blocks: Vec<String> = groups
        .iter()
        .map(|group| {
            let agents: Vec<String> = group.agents.iter().map(|agent| text(agent)).collect();
            format!("group of {}{}", agents.join(", "), rules(&group.rules))
        })
        .collect();
    blocks.join("\n")
}

fn group(list: &[Rule]) -> String {
    if list.is_empty() { "group without rules".to_owned() } else { format!("group{}", rules(list)) }
}

fn rules(rules: &[Rule]) -> String {
    let mut out = String::new();
    for (kind, value) in rules {
        let _ = write!(out, "\n  {kind}: {}", text(value));
    }
    out
}

fn sitemaps(urls: &[String]) -> String {
    if urls.is_empty() {
        return "no sitemaps".to_owned();
    }
    urls.iter().map(|url| format!("sitemap {}", text(url))).collect::<Vec<_>>().join("\n")
}

fn access_text(access: &Access) -> String {
    match access {
        Access::Undefined { .. } => "undefined".to_owned(),
        defined => defined.to_string(),
    }
}

fn derives(file: Option<bool>, lines: Option<&[bool]>) -> String {
    let derives = |yes| if yes { "derives" } else { "does not derive" };
    let mut facts: Vec<String> = Vec::new();
    facts.extend(file.map(|file| format!("the file {}", derives(file))));
    for (index, line) in lines.unwrap_or_default().iter().enumerate() {
        facts.push(format!("line {} {}", index + 1, derives(*line)));
    }
    if lines.is_some_and(<[bool]>::is_empty) {
        facts.push("no lines".to_owned());
    }
    facts.join("\n")
}

fn crawler_text(crawler: &Crawler) -> String {
    let tokens: Vec<String> = crawler.tokens().iter().map(|token| text(token.as_str())).collect();
    let tokens = tokens.join(", then ");
    match crawler.identification() {
        None => tokens,
        Some(identification) => format!("{tokens} (which sends {})", text(identification)),
    }
}

fn fetch_text(fetch: &FetchResult) -> String {
    let mut facts = vec![match fetch.end {
        FetchEnd::Status { status, location } => match location {
            Location::Present => format!("status {status}"),
            Location::Missing => format!("status {status} without a location"),
            Location::Loop => format!("status {status} to a URL fetched before"),
            Location::Disallowed => format!("status {status} to a disallowed URL"),
        },
        FetchEnd::Failure(failure) => format!("failure {}", failure.id()),
    }];
    if fetch.redirects > 0 {
        facts.push(format!("after {} redirects", fetch.redirects));
    }
    if fetch.logical_redirect {
        facts.push("the body redirects".to_owned());
    }
    if let Some(age) = fetch.cached_copy_age {
        facts.push(format!("a cached copy {} s old", age.as_secs()));
    }
    if !fetch.unreachable_for.is_zero() {
        facts.push(format!("unreachable for {} s", fetch.unreachable_for.as_secs()));
    }
    if fetch.server_errors_for_missing_pages {
        facts.push("the site answers 5xx for missing pages".to_owned());
    }
    facts.join(", ")
}

fn copy_text(copy: &CachedCopy) -> String {
    let max_age = copy.max_age.map_or_else(
        || "no max-age".to_owned(),
        |max_age| format!("max-age {} s", max_age.as_secs()),
    );
    let refresh = match copy.refresh {
        Refresh::Possible => "refresh possible",
        Refresh::Failing => "refresh failing",
    };
    format!("{} s old, {max_age}, {refresh}", copy.age.as_secs())
}

/// Splits octets into lines, each with its ending; CR, LF and CR LF end one.
fn split_lines(octets: &[u8]) -> Vec<&[u8]> {
    let mut lines = Vec::new();
    let mut start = 0;
    while start < octets.len() {
        let rest = &octets[start..];
        let length = match rest.iter().position(|octet| matches!(octet, b'\r' | b'\n')) {
            None => rest.len(),
            Some(at) if rest[at..].starts_with(b"\r\n") => at + 2,
            Some(at) => at + 1,
        };
        lines.push(&rest[..length]);
        start += length;
    }
    lines
}

/// Renders one line; a plain LF at its end goes without saying.
fn long_line(line: &[u8]) -> String {
    const HEAD: usize = 90;
    const TAIL: usize = 30;
    let line = match line {
        [rest @ .., b'\r', b'\n'] => return format!("{}\\r\\n", long_line(rest)),
        [rest @ .., b'\n'] => rest,
        whole => whole,
    };
    if line.len() <= HEAD + TAIL + 20 {
        return octets_of_line(line);
    }
    let left_out = line.len() - HEAD - TAIL;
    format!(
        "{} … {left_out} octets … {}",
        octets_of_line(&line[..HEAD]),
        octets_of_line(&line[line.len() - TAIL..])
    )
}

fn elided(url: &str) -> String {
    const LONG: usize = 300;
    if url.len() <= LONG { text(url) } else { long_line(url.as_bytes()) }
}

fn octets_of_line(octets: &[u8]) -> String {
    let mut out = String::with_capacity(octets.len());
    for chunk in octets.utf8_chunks() {
        out.push_str(&text(chunk.valid()));
        for invalid in chunk.invalid() {
            octet(&mut out, *invalid);
        }
    }
    out
}

fn octet(out: &mut String, octet: u8) {
    match octet {
        b'\r' => out.push_str("\\r"),
        b'\n' => out.push_str("\\n"),
        b'\t' => out.push_str("\\t"),
        other => {
            let _ = write!(out, "\\x{other:02X}");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::octets;

    #[test]
    fn long_lines_are_elided_in_the_middle() {
        let file = [b"disallow: /".as_slice(), &vec![b'a'; 512_000], b"\r\n"].concat();
        let shown = octets(&file);
        assert!(shown.starts_with("   1  disallow: /aaa"), "{shown}");
        assert!(shown.contains("aaa … 511891 octets … aaa"), "{shown}");
        assert!(shown.ends_with("aaa\\r\\n\n"), "{shown}");
        assert!(shown.len() < 200);
    }

    #[test]
    fn many_lines_are_elided_in_the_middle() {
        let shown = octets(&b"user-agent: a\n".repeat(10_000));
        assert!(
            shown.contains("\n      … 9978 lines, 139692 octets …\n9995  user-agent: a\n"),
            "{shown}"
        );
        assert_eq!(shown.lines().count(), 16 + 1 + 6);
    }

    #[test]
    fn a_long_value_is_cut_in_its_middle() {
        let shown = super::text(&"é".repeat(10 << 20));
        assert_eq!(shown.matches('é').count(), 100);
        assert!(shown.contains(" [… 20971320 octets …] "), "{shown}");
    }

    #[test]
    fn a_message_has_twenty_four_lines() {
        let lines =
            |count: usize| (1..=count).map(|n| n.to_string()).collect::<Vec<_>>().join("\n");
        assert_eq!(super::message(&lines(24)), lines(24));
        let shown = super::message(&lines(1000));
        assert_eq!(shown.lines().count(), 24 + 1);
        assert!(shown.contains("\n12\n[… 976 lines …]\n989\n"), "{shown}");
    }

    #[test]
    fn what_was_rendered_stays_as_it_is() {
        let nasty = "\u{1b}]0;x\u{7}\\ \u{202e}\u{fffe}\0 ";
        for text in [nasty.to_owned(), nasty.repeat(1000), "\u{1b}".repeat(399), "x\n".repeat(999)]
        {
            let once = super::message(&text);
            assert_eq!(super::message(&once), once);
            assert!(once.len() < 32 * 1024 && !once.contains(['\u{1b}', '\u{202e}', '\u{fffe}']));
        }
        let name = super::name(&nasty.repeat(1000));
        assert_eq!(name.chars().count(), 101);
        assert!(name.starts_with("\\x1B]0;x\\x07\\ \\u{202e}\\u{fffe}\\x00 "), "{name}");
    }

    #[test]
    fn every_octet_is_visible() {
        assert_eq!(octets(b""), "      (no octets)\n");
        let shown = octets(b"\xEF\xBB\xBFa\t\x0b\x7f\\ \xE2\x80\xA8\xC3\n");
        assert_eq!(shown, "   1  \\u{feff}a\\t\\x0B\\x7F\\\\ \\u{2028}\\xC3\n");
    }
}
