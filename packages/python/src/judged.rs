//! Makes the form of a URL about which a verdict is given: the form that HTTP clients send.
//!
//! HTTP clients remove dot segments (`/a/../b` becomes `/b`) and tabs, and many read `\` as `/`. If a verdict were
//! about the URL as given, a client could fetch a page that the verdict is not about. So the `url` crate changes URLs
//! in this way, as browsers do, before the rules are applied. Start at [`rewritten`]. [`governed`] prepares the URLs of
//! a crawler's requests.

use std::borrow::Cow;

use pyo3::prelude::*;
use robots_fetch::CacheKey;
use url::{ParseError, Position, Url};

use crate::arguments::refused_url;

/// Returns the form in which clients send a URL, or `None` if they certainly send it unchanged or if it cannot be
/// parsed. `origin` is the cache key of the URL. Instead of a URL, `url` may be a path of this origin.
///
/// The query is not encoded, because HTTP clients encode it in different ways.
pub(crate) fn rewritten(origin: &str, url: &str) -> Option<String> {
    if !may_be_rewritten(url) {
        return None;
    }
    let url = url.trim_matches(|character: char| character <= ' ');
    let url: String =
        url.chars().filter(|character| !matches!(character, '\t' | '\n' | '\r')).collect();
    let parsed = Url::parse(origin).ok()?.join(&url).ok()?;
    let without_fragment = url.split_once('#').map_or(&*url, |(before, _)| before);
    let query = without_fragment.find('?').map_or("", |at| &without_fragment[at..]);
    Some(format!("{}{query}", &parsed[..Position::AfterPath]))
}

/// Returns whether [`rewritten`] may change a URL. This check avoids the URL parser for most URLs, because parsing
/// takes longer than a verdict from memory.
fn may_be_rewritten(url: &str) -> bool {
    let octets = url.as_bytes();
    let begins_dots = |part: &[u8]| matches!(part, [b'/', b'.', _] | [b'/', b'%', b'2']);
    octets.iter().any(|octet| matches!(octet, 0..=b' ' | b'\\'))
        || octets.windows(3).any(begins_dots)
        || octets.ends_with(b"/.")
}

/// Returns the URL of a request without its user information, or `None` if the URL is relative or its scheme has no
/// robots.txt. Rules do not depend on user information, so a URL with it has the verdict of the URL without it.
///
/// # Errors
/// Raises `ValueError` if robots.txt may govern the URL, but HTTP clients do not agree about its origin.
#[pyfunction]
#[pyo3(name = "_governed")]
pub(crate) fn governed(url: &str) -> PyResult<Option<Cow<'_, str>>> {
    match Url::parse(url) {
        Ok(parsed) if !matches!(parsed.scheme(), "http" | "https" | "ftp") => return Ok(None),
        Err(ParseError::RelativeUrlWithoutBase) => return Ok(None),
        _ => {}
    }
    let url = without_userinfo(url);
    CacheKey::of(&url).map_err(|error| refused_url(&url, &error))?;
    Ok(Some(url))
}

fn without_userinfo(url: &str) -> Cow<'_, str> {
    let Some((scheme, after)) = url.split_once("://") else { return Cow::Borrowed(url) };
    let end = after.find(['/', '?', '#']).unwrap_or(after.len());
    match after[..end].rsplit_once('@') {
        // Some clients end the host at a backslash. So a URL with a backslash before the `@` is returned unchanged, and
        // is refused later.
        Some((userinfo, _)) if !userinfo.contains('\\') => {
            Cow::Owned(format!("{scheme}://{}", &after[userinfo.len() + 1..]))
        }
        _ => Cow::Borrowed(url),
    }
}
