//! Recognises the field name and colon at the start of a record by comparing words of eight octets.
//!
//! Start at [`named`]. The compiler computes the words from [`Field::name`], so a new field of a published edition
//! needs no change here, as long as there are at most eight fields. This code runs for every line of a file, so each
//! number that it uses is in a separate constant block. With a table or a constant structure, parsing a file of rules
//! needed 5 % more instructions (`cargo xtask bench instructions`, "parse"). The reference implementation is
//! [`Field::named`], which compares names.

#![expect(clippy::inline_always, reason = "numbers must be constant at each use")]

use robots_core::Edition;
use robots_core::syntax::Field;

/// Returns the field whose name, with a colon after it, is at the start of the octets, and the length of the name.
#[inline(always)]
pub(crate) fn named<const N: usize>(octets: &[u8; N]) -> Option<(Field, usize)> {
    const { assert!(SPELLINGS.len() <= 8, "each field has a row below") };
    if begins::<0, N>(octets) {
        Some(found::<0>())
    } else if !is_initial(octets[0]) {
        None
    } else if begins::<1, N>(octets) {
        Some(found::<1>())
    } else if begins::<2, N>(octets) {
        Some(found::<2>())
    } else if begins::<3, N>(octets) {
        Some(found::<3>())
    } else if begins::<4, N>(octets) {
        Some(found::<4>())
    } else if begins::<5, N>(octets) {
        Some(found::<5>())
    } else if begins::<6, N>(octets) {
        Some(found::<6>())
    } else if begins::<7, N>(octets) {
        Some(found::<7>())
    } else {
        None
    }
}

/// Returns whether there is a spelling with this index and the octets begin with it. The comparison ignores ASCII case.
#[inline(always)]
fn begins<const AT: usize, const N: usize>(octets: &[u8; N]) -> bool {
    let word = |at: usize| u64::from_le_bytes(*octets[at..].first_chunk().unwrap_or(&[0; 8]));
    AT < SPELLINGS.len()
        && (word(0) | const { spelling(AT).letters[0] }) & const { spelling(AT).mask }
            == const { spelling(AT).text[0] }
        && if const { spelling(AT).colon == 8 } {
            octets[8] == b':'
        } else {
            (word(const { spelling(AT).second }) | const { spelling(AT).letters[1] })
                & const { spelling(AT).mask }
                == const { spelling(AT).text[1] }
        }
}

#[inline(always)]
const fn found<const AT: usize>() -> (Field, usize) {
    const { (spelling(AT).field, spelling(AT).colon) }
}

/// Returns whether a spelling other than the first begins with this octet, in upper or lower case.
#[inline(always)]
const fn is_initial(octet: u8) -> bool {
    let letter = (octet | 0x20).wrapping_sub(b'a');
    letter < 26 && INITIALS >> letter & 1 != 0
}

/// The spellings of all fields that published editions define, in the order of [`Field::ALL`]. The most frequent field,
/// `disallow`, is the first.
const SPELLINGS: [Spelling; PUBLISHED] = {
    let (mut spellings, mut at, mut found) = ([Spelling::of(Field::ALL[0]); PUBLISHED], 0, 0);
    while at < Field::ALL.len() {
        if is_published(Field::ALL[at]) {
            spellings[found] = Spelling::of(Field::ALL[at]);
            found += 1;
        }
        at += 1;
    }
    spellings
};

/// The number of fields that published editions define.
const PUBLISHED: usize = {
    let (mut at, mut found) = (0, 0);
    while at < Field::ALL.len() {
        found += is_published(Field::ALL[at]) as usize;
        at += 1;
    }
    found
};

/// Returns whether a published edition defines a field. The slower path of [`scan`](crate::scan) reads fields that only
/// a draft defines. One more spelling, with one more initial, would cost 0.8 % of the instructions of parsing (`cargo
/// xtask bench instructions`, "parse").
const fn is_published(field: Field) -> bool {
    let mut at = 0;
    while at < Edition::ALL.len() {
        if Edition::ALL[at].defines(field) {
            return true;
        }
        at += 1;
    }
    false
}

/// Returns the spelling with this index, or the last one if the index is too great.
const fn spelling(at: usize) -> Spelling {
    SPELLINGS[if at < SPELLINGS.len() { at } else { SPELLINGS.len() - 1 }]
}

/// A mask of the first letters of all spellings except the first one. The lowest bit stands for `a`.
const INITIALS: u32 = {
    let (mut initials, mut at) = (0, 1);
    while at < SPELLINGS.len() {
        initials |= 1 << (SPELLINGS[at].field.name().as_bytes()[0] - b'a');
        at += 1;
    }
    initials
};

/// A field's name and a colon, in two overlapping words of eight octets. If the first word contains all octets, the
/// second word is equal to it.
#[derive(Clone, Copy)]
struct Spelling {
    field: Field,
    /// The offset of the colon, which is the name's length.
    colon: usize,
    /// The offset of the second word.
    second: usize,
    text: [u64; 2],
    /// In both words: for each octet that is a letter, the bit that differs between upper and lower case.
    letters: [u64; 2],
    /// A mask in which all bits of each compared octet are set. The mask applies to both words.
    mask: u64,
}

impl Spelling {
    const fn of(field: Field) -> Self {
        let name = field.name().as_bytes();
        let (mut text, mut letters, mut mask) = ([0; 16], [0; 16], [0; 16]);
        let mut at = 0;
        while at <= name.len() {
            let octet = if at < name.len() { name[at] } else { b':' };
            text[at] = octet;
            letters[at] = if octet.is_ascii_lowercase() { 0x20 } else { 0 };
            mask[at] = 0xFF;
            at += 1;
        }
        let second = if name.len() < 8 { 0 } else { name.len() + 1 - 8 };
        Self {
            field,
            colon: name.len(),
            second,
            text: [word(&text, 0), word(&text, second)],
            letters: [word(&letters, 0), word(&letters, second)],
            mask: word(&mask, 0),
        }
    }
}

/// Returns the eight octets from an offset as a number, whose lowest octet is the first. Returns 0 if fewer than eight
/// octets are left.
const fn word(octets: &[u8], at: usize) -> u64 {
    match octets.split_at(at).1.first_chunk() {
        Some(word) => u64::from_le_bytes(*word),
        None => 0,
    }
}

#[cfg(test)]
mod tests {
    use robots_core::syntax::Field;

    use super::{is_initial, is_published, named};

    /// Tests each name, and every text that differs from a name by one octet or in case.
    #[test]
    fn names_are_found_as_by_comparing_them() {
        let compared = |octets: &[u8; 16]| {
            let colon = octets.iter().position(|octet| *octet == b':')?;
            let field = Field::named(&octets[..colon]).filter(|field| is_published(*field))?;
            Some((field, colon))
        };
        for field in Field::ALL.iter().filter(|field| is_published(**field)) {
            let (name, colon) = (field.name().as_bytes(), field.name().len());
            let mut octets = [b'/'; 16];
            octets[..colon].copy_from_slice(name);
            octets[colon] = b':';
            assert_eq!(named(&octets), Some((*field, colon)));
            assert_eq!(
                named(&octets.map(|octet| octet.to_ascii_uppercase())),
                Some((*field, colon))
            );
            for at in 0..=colon + 1 {
                for octet in 0..=u8::MAX {
                    let mut octets = octets;
                    octets[at] = octet;
                    assert_eq!(named(&octets), compared(&octets), "{}", octets.escape_ascii());
                }
            }
        }
    }

    #[test]
    fn initials_are_those_of_the_fields_but_the_first() {
        for octet in 0..=u8::MAX {
            let begins = |field: &Field| field.name().as_bytes()[0] == octet.to_ascii_lowercase();
            let mut published = Field::ALL[1..].iter().filter(|field| is_published(**field));
            assert_eq!(is_initial(octet), published.any(begins), "{octet}");
        }
    }
}
