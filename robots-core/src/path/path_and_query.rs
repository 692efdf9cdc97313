//! Reads the path and the query of a URL, which are compared with rules.
//!
//! Start at [`PathAndQuery::parse`]. Every verdict reads a URL, so the common case is fast. If all octets are their own
//! normal form, the path and query are borrowed from the text after one pass over the octets. Other URLs are copied and
//! normalised ([`PathAndQuery::normalised`]). A [`PathAndQuery`] also stores the set of its octets, because a pattern
//! that needs an octet outside this set cannot match. No URL parser is used, because parsers rewrite paths.

use alloc::borrow::Cow;
use core::fmt;

use super::normalise;
use super::octet_set::OctetSet;
use crate::text::{authority, split_scheme};

/// The path and query of a URL, in the normal form in which they are compared with rules.
///
/// The path and query come from the text as given: dot segments are not removed, and no URL parser rewrites the text.
/// The fragment is removed, and an empty path becomes `/`. After that, the octets are normalised like the octets of
/// rules.
///
/// ```
/// use robots_core::path::PathAndQuery;
/// let path = PathAndQuery::parse("https://example.com/caf%c3%a9?x#y").unwrap();
/// assert_eq!(path.as_octets(), b"/caf%C3%A9?x");
/// assert_eq!(PathAndQuery::parse("https://example.com").unwrap().as_octets(), b"/");
/// assert!(PathAndQuery::parse("example.com/x").is_err());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PathAndQuery<'u> {
    octets: Cow<'u, [u8]>,
    held: OctetSet,
    is_robots_txt: bool,
}

impl<'u> PathAndQuery<'u> {
    /// Reads path and query from a URL's text: `scheme://authority/path?query#fragment`, or only path and query, which
    /// begin with `/` or `?`.
    ///
    /// # Errors
    /// Returns [`NotAUrl`] for any other text.
    pub fn parse(text: &'u str) -> Result<Self, NotAUrl> {
        Self::of(text)
    }

    #[expect(
        clippy::inline_always,
        reason = "inlined into the verdict: a call would cost a tenth of its instructions"
    )]
    #[inline(always)]
    pub(crate) fn of(text: &'u str) -> Result<Self, NotAUrl> {
        let text = text.as_bytes();
        let path_and_query = if let Some(b'/' | b'?') = text.first() {
            text
        } else {
            let (_, rest) = split_scheme(text).ok_or(NotAUrl(()))?;
            &rest[authority(rest).len()..]
        };
        let held = OctetSet::of(path_and_query);
        if held.is_plain() && path_and_query.first() == Some(&b'/') {
            let octets = Cow::Borrowed(path_and_query);
            return Ok(Self { octets, held, is_robots_txt: path_and_query == ROBOTS_TXT });
        }
        Ok(Self::normalised(path_and_query))
    }

    #[cold]
    fn normalised(path_and_query: &[u8]) -> Self {
        let end = memchr::memchr(b'#', path_and_query).unwrap_or(path_and_query.len());
        let path_and_query = &path_and_query[..end];
        let mut octets = normalise::url(path_and_query);
        if octets.first() != Some(&b'/') {
            octets.insert(0, b'/');
        }
        let held = OctetSet::of(&octets);
        Self { octets: Cow::Owned(octets), held, is_robots_txt: path_and_query == ROBOTS_TXT }
    }

    /// Returns the set of the octets of path and query.
    #[inline]
    pub(crate) fn held(&self) -> OctetSet {
        self.held
    }

    /// Returns the normalised octets, which begin with `/`.
    #[must_use]
    #[inline]
    pub fn as_octets(&self) -> &[u8] {
        &self.octets
    }

    /// Returns whether path and query are exactly `/robots.txt`, as given.
    #[must_use]
    #[inline]
    pub fn is_robots_txt(&self) -> bool {
        self.is_robots_txt
    }
}

/// Splits a URL's text after its authority. Returns two parts: scheme and authority, and the rest. Returns `None` if
/// the text does not begin with a scheme and `://`.
///
/// ```
/// use robots_core::path::split_url;
/// let (origin, rest) = split_url(b"https://example.com:8080/a?b").unwrap();
/// assert_eq!((origin, rest), (&b"https://example.com:8080"[..], &b"/a?b"[..]));
/// assert!(split_url(b"/a").is_none());
/// ```
#[must_use]
pub fn split_url(text: &[u8]) -> Option<(&[u8], &[u8])> {
    let (_, rest) = split_scheme(text)?;
    Some(text.split_at(text.len() - rest.len() + authority(rest).len()))
}

const ROBOTS_TXT: &[u8] = b"/robots.txt";

/// The error for a text that is neither a URL nor path and query.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct NotAUrl(());

impl fmt::Display for NotAUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(
            "not a URL: it begins neither with a scheme and `://` nor with `/` or `?`; give the whole \
             URL, or its path and query",
        )
    }
}

impl core::error::Error for NotAUrl {}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::PathAndQuery;

    #[rstest]
    #[trace]
    #[case("https://example.com/a/../b", Some("/a/../b"))]
    #[case("https://example.com?q", Some("/?q"))]
    #[case("https://example.com#f", Some("/"))]
    #[case("?q", Some("/?q"))]
    #[case("/", Some("/"))]
    #[case("//example.com/x", Some("//example.com/x"))]
    #[case("/a#b?c", Some("/a"))]
    #[case("/*$", Some("/%2A%24"))]
    #[case("/a\\b", Some("/a%5Cb"))]
    #[case("https:/example.com/", None)]
    #[case("1http://example.com/", None)]
    #[case("://example.com/", None)]
    #[case("", None)]
    #[case("#x", None)]
    fn path_and_query_of_a_text(#[case] text: &str, #[case] expected: Option<&str>) {
        let path = PathAndQuery::parse(text);
        assert_eq!(path.ok().as_ref().map(PathAndQuery::as_octets), expected.map(str::as_bytes));
    }
}
