//! Converts the paths of a search, which are in normal form, to paths of URLs. Parsing a URL with the converted path,
//! and normalising its path, must give the octets of the search again.

use alloc::string::String;
use core::fmt::Write as _;

/// Returns path and query in the form that a URL contains, given their normal form.
///
/// Most octets do not change. The triplet `%24` becomes `$`, which is shorter and has the same normal form. A normal form
/// may contain text such as `%41` that stands for these three characters. In a
/// URL, the same text would be a triplet. So the first digit after `%` is percent-encoded, and normalising decodes it
/// again.
pub(super) fn written(normal: &[u8]) -> String {
    let mut text = String::with_capacity(normal.len());
    let mut rest = normal;
    while let Some((&octet, behind)) = rest.split_first() {
        rest = behind;
        text.push(char::from(octet));
        let [high, low, ..] = *behind else { continue };
        if octet != b'%' || !high.is_ascii_hexdigit() || !low.is_ascii_hexdigit() {
            continue;
        }
        if [high, low] == *b"24" {
            text.pop();
            text.push('$');
            rest = &behind[2..];
        } else if is_triplet(high, low) {
            text.extend([char::from(high), char::from(low)]);
            rest = &behind[2..];
        } else {
            let _ = write!(text, "%{high:02X}");
            rest = &behind[1..];
        }
    }
    text
}

/// Returns whether normalising leaves a triplet with these digits unchanged.
fn is_triplet(high: u8, low: u8) -> bool {
    let digit = |octet: u8| char::from(octet).to_digit(16).unwrap_or(0);
    let decoded = u8::try_from(digit(high) * 16 + digit(low)).unwrap_or(0);
    let is_unreserved = decoded.is_ascii_alphanumeric() || b"-._~".contains(&decoded);
    let is_upper = |octet: u8| !octet.is_ascii_lowercase();
    !is_unreserved && is_upper(high) && is_upper(low)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use robots_core::path::PathAndQuery;
    use rstest::rstest;

    use super::written;

    #[rstest]
    #[trace]
    #[case("/a?b=/c", "/a?b=/c")]
    #[case("/caf%C3%A9", "/caf%C3%A9")]
    #[case("/100%", "/100%")]
    #[case("/a%24b%24", "/a$b$")]
    #[case("/%41", "/%%341")]
    #[case("/%2f", "/%%32f")]
    fn a_path_is_written_as_a_url(#[case] normal: &str, #[case] text: &str) {
        assert_eq!(written(normal.as_bytes()), text);
    }

    proptest! {
        #[test]
        fn the_normal_form_of_a_written_path_is_the_path(rest in "([%0-9a-fA-Fx/]|%24){0,12}") {
            let normal = alloc::format!("/{rest}");
            let text = written(normal.as_bytes());
            let path = PathAndQuery::parse(&text).unwrap();
            prop_assert_eq!(path.as_octets(), normal.as_bytes());
        }
    }
}
