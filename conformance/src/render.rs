//! Renders octets, URLs, and texts from outside this program, as `robots-console` does. Diffs, deviations and reports
//! use the same form.

pub use robots_console::render::{
    counted, cut, elided, is_visible, message, name, nearest, octets, text, visible,
};

/// Returns the whole URL for a URL of a case. A URL that begins with `/` belongs to `https://example.com`.
pub(crate) fn absolute(url: &str) -> String {
    if url.starts_with('/') { format!("https://example.com{url}") } else { url.to_owned() }
}
