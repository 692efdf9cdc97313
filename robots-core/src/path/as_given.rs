//! Paths as Google's published C++ library takes them: from any text, compared as given.
//!
//! Start at [`path`]. No URL asked by an edition comes by.

use crate::text::before_nul;

/// The beginning of the last segment of an allow rule that also allows its folder.
const INDEX_PAGE: &[u8] = b"/index.htm";

/// Returns the path, parameters and query of a text, taken for a URL whatever it is; `None` stands for
/// `/`, and what begins without a slash lacks it.
///
/// They begin at the first `/`, `?` or `;` behind a `://` that none of these precedes, and end at the
/// fragment. Two slashes at the very start are passed over.
pub(crate) fn path(text: &[u8]) -> Option<&[u8]> {
    let (_, text) = text.split_at(if text.starts_with(b"//") { 2 } else { 0 });
    let begins =
        |octets: &[u8]| octets.iter().position(|octet| matches!(octet, b'/' | b'?' | b';'));
    let scheme = memchr::memmem::find(text, b"://").filter(|at| begins(&text[..*at]).is_none());
    let authority = scheme.map_or(0, |at| at + b"://".len());
    let start = authority + begins(&text[authority..])?;
    let end = memchr::memchr(b'#', text).unwrap_or(text.len());
    text.get(start..end).map(before_nul)
}

/// Returns the part of an allow rule's value that is a pattern of its own, to match whole: the folder of
/// an index page, its slash included.
pub(crate) fn folder(value: &[u8]) -> Option<&[u8]> {
    let slash = memchr::memrchr(b'/', value)?;
    value[slash..].starts_with(INDEX_PAGE).then(|| &value[..=slash])
}
