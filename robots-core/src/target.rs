//! The text of a URL, cut to what rules are matched against.

use alloc::borrow::Cow;
use core::fmt;

use crate::edition::{Observed, Semantics};
use crate::observed;
use crate::path::normalize;
use crate::path::octet_set::OctetSet;

/// The path and query of a URL, in the form rules are compared with.
///
/// They are taken from the text as given: no dot segment is removed and nothing rewritten; the fragment
/// is left out and an empty path reads `/`. Then the octets are normalised as those of rules are.
///
/// ```
/// use robots_core::Target;
/// let target = Target::parse("https://example.com/caf%c3%a9?x#y").unwrap();
/// assert_eq!(target.as_bytes(), b"/caf%C3%A9?x");
/// assert_eq!(Target::parse("https://example.com").unwrap().as_bytes(), b"/");
/// assert!(Target::parse("example.com/x").is_err());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target<'u> {
    octets: Cow<'u, [u8]>,
    held: OctetSet,
    is_robots_txt: bool,
}

impl<'u> Target<'u> {
    /// Takes path and query from a URL's text: `scheme://authority/path?query#fragment`, or path and
    /// query alone, beginning with `/` or `?`.
    ///
    /// # Errors
    /// [`NotAUrl`] for any other text.
    #[inline]
    pub fn parse(text: &'u str) -> Result<Self, NotAUrl> {
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

    /// Takes path and query from a URL's text as an edition or an observed library does: editions as
    /// [`parse`](Self::parse), google-cpp as given, from any text, without normalising.
    ///
    /// ```
    /// use robots_core::{Profile, Target};
    /// let target = Target::of("example.com/caf%c3%a9", Profile::GoogleCpp.semantics()).unwrap();
    /// assert_eq!(target.as_bytes(), b"/caf%c3%a9");
    /// ```
    ///
    /// # Errors
    /// [`NotAUrl`] where an edition's rules need a URL and the text is none.
    #[inline]
    pub fn of(text: &'u str, semantics: &Semantics) -> Result<Self, NotAUrl> {
        match &semantics.observed {
            Some(observed) if observed.url_as_given => Ok(Self::as_given(text, observed)),
            _ => Self::parse(text),
        }
    }

    #[cold]
    fn as_given(text: &'u str, observed: &Observed) -> Self {
        let octets = match observed::path(text.as_bytes(), observed) {
            None => Cow::Borrowed(&b"/"[..]),
            Some(path) if path.first() == Some(&b'/') => Cow::Borrowed(path),
            Some(path) => Cow::Owned([b"/", path].concat()),
        };
        let (held, is_robots_txt) = (OctetSet::of(&octets), *octets == *ROBOTS_TXT);
        Self { octets, held, is_robots_txt }
    }

    #[cold]
    fn normalised(path_and_query: &[u8]) -> Self {
        let end = memchr::memchr(b'#', path_and_query).unwrap_or(path_and_query.len());
        let path_and_query = &path_and_query[..end];
        let mut octets = normalize::url(path_and_query);
        if octets.first() != Some(&b'/') {
            octets.insert(0, b'/');
        }
        let held = OctetSet::of(&octets);
        Self { octets: Cow::Owned(octets), held, is_robots_txt: path_and_query == ROBOTS_TXT }
    }

    /// Returns the octets that occur in it.
    #[inline]
    pub(crate) fn held(&self) -> OctetSet {
        self.held
    }

    /// Returns the octets, normalised unless the profile compares them as given; they begin with `/`.
    #[must_use]
    #[inline]
    pub fn as_bytes(&self) -> &[u8] {
        &self.octets
    }

    /// Returns whether path and query are exactly `/robots.txt`, as given.
    #[must_use]
    #[inline]
    pub fn is_robots_txt(&self) -> bool {
        self.is_robots_txt
    }
}

const ROBOTS_TXT: &[u8] = b"/robots.txt";

/// The error of text that is neither a URL nor path and query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotAUrl(());

impl fmt::Display for NotAUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not a URL: it begins neither with a scheme and `://` nor with `/` or `?`")
    }
}

impl core::error::Error for NotAUrl {}

/// Cuts text at its `://`: the scheme (RFC 3986, 3.1) and what follows; `None` without a scheme.
#[inline]
pub(crate) fn split_scheme(text: &[u8]) -> Option<(&[u8], &[u8])> {
    let colon = text.iter().position(|octet| !is_scheme_octet(*octet))?;
    let rest = text[colon..].strip_prefix(b"://")?;
    text.first()?.is_ascii_alphabetic().then_some((&text[..colon], rest))
}

/// Returns the authority with which the text begins: up to the first `/`, `?` or `#`.
#[inline]
pub(crate) fn authority(text: &[u8]) -> &[u8] {
    let end = memchr::memchr3(b'/', b'?', b'#', text).unwrap_or(text.len());
    &text[..end]
}

const fn is_scheme_octet(octet: u8) -> bool {
    octet.is_ascii_alphanumeric() || matches!(octet, b'+' | b'-' | b'.')
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::Target;

    #[rstest]
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
        let target = Target::parse(text);
        assert_eq!(target.ok().as_ref().map(Target::as_bytes), expected.map(str::as_bytes));
    }
}
