//! Defines sets of octets: the octets of a URL, and the octets that a pattern needs.
//!
//! If the URL lacks an octet that a pattern needs, a verdict skips the pattern without comparing it. If all octets of a
//! URL are plain ([`OctetSet::is_plain`]), the URL is not copied. The sets only make verdicts faster, and never change
//! a verdict. The reference implementation matches every pattern and normalises every URL. `tests/semantics.rs`
//! compares the verdicts of both implementations. `xtask bench`, "verdict, large mean", shows the gain.

use super::normalise;

/// A set of octets. Each octet has a bit, but some octets share a bit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct OctetSet(u64);

impl OctetSet {
    /// Returns the set of the octets that occur in a text.
    #[inline]
    pub(crate) fn of(octets: &[u8]) -> Self {
        let bits =
            |octets: &[u8]| octets.iter().fold(0, |all, octet| all | BITS[usize::from(*octet)]);
        // The loop handles eight octets at a time, because the compiler unrolls a loop of fixed length.
        let (eights, rest) = octets.as_chunks::<8>();
        Self(eights.iter().fold(bits(rest), |all, eight| all | bits(eight)))
    }

    /// Returns whether all octets are their own normal form, and no octet is `*`, `$` or `#`.
    #[inline]
    pub(crate) const fn is_plain(self) -> bool {
        self.0 & (UNUSUAL | WILDCARD) == 0
    }

    /// Returns whether some octet of the set may differ from its normal form. A `*` is a wildcard and counts as its own
    /// normal form.
    #[inline]
    pub(crate) const fn has_other_form(self) -> bool {
        self.0 & UNUSUAL != 0
    }

    /// Returns `false` only if the set certainly lacks an octet of the other set. The result can be `true` although the
    /// set lacks an octet, because some octets share a bit, and because the function does not check octets that are not
    /// plain.
    #[inline]
    pub(crate) const fn may_hold(self, others: Self) -> bool {
        others.0 & !(UNUSUAL | WILDCARD) & !self.0 == 0
    }
}

/// The bit of `#`, and of all octets except `*` that normalisation may change.
const UNUSUAL: u64 = 1 << 63;

/// The bit of `*`.
const WILDCARD: u64 = 1 << 62;

/// The bit of each octet. Letters, digits and the octets that are common in URLs have separate bits. A letter has the
/// same bit in upper and in lower case. All other plain octets share one bit. `*` has the bit [`WILDCARD`], and all
/// remaining octets have the bit [`UNUSUAL`].
const BITS: [u64; 256] = {
    const SEPARATE: &[u8] = b"abcdefghijklmnopqrstuvwxyz0123456789/-_.?=&+,:;~!()@";
    let mut bits = [0; 256];
    let mut octet = 0_u8;
    loop {
        bits[octet as usize] = if normalise::is_plain(octet) && octet != b'#' {
            let mut bit = 0;
            while bit < SEPARATE.len() && SEPARATE[bit] != octet.to_ascii_lowercase() {
                bit += 1;
            }
            1 << bit
        } else if octet == b'*' {
            WILDCARD
        } else {
            UNUSUAL
        };
        if octet == u8::MAX {
            break bits;
        }
        octet += 1;
    }
};

const _: () = assert!(BITS[b'[' as usize] < WILDCARD, "the shared bit belongs to no single octet");

#[cfg(test)]
mod tests {
    use super::OctetSet;

    #[test]
    fn letters_and_digits_and_slash_have_separate_bits() {
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
