//! Classifies a file as a whole: text, or another format that a site serves by mistake.
//!
//! [`Whole::of`] looks only at the beginning of the file, for octets that are typical of a format.

/// The number of octets at the beginning of a file that are checked.
const LOOKED_AT: usize = 1024;

/// The format of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Whole {
    Text,
    /// UTF-16 or UTF-32.
    Utf16,
    /// A page of markup.
    Html,
    /// A compressed file, or another binary format.
    NotText,
}

impl Whole {
    /// Returns whether a file of this format can contain lines of robots.txt.
    pub(super) const fn has_lines(self) -> bool {
        matches!(self, Self::Text | Self::Html)
    }

    /// Classifies a file by its beginning.
    pub(super) fn of(octets: &[u8]) -> Self {
        let start = &octets[..octets.len().min(LOOKED_AT)];
        if start.starts_with(b"\xFF\xFE")
            || start.starts_with(b"\xFE\xFF")
            || every_second_nul(start)
        {
            Self::Utf16
        } else if start.contains(&0) || MAGIC.iter().any(|magic| start.starts_with(magic)) {
            Self::NotText
        } else if is_markup(start) {
            Self::Html
        } else {
            Self::Text
        }
    }
}

/// The beginnings of compressed and binary files: gzip, zip, zstd, PDF, PNG, JPEG, GIF.
const MAGIC: [&[u8]; 7] = [
    b"\x1F\x8B",
    b"PK\x03\x04",
    b"\x28\xB5\x2F\xFD",
    b"%PDF-",
    b"\x89PNG",
    b"\xFF\xD8\xFF",
    b"GIF8",
];

/// The beginnings of HTML pages. The comparison ignores ASCII case, and ignores white space at the start of the file.
const MARKUP: [&[u8]; 9] =
    [b"<!doctype", b"<html", b"<head", b"<body", b"<?xml", b"<?php", b"<!--", b"<script", b"<meta"];

fn is_markup(start: &[u8]) -> bool {
    let start = start.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(start).trim_ascii_start();
    MARKUP
        .iter()
        .any(|tag| start.get(..tag.len()).is_some_and(|begins| begins.eq_ignore_ascii_case(tag)))
}

/// Returns whether every second octet is NUL, as in ASCII text that is encoded as UTF-16.
fn every_second_nul(start: &[u8]) -> bool {
    let (pairs, _) = start.as_chunks::<2>();
    let pairs = &pairs[..pairs.len().min(32)];
    let all = |nul: usize| pairs.iter().all(|pair| pair[nul] == 0 && pair[1 - nul] != 0);
    pairs.len() >= 2 && (all(0) || all(1))
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::Whole;

    #[rstest]
    #[trace]
    #[case(b"", Whole::Text)]
    #[case(b"user-agent: *\n", Whole::Text)]
    #[case(b"\xEF\xBB\xBFuser-agent: *\n", Whole::Text)]
    #[case(b"\xFF\xFEu\0", Whole::Utf16)]
    #[case(b"\xFE\xFF\0u", Whole::Utf16)]
    #[case(b"u\0s\0e\0r\0", Whole::Utf16)]
    #[case(b"\0u\0s\0e\0r", Whole::Utf16)]
    #[case(b"\x1F\x8B\x08\x00", Whole::NotText)]
    #[case(b"user-agent: \0", Whole::NotText)]
    #[case(b"  \r\n<!DOCTYPE html>", Whole::Html)]
    #[case(b"\xEF\xBB\xBF<HTML>", Whole::Html)]
    #[case(b"<p>", Whole::Text)]
    fn the_beginning_tells(#[case] octets: &[u8], #[case] expected: Whole) {
        assert_eq!(Whole::of(octets), expected);
    }
}
