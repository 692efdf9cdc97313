//! Makes the normal form of a request target, so that targets of one resource are equal.

use std::fmt::Write as _;

/// Returns the normal form of a request target: unreserved octets are decoded, characters outside ASCII are
/// percent-encoded, hex digits are capitals, and the fragment is removed.
///
/// Crawlers may write `%7e` as `~`, because the two forms name the same resource (RFC 3986, section 6.2.2).
///
/// ```
/// assert_eq!(robots_test_web::normalize("/%7euser%2f#top"), "/~user%2F");
/// ```
#[must_use]
pub fn normalize(target: &str) -> String {
    let target = target.split('#').next().unwrap_or_default();
    let mut normal = String::with_capacity(target.len());
    let mut rest = target;
    while let Some(at) = rest.find('%') {
        rest[..at].chars().for_each(|character| push(&mut normal, character));
        let digits = rest.get(at + 1..at + 3);
        // Digits are checked first, because `from_str_radix` would also accept a sign.
        let digits = digits.filter(|digits| digits.bytes().all(|octet| octet.is_ascii_hexdigit()));
        match digits.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(octet @ (b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~')) => {
                normal.push(char::from(octet));
                rest = &rest[at + 3..];
            }
            Some(_) => {
                normal.push_str(&rest[at..at + 3].to_ascii_uppercase());
                rest = &rest[at + 3..];
            }
            None => {
                normal.push('%');
                rest = &rest[at + 1..];
            }
        }
    }
    rest.chars().for_each(|character| push(&mut normal, character));
    normal
}

/// Adds a character. A character outside ASCII is percent-encoded, because some crawlers encode it and others send it
/// unchanged.
fn push(normal: &mut String, character: char) {
    if character.is_ascii() {
        normal.push(character);
    } else {
        for octet in character.encode_utf8(&mut [0; 4]).bytes() {
            write!(normal, "%{octet:02X}").expect("writing to a string cannot fail");
        }
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    #[rstest]
    #[trace]
    #[case("/a", "/a")]
    #[case("/%7euser", "/~user")]
    #[case("/%+f%-1", "/%+f%-1")]
    #[case("/%2f%C3%a9", "/%2F%C3%A9")]
    #[case("/\u{e9}", "/%C3%A9")]
    #[case("/\u{e9}%41\u{e9}", "/%C3%A9A%C3%A9")]
    #[case("/100%", "/100%")]
    #[case("/%zz", "/%zz")]
    #[case("/a?b#c", "/a?b")]
    fn targets(#[case] written: &str, #[case] normal: &str) {
        assert_eq!(super::normalize(written), normal);
    }
}
