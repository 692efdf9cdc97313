//! Refuses a YAML text if a parser would need too much time for its length. Start at [`refused`]. The check runs before
//! parsing. A parser's time grows with the square of the depth of brackets. A directive can give a tag of a few octets
//! a long prefix, which is copied at each use.

/// The maximum number of open brackets.
const DEEPEST: usize = 512;

/// Returns the first line, from 1, that makes a text too costly, and the reason: a directive, or too many open
/// brackets.
///
/// An opening bracket is counted if a list or mapping may begin there: at the start of a line, or after white space,
/// another bracket, a comma or a colon. Some counted brackets are only text, but a real case file does not have so many
/// unclosed brackets.
pub(super) fn refused(text: &str) -> Option<(usize, &'static str)> {
    let (mut open, mut may_open) = (0_usize, true);
    for (number, line) in (1..).zip(text.split('\n')) {
        if line.trim_start_matches('\u{feff}').starts_with('%') {
            return Some((number, "a line that begins with `%` is a YAML directive; remove it"));
        }
        for octet in line.bytes() {
            match octet {
                b'[' | b'{' if may_open => open += 1,
                b']' | b'}' => open = open.saturating_sub(1),
                b'#' if may_open => break,
                _ => {}
            }
            if open > DEEPEST {
                let message = "brackets nest more than 512 deep; nothing in these files needs that";
                return Some((number, message));
            }
            may_open = matches!(octet, b' ' | b'\t' | b'[' | b'{' | b',' | b':');
        }
        may_open = true;
    }
    None
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::refused;

    #[rstest]
    #[trace]
    #[case("[".repeat(100_000), Some(1))]
    #[case("a: \n".to_owned() + &"[\n".repeat(100_000), Some(514))]
    #[case("a: ".to_owned() + &"{a: ".repeat(100_000), Some(1))]
    #[case("a: ".to_owned() + &"!t [ ".repeat(100_000), Some(1))]
    #[case("a: ".to_owned() + &"&t\n [, ".repeat(100_000), Some(514))]
    #[case("- [a, b]\n".repeat(100_000), None)]
    #[case("- a[b\n".repeat(100_000), None)]
    #[case("# [\n".repeat(100_000), None)]
    #[case("a#b: ".to_owned() + &"[ ".repeat(100_000), Some(1))]
    #[case("[".repeat(512), None)]
    fn brackets_are_counted(#[case] text: String, #[case] line: Option<usize>) {
        assert_eq!(refused(&text).map(|(line, _)| line), line);
    }

    #[rstest]
    #[trace]
    #[case("%TAG !a! tag:x\n---\na: !a!b x\n", Some(1))]
    #[case("\u{feff}%YAML 1.2\n", Some(1))]
    #[case("a: b\r\n...\r\n%TAG", Some(3))]
    #[case("a: '%'\n# %\n b: |\n  %x\n", None)]
    fn directives_are_refused(#[case] text: &str, #[case] line: Option<usize>) {
        assert_eq!(refused(text).map(|(line, _)| line), line);
    }
}
