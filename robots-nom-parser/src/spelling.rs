//! How records begin: the names of fields, each with its colon, as words to compare at once.
//!
//! Start at [`named`]. The words are computed from [`Field::name`] by the compiler, so that a field which joins
//! [`Field::ALL`] is found without a change here. Every line of a file comes by here: that the words and their
//! places are constants, and not read from a table, saves a quarter of the time a file of rules takes
//! (`cargo bench -p robots-nom-parser`, `large`).

#![expect(clippy::inline_always, reason = "what is constant must be so where it is used")]

use robots_core::syntax::Field;

/// Returns the field whose name, and a colon, the octets begin with, and the name's length.
#[inline(always)]
pub(crate) fn named<const N: usize>(octets: &[u8; N]) -> Option<(Field, usize)> {
    const { assert!(SELDOM.len() <= 8, "each field has a line below") };
    if OFTEN.begins(octets) {
        return Some((OFTEN.field, OFTEN.colon));
    } else if SELDOM_INITIALS >> (octets[0] & INITIAL) & 1 == 0 {
        return None;
    }
    seldom::<0, N>(octets)
        .or_else(|| seldom::<1, N>(octets))
        .or_else(|| seldom::<2, N>(octets))
        .or_else(|| seldom::<3, N>(octets))
        .or_else(|| seldom::<4, N>(octets))
        .or_else(|| seldom::<5, N>(octets))
        .or_else(|| seldom::<6, N>(octets))
        .or_else(|| seldom::<7, N>(octets))
}

/// Returns one of the fields [`SELDOM`] has, and its name's length, if there are so many and it is the one.
#[inline(always)]
fn seldom<const AT: usize, const N: usize>(octets: &[u8; N]) -> Option<(Field, usize)> {
    let spelling = const { if AT < SELDOM.len() { Some(SELDOM[AT]) } else { None } }?;
    spelling.begins(octets).then_some((spelling.field, spelling.colon))
}

/// The field of most records.
const OFTEN: Spelling = Spelling::of(Field::Disallow);

/// The others.
const SELDOM: [Spelling; Field::ALL.len() - 1] = {
    let (mut seldom, mut filled, mut at) = ([OFTEN; Field::ALL.len() - 1], 0, 0);
    while at < Field::ALL.len() {
        if Field::ALL[at] as u8 != OFTEN.field as u8 {
            seldom[filled] = Spelling::of(Field::ALL[at]);
            filled += 1;
        }
        at += 1;
    }
    seldom
};

/// The bits of an octet that tell letters apart, but not their cases.
const INITIAL: u8 = 0x1F;

/// A bit for each letter with which one of the others begins: that of its number, `a` being 1.
const SELDOM_INITIALS: u32 = {
    let (mut initials, mut at) = (0, 0);
    while at < SELDOM.len() {
        initials |= 1 << (SELDOM[at].field.name().as_bytes()[0] & INITIAL);
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

    /// Returns whether the octets begin so, whatever the case of letters.
    #[inline(always)]
    const fn begins<const N: usize>(&self, octets: &[u8; N]) -> bool {
        (word(octets, 0) | self.letters[0]) & self.mask == self.text[0]
            && if self.colon == 8 {
                octets[8] == b':'
            } else {
                (word(octets, self.second) | self.letters[1]) & self.mask == self.text[1]
            }
    }
}

/// Returns the eight octets from an offset, the first lowest; zero where there are fewer.
#[inline(always)]
const fn word(octets: &[u8], at: usize) -> u64 {
    match octets.split_at(at).1.first_chunk() {
        Some(word) => u64::from_le_bytes(*word),
        None => 0,
    }
}
