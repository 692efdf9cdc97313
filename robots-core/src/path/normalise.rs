//! Computes the normal form of the octets of rules and URLs. Rules and URLs are compared in this form.
//!
//! A triplet is a `%` with two hex digits. Triplets of unreserved octets are decoded. The hex digits of all other
//! triplets become upper case. Unreserved and reserved octets (RFC 3986, 2.2 and 2.3) do not change, so `%2F` and `/`
//! differ. A `%` without two hex digits does not change either. All other octets are percent-encoded. In a URL, `*` and
//! `$` become `%2A` and `%24`, because a pattern must encode these two characters to match them literally (RFC 9309,
//! 2.2.3).

use alloc::borrow::Cow;
use alloc::vec::Vec;

/// Returns the normal form of a URL's path and query.
pub(crate) fn url(octets: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(octets.len() + 32);
    extend(&mut out, octets, encode);
    out
}

/// Returns the normal form of a path pattern without its final `$`, and the length that decides the precedence. Each
/// `*` remains as it is. A `$` before the end counts as one octet, although it becomes `%24`.
pub(crate) fn pattern(octets: &[u8]) -> (Cow<'_, [u8]>, usize) {
    let first =
        octets.iter().position(|octet| CLASS[*octet as usize] != Class::Same && *octet != b'*');
    match first {
        None => (Cow::Borrowed(octets), octets.len()),
        Some(first) => {
            let mut out = Vec::with_capacity(octets.len() + 32);
            out.extend_from_slice(&octets[..first]);
            let mut dollars = 0;
            extend(&mut out, &octets[first..], |out, octet| {
                if octet == b'*' {
                    out.push(octet);
                } else {
                    dollars += 1;
                    encode(out, octet);
                }
            });
            let counted = out.len() - 2 * dollars;
            (Cow::Owned(out), counted)
        }
    }
}

/// Returns whether the octet is reserved or unreserved, but neither `*` nor `$`. Outside triplets, normalisation does
/// not change such an octet.
#[inline]
pub(crate) const fn is_plain(octet: u8) -> bool {
    matches!(CLASS[octet as usize], Class::Same)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    /// An unreserved or reserved octet, which does not change.
    Same,
    /// `*` or `$`, which the caller handles.
    Special,
    /// `%`, which may begin a triplet.
    Percent,
    /// Any other octet, which is percent-encoded.
    Encode,
}

const CLASS: [Class; 256] = {
    let mut table = [Class::Encode; 256];
    let mut octet = 0;
    while octet < 256 {
        #[expect(clippy::cast_possible_truncation, reason = "below 256")]
        let class = match octet as u8 {
            b'*' | b'$' => Class::Special,
            b'%' => Class::Percent,
            other if is_unreserved(other) || is_reserved(other) => Class::Same,
            _ => Class::Encode,
        };
        table[octet] = class;
        octet += 1;
    }
    table
};

/// Returns whether the octet is unreserved (RFC 3986, 2.3).
const fn is_unreserved(octet: u8) -> bool {
    octet.is_ascii_alphanumeric() || matches!(octet, b'-' | b'.' | b'_' | b'~')
}

/// Returns whether the octet is reserved (RFC 3986, 2.2).
const fn is_reserved(octet: u8) -> bool {
    matches!(
        octet,
        b':' | b'/'
            | b'?'
            | b'#'
            | b'['
            | b']'
            | b'@'
            | b'!'
            | b'$'
            | b'&'
            | b'\''
            | b'('
            | b')'
            | b'*'
            | b'+'
            | b','
            | b';'
            | b'='
    )
}

fn extend(out: &mut Vec<u8>, octets: &[u8], mut special: impl FnMut(&mut Vec<u8>, u8)) {
    let mut rest = octets;
    while let Some((&octet, after)) = rest.split_first() {
        rest = after;
        match CLASS[octet as usize] {
            Class::Same => out.push(octet),
            Class::Special => special(out, octet),
            Class::Encode => encode(out, octet),
            Class::Percent => match triplet(after) {
                None => out.push(octet),
                Some(decoded) => {
                    rest = &after[2..];
                    if is_unreserved(decoded) {
                        out.push(decoded);
                    } else {
                        encode(out, decoded);
                    }
                }
            },
        }
    }
}

fn encode(out: &mut Vec<u8>, octet: u8) {
    const HEX: &[u8; 16] = b"0123456789ABCDEF";
    out.extend([b'%', HEX[usize::from(octet >> 4)], HEX[usize::from(octet & 15)]]);
}

fn triplet(after_percent: &[u8]) -> Option<u8> {
    let [high, low, ..] = after_percent else {
        return None;
    };
    let digit = |octet: u8| char::from(octet).to_digit(16);
    u8::try_from(digit(*high)? * 16 + digit(*low)?).ok()
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    #[rstest]
    #[trace]
    #[case("/a%62c", "/abc", 4)]
    #[case("/%e3%83%84", "/%E3%83%84", 10)]
    #[case("/ツ", "/%E3%83%84", 10)]
    #[case("/a b{}\"^|\\`<>", "/a%20b%7B%7D%22%5E%7C%5C%60%3C%3E", 33)]
    #[case("/%2f/%2A%24", "/%2F/%2A%24", 11)]
    #[case("/100%", "/100%", 5)]
    #[case("/%zz%4", "/%zz%4", 6)]
    #[case("/%%41", "/%A", 3)]
    #[case("/*/x*", "/*/x*", 5)]
    #[case("/a$b", "/a%24b", 4)]
    #[case("/~%7E-._", "/~~-._", 6)]
    #[case("/:?[]@!&'()+,;=", "/:?[]@!&'()+,;=", 15)]
    fn patterns(#[case] written: &str, #[case] normal: &str, #[case] counted: usize) {
        let (octets, len) = super::pattern(written.as_bytes());
        assert_eq!((octets.as_ref(), len), (normal.as_bytes(), counted));
    }

    #[rstest]
    #[trace]
    #[case("/a*b$", "/a%2Ab%24")]
    #[case("/%2a", "/%2A")]
    #[case("/%C3%a9\u{e9}", "/%C3%A9%C3%A9")]
    fn urls(#[case] given: &str, #[case] normal: &str) {
        assert_eq!(super::url(given.as_bytes()), normal.as_bytes());
    }
}
