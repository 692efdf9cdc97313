//! Renders octets, URLs, and texts from outside this program. Diffs, deviations and reports use the same form.
//!
//! Start at [`octets()`] for a file, [`text()`] for a value on one line, and [`message()`] for a text from outside in a
//! report. All three use `escape`, which decides which characters could mislead a reader or a CI log. The middle of a
//! long text is replaced by the number of the omitted octets or lines. Rendering a message again does not change it, so
//! a message may be rendered twice.

use std::fmt::Write as _;

/// Renders octets as numbered lines with visible control octets. The middle of a long line or of a long file is
/// replaced by the number of the omitted octets.
///
/// ```
/// let shown = robots_console::render::octets(b"allow: /\xE3\x83\x84\r\n\xFF\0");
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

/// Renders a value on one line. Characters that are not printable are escaped, and so are backslashes. The middle of a
/// long value is omitted.
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

/// Renders a message line by line. Text that could mislead is escaped: controls, direction marks, invisible characters,
/// and the beginning of a workflow command of GitHub. Rendering the result again does not change it.
///
/// ```
/// use robots_console::render::visible;
/// assert_eq!(visible("a\\b\n\u{1b}]0;\u{202e}é"), "a\\b\n\\x1B]0;\\u{202e}é");
/// assert_eq!(visible("a::b\n ::error::c ##[error]d"), "a::b\n \\x3A:error::c ##\\x5Berror]d");
/// ```
#[must_use]
pub fn visible(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    escape(text, &mut out, false);
    out
}

/// Renders foreign text for a report as [`visible`] does, and omits the middle of long lines and of many lines.
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

/// Renders a name on one line. Text that could mislead is escaped, and the name is cut after 100 characters.
#[must_use]
pub fn name(name: &str) -> String {
    const LONGEST: usize = 100;
    cut(&visible(name).replace('\n', "\\n"), LONGEST)
}

/// Returns the beginning of a text: at most `most` characters, and a mark if the text is longer.
///
/// ```
/// use robots_console::render::cut;
/// assert_eq!((&*cut("abc", 3), &*cut("abcd", 3)), ("abc", "abc…"));
/// ```
#[must_use]
pub fn cut(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        None => text.to_owned(),
        Some((at, _)) => format!("{}…", &text[..at]),
    }
}

/// Returns a number with its noun, which gets an `s` if the number is not 1.
///
/// ```
/// use robots_console::render::counted;
/// assert_eq!((&*counted(1, "case"), &*counted(2, "case")), ("1 case", "2 cases"));
/// ```
#[must_use]
pub fn counted(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

/// Groups values by their keys. The groups are in the order of their first values, so a report shows the groups in the
/// order in which a reader meets them. Within a group, the values stay in their order.
///
/// The function compares each key with the keys of all groups, so use it for a small number of groups.
///
/// ```
/// use robots_console::render::grouped;
///
/// let editions = [("disallow", "rfc9309"), ("allow", "google-2018"), ("disallow", "google-2022")];
/// let answers = grouped(editions);
/// assert_eq!(answers[0], ("disallow", vec!["rfc9309", "google-2022"]));
/// assert_eq!(answers[1], ("allow", vec!["google-2018"]));
/// ```
pub fn grouped<K: PartialEq, V>(items: impl IntoIterator<Item = (K, V)>) -> Vec<(K, Vec<V>)> {
    let mut groups: Vec<(K, Vec<V>)> = Vec::new();
    for (key, value) in items {
        match groups.iter_mut().find(|(known, _)| *known == key) {
            Some((_, values)) => values.push(value),
            None => groups.push((key, vec![value])),
        }
    }
    groups
}

/// Returns the name that is most similar to a mistyped name, or `None` if no name is similar.
///
/// ```
/// use robots_console::render::nearest;
/// assert_eq!(nearest("useless-start", ["no-slash", "useless-star"].into_iter()), Some("useless-star"));
/// assert_eq!(nearest("x", ["no-slash"].into_iter()), None);
/// ```
pub fn nearest<'n>(typed: &str, names: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    // The time of a comparison grows with the lengths of both names, and no known name is so long.
    if typed.len() > 100 {
        return None;
    }
    // Two swapped neighbours count as one mistake. A longer name may have more mistakes.
    let most = (typed.chars().count() / 3).max(1);
    let near = names.map(|name| (strsim::osa_distance(typed, name), name));
    near.filter(|(distance, _)| *distance <= most).min().map(|(_, name)| name)
}

/// Returns a question with the most similar name, or the list of all names if no name is similar enough. `what` is the
/// plural noun for the named things, for example `verbs`.
///
/// ```
/// use robots_console::render::hint;
/// let verbs = || ["lint", "run"].into_iter();
/// assert_eq!(hint("lnt", "verbs", verbs()), "did you mean \"lint\"?");
/// assert_eq!(hint("x", "verbs", verbs()), "the verbs are lint, run");
/// ```
pub fn hint<'n>(typed: &str, what: &str, names: impl Iterator<Item = &'n str> + Clone) -> String {
    match nearest(typed, names.clone()) {
        Some(near) => meant(near),
        None => format!("the {what} are {}", names.collect::<Vec<_>>().join(", ")),
    }
}

/// Returns the question `did you mean` with a name.
#[must_use]
pub fn meant(near: &str) -> String {
    format!("did you mean {near:?}?")
}

/// Quotes a text for a POSIX shell.
///
/// ```
/// use robots_console::render::quoted;
/// assert_eq!(quoted("a::b"), "a::b");
/// assert_eq!(quoted("it's /*"), r"'it'\''s /*'");
/// ```
#[must_use]
pub fn quoted(text: &str) -> String {
    let plain = |octet: u8| octet.is_ascii_alphanumeric() || b"-_:./=,".contains(&octet);
    if !text.is_empty() && text.bytes().all(plain) {
        return text.to_owned();
    }
    format!("'{}'", text.replace('\'', r"'\''"))
}

/// Renders a line of a message, and omits the middle of a long line. The limit applies to the rendered form, so
/// rendering the result again removes nothing.
fn short_line(line: &str) -> String {
    let part = |part| match part {
        Part::Shown(text) => text.to_owned(),
        Part::LeftOut(octets) => format!(" [… {octets} octets …] "),
    };
    shortened(&visible(line)).map(part).collect()
}

/// A part of a text.
enum Part<'t> {
    Shown(&'t str),
    LeftOut(usize),
}

/// Removes the middle of a long text.
fn shortened(text: &str) -> impl Iterator<Item = Part<'_>> {
    /// A text with more octets than this limit is shortened. Each of the two parts that remain has about a quarter of
    /// this length.
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

/// Returns whether readers see the character as it is. The result is false for controls, direction marks, combining
/// characters, and blanks other than the space.
///
/// ```
/// use robots_console::render::is_visible;
/// assert!(is_visible('é') && is_visible(' ') && !is_visible('\u{202e}') && !is_visible('\n'));
/// ```
#[must_use]
pub fn is_visible(c: char) -> bool {
    // `escape_debug` escapes a quotation mark and a backslash, but readers can see both.
    matches!(c, ' '..='~') || (!c.is_ascii() && c.escape_debug().len() == 1)
}

/// Escapes characters that are not printable. In a value, line feeds and backslashes are escaped too, so that different
/// values have different renderings.
///
/// GitHub Actions executes a line of a log that begins with `::`, perhaps after blanks, and the text after `##[`
/// anywhere in a line. Both forms are always escaped, because any report may be printed to such a log.
fn escape(text: &str, out: &mut String, is_value: bool) {
    let (mut at_start, mut hashes) = (true, 0);
    let mut rest = text.chars();
    while let Some(c) = rest.next() {
        match c {
            '\\' if is_value => out.push_str("\\\\"),
            '\n' if !is_value => out.push(c),
            ':' if at_start && rest.as_str().starts_with(':') => octet(out, b':'),
            '[' if hashes >= 2 => octet(out, b'['),
            c if is_visible(c) => out.push(c),
            '\0'..='\u{1f}' | '\u{7f}' => octet(out, c as u8),
            c => out.extend(c.escape_debug()),
        }
        at_start = (at_start && c == ' ') || (c == '\n' && !is_value);
        hashes = if c == '#' { hashes + 1 } else { 0 };
    }
}

/// Splits octets into lines, each with its ending: CR, LF or CR LF.
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

/// Renders one line of a file, and omits the middle of a long line. A plain LF at its end is not shown.
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

/// Renders a URL on one line, and omits the middle of a long URL.
#[must_use]
pub fn elided(url: &str) -> String {
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
    fn no_line_is_a_command_of_a_log() {
        for (text, shown) in [
            ("::error::x", "\\x3A:error::x"),
            ("a\n  ::error::x", "a\n  \\x3A:error::x"),
            ("###[error]x ##[", "###\\x5Berror]x ##\\x5B"),
            ("a ::b: #[c] [##", "a ::b: #[c] [##"),
        ] {
            assert_eq!(super::visible(text), shown);
            assert_eq!(super::message(text), shown);
            assert_eq!(super::visible(shown), shown);
        }
        assert_eq!(super::text("\n::a"), "\\n::a");
        assert_eq!(super::text(" ::a"), " \\x3A:a");
        assert_eq!(octets(b"##[error]x\n"), "   1  ##\\x5Berror]x\n");
        // The parts around the omitted middle must not join to form a command.
        let long = format!("{}##{}[error]", "a".repeat(98), "b".repeat(391));
        assert!(!super::message(&long).contains("##["));
    }

    #[test]
    fn every_octet_is_visible() {
        assert_eq!(octets(b""), "      (no octets)\n");
        let shown = octets(b"\xEF\xBB\xBFa\t\x0b\x7f\\ \xE2\x80\xA8\xC3\n");
        assert_eq!(shown, "   1  \\u{feff}a\\t\\x0B\\x7F\\\\ \\u{2028}\\xC3\n");
    }
}
