//! Matches rules in their written form, without compiling them. This is faster if a file is used for only a few
//! verdicts.
//!
//! Most rules and most URLs consist of octets that are their own normal form. [`Url::precedence`] compares such octets
//! without copying them. The function makes no [`Pattern`], so it does not scan or copy the whole of a rule that does
//! not match. For every other rule and URL, it calls [`Pattern::matches`], the reference implementation. Property tests
//! below compare the results.
//!
//! `cargo xtask bench`, "verdict without compiling", shows the gain. With this module, `cargo xtask bench instructions`
//! counts a tenth fewer instructions.

use crate::line::span::Span;
use crate::path::octet_set::OctetSet;
use crate::path::{PathAndQuery, Pattern, normalise, pattern};

/// The path and query of a URL, prepared for comparison with many rules.
pub(super) struct Url<'u> {
    path: &'u PathAndQuery<'u>,
    octets: &'u [u8],
    /// The first eight octets as one number. Most rules differ from the URL in these octets, so one comparison of two
    /// numbers rejects them.
    first: u64,
    /// Whether every octet is its own normal form. If so, no octet belongs to a triplet (`%` and two hex digits), so a
    /// comparison may stop at any octet.
    is_plain: bool,
}

impl<'u> Url<'u> {
    #[inline]
    pub(super) fn new(path: &'u PathAndQuery<'u>) -> Self {
        let octets = path.as_octets();
        Self { path, octets, first: first_word(octets), is_plain: path.held().is_plain() }
    }

    /// Returns the precedence of a rule, if the rule matches. `value` is the span of the rule's value in the file.
    #[inline]
    pub(super) fn precedence(&self, file: &[u8], value: Span) -> Option<usize> {
        let written = &file[value.range()];
        let at = self.common(file, value.start(), written);
        match written.get(at) {
            // The path of a URL begins with a slash. So if `at > 0`, the value begins with a slash too, and google-2018
            // puts no slash before it.
            Some(octet) if at > 0 && normalise::is_plain(*octet) => {
                // The octets before `at` are equal to octets of the URL. If the URL is plain, none of them belongs to a
                // triplet.
                if self.is_plain || !ends_in_triplet(&written[..at]) {
                    return None;
                }
                self.by_pattern(written)
            }
            None if self.is_plain => Some(written.len()),
            _ => self.special(written, at),
        }
    }

    /// Returns the length of the common prefix of a value and the URL.
    #[inline]
    fn common(&self, file: &[u8], start: usize, written: &[u8]) -> usize {
        let same = match file.get(start..).and_then(<[u8]>::first_chunk) {
            // These eight octets may include octets after the value, so the result is limited below.
            Some(eight) => match u64::from_le_bytes(*eight) ^ self.first {
                0 => 8 + equal(written.get(8..), self.octets.get(8..)),
                differ => differ.trailing_zeros() as usize / 8,
            },
            None => equal(Some(written), Some(self.octets)),
        };
        same.min(written.len()).min(self.octets.len())
    }

    /// Returns the precedence of a rule that matches up to an octet that is a wildcard or is not its own normal form.
    fn special(&self, written: &[u8], at: usize) -> Option<usize> {
        let (body, anchored) = match written.split_last() {
            Some((b'$', body)) => (body, true),
            _ => (written, false),
        };
        let Some(mut tail) = body.get(at..).filter(|_| self.is_plain) else {
            return self.by_pattern(written);
        };
        let needs = OctetSet::of(tail);
        // If `at` is 0, the value begins with a star, or with an octet before which google-2018 puts a slash.
        let is_wildcard = tail.first() == Some(&b'*') || tail.is_empty() && at > 0;
        if needs.has_other_form() || !is_wildcard {
            return self.by_pattern(written);
        }
        while let (false, Some((b'*', before))) = (anchored, tail.split_last()) {
            tail = before;
        }
        let matches = self.path.held().may_hold(needs)
            && pattern::tail_matches(tail, anchored, &self.octets[at..]);
        // A written `*` or `$` counts as one octet, and every other octet is its own normal form.
        matches.then_some(written.len())
    }

    /// Returns the precedence that the reference implementation computes, if the rule matches.
    #[cold]
    fn by_pattern(&self, written: &[u8]) -> Option<usize> {
        let pattern = Pattern::new(written);
        let matches = self.path.held().may_hold(pattern.needs()) && pattern.matches(self.path);
        matches.then(|| pattern.precedence())
    }
}

/// Returns whether one of the last two octets is a `%`, so that the next octet may belong to a triplet.
fn ends_in_triplet(octets: &[u8]) -> bool {
    octets.iter().rev().take(2).any(|octet| *octet == b'%')
}

/// Returns the length of the common prefix of two texts. A missing text counts as empty.
#[inline]
fn equal(one: Option<&[u8]>, other: Option<&[u8]>) -> usize {
    let (Some(one), Some(other)) = (one, other) else { return 0 };
    one.iter().zip(other).take_while(|(a, b)| a == b).count()
}

/// Returns the first eight octets as one number. The first octet becomes the lowest octet of the number. If the text
/// has fewer octets, the others are zero.
#[inline]
fn first_word(octets: &[u8]) -> u64 {
    match octets.first_chunk() {
        Some(eight) => u64::from_le_bytes(*eight),
        None => octets.iter().rev().fold(0, |word, octet| word << 8 | u64::from(*octet)),
    }
}

#[cfg(test)]
mod tests {
    use alloc::string::String;
    use alloc::vec::Vec;

    use proptest::prelude::*;

    use super::Url;
    use crate::line::span::Span;
    use crate::path::{PathAndQuery, Pattern};

    /// The octets of random values and URLs. They include octets of each class that the comparison distinguishes.
    const OCTETS: &[u8] = b"/ab%26eE*$~\xc3\xa9 \\.?";

    prop_compose! {
        fn text(most: usize)(choices in prop::collection::vec(0..OCTETS.len(), 0..most)) -> Vec<u8> {
            choices.into_iter().map(|choice| OCTETS[choice]).collect()
        }
    }

    fn by_reference(value: &[u8], path: &PathAndQuery<'_>) -> Option<usize> {
        let pattern = Pattern::new(value);
        pattern.matches(path).then(|| pattern.precedence())
    }

    fn agree(value: &[u8], behind: &[u8], url: &[u8]) -> Result<(), TestCaseError> {
        let url = String::from_utf8_lossy(url).into_owned();
        let path = PathAndQuery::parse(&url).unwrap();
        let file = [b"disallow:", value, behind].concat();
        let span = Span::new(9, 9 + value.len());
        let found = Url::new(&path).precedence(&file, span);
        prop_assert_eq!(found, by_reference(value, &path), "{:?} {:?}", value.escape_ascii(), url);
        Ok(())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(8192))]

        /// In the first comparison, the value and the URL begin with the same octets, so that the octets after the
        /// common prefix decide. In the second comparison, they may differ earlier.
        #[test]
        fn a_value_matches_as_its_pattern_does(
            (shared, value, url) in (text(14), text(8), text(14)),
            behind in prop::sample::select(vec![&b""[..], b"\n", b" # comment\nallow: /", b"ab/ab/ab"]),
        ) {
            let value = [b"/", &shared[..], &value].concat();
            agree(&value, behind, &[b"/", &shared[..], &url].concat())?;
            agree(&value, behind, &[b"/", &url[..]].concat())?;
        }

        /// google-2018 also accepts rules whose value begins neither with a slash nor with a star.
        #[test]
        fn a_value_without_slash_matches_as_its_pattern_does(
            first in 1..OCTETS.len(), value in text(5), url in text(8),
        ) {
            let value = [&[OCTETS[first]][..], &value].concat();
            agree(&value, b"\n", &[b"/", &url[..]].concat())?;
        }

        /// The values have only plain octets and wildcards, so that the fast comparison itself decides.
        #[test]
        fn plain_octets_match_as_their_pattern_does(value in "/[ab*]{0,12}\\$?", url in "/[ab]{0,14}") {
            agree(value.as_bytes(), b"\nallow: /a", url.as_bytes())?;
        }
    }
}
