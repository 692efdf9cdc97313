//! The fast path of the lenient parser: lines of up to 64 octets, sixteen octets at a time.
//!
//! Start at [`parse`]. Of each line four masks are made, a bit an octet: endings, colons, hashes and white
//! space; all spans follow from them by counting bits. A longer line is read with the masks as far as they
//! reach, or left to [`lenient`]; a test holds the two together on any octets.

// Offsets have 32 bits, as `Parser::parse` has it; inlining the whole path lets the sink be inlined into
// it as well, which halves the time.
#![expect(clippy::cast_possible_truncation, clippy::inline_always, reason = "see above")]

use memchr::memchr2;
use robots_core::{Line, Span};
use wide::u8x16;

use crate::lenient;

/// Reports every line of the octets to the sink, in order, each as [`lenient::line_at`] reads it.
#[inline(always)]
pub(crate) fn parse(octets: &[u8], sink: &mut dyn FnMut(Line)) {
    let (mut start, mut number) = (0, 1);
    let mut mark = lenient::byte_order_mark(octets);
    // The last octets are looked at in a window of their own; what lies behind them ends no line.
    let mut last = [0; WINDOW];
    while start < octets.len() {
        let window = octets[start..].first_chunk().unwrap_or_else(|| {
            let rest = &octets[start..];
            last = [0; WINDOW];
            last[..rest.len()].copy_from_slice(rest);
            &last
        });
        let masks = Masks::of(window);
        let content = masks.endings.trailing_zeros();
        let line = if mark > 0 {
            lenient::line_at(octets, start, mark, number)
        } else if content < WINDOW as u32 - 1 {
            short_line(window, &masks, content, start as u32, number)
        } else if masks.endings == 0 && octets.len() - start >= WINDOW {
            long_line(octets, start, number, &masks)
        } else {
            lenient::line_at(octets, start, mark, number)
        };
        (start, number, mark) = (line.span.end(), number + 1, 0);
        sink(line);
    }
}

const WINDOW: usize = 64;
const HALF: usize = WINDOW / 2;
const LANES: usize = 16;

/// Where in a window the octets stand that part a line, the first octet in the lowest bit.
#[derive(Clone, Copy)]
struct Masks {
    endings: u64,
    colons: u64,
    hashes: u64,
    spaces: u64,
}

impl Masks {
    /// The masks of a window; where its first half holds an ending, those of that half.
    #[inline(always)]
    fn of(window: &[u8; WINDOW]) -> Self {
        let low = Self::of_half(window.first_chunk().unwrap_or(&[0; HALF]));
        if low.endings != 0 {
            return low;
        }
        let high = Self::of_half(window.last_chunk().unwrap_or(&[0; HALF]));
        Self {
            endings: high.endings << HALF,
            colons: low.colons | high.colons << HALF,
            hashes: low.hashes | high.hashes << HALF,
            spaces: low.spaces | high.spaces << HALF,
        }
    }

    #[inline(always)]
    fn of_half(half: &[u8; HALF]) -> Self {
        let low = u8x16::new(*half.first_chunk().unwrap_or(&[0; LANES]));
        let high = u8x16::new(*half.last_chunk().unwrap_or(&[0; LANES]));
        let mask =
            |low: u8x16, high: u8x16| u64::from(low.to_bitmask() | high.to_bitmask() << LANES);
        let is = |octets: u8x16, octet: u8| octets.simd_eq(u8x16::splat(octet));
        let ends = |octets| is(octets, b'\n') | is(octets, b'\r');
        let space = |octets| is(octets, b' ') | is(octets, b'\t');
        Self {
            endings: mask(ends(low), ends(high)),
            colons: mask(is(low, b':'), is(high, b':')),
            hashes: mask(is(low, b'#'), is(high, b'#')),
            spaces: mask(space(low), space(high)),
        }
    }
}

/// Returns the line with which a window begins, given where its content ends, before the last octet.
#[inline(always)]
fn short_line(window: &[u8; WINDOW], masks: &Masks, content: u32, start: u32, number: u32) -> Line {
    let crlf = window[content as usize] == b'\r' && window[content as usize + 1] == b'\n';
    let end = start + content + 1 + u32::from(crlf);
    let mut line = Line::new(number, Span::of(start, end), Span::of(start, start + content));
    let hashes = masks.hashes & below(content);
    let hash = if hashes == 0 { content } else { hashes.trailing_zeros() };
    if hashes != 0 {
        line.comment = Some(Span::of(start + hash, start + content));
    }
    let colons = masks.colons & below(hash);
    if colons != 0 {
        let colon = colons.trailing_zeros();
        let text = !masks.spaces;
        line.field = Some(trimmed(text & below(colon), start, 0));
        line.colon = Some(Span::of(start + colon, start + colon + 1));
        line.value = Some(trimmed(text & below(hash) & !below(colon + 1), start, colon + 1));
    }
    line
}

/// Returns a line that does not end within its window, all of which it holds.
fn long_line(octets: &[u8], start: usize, number: u32, masks: &Masks) -> Line {
    let seen = start + WINDOW;
    let rest = &octets[seen..];
    let content = seen + memchr2(b'\r', b'\n', rest).unwrap_or(rest.len());
    let first = match (masks.colons | masks.hashes).trailing_zeros() as usize {
        WINDOW => memchr2(b':', b'#', &octets[seen..content]).map(|found| seen + found),
        first => Some(start + first),
    };
    let end = lenient::behind_ending(octets, content);
    lenient::line(octets, number, start..end, start..content, first)
}

/// The bits below a position up to 63.
#[inline]
const fn below(position: u32) -> u64 {
    (1 << position) - 1
}

/// Returns the span of what is no white space, from its first bit to its last; without any, the empty
/// span at the position where it would begin.
#[inline(always)]
fn trimmed(text: u64, start: u32, empty_at: u32) -> Span {
    if text == 0 {
        return Span::of(start + empty_at, start + empty_at);
    }
    Span::of(start + text.trailing_zeros(), start + WINDOW as u32 - text.leading_zeros())
}

#[cfg(test)]
mod tests {
    extern crate std;

    use alloc::vec::Vec;

    use proptest::prelude::*;
    use robots_core::Line;

    fn both(octets: &[u8]) -> [Vec<Line>; 2] {
        let (mut fast, mut slow) = (Vec::new(), Vec::new());
        super::parse(octets, &mut |line| fast.push(line));
        let (mut start, mut mark) = (0, crate::lenient::byte_order_mark(octets));
        for number in 1.. {
            if start == octets.len() {
                break;
            }
            slow.push(crate::lenient::line_at(octets, start, mark, number));
            (start, mark) = (slow[slow.len() - 1].span.end(), 0);
        }
        [fast, slow]
    }

    /// Octets that part lines, long and short runs of others, and byte order marks.
    fn octets() -> impl Strategy<Value = Vec<u8>> {
        let piece = prop_oneof![
            4 => prop::sample::select(std::vec![&b"\n"[..], b"\r", b"\r\n", b":", b"#", b" ", b"\t"])
                .prop_map(<[u8]>::to_vec),
            4 => (any::<u8>(), 1..8_usize).prop_map(|(octet, times)| std::vec![octet; times]),
            1 => (any::<u8>(), 16..140_usize).prop_map(|(octet, times)| std::vec![octet; times]),
            1 => Just(b"\xEF\xBB\xBF".to_vec()),
        ];
        prop::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(8192))]
        #[test]
        fn reports_what_the_slow_path_does(octets in octets()) {
            let [fast, slow] = both(&octets);
            prop_assert_eq!(fast, slow);
        }
    }

    /// `ROBOTS_CORPUS` names a folder of files; without it there is one built-in.
    #[test]
    fn reports_what_the_slow_path_does_on_real_files() {
        let mut files = std::vec![b"User-agent: *\r\nDisallow: /x # y\r\n".repeat(100)];
        if let Some(folder) = std::env::var_os("ROBOTS_CORPUS") {
            let entries = std::fs::read_dir(folder).unwrap().flatten().map(|entry| entry.path());
            files.extend(
                entries.filter(|path| path.is_file()).map(|path| std::fs::read(path).unwrap()),
            );
        }
        for file in files {
            let [fast, slow] = both(&file);
            assert_eq!(fast, slow);
        }
    }

    #[test]
    fn reports_what_the_slow_path_does_at_every_length() {
        for field in 0..70 {
            for value in 0..70 {
                for ending in ["", "\n", "\r\n", "\r", " # c\n", " \n", "\t\r\r\n"] {
                    let octets = std::format!("{:x<field$}: {:y<value$}{ending}z: 1", "", "");
                    let [fast, slow] = both(octets.as_bytes());
                    assert_eq!(fast, slow, "{octets:?}");
                }
            }
        }
    }
}
