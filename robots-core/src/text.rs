//! Shows octets as readable text, and splits the text of a URL.
//!
//! Start at [`Shown`]. These functions are not specific to robots.txt.

use core::fmt;

/// The maximum number of octets that are shown of a value. The middle of a longer value is omitted.
const SHOWN: usize = 200;

/// Octets as readable text. This type escapes control characters, noncharacters, and octets that are not valid UTF-8.
/// It also escapes invisible characters that change how other text is shown. Other UTF-8 text is unchanged. The middle
/// of a long value is omitted.
///
/// The length of the text is limited, because a line can have 500 KiB or more, and a report may show it many times.
///
/// ```
/// use robots_core::syntax::Shown;
/// assert_eq!(Shown(b"/caf\xC3\xA9\xFF\x1B[2J").to_string(), r"/café\xFF\u{1b}[2J");
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Shown<'o>(pub &'o [u8]);

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let octets = self.0;
        if octets.len() <= SHOWN {
            return escaped(octets, f);
        }
        let head = boundary(octets, SHOWN / 2);
        let tail = boundary(octets, octets.len() - SHOWN / 2);
        escaped(&octets[..head], f)?;
        write!(f, " [… {} octets …] ", tail - head)?;
        escaped(&octets[tail..], f)
    }
}

/// Splits text at its `://` into the scheme (RFC 3986, 3.1) and the rest. Returns `None` if there is no scheme.
#[inline]
pub(crate) fn split_scheme(text: &[u8]) -> Option<(&[u8], &[u8])> {
    let colon = text.iter().position(|octet| !is_scheme_octet(*octet))?;
    let rest = text[colon..].strip_prefix(b"://")?;
    text.first()?.is_ascii_alphabetic().then_some((&text[..colon], rest))
}

/// Returns the authority at the start of the text: everything before the first `/`, `?` or `#`.
#[inline]
pub(crate) fn authority(text: &[u8]) -> &[u8] {
    let end = memchr::memchr3(b'/', b'?', b'#', text).unwrap_or(text.len());
    &text[..end]
}

const fn is_scheme_octet(octet: u8) -> bool {
    octet.is_ascii_alphanumeric() || matches!(octet, b'+' | b'-' | b'.')
}

/// Returns the last offset, up to and including the given one, that does not cut a UTF-8 character.
fn boundary(octets: &[u8], at: usize) -> usize {
    let is_tail = |at: &usize| matches!(octets.get(*at), Some(0x80..=0xBF));
    (at.saturating_sub(3)..=at).rev().find(|at| !is_tail(at)).unwrap_or(at)
}

fn escaped(octets: &[u8], f: &mut fmt::Formatter<'_>) -> fmt::Result {
    for chunk in octets.utf8_chunks() {
        for character in chunk.valid().chars() {
            if is_invisible(character) {
                write!(f, "{}", character.escape_unicode())?;
            } else if character.is_control() {
                write!(f, "{}", character.escape_debug())?;
            } else {
                write!(f, "{character}")?;
            }
        }
        for octet in chunk.invalid() {
            write!(f, "\\x{octet:02X}")?;
        }
    }
    Ok(())
}

/// Returns whether the character is invisible but changes how other text is shown (Unicode's bidirectional controls),
/// or is one of Unicode's noncharacters.
const fn is_invisible(character: char) -> bool {
    matches!(
        character,
        '\u{061C}' | '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}'
            | '\u{FDD0}'..='\u{FDEF}'
    ) || character as u32 & 0xFFFE == 0xFFFE
}

#[cfg(test)]
mod tests {
    use alloc::string::ToString;
    use alloc::vec::Vec;

    use rstest::rstest;

    use super::Shown;

    #[rstest]
    #[trace]
    #[case(b"/caf\xC3\xA9", "/café")]
    #[case(b"/\xFF\x1B[2J", "/\\xFF\\u{1b}[2J")]
    #[case("/\u{202E}x\u{FFFE}".as_bytes(), "/\\u{202e}x\\u{fffe}")]
    #[case(b"a\tb", "a\\tb")]
    fn what_could_mislead_is_escaped(#[case] octets: &[u8], #[case] shown: &str) {
        assert_eq!(Shown(octets).to_string(), shown);
    }

    #[test]
    fn a_long_value_is_cut_in_its_middle() {
        let long: Vec<u8> = "é".repeat(300_000).into_bytes();
        let shown = Shown(&long).to_string();
        assert_eq!(shown.matches('é').count(), 100);
        assert!(shown.contains("[… 599800 octets …]"), "{shown}");
        assert_eq!(Shown(&long[..200]).to_string(), "é".repeat(100));
    }
}
