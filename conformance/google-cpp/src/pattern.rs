//! Compares path patterns with paths in the same way as the library. A pattern may have `*` and a final `$`. Octets
//! outside ASCII are percent-encoded in a pattern, but not in a path. Nothing is decoded.

use std::borrow::Cow;

use memchr::memmem;

/// If the last segment of an allow rule begins with this text, the rule also allows the folder of the page.
const INDEX_PAGE: &[u8] = b"/index.htm";

/// A path pattern.
pub(crate) struct Pattern<'p> {
    /// The octets without the final `$`; each `*` is a wildcard.
    octets: Cow<'p, [u8]>,
    is_anchored: bool,
}

impl<'p> Pattern<'p> {
    pub(crate) fn new(value: &'p [u8]) -> Self {
        match value.split_last() {
            Some((b'$', body)) => Self { octets: escaped(body), is_anchored: true },
            _ => Self { octets: escaped(value), is_anchored: false },
        }
    }

    /// Makes the pattern that matches only the folder of an index page. Returns `None` if the last segment of the value
    /// does not begin with [`INDEX_PAGE`].
    pub(crate) fn folder(value: &'p [u8]) -> Option<Self> {
        let slash = memchr::memrchr(b'/', value)?;
        let folder = value[slash..].starts_with(INDEX_PAGE).then(|| &value[..=slash])?;
        Some(Self { octets: escaped(folder), is_anchored: true })
    }

    /// Returns the length of the pattern in octets. If several rules match, the longest one decides.
    pub(crate) fn len(&self) -> usize {
        self.octets.len() + usize::from(self.is_anchored)
    }

    /// Returns whether the pattern matches a path from its beginning.
    ///
    /// For a part between two stars, the first occurrence is the best one, because it leaves the most octets for the
    /// next parts. So the search never needs to try a later occurrence.
    pub(crate) fn matches(&self, path: &[u8]) -> bool {
        let mut parts = self.octets.split(|octet| *octet == b'*');
        let literal = parts.next().unwrap_or_default();
        let Some(mut rest) = path.strip_prefix(literal) else { return false };
        let Some(last) = parts.next_back() else { return !self.is_anchored || rest.is_empty() };
        for part in parts {
            match memmem::find(rest, part) {
                Some(at) => rest = &rest[at + part.len()..],
                None => return false,
            }
        }
        if self.is_anchored { rest.ends_with(last) } else { memmem::find(rest, last).is_some() }
    }
}

/// Percent-encodes octets outside ASCII, and writes the hexadecimal digits of percent-encoded octets in upper case.
fn escaped(octets: &[u8]) -> Cow<'_, [u8]> {
    const HEX: &[u8; 16] = b"0123456789ABCDEF";
    if octets.is_ascii() && !octets.contains(&b'%') {
        return Cow::Borrowed(octets);
    }
    let mut out = Vec::with_capacity(octets.len() + 32);
    let mut rest = octets;
    while let Some((&octet, behind)) = rest.split_first() {
        rest = behind;
        match behind {
            [high, low, behind @ ..]
                if octet == b'%' && high.is_ascii_hexdigit() && low.is_ascii_hexdigit() =>
            {
                out.extend([b'%', high.to_ascii_uppercase(), low.to_ascii_uppercase()]);
                rest = behind;
            }
            _ if octet.is_ascii() => out.push(octet),
            _ => out.extend([b'%', HEX[usize::from(octet >> 4)], HEX[usize::from(octet & 15)]]),
        }
    }
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rstest::rstest;

    use super::Pattern;

    #[rstest]
    #[trace]
    #[case("/a", "/ab", true)]
    #[case("/a$", "/ab", false)]
    #[case("/a$b", "/a$b", true)]
    #[case("*a$", "/ba", true)]
    #[case("/a*b*c", "/a-b-c-d", true)]
    #[case("/a*bc$", "/abcbc", true)]
    #[case("/ab*b$", "/ab", false)]
    #[case("/%c3%a9", "/%C3%A9", true)]
    #[case("/é", "/%C3%A9", true)]
    #[case("/é", "/é", false)]
    #[case("/%41", "/A", false)]
    #[case("/100%", "/100%", true)]
    #[case("a", "/a", false)]
    #[case("", "/a", true)]
    #[case("$", "/", false)]
    fn matching(#[case] pattern: &str, #[case] path: &str, #[case] expected: bool) {
        assert_eq!(Pattern::new(pattern.as_bytes()).matches(path.as_bytes()), expected);
    }

    #[rstest]
    #[trace]
    #[case("/a/index.html", Some("/a/"))]
    #[case("/index.htm?b", Some("/"))]
    #[case("/a/index.php", None)]
    #[case("index.html", None)]
    fn folders(#[case] value: &str, #[case] folder: Option<&str>) {
        let found = Pattern::folder(value.as_bytes());
        assert_eq!(found.as_ref().map(|found| &found.octets[..]), folder.map(str::as_bytes));
        assert!(found.is_none_or(|found| found.matches(folder.unwrap().as_bytes())));
    }

    /// The reference implementation. This function follows the definition of a pattern, one octet at a time.
    fn by_definition(pattern: &[u8], path: &[u8]) -> bool {
        match pattern {
            [] => true,
            [b'$'] => path.is_empty(),
            [b'*', rest @ ..] => (0..=path.len()).any(|skip| by_definition(rest, &path[skip..])),
            [octet, rest @ ..] => path.first() == Some(octet) && by_definition(rest, &path[1..]),
        }
    }

    proptest! {
        #[test]
        fn agrees_with_the_definition(pattern in "/[ab*]{0,8}\\$?", path in "/[ab]{0,12}") {
            let found = Pattern::new(pattern.as_bytes()).matches(path.as_bytes());
            prop_assert_eq!(found, by_definition(pattern.as_bytes(), path.as_bytes()));
        }
    }
}
