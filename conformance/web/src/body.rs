//! Bodies as octets: escapes, parts, pages of links, content codings.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::io::Write as _;

use flate2::Compression;
use flate2::write::GzEncoder;

use crate::response::{Body, Coding, Part};

/// The media type of what is no page of links.
pub(crate) const PLAIN: &str = "text/plain; charset=utf-8";

/// Says how `{name}` is written out.
pub(crate) type Expand<'a> = dyn Fn(&str) -> String + 'a;

impl Body {
    /// Replaces text in text.
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
            Self::Escaped(text) => (unescape(&expand(text))?, PLAIN),
            Self::Parts(parts) => (join(parts, expand)?, PLAIN),
            Self::Links(links) => (page(links, expand).into_bytes(), "text/html; charset=utf-8"),
        })
    }
}

/// Encodes octets.
pub(crate) fn encode(octets: &[u8], coding: Coding) -> Vec<u8> {
    match coding {
        Coding::Gzip => gzip(octets),
        Coding::Br => {
            let mut encoded = Vec::new();
            let mut writer = brotli::CompressorWriter::new(&mut encoded, 4096, 5, 20);
            writer.write_all(octets).expect("memory takes it");
            drop(writer);
            encoded
        }
        Coding::Zstd => zstd::encode_all(octets, 1).expect("memory takes it"),
    }
}

fn gzip(octets: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(octets).expect("memory takes it");
    encoder.finish().expect("memory takes it")
}

/// Returns the octets and behind them 256 MiB of comments, as gzip members of some 250 KiB in all.
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
fn unescape(text: &str) -> Result<Vec<u8>, String> {
    let mut octets = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        octets.extend_from_slice(&rest.as_bytes()[..at]);
        let escape = &rest[at + 1..];
        let hex = |digits: &str| u8::from_str_radix(digits, 16).ok();
        let (octet, length) = match escape.as_bytes().first() {
            Some(b'r') => (Some(b'\r'), 1),
            Some(b'n') => (Some(b'\n'), 1),
            Some(b't') => (Some(b'\t'), 1),
            Some(b'\\') => (Some(b'\\'), 1),
            Some(b'x') => (escape.get(1..3).and_then(hex), 3),
            _ => (None, 0),
        };
        octets.push(octet.ok_or_else(|| {
            let shown: String = escape.chars().take(3).collect();
            format!("bad escape `\\{shown}`; the escapes are \\r, \\n, \\t, \\\\ and \\xNN")
        })?);
        rest = &escape[length..];
    }
    octets.extend_from_slice(rest.as_bytes());
    Ok(octets)
}

fn join(parts: &[Part], expand: &Expand<'_>) -> Result<Vec<u8>, String> {
    let mut octets = Vec::new();
    for part in parts {
        let one = match (&part.text, &part.escaped) {
            (Some(text), None) => expand(text).into_bytes(),
            (None, Some(text)) => unescape(&expand(text))?,
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
        writeln!(page, "<li><a href=\"{link}\">{link}</a></li>").expect("a string takes it");
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

    use rstest::rstest;

    use super::*;

    #[rstest]
    #[trace]
    #[case("a\\r\\n\\t\\\\", Ok(b"a\r\n\t\\".to_vec()))]
    #[case("\\xEF\\xbb", Ok(vec![0xEF, 0xBB]))]
    #[case("\\q", Err(()))]
    #[case("\\x1", Err(()))]
    #[case("\\", Err(()))]
    fn escapes(#[case] text: &str, #[case] octets: Result<Vec<u8>, ()>) {
        assert_eq!(unescape(text).map_err(|_| ()), octets);
    }

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
