//! Makes the octets of bodies from their description: escapes, parts, pages of links, content codings.
//!
//! Start at `Body::octets`, which makes a body, and [`encode()`], which applies a content coding. This module does not
//! know HTTP.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::io::Write as _;

use flate2::Compression;
use flate2::write::GzEncoder;
use robots_spec_cases::unescape;

use crate::response::{Body, Coding, Part};

/// The media type of a body that is not a page of links.
pub(crate) const PLAIN: &str = "text/plain; charset=utf-8";

/// A function that replaces each `{name}` in a text by the scheme and authority of the origin with this name.
pub(crate) type Expand<'a> = dyn Fn(&str) -> String + 'a;

impl Body {
    /// Replaces a text with another text in the body. Links are not changed.
    pub(crate) fn replace(&mut self, from: &str, to: &str) {
        match self {
            Self::Links(_) => {}
            Self::Text(text) | Self::Escaped(text) => *text = text.replace(from, to),
            Self::Parts(parts) => {
                let texts = parts.iter_mut().flat_map(|part| [&mut part.text, &mut part.escaped]);
                texts.flatten().for_each(|text| *text = text.replace(from, to));
            }
        }
    }

    /// Returns the octets, and the media type that fits them.
    pub(crate) fn octets(&self, expand: &Expand<'_>) -> Result<(Vec<u8>, &'static str), String> {
        Ok(match self {
            Self::Text(text) => (expand(text).into_bytes(), PLAIN),
            Self::Escaped(text) => (octets_of(&expand(text))?, PLAIN),
            Self::Parts(parts) => (join(parts, expand)?, PLAIN),
            Self::Links(links) => (page(links, expand).into_bytes(), "text/html; charset=utf-8"),
        })
    }
}

/// Encodes octets with a content coding.
pub(crate) fn encode(octets: &[u8], coding: Coding) -> Vec<u8> {
    match coding {
        Coding::Gzip => gzip(octets),
        Coding::Br => {
            let mut encoded = Vec::new();
            let mut writer = brotli::CompressorWriter::new(&mut encoded, 4096, 5, 20);
            writer.write_all(octets).expect("writing to memory cannot fail");
            drop(writer);
            encoded
        }
        Coding::Zstd => zstd::encode_all(octets, 1).expect("writing to memory cannot fail"),
    }
}

fn gzip(octets: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(octets).expect("writing to memory cannot fail");
    encoder.finish().expect("writing to memory cannot fail")
}

/// Returns a gzip body of about 250 KiB. The body decodes to the octets, followed by 256 MiB of comments.
pub(crate) fn bomb(octets: &[u8]) -> Vec<u8> {
    let mut comment = vec![b'#'; 1 << 20];
    comment[(1 << 20) - 1] = b'\n';
    let member = gzip(&comment);
    let mut bomb = gzip(octets);
    for _ in 0..256 {
        bomb.extend_from_slice(&member);
    }
    bomb
}

/// Turns escaped text into octets.
fn octets_of(text: &str) -> Result<Vec<u8>, String> {
    unescape(text).map_err(|problem| problem.to_string())
}

fn join(parts: &[Part], expand: &Expand<'_>) -> Result<Vec<u8>, String> {
    let mut octets = Vec::new();
    for part in parts {
        let one = match (&part.text, &part.escaped) {
            (Some(text), None) => expand(text).into_bytes(),
            (None, Some(text)) => octets_of(&expand(text))?,
            _ => return Err("a part has `text` or `escaped`, one of them".to_owned()),
        };
        octets.extend(one.repeat(part.times));
    }
    Ok(octets)
}

fn page(links: &[String], expand: &Expand<'_>) -> String {
    let mut page =
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>A page of links</title>\n</head>\n<body>\n\
         <h1>A page of links</h1>\n<ul>\n"
            .to_owned();
    for link in links {
        let link = expand(link);
        let link = escape_html(&link);
        writeln!(page, "<li><a href=\"{link}\">{link}</a></li>")
            .expect("writing to a string cannot fail");
    }
    page.push_str("</ul>\n</body>\n</html>\n");
    page
}

fn escape_html(text: &str) -> Cow<'_, str> {
    if !text.contains(['&', '<', '"']) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;"))
}

#[cfg(test)]
mod tests {
    use std::io::Read as _;

    use super::*;

    #[test]
    fn codings_can_be_undone() {
        let text = b"user-agent: *\ndisallow: /x\n".repeat(50);
        let mut plain = Vec::new();
        let gzip = encode(&text, Coding::Gzip);
        flate2::read::GzDecoder::new(&gzip[..]).read_to_end(&mut plain).unwrap();
        assert_eq!(plain, text);
        plain.clear();
        let br = encode(&text, Coding::Br);
        brotli::Decompressor::new(&br[..], 4096).read_to_end(&mut plain).unwrap();
        assert_eq!(plain, text);
        plain.clear();
        let zstd = encode(&text, Coding::Zstd);
        zstd::Decoder::new(&zstd[..]).unwrap().read_to_end(&mut plain).unwrap();
        assert_eq!(plain, text);
    }

    #[test]
    fn links_are_escaped() {
        let (page, kind) =
            Body::Links(vec!["/?a&\"b\"<".to_owned()]).octets(&str::to_owned).unwrap();
        assert!(kind.starts_with("text/html"));
        assert!(String::from_utf8(page).unwrap().contains("href=\"/?a&amp;&quot;b&quot;&lt;\""));
    }
}
