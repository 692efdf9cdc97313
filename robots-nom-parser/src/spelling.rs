//! How records begin: the names of fields, each with its colon, as words to compare at once.
//!
//! Start at [`Spelling`]. All of it is computed by the compiler from [`Field::name`]: a field that joins
//! [`Field::ALL`] is found without a word here.

use robots_core::Field;

/// A field's name and a colon, in two words of eight octets that overlap; the second is the first where that
/// holds all.
#[derive(Clone, Copy)]
pub(crate) struct Spelling {
    pub(crate) field: Field,
    /// Where the colon is: the name's length.
    pub(crate) colon: usize,
    /// Where the second word begins.
    second: usize,
    text: [u64; 2],
    /// The bit in which the cases of a letter differ, for each octet that is a letter.
    letters: [u64; 2],
    /// All bits of the octets that count.
    mask: u64,
}

/// The field of most records.
pub(crate) const OFTEN: Spelling = Spelling::of(Field::Disallow);

/// The others.
pub(crate) const SELDOM: [Spelling; Field::ALL.len() - 1] = {
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
pub(crate) const INITIAL: u8 = 0x1F;

/// A bit for each letter with which one of the others begins: that of its number, `a` being 1.
pub(crate) const SELDOM_INITIALS: u32 = {
    let (mut initials, mut at) = (0, 0);
    while at < SELDOM.len() {
        initials |= 1 << (SELDOM[at].field.name().as_bytes()[0] & INITIAL);
        at += 1;
    }
    initials
};

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
    #[expect(
        clippy::inline_always,
        reason = "of each spelling, all but the octets is known beforehand"
    )]
    #[inline(always)]
    pub(crate) const fn begins<const N: usize>(&self, octets: &[u8; N]) -> bool {
        (word(octets, 0) | self.letters[0]) & self.mask == self.text[0]
            && (word(octets, self.second) | self.letters[1]) & self.mask == self.text[1]
    }
}

/// Returns the eight octets from an offset, the first lowest; zero where there are fewer.
#[expect(clippy::inline_always, reason = "see `Spelling::begins`")]
#[inline(always)]
const fn word(octets: &[u8], at: usize) -> u64 {
    match octets.split_at(at).1.first_chunk() {
        Some(word) => u64::from_le_bytes(*word),
        None => 0,
    }
}
