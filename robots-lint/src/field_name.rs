//! Classifies field names that no published edition defines: fields of other documents, misspellings, and unknown
//! names.
//!
//! Start at [`of`]. The table at the end of this file lists the fields of other documents. Any other name is compared
//! with all known names, to find misspellings.

use robots_core::Edition;
use robots_core::syntax::Field;

/// The class of a field name that no published edition defines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FieldName {
    /// A misspelling of a field that robots.txt defines.
    Misspelt(Field),
    /// A field that another document defines.
    Extension(&'static Extension),
    /// A misspelling of a field that another document defines.
    MisspeltExtension(&'static Extension),
    /// A field that no known document defines.
    Unknown,
}

/// A field that another document defines, but no published edition does.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Extension {
    /// The name, in lower case.
    pub(crate) name: &'static str,
    /// A description of the field: often its purpose, and who defines it or reads it.
    pub(crate) of: &'static str,
    /// Advice about what to do instead, if no crawler obeys the field any more.
    pub(crate) instead: Option<&'static str>,
}

/// Returns the fields that published editions define. A field that only a draft defines counts as an extension.
pub(crate) fn published() -> impl Iterator<Item = Field> {
    Field::ALL.iter().copied().filter(|field| Edition::default().defines(*field))
}

/// Returns the field with this name, if published editions define it. The comparison ignores ASCII case.
pub(crate) fn named(name: &[u8]) -> Option<Field> {
    Field::named(name).filter(|field| Edition::default().defines(*field))
}

/// Returns the class of a field name that robots.txt does not define.
pub(crate) fn of(name: &[u8]) -> FieldName {
    if let Some(extension) = extension(name) {
        return FieldName::Extension(extension);
    }
    if let Some((_, field)) = ALIASES.iter().find(|(alias, _)| same(alias, name)) {
        return FieldName::Misspelt(*field);
    }
    let close = |to: &str| {
        let most = match to.len() {
            0..=4 => 0,
            5..=6 => 1,
            _ => 2,
        };
        within(name, to, most)
    };
    let fields = published().filter_map(|field| Some((close(field.name())?, field)));
    if let Some((_, field)) = fields.min_by_key(|(distance, _)| *distance) {
        return FieldName::Misspelt(field);
    }
    let known = EXTENSIONS.iter().filter_map(|known| Some((close(known.name)?, known)));
    match known.min_by_key(|(distance, _)| *distance) {
        Some((_, known)) => FieldName::MisspeltExtension(known),
        None => FieldName::Unknown,
    }
}

/// Returns the field at the start of a line without a colon, and the length of its name in octets.
pub(crate) fn leading(text: &[u8]) -> Option<(Field, usize)> {
    let end = text.iter().position(|octet| matches!(octet, b' ' | b'\t' | b'=' | b';'));
    let end = end.unwrap_or(text.len());
    let field = named(&text[..end]).or_else(|| match of(&text[..end]) {
        FieldName::Misspelt(field) => Some(field),
        _ => None,
    })?;
    Some((field, end))
}

fn extension(name: &[u8]) -> Option<&'static Extension> {
    EXTENSIONS.iter().find(|known| same(known.name, name))
}

fn same(one: &str, other: &[u8]) -> bool {
    one.as_bytes().eq_ignore_ascii_case(other)
}

/// Returns the edit distance of a name to a known name of at most 24 octets, if it is at most `most`.
pub(crate) fn within(name: &[u8], to: &str, most: usize) -> Option<usize> {
    if to.len().abs_diff(name.len()) > most {
        return None;
    }
    Some(distance(name, to.as_bytes())).filter(|distance| *distance <= most)
}

/// Returns the edit distance of two names: the smallest number of octets to insert, remove, replace or swap with their
/// neighbour. The comparison ignores ASCII case.
fn distance(name: &[u8], to: &[u8]) -> usize {
    // The distance is computed in a table, of which only three rows are stored. No known name has more than `LONGEST`
    // octets.
    const LONGEST: usize = 24;
    let mut rows = [[0_usize; LONGEST + 1]; 3];
    let width = to.len().min(LONGEST);
    for (at, cell) in rows[0].iter_mut().enumerate() {
        *cell = at;
    }
    for (i, given) in name.iter().enumerate() {
        let [before_last, last, row] = [(i + 2) % 3, i % 3, (i + 1) % 3];
        rows[row][0] = i + 1;
        for j in 0..width {
            let differ = usize::from(!given.eq_ignore_ascii_case(&to[j]));
            let replaced = rows[last][j] + differ;
            let (inserted, left_out) = (rows[row][j] + 1, rows[last][j + 1] + 1);
            let fewest = replaced.min(inserted).min(left_out);
            let is_swap = i > 0
                && j > 0
                && given.eq_ignore_ascii_case(&to[j - 1])
                && name[i - 1].eq_ignore_ascii_case(&to[j]);
            let swapped = if is_swap { rows[before_last][j - 1] + 1 } else { fewest };
            rows[row][j + 1] = fewest.min(swapped);
        }
    }
    rows[name.len() % 3][width]
}

/// Wrong names that authors use for fields, with the right field. These names differ so much from the right names that
/// the edit distance does not find them.
const ALIASES: [(&str, Field); 8] = [
    ("agent", Field::UserAgent),
    ("user", Field::UserAgent),
    ("bot", Field::UserAgent),
    ("deny", Field::Disallow),
    ("block", Field::Disallow),
    ("noallow", Field::Disallow),
    ("permit", Field::Allow),
    ("site map url", Field::Sitemap),
];

const fn read(name: &'static str, of: &'static str) -> Extension {
    Extension { name, of, instead: None }
}

const fn not_obeyed(name: &'static str, of: &'static str, instead: &'static str) -> Extension {
    Extension { name, of, instead: Some(instead) }
}

const INDEXING: &str =
    "allow the page, and put it into a robots meta element or an X-Robots-Tag header";
const HOST: &str = "redirect to the preferred host";
const COMMENT: &str = "write a comment, which begins with #";

/// The fields that other documents define.
const EXTENSIONS: [Extension; 24] = [
    read(
        "crawl-delay",
        "the number of seconds between two requests, which Bing and others read and Google ignores",
    ),
    read("request-rate", "an extension of 1996 that a few libraries read"),
    read("visit-time", "an extension of 1996 that a few libraries read"),
    read("clean-param", "a list of URL parameters without meaning, which Yandex reads"),
    read("content-signal", "a preference on the use of content, defined by Cloudflare"),
    read("content-usage", "a preference on the use of content, a draft of the IETF"),
    read("license", "a link to the terms of use, defined by Really Simple Licensing"),
    read("indexpage", "a list of pages to visit often, which a few older crawlers read"),
    read("schemamap", "a link to data about the site, a proposal of 2025"),
    read("llms-txt", "a link to a guide for language models, a proposal of 2024"),
    not_obeyed("host", "the preferred host, which Yandex read until 2018", HOST),
    not_obeyed("noindex", "a field that Google never documented and ignores since 2019", INDEXING),
    not_obeyed("nofollow", "a field that Google never documented and ignores since 2019", INDEXING),
    not_obeyed("noarchive", "a field that no crawler documents", INDEXING),
    not_obeyed("nosnippet", "a field that no crawler documents", INDEXING),
    not_obeyed(
        "disallowaitraining",
        "a draft that no crawler documents",
        "disallow those crawlers",
    ),
    not_obeyed("cache-delay", "a field that no crawler documents", "send Cache-Control"),
    not_obeyed("robot-version", "an extension of 1996", "leave it out"),
    not_obeyed("comment", "an extension of 1996", COMMENT),
    not_obeyed("acap-crawler", "part of ACAP, a proposal of 2007", "use user-agent"),
    not_obeyed("acap-disallow-crawl", "part of ACAP, a proposal of 2007", "use disallow"),
    not_obeyed("acap-allow-crawl", "part of ACAP, a proposal of 2007", "use allow"),
    not_obeyed("acap-allow-index", "part of ACAP, a proposal of 2007", INDEXING),
    not_obeyed("acap-disallow-index", "part of ACAP, a proposal of 2007", INDEXING),
];

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rstest::rstest;

    use super::{FieldName, distance, leading, of};
    use robots_core::syntax::Field;

    #[rstest]
    #[trace]
    #[case("Disalow", Field::Disallow)]
    #[case("Dissallow", Field::Disallow)]
    #[case("diasllow", Field::Disallow)]
    #[case("Disallows", Field::Disallow)]
    #[case("dis-allow", Field::Disallow)]
    #[case("noallow", Field::Disallow)]
    #[case("Alow", Field::Allow)]
    #[case("useragent", Field::UserAgent)]
    #[case("User agent", Field::UserAgent)]
    #[case("user_agents", Field::UserAgent)]
    #[case("disallowed", Field::Disallow)]
    #[case("site-map", Field::Sitemap)]
    #[case("Sitemaps", Field::Sitemap)]
    fn misspellings_are_told(#[case] name: &str, #[case] field: Field) {
        assert_eq!(of(name.as_bytes()), FieldName::Misspelt(field));
    }

    #[rstest]
    #[trace]
    #[case("Crawl-Delay", "crawl-delay")]
    #[case("Content-Signal", "content-signal")]
    #[case("Host", "host")]
    #[case("License", "license")]
    #[case("Noindex", "noindex")]
    fn extensions_are_no_misspellings(#[case] name: &str, #[case] extension: &str) {
        let FieldName::Extension(found) = of(name.as_bytes()) else { panic!("{name}") };
        assert_eq!(found.name, extension);
    }

    #[rstest]
    #[trace]
    #[case("craw-delay", Some("crawl-delay"))]
    #[case("crawl delay", Some("crawl-delay"))]
    #[case("x", None)]
    #[case("robots", None)]
    #[case("hots", None)]
    #[case("alo", None)]
    #[case("", None)]
    #[case("disallow-everything-below-this-path", None)]
    fn other_names_are_unknown(#[case] name: &str, #[case] like: Option<&str>) {
        match of(name.as_bytes()) {
            FieldName::MisspeltExtension(found) => assert_eq!(Some(found.name), like),
            other => assert_eq!((other, like), (FieldName::Unknown, None)),
        }
    }

    /// The reference implementation: computes the distance by its definition.
    fn defined(one: &[u8], other: &[u8]) -> usize {
        let ([first @ .., a], [second @ .., b]) = (one, other) else {
            return one.len().max(other.len());
        };
        let replaced = defined(first, second) + usize::from(a != b);
        let fewest = replaced.min(defined(first, other) + 1).min(defined(one, second) + 1);
        match (first, second) {
            ([first @ .., c], [second @ .., d]) if (a, b) == (d, c) => {
                fewest.min(defined(first, second) + 1)
            }
            _ => fewest,
        }
    }

    proptest! {
        #[test]
        fn the_distance_is_as_defined(one in "[abc]{0,6}", other in "[abc]{0,6}") {
            let of_octets = |one: &str, other: &str| distance(one.as_bytes(), other.as_bytes());
            prop_assert_eq!(of_octets(&one, &other), defined(one.as_bytes(), other.as_bytes()));
            prop_assert_eq!(of_octets(&one.to_uppercase(), &other), of_octets(&one, &other));
        }
    }

    #[rstest]
    #[trace]
    #[case("", "", 0)]
    #[case("abc", "abc", 0)]
    #[case("abc", "ABD", 1)]
    #[case("acb", "abc", 1)]
    #[case("", "abc", 3)]
    #[case("abc", "", 3)]
    #[case("kitten", "sitting", 3)]
    #[case("", "abcdefghijklmnopqrstuvwx", 24)]
    fn distances(#[case] one: &str, #[case] other: &str, #[case] expected: usize) {
        assert_eq!(distance(one.as_bytes(), other.as_bytes()), expected);
    }

    #[rstest]
    #[trace]
    #[case("Disallow /x", Some((Field::Disallow, 8)))]
    #[case("user-agent *", Some((Field::UserAgent, 10)))]
    #[case("Disalow=/x", Some((Field::Disallow, 7)))]
    #[case("hello world", None)]
    fn lines_without_a_colon_begin_with_a_field(
        #[case] text: &str,
        #[case] expected: Option<(Field, usize)>,
    ) {
        assert_eq!(leading(text.as_bytes()), expected);
    }
}
