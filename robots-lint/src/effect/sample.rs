//! Makes paths from a pattern: for comparisons with too many states to follow, and for examples that look natural.

use alloc::string::String;
use alloc::vec::Vec;

use robots_core::path::Pattern;

use super::path;

/// Returns a path that the pattern matches and that looks natural, for example `/a.pdf` for `/*.pdf`. A wildcard is
/// replaced by `a` only if the path would else contain `//` or `/.`.
pub(crate) fn sample(pattern: &Pattern<'_>) -> String {
    filled(pattern, "", "")
}

/// Returns natural paths that the pattern matches. If the pattern has no `$` at its end, some paths have more octets
/// after the match.
pub(super) fn natural(pattern: &Pattern<'_>) -> impl Iterator<Item = String> {
    behind(pattern).iter().map(|behind| filled(pattern, "", behind))
}

/// Returns paths that the pattern matches: the natural ones, and then those in which `x` or `/x` replaces each
/// wildcard.
pub(super) fn paths(pattern: &Pattern<'_>) -> impl Iterator<Item = String> {
    let stars = ["x", "/x"].into_iter();
    let others = stars.flat_map(move |star| {
        behind(pattern).iter().map(move |behind| filled(pattern, star, behind))
    });
    natural(pattern).chain(others)
}

/// Returns the texts that may be added after a match.
fn behind(pattern: &Pattern<'_>) -> &'static [&'static str] {
    if pattern.is_anchored() { &[""] } else { &["", "x", "/x", "?x"] }
}

/// Replaces the wildcards of a pattern, and adds a text at its end. A wildcard that is replaced by no text gets an `a`
/// between two slashes, and between a slash and a dot.
fn filled(pattern: &Pattern<'_>, star: &str, behind: &str) -> String {
    let mut normal: Vec<u8> = Vec::new();
    let mut octets = pattern.as_octets().iter().peekable();
    if octets.peek() != Some(&&b'/') {
        normal.push(b'/');
    }
    while let Some(&octet) = octets.next() {
        let is_bare = star.is_empty() && normal.last() == Some(&b'/');
        match octet {
            b'*' if is_bare && matches!(octets.peek(), Some(b'/' | b'.')) => normal.push(b'a'),
            b'*' => normal.extend_from_slice(star.as_bytes()),
            other => normal.push(other),
        }
    }
    normal.extend_from_slice(behind.as_bytes());
    path::written(&normal)
}
