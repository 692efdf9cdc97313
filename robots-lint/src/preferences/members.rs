//! Splits a preference into its members (keys, most of them with a value), without converting the values. Start at
//! [`members()`], for `Content-Usage`, and [`pairs()`], for `Content-Signal`.

use core::ops::Range;

/// The offsets of a member's parts. A member ends with its parameters.
pub(super) struct Member {
    pub(super) key: Range<usize>,
    /// The value, without parameters.
    pub(super) value: Option<Range<usize>>,
    pub(super) end: usize,
}

/// Returns the members of a dictionary of structured fields. For a part that is not a member, returns an error with the
/// offsets of the part.
pub(super) fn members(octets: &[u8]) -> impl Iterator<Item = Result<Member, Range<usize>>> {
    pieces(octets).map(|piece| {
        let part = trimmed(octets, piece);
        member(octets, part.clone()).ok_or(if part.is_empty() { 0..octets.len() } else { part })
    })
}

/// Returns the pairs of a list in the form of Content-Signal: a key, `=` and a value.
pub(super) fn pairs(octets: &[u8]) -> impl Iterator<Item = Member> {
    pieces(octets).map(|piece| {
        let part = trimmed(octets, piece);
        let equals = memchr::memchr(b'=', &octets[part.clone()]).map(|at| part.start + at);
        let key = trimmed(octets, part.start..equals.unwrap_or(part.end));
        let value = equals.map(|equals| trimmed(octets, equals + 1..part.end));
        Member { key, value, end: part.end }
    })
}

/// Returns whether a quoted string is still open at the end of the octets.
pub(super) fn is_open(octets: &[u8]) -> bool {
    let mut quotes = Quotes::default();
    for octet in octets {
        quotes.step(*octet);
    }
    quotes.is_open
}

/// The state of a scan over octets: whether the next octet is in a quoted string.
#[derive(Default)]
struct Quotes {
    is_open: bool,
    is_escaped: bool,
}

impl Quotes {
    fn step(&mut self, octet: u8) {
        match octet {
            _ if self.is_escaped => self.is_escaped = false,
            b'\\' => self.is_escaped = self.is_open,
            b'"' => self.is_open = !self.is_open,
            _ => {}
        }
    }
}

/// Splits the octets at each comma that is not in a quoted string, and returns the offsets of the pieces.
fn pieces(octets: &[u8]) -> impl Iterator<Item = Range<usize>> {
    let mut next = Some(0);
    core::iter::from_fn(move || {
        let start = next?;
        let end = found(octets, start..octets.len(), b',');
        next = (end < octets.len()).then_some(end + 1);
        Some(start..end)
    })
}

/// Returns the first offset in a range where the wanted octet is outside quoted strings, or the end of the range.
fn found(octets: &[u8], range: Range<usize>, wanted: u8) -> usize {
    let mut quotes = Quotes::default();
    let mut offsets = range.clone();
    let at = offsets.find(|at| {
        let is_found = !quotes.is_open && octets[*at] == wanted;
        quotes.step(octets[*at]);
        is_found
    });
    at.unwrap_or(range.end)
}

fn trimmed(octets: &[u8], range: Range<usize>) -> Range<usize> {
    let is_space = |at: &usize| matches!(octets[*at], b' ' | b'\t');
    let start = range.clone().find(|at| !is_space(at)).unwrap_or(range.end);
    let end = (start..range.end).rev().find(|at| !is_space(at)).map_or(start, |last| last + 1);
    start..end
}

/// Reads a member. Returns `None` only if no reader of structured fields accepts the member. This function accepts
/// capital letters in a key, because another finding reports them.
fn member(octets: &[u8], part: Range<usize>) -> Option<Member> {
    let text = &octets[part.clone()];
    let is_key =
        |octet: &u8| octet.is_ascii_alphanumeric() || matches!(octet, b'_' | b'-' | b'.' | b'*');
    let key = text.iter().position(|octet| !is_key(octet)).unwrap_or(text.len());
    let begins_well =
        text.first().is_some_and(|first| first.is_ascii_alphabetic() || *first == b'*');
    if !begins_well || !text.is_ascii() {
        return None;
    }
    let value = match text.get(key) {
        None | Some(b';') => None,
        Some(b'=') => {
            let start = part.start + key + 1;
            let end = match octets.get(start) {
                // This value is a list in parentheses, and the items of the list may have semicolons too.
                Some(b'(') => part.end,
                _ => found(octets, start..part.end, b';'),
            };
            is_item(&octets[start..end]).then_some(Some(start..end))?
        }
        Some(_) => return None,
    };
    Some(Member { key: part.start..part.start + key, value, end: part.end })
}

/// Returns whether octets can be the value of a member. Only tokens are checked completely; of other values, only the
/// first octet is checked.
fn is_item(item: &[u8]) -> bool {
    let is_token =
        |octet: &u8| octet.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~:/".contains(octet);
    match item.first() {
        Some(first) if first.is_ascii_alphabetic() || *first == b'*' => item.iter().all(is_token),
        Some(first) => first.is_ascii_digit() || b"\"(:@%?-".contains(first),
        None => false,
    }
}
