//! Recognises values with a mistake: several values in one line, a whole header, or characters that only look like
//! white space.

use alloc::string::String;

use super::field_name;
use robots_core::syntax::Field;
use robots_core::{Crawler, ProductToken};

/// Returns the product token of a whole `User-Agent` header.
pub(super) fn of_header(value: &[u8]) -> Option<String> {
    let crawler = Crawler::from_header(&String::from_utf8_lossy(value)).ok()?;
    crawler.tokens().first().map(|token| String::from(token.as_str()))
}

/// Returns whether a value is a whole User-Agent header whose product token is not `token`.
pub(super) fn names_another(value: &[u8], token: &[u8]) -> bool {
    let is_header = value.contains(&b'(') || value.starts_with(b"Mozilla/");
    is_header && of_header(value).is_some_and(|named| !named.as_bytes().eq_ignore_ascii_case(token))
}

/// Returns the names in a value that are separated by commas, semicolons or bars. Without separators, returns one name.
pub(super) fn joined(value: &[u8]) -> impl Iterator<Item = &[u8]> {
    let is_mark = |octet: &u8| matches!(octet, b',' | b';' | b'|');
    let parts = || value.split(is_mark).map(<[u8]>::trim_ascii).filter(|part| !part.is_empty());
    let is_name = |part: &[u8]| part == b"*" || !ProductToken::leading(part).is_empty();
    let is_list = !value.contains(&b'(') && parts().all(is_name);
    let whole = (!is_list).then_some(value);
    whole.into_iter().chain(parts().filter(move |_| is_list))
}

/// Returns the paths in a value that are separated by white space, with or without a comma. Without separators, returns
/// one path.
pub(super) fn paths(value: &[u8]) -> impl Iterator<Item = &[u8]> {
    let is_space = |octet: &u8| matches!(octet, b' ' | b'\t');
    let parts = || value.split(is_space).filter(|part| !part.is_empty() && *part != b",");
    let is_path = |part: &[u8]| part.starts_with(b"/") && !part.starts_with(b"//");
    let is_list = parts().all(is_path);
    let whole = (!is_list).then_some(value);
    let parts = parts().filter(move |_| is_list);
    whole.into_iter().chain(parts.map(|part| part.strip_suffix(b",").unwrap_or(part)))
}

/// Finds the name of a field of robots.txt inside a value. A colon must follow the name, and white space or an escape
/// such as `\n` must be before it. Returns the offset of the name, and the field.
pub(super) fn field_within(value: &[u8]) -> Option<(usize, Field)> {
    memchr::memchr_iter(b':', value).find_map(|colon| {
        let before = &value[..colon];
        let end = before.trim_ascii_end().len();
        field_name::published().find_map(|field| {
            let start = end.checked_sub(field.name().len())?;
            let is_named = before[start..end].eq_ignore_ascii_case(field.name().as_bytes());
            let behind = |text: &[u8]| before[..start].ends_with(text);
            let apart = [&b" "[..], b"\t", b"\\n", b"\\r"].into_iter().any(behind);
            (is_named && apart).then_some((start, field))
        })
    })
}

/// Removes characters at both ends that look like white space but are not white space in robots.txt.
pub(super) fn without_odd_space(mut octets: &[u8]) -> &[u8] {
    while let Some(rest) = ODD_SPACE.iter().find_map(|space| octets.strip_prefix(*space)) {
        octets = rest.trim_ascii_start();
    }
    while let Some(rest) = ODD_SPACE.iter().find_map(|space| octets.strip_suffix(*space)) {
        octets = rest.trim_ascii_end();
    }
    octets
}

/// The characters that [`without_odd_space`] removes: NEL, the no-break spaces, the typographic and zero-width spaces,
/// U+2028 and U+2029, the ideographic space, and the byte order mark.
const ODD_SPACE: [&[u8]; 22] = [
    "\u{85}".as_bytes(),
    "\u{A0}".as_bytes(),
    "\u{2000}".as_bytes(),
    "\u{2001}".as_bytes(),
    "\u{2002}".as_bytes(),
    "\u{2003}".as_bytes(),
    "\u{2004}".as_bytes(),
    "\u{2005}".as_bytes(),
    "\u{2006}".as_bytes(),
    "\u{2007}".as_bytes(),
    "\u{2008}".as_bytes(),
    "\u{2009}".as_bytes(),
    "\u{200A}".as_bytes(),
    "\u{200B}".as_bytes(),
    "\u{200C}".as_bytes(),
    "\u{200D}".as_bytes(),
    "\u{2028}".as_bytes(),
    "\u{2029}".as_bytes(),
    "\u{202F}".as_bytes(),
    "\u{2060}".as_bytes(),
    "\u{3000}".as_bytes(),
    "\u{FEFF}".as_bytes(),
];

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use rstest::rstest;

    use super::{joined, paths};

    #[rstest]
    #[trace]
    #[case("Googlebot, Bingbot", &["Googlebot", "Bingbot"])]
    #[case("a;b|*", &["a", "b", "*"])]
    #[case("a,", &["a"])]
    #[case("bot/1.0 (x; y)", &["bot/1.0 (x; y)"])]
    #[case("a, (b)", &["a, (b)"])]
    fn lists(#[case] value: &str, #[case] expected: &[&str]) {
        let names: Vec<&str> =
            joined(value.as_bytes()).map(|name| core::str::from_utf8(name).unwrap()).collect();
        assert_eq!(names, expected);
    }

    #[rstest]
    #[trace]
    #[case("/a", &["/a"])]
    #[case("/a /b", &["/a", "/b"])]
    #[case("/a, /b , /c", &["/a", "/b", "/c"])]
    #[case("/a,/b", &["/a,/b"])]
    #[case("/a b", &["/a b"])]
    #[case("/a // why", &["/a // why"])]
    fn paths_in_a_line(#[case] value: &str, #[case] expected: &[&str]) {
        let found: Vec<&str> =
            paths(value.as_bytes()).map(|path| core::str::from_utf8(path).unwrap()).collect();
        assert_eq!(found, expected);
    }
}
