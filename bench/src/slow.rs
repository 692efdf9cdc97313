//! The reference implementation: a plain reader of robots.txt, whose code is easy to check. The checksum of our parser
//! must equal the checksum of this reader. This module also defines the checksum.
//!
//! Start at [`lines()`], which finds the meaning of each line, and [`items()`], which forms the groups. The reader
//! shares no code with the parsers that it checks. The adapters of the peers make [`Items`] from the results of their
//! peers, so every subject has a checksum of the same form ([`Digest`]).

use std::fmt;

/// The checksum of the items. The checksum includes the kind of each item, and the length and the first octet of the
/// item's value. The order of the items matters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Digest(u64);

impl Digest {
    /// Adds an item.
    #[inline]
    pub fn add(&mut self, kind: u8, value: &[u8]) {
        let first = value.first().copied().unwrap_or(0);
        self.number(u64::from(kind) << 48 | (value.len() as u64) << 8 | u64::from(first));
    }

    /// Adds a number.
    #[inline]
    pub fn number(&mut self, number: u64) {
        self.0 = self.0.rotate_left(7) ^ number;
    }

    /// Returns the checksum.
    #[inline]
    pub fn value(self) -> u64 {
        self.0
    }
}

/// Kinds of items.
pub mod kind {
    /// The value of a user-agent line.
    pub const AGENT: u8 = 1;
    /// The pattern of an allow rule.
    pub const ALLOW: u8 = 2;
    /// The pattern of a disallow rule.
    pub const DISALLOW: u8 = 3;
    /// The value of a sitemap line.
    pub const SITEMAP: u8 = 4;
}

/// Every agent, rule and sitemap of a file, in the order in which a subject returns them.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Items(pub Vec<(u8, Vec<u8>)>);

impl Items {
    /// Adds an item.
    pub fn push(&mut self, kind: u8, value: impl AsRef<[u8]>) {
        self.0.push((kind, value.as_ref().to_vec()));
    }

    /// Returns the checksum of the items.
    pub fn digest(&self) -> Digest {
        let mut digest = Digest::default();
        for (kind, value) in &self.0 {
            digest.add(*kind, value);
        }
        digest
    }

    /// Returns the number of items of a kind.
    pub fn count(&self, kind: u8) -> usize {
        self.0.iter().filter(|item| item.0 == kind).count()
    }

    /// Returns the patterns of the rules.
    pub fn rules(&self) -> impl Iterator<Item = &[u8]> {
        self.0
            .iter()
            .filter(|item| matches!(item.0, kind::ALLOW | kind::DISALLOW))
            .map(|item| &*item.1)
    }
}

impl fmt::Debug for Items {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|(kind, value)| write!(f, "{kind}:{} ", value.escape_ascii()))
    }
}

/// A line as the reference implementation reads it.
#[derive(Debug, PartialEq, Eq)]
pub struct SlowLine<'t> {
    /// The meaning of the line, as a number of [`code`].
    pub code: u8,
    /// The offset of the line's first octet.
    pub start: usize,
    /// The offset after the line ending.
    pub end: usize,
    /// The value, if the line has a field.
    pub value: Option<&'t [u8]>,
}

/// The codes for the meanings of lines. The codes of user-agent, allow, disallow and sitemap lines mean a line with
/// effect. For a line without effect, a number for the reason is added: 1 for an empty value, 2 for a control octet, 3
/// for a path without a slash, and 4 for a URL that is not absolute.
pub mod code {
    /// A line with only white space, or without any octet.
    pub const BLANK: u8 = 0;
    /// A line with only a comment.
    pub const COMMENT: u8 = 1;
    /// A field that robots.txt does not define.
    pub const UNKNOWN: u8 = 2;
    /// A line without a colon. The next two codes mean a line without a field, and a line with a control octet in the
    /// field.
    pub const MALFORMED: u8 = 3;
    /// A user-agent line.
    pub const AGENT: u8 = 10;
    /// An allow line.
    pub const ALLOW: u8 = 20;
    /// A disallow line.
    pub const DISALLOW: u8 = 30;
    /// A sitemap line.
    pub const SITEMAP: u8 = 40;
}

/// Returns every line of a file with its code.
pub fn lines(text: &[u8]) -> Vec<SlowLine<'_>> {
    let mut lines = Vec::new();
    let mut start = 0;
    while start < text.len() {
        let content_end =
            (start..text.len()).find(|at| matches!(text[*at], b'\r' | b'\n')).unwrap_or(text.len());
        let end = match &text[content_end..] {
            [b'\r', b'\n', ..] => content_end + 2,
            [] => content_end,
            _ => content_end + 1,
        };
        let content = &text[start..content_end];
        let content = if start == 0 {
            content.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(content)
        } else {
            content
        };
        let (code, value) = meaning(content);
        lines.push(SlowLine { code, start, end, value });
        start = end;
    }
    lines
}

/// Returns the items that a parser must find: for each group, its agents and its rules with effect; then the sitemaps.
pub fn items(text: &[u8]) -> Items {
    let lines = lines(text);
    let (mut items, mut rules, mut sitemaps) =
        (Items::default(), Items::default(), Items::default());
    let (mut any_group, mut in_agents) = (false, false);
    for line in &lines {
        let value = line.value.unwrap_or_default();
        match line.code {
            code::AGENT..code::ALLOW => {
                if !in_agents {
                    items.0.append(&mut rules.0);
                }
                (any_group, in_agents) = (true, true);
                items.push(kind::AGENT, value);
            }
            code::ALLOW..code::SITEMAP => {
                in_agents = false;
                match line.code {
                    code::ALLOW if any_group => rules.push(kind::ALLOW, value),
                    code::DISALLOW if any_group => rules.push(kind::DISALLOW, value),
                    _ => {}
                }
            }
            code::SITEMAP => sitemaps.push(kind::SITEMAP, value),
            _ => {}
        }
    }
    items.0.append(&mut rules.0);
    items.0.append(&mut sitemaps.0);
    items
}

fn meaning(content: &[u8]) -> (u8, Option<&[u8]>) {
    let comment = content.iter().position(|octet| *octet == b'#');
    let text = &content[..comment.unwrap_or(content.len())];
    let Some(colon) = text.iter().position(|octet| *octet == b':') else {
        return match (trim(text).is_empty(), comment) {
            (true, None) => (code::BLANK, None),
            (true, Some(_)) => (code::COMMENT, None),
            (false, _) => (code::MALFORMED, None),
        };
    };
    let (field, value) = (trim(&text[..colon]), trim(&text[colon + 1..]));
    let code = match &*field.to_ascii_lowercase() {
        b"" => code::MALFORMED + 1,
        b"user-agent" => code::AGENT + effect(value, |_| None),
        b"allow" => code::ALLOW + effect(value, no_slash),
        b"disallow" => code::DISALLOW + effect(value, no_slash),
        b"sitemap" => code::SITEMAP + effect(value, not_absolute),
        _ if field.iter().copied().any(control) => code::MALFORMED + 2,
        _ => code::UNKNOWN,
    };
    (code, Some(value))
}

fn effect(value: &[u8], otherwise: fn(&[u8]) -> Option<u8>) -> u8 {
    if value.is_empty() {
        1
    } else if value.iter().copied().any(control) {
        2
    } else {
        otherwise(value).unwrap_or(0)
    }
}

fn no_slash(value: &[u8]) -> Option<u8> {
    (!matches!(value[0], b'/' | b'*')).then_some(3)
}

fn not_absolute(value: &[u8]) -> Option<u8> {
    let absolute = || {
        let text = String::from_utf8_lossy(value);
        let (scheme, rest) = text.split_once("://")?;
        let letter = |c: char| c.is_ascii_alphanumeric() || "+-.".contains(c);
        let named =
            scheme.starts_with(|c: char| c.is_ascii_alphabetic()) && scheme.chars().all(letter);
        (named && !rest.is_empty() && !rest.starts_with(['/', '?', '#'])).then_some(())
    };
    if absolute().is_some() { None } else { Some(4) }
}

fn trim(mut text: &[u8]) -> &[u8] {
    while let [b' ' | b'\t', rest @ ..] = text {
        text = rest;
    }
    while let [rest @ .., b' ' | b'\t'] = text {
        text = rest;
    }
    text
}

fn control(octet: u8) -> bool {
    octet < 0x20 && octet != b'\t'
}
