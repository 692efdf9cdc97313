//! Finds the path of a URL in the same way as the library. Any text counts as a URL, and the path is neither
//! percent-decoded nor percent-encoded.

use std::borrow::Cow;

use crate::line::before_nul;

/// Returns the path, the parameters and the query in any text, or `/` if the text has no path.
///
/// Two slashes at the very start are skipped. If the text before the first `://` contains no `/`, `?` or `;`, this text
/// and the `://` are skipped too. The result begins at the next `/`, `?` or `;`, and ends before a `#` or a NUL. If the
/// result does not begin with `/`, a `/` is put before it.
pub(crate) fn of(url: &str) -> Cow<'_, [u8]> {
    let url = url.as_bytes();
    let text = url.strip_prefix(b"//").unwrap_or(url);
    match path(text) {
        None => Cow::Borrowed(b"/"),
        Some(path) if path.first() == Some(&b'/') => Cow::Borrowed(path),
        Some(path) => Cow::Owned([b"/", path].concat()),
    }
}

fn path(text: &[u8]) -> Option<&[u8]> {
    let begin = |octets: &[u8]| octets.iter().position(|octet| matches!(octet, b'/' | b'?' | b';'));
    let scheme = memchr::memmem::find(text, b"://").filter(|at| begin(&text[..*at]).is_none());
    let authority = scheme.map_or(0, |at| at + b"://".len());
    let start = authority + begin(&text[authority..])?;
    let end = memchr::memchr(b'#', text).unwrap_or(text.len());
    text.get(start..end).map(before_nul)
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    #[rstest]
    #[trace]
    #[case("https://example.com/a?b#c", "/a?b")]
    #[case("example.com/caf%c3%a9", "/caf%c3%a9")]
    #[case("https://example.com", "/")]
    #[case("https://example.com?a", "/?a")]
    #[case("a;b://c", "/;b://c")]
    #[case("//example.com/a", "/a")]
    #[case("#/a", "/")]
    #[case("/a\0b", "/a")]
    #[case("", "/")]
    fn paths(#[case] url: &str, #[case] path: &str) {
        assert_eq!(&super::of(url)[..], path.as_bytes());
    }
}
