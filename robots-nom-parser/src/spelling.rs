//! How records begin: the names of fields, each with its colon, as words to compare at once.
//!
//! Start at [`named`]. The compiler computes the words from [`Field::name`], so that a field which joins
//! [`Field::ALL`] is found without a change here. Every line of a file comes by here, so each number is a constant
//! block of its own: read from a table, or from a constant structure, they cost 5 % more instructions for a file
//! of rules (`cargo xtask bench instructions`, "parse"); `lines`, which compares names, is the slow twin.

#![expect(clippy::inline_always, reason = "what is constant must be so where it is used")]

use robots_core::syntax::Field;

/// Returns the field whose name, and a colon, the octets begin with, and the name's length.
#[inline(always)]
pub(crate) fn named<const N: usize>(octets: &[u8; N]) -> Option<(Field, usize)> {
    const { assert!(SPELLINGS.len() <= 8, "each field has a line below") };
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

/// Returns whether there is such a spelling and the octets begin so, whatever the case of letters.
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

/// Returns whether one of the fields but the first begins with the letter.
#[inline(always)]
const fn is_initial(octet: u8) -> bool {
    let letter = (octet | 0x20).wrapping_sub(b'a');
    letter < 26 && INITIALS >> letter & 1 != 0
}

/// The spellings of all fields, the most frequent first.
const SPELLINGS: [Spelling; Field::ALL.len()] = {
    let (mut spellings, mut at) = ([Spelling::of(Field::ALL[0]); Field::ALL.len()], 1);
    while at < Field::ALL.len() {
        spellings[at] = Spelling::of(Field::ALL[at]);
        at += 1;
    }
    spellings
};

/// Returns a spelling; for one more than there are, the last.
const fn spelling(at: usize) -> Spelling {
    SPELLINGS[if at < SPELLINGS.len() { at } else { SPELLINGS.len() - 1 }]
}

/// A bit for each letter with which one of the fields but the first begins, that of `a` lowest.
const INITIALS: u32 = {
    let (mut initials, mut at) = (0, 1);
    while at < SPELLINGS.len() {
        initials |= 1 << (Field::ALL[at].name().as_bytes()[0] - b'a');
        at += 1;
    }
    initials
};

/// A field's name and a colon, in two words of eight octets that overlap; the second is the first where that
/// holds all.
#[derive(Clone, Copy)]
struct Spelling {
    field: Field,
    /// Where the colon is: the name's length.
    colon: usize,
    /// Where the second word begins.
    second: usize,
    text: [u64; 2],
    /// The bit in which the cases of a letter differ, for each octet that is a letter.
    letters: [u64; 2],
    /// All bits of the octets that count.
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

/// Returns the eight octets from an offset, the first lowest; zero where there are fewer.
const fn word(octets: &[u8], at: usize) -> u64 {
    match octets.split_at(at).1.first_chunk() {
        Some(word) => u64::from_le_bytes(*word),
        None => 0,
    }
}

#[cfg(test)]
mod tests {
    use robots_core::syntax::Field;

    use super::{is_initial, named};

    /// Each name, and whatever is one octet away from it, or of another case.
    #[test]
    fn names_are_found_as_by_comparing_them() {
        let compared = |octets: &[u8; 16]| {
            let colon = octets.iter().position(|octet| *octet == b':')?;
            Field::named(&octets[..colon]).map(|field| (field, colon))
        };
        for field in Field::ALL {
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
            assert_eq!(is_initial(octet), Field::ALL[1..].iter().any(begins), "{octet}");
        }
    }
}
