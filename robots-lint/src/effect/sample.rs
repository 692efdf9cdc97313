//! Makes paths from a pattern, for comparisons with too many states to follow.

use alloc::string::String;
use alloc::vec::Vec;

use robots_core::path::Pattern;

use super::path;

/// Returns paths that the pattern matches. All wildcards are replaced first by no text, then by `x`, then by `/x`. If
/// the pattern has no `$` at its end, some paths have more octets after the match.
pub(super) fn paths(pattern: &Pattern<'_>) -> impl Iterator<Item = String> {
    let octets = pattern.as_octets().to_vec();
    let behind: &[&[u8]] = if pattern.is_anchored() { &[b""] } else { &[b"", b"x", b"/x", b"?x"] };
    ["", "x", "/x"]
        .into_iter()
        .flat_map(move |star| behind.iter().map(move |behind| (star, *behind)))
        .map(move |(star, behind)| {
            let mut normal: Vec<u8> = Vec::with_capacity(octets.len() + behind.len());
            if octets.first() != Some(&b'/') {
                normal.push(b'/');
            }
            for &octet in &octets {
                match octet {
                    b'*' => normal.extend_from_slice(star.as_bytes()),
                    other => normal.push(other),
                }
            }
            normal.extend_from_slice(behind);
            path::written(&normal)
        })
}
