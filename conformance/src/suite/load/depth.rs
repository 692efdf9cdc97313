//! Checks how deep a YAML file nests its brackets. This runs before parsing, because the parser's time grows with the
//! square of the depth.

/// The maximum number of open brackets.
const DEEPEST: usize = 512;

/// Returns the line, from 1, where more brackets are open than permitted.
///
/// A bracket counts if a list or mapping may begin there: after white space, another bracket, a comma or a colon. Some
/// of these are text, but a real case file does not have so many of them unclosed.
pub(super) fn too_deep(text: &str) -> Option<usize> {
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

    use super::too_deep;

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
}
