//! Refuses YAML that costs a parser much more than its length. This runs before parsing: a parser's time grows with the
//! square of the depth of brackets, and a tag of a few octets repeats the whole prefix that a directive gives it.

/// The maximum number of open brackets.
const DEEPEST: usize = 512;

/// Returns the first line, from 1, that makes a text too costly, and the reason.
pub(super) fn refused(text: &str) -> Option<(usize, &'static str)> {
    let deep = too_deep(text)
        .map(|line| (line, "brackets nest more than 512 deep; nothing in these files needs that"));
    let mut lines = (1..).zip(text.lines());
    let directive = lines
        .find(|(_, line)| line.trim_start_matches('\u{feff}').starts_with('%'))
        .map(|(line, _)| (line, "a line that begins with `%` is a YAML directive; remove it"));
    directive.or(deep)
}

/// Returns the line, from 1, where more brackets are open than permitted.
///
/// A bracket counts if a list or mapping may begin there: after white space, another bracket, a comma or a colon. Some
/// of these are text, but a real case file does not have so many of them unclosed.
fn too_deep(text: &str) -> Option<usize> {
    let (mut open, mut may_open) = (0_usize, true);
    for (number, line) in (1..).zip(text.split('\n')) {
        for octet in line.bytes() {
            match octet {
                b'[' | b'{' if may_open => open += 1,
                b']' | b'}' => open = open.saturating_sub(1),
                b'#' if may_open => break,
                _ => {}
            }
            if open > DEEPEST {
                return Some(number);
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

    use super::{refused, too_deep};

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
    #[case("[".repeat(512), None)]
    fn brackets_are_counted(#[case] text: String, #[case] line: Option<usize>) {
        assert_eq!(too_deep(&text), line);
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
