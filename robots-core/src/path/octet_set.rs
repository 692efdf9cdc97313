//! Sets of octets: what a URL holds and a pattern needs, and whether anything needs normalising.
//!
//! A pattern that needs what the URL lacks is passed over without a look at its octets, and a URL that is plain is not
//! copied. Both only leave out work: matching the pattern and normalising the URL are the slow twins, and
//! `tests/semantics.rs` holds the answers together. What it buys shows in `xtask bench`, "verdict, large mean".

use super::normalise;

/// A set of octets, as bits; some octets share one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct OctetSet(u64);

impl OctetSet {
    /// Returns the octets that occur.
    #[inline]
    pub(crate) fn of(octets: &[u8]) -> Self {
        let bits =
            |octets: &[u8]| octets.iter().fold(0, |all, octet| all | BITS[usize::from(*octet)]);
        // Eight at a time, which compiles to no loop.
        let (eights, rest) = octets.as_chunks::<8>();
        Self(eights.iter().fold(bits(rest), |all, eight| all | bits(eight)))
    }

    /// Returns whether all octets are their own normal form, and none is a `#`.
    #[inline]
    pub(crate) const fn is_plain(self) -> bool {
        self.0 & UNUSUAL == 0
    }

    /// Returns whether all of the others occur, as far as bits tell; never `false` where they do.
    #[inline]
    pub(crate) const fn may_hold(self, others: Self) -> bool {
        others.0 & !UNUSUAL & !self.0 == 0
    }
}

/// The bit of octets that are not their own normal form, of wildcards and of `#`.
const UNUSUAL: u64 = 1 << 63;

/// Letters, digits and the octets URLs are built with have a bit of their own each, ASCII case ignored;
/// the others share what is left.
const BITS: [u64; 256] = {
    const OWN: &[u8] = b"abcdefghijklmnopqrstuvwxyz0123456789/-_.?=&+,:;~!()@";
    let mut bits = [0; 256];
    let mut octet = 0_u8;
    loop {
        bits[octet as usize] = if normalise::is_plain(octet) && octet != b'#' {
            let mut own = 0;
            while own < OWN.len() && OWN[own] != octet.to_ascii_lowercase() {
                own += 1;
            }
            1 << own
        } else {
            UNUSUAL
        };
        if octet == u8::MAX {
            break bits;
        }
        octet += 1;
    }
};

const _: () = assert!(BITS[b'[' as usize] < UNUSUAL, "the shared bit is none of its own");

#[cfg(test)]
mod tests {
    use super::OctetSet;

    #[test]
    fn letters_and_digits_and_slash_are_told_apart() {
        let sets = b"abcxyz0189/-_.?=&".map(|octet| OctetSet::of(&[octet]));
        for (at, one) in sets.iter().enumerate() {
            for (other_at, other) in sets.iter().enumerate() {
                assert_eq!(one.may_hold(*other), at == other_at, "{at} {other_at}");
            }
        }
        let (path, upper) = (OctetSet::of(b"/aB-long-path"), OctetSet::of(b"/LONG"));
        assert!(path.may_hold(upper) && !upper.may_hold(path));
        assert!(OctetSet::of(b"").may_hold(OctetSet::of(b"*%#")));
    }

    #[test]
    fn what_may_need_normalising_is_not_plain() {
        assert!(OctetSet::of(b"/a?b=[c]").is_plain() && OctetSet::of(b"").is_plain());
        for octets in ["%", "*", "#", "/%61", "/*", "/a#", "/\u{e9}", "/a b", "/12345678%"] {
            assert!(!OctetSet::of(octets.as_bytes()).is_plain(), "{octets}");
        }
    }
}
