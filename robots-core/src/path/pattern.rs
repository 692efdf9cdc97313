//! Defines a path pattern, and compares it with a URL.
//!
//! Start at [`Pattern::matches`]. A pattern has a literal prefix and a tail. The tail begins at the first wildcard, and
//! consists of segments between wildcards. The segments are matched from left to right without backtracking.

use alloc::borrow::Cow;

use memchr::memmem;

use super::normalise;
use super::octet_set::OctetSet;
use super::path_and_query::PathAndQuery;

/// A path pattern, normalised.
///
/// ```
/// use robots_core::path::{PathAndQuery, Pattern};
/// let pattern = Pattern::new(b"/*.php$");
/// assert!(pattern.matches(&PathAndQuery::parse("/folder/filename.php").unwrap()));
/// assert!(!pattern.matches(&PathAndQuery::parse("/filename.php?parameters").unwrap()));
/// assert_eq!(pattern.precedence(), 7);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern<'p> {
    /// The octets of the pattern, normalised and without the final `$`. Every `*` is a wildcard.
    octets: Cow<'p, [u8]>,
    anchored: bool,
    precedence: usize,
}

impl<'p> Pattern<'p> {
    /// Makes a pattern from the octets of an allow or disallow line's value.
    ///
    /// If the octets begin neither with `/` nor with `*`, this function puts a `/` before them, as google-2018 permits.
    /// Under the other editions, such a line has no effect.
    #[must_use]
    #[inline]
    pub fn new(value: &'p [u8]) -> Self {
        let (body, anchored) = match value.split_last() {
            Some((b'$', body)) => (body, true),
            _ => (value, false),
        };
        let (octets, counted) = match value.first() {
            Some(b'/' | b'*') | None => normalise::pattern(body),
            // Only google-2018 uses a rule that begins neither with `/` nor with `*`. Under the other editions, the
            // rule has no effect, so it is never matched.
            Some(_) => {
                let rooted = [b"/", body].concat();
                let (octets, counted) = normalise::pattern(&rooted);
                (Cow::Owned(octets.into_owned()), counted)
            }
        };
        Self { octets, anchored, precedence: counted + usize::from(anchored) }
    }

    /// Returns a pattern that owns its octets.
    #[cfg(feature = "usage")]
    pub(crate) fn into_owned(self) -> Pattern<'static> {
        let Self { octets, anchored, precedence } = self;
        Pattern { octets: Cow::Owned(octets.into_owned()), anchored, precedence }
    }

    /// Returns the set of the octets in the pattern. A URL that the pattern matches contains all plain octets of this
    /// set.
    pub(crate) fn needs(&self) -> OctetSet {
        OctetSet::of(&self.octets)
    }

    /// Returns the length of the normalised pattern in octets. Each `*` and each `$` in the value counts as one octet.
    /// If several rules match, the rule with the greatest precedence wins.
    #[must_use]
    #[inline]
    pub fn precedence(&self) -> usize {
        self.precedence
    }

    /// Returns whether the pattern matches from the beginning of path and query. Without wildcards, the time is at most
    /// proportional to the length of the pattern. Wildcards add time that is at most proportional to the length of the
    /// URL, multiplied by the number of wildcard segments in the pattern. The function does not backtrack: the first
    /// occurrence of a segment leaves the most octets for the next segments, so a later occurrence is never needed.
    /// Only the segment before a final `$` is compared with the end of the URL.
    #[must_use]
    pub fn matches(&self, path: &PathAndQuery<'_>) -> bool {
        let (literal, tail) = self.split();
        match path.as_octets().strip_prefix(literal) {
            Some(rest) => tail_matches(tail, self.anchored, rest),
            None => false,
        }
    }

    /// Splits the octets into the literal prefix and the rest, which is empty or begins with `*`. If the pattern does
    /// not end with `$`, the stars at its end are left out, because they match everything.
    ///
    /// ```
    /// use robots_core::path::Pattern;
    /// let pattern = Pattern::new(b"/a/*.php$");
    /// assert_eq!(pattern.split(), (&b"/a/"[..], &b"*.php"[..]));
    /// assert!(pattern.is_anchored());
    /// ```
    #[must_use]
    #[inline]
    pub fn split(&self) -> (&[u8], &[u8]) {
        let mut octets = self.octets.as_ref();
        while let (false, Some((b'*', before))) = (self.anchored, octets.split_last()) {
            octets = before;
        }
        octets.split_at(memchr::memchr(b'*', octets).unwrap_or(octets.len()))
    }

    /// Returns whether the octets are borrowed from the value, and are not a normalised copy.
    #[inline]
    pub(crate) fn is_as_written(&self) -> bool {
        matches!(self.octets, Cow::Borrowed(_))
    }

    /// Returns whether the pattern ends with a `$`. If so, a match must reach the end of the URL.
    #[must_use]
    #[inline]
    pub fn is_anchored(&self) -> bool {
        self.anchored
    }

    /// Returns the normalised octets, without the final `$`.
    #[must_use]
    pub fn as_octets(&self) -> &[u8] {
        &self.octets
    }
}

/// Returns whether a pattern's tail (empty, or beginning with `*`) matches the text after the prefix.
pub(crate) fn tail_matches(tail: &[u8], anchored: bool, mut rest: &[u8]) -> bool {
    let Some((_, mut tail)) = tail.split_first() else { return !anchored || rest.is_empty() };
    while let Some(star) = tail.iter().position(|octet| *octet == b'*') {
        let segment = &tail[..star];
        let Some(at) = find(rest, segment) else { return false };
        rest = &rest[at + segment.len()..];
        tail = &tail[star + 1..];
    }
    if anchored { rest.ends_with(tail) } else { find(rest, tail).is_some() }
}

/// Finds a segment. `memmem` prepares a searcher before each search, so this function uses it only if the segment or
/// the text is long.
#[inline]
fn find(haystack: &[u8], segment: &[u8]) -> Option<usize> {
    if haystack.starts_with(segment) {
        return Some(0);
    }
    match segment {
        [octet] => memchr::memchr(*octet, haystack),
        [first, others @ ..] if segment.len() <= 16 && haystack.len() <= 256 => {
            let last = haystack.len().checked_sub(others.len())?;
            memchr::memchr_iter(*first, &haystack[..last])
                .find(|at| haystack[at + 1..].starts_with(others))
        }
        _ => memmem::find(haystack, segment),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rstest::rstest;

    use super::Pattern;
    use crate::path::PathAndQuery;

    fn matches(pattern: &str, url: &str) -> bool {
        Pattern::new(pattern.as_bytes()).matches(&PathAndQuery::parse(url).unwrap())
    }

    #[rstest]
    #[trace]
    #[case("*", "/", true)]
    #[case("**", "/x", true)]
    #[case("*$", "/x", true)]
    #[case("/*$", "/x", true)]
    #[case("/$", "/", true)]
    #[case("/$", "/x", false)]
    #[case("/a$b", "/a$bc", true)]
    #[case("/a$$", "/a$", true)]
    #[case("/a$$", "/a$x", false)]
    #[case("/a%2A", "/a*", true)]
    #[case("/a%2A", "/ab", false)]
    #[case("/a*b*c", "/a-b-b-c-d", true)]
    #[case("/a*bc$", "/abcbc", true)]
    #[case("/a*bc$", "/abc", true)]
    #[case("/ab*b$", "/ab", false)]
    #[case("*.gif$", "/x.gif", true)]
    fn special_characters(#[case] pattern: &str, #[case] url: &str, #[case] expected: bool) {
        assert_eq!(matches(pattern, url), expected);
    }

    /// The reference implementation: it follows the definition octet by octet and takes exponential time. The fast
    /// matcher must give the same result.
    fn by_definition(pattern: &[u8], url: &[u8]) -> bool {
        match pattern {
            [] => true,
            [b'$'] => url.is_empty(),
            [b'*', rest @ ..] => (0..=url.len()).any(|skip| by_definition(rest, &url[skip..])),
            [octet, rest @ ..] => url.first() == Some(octet) && by_definition(rest, &url[1..]),
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4096))]
        #[test]
        fn agrees_with_the_definition(pattern in "/[ab*]{0,8}\\$?", url in "/[ab]{0,12}") {
            prop_assert_eq!(
                matches(&pattern, &url),
                by_definition(pattern.as_bytes(), url.as_bytes())
            );
        }
    }
}
