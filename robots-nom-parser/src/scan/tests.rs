//! Checks the masks, and that lines take the fast paths. `tests/parsers.rs` compares the reported lines with those of
//! the reference implementation.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;

use proptest::prelude::*;
use robots_core::syntax::{CompactLine, Field, LineNumber, Span};
use rstest::rstest;

use super::{HALF, WINDOW, endings_and_marks_of_window, is_stop, long_line, record, stops};

/// Returns a mask in which a bit is set if its octet has a property. The lowest bit stands for the first octet.
fn bits(octets: &[u8], holds: impl Fn(u8) -> bool) -> u64 {
    octets.iter().rev().fold(0, |bits, octet| bits << 1 | u64::from(holds(*octet)))
}

proptest! {
    #[test]
    fn masks_have_a_bit_for_each_octet(
        octets in prop::collection::vec(
            prop_oneof![8 => Just(b'x'), 1 => any::<u8>(), 1 => prop::sample::select(&b"\r\n:#"[..])],
            WINDOW,
        ),
    ) {
        let window: &[u8; WINDOW] = octets.first_chunk().unwrap();
        let half = window.first_chunk::<HALF>().unwrap();
        prop_assert_eq!(u64::from(stops(half)), bits(half, is_stop));
        let is_ending = |octet| matches!(octet, b'\r' | b'\n');
        let seen = if half.iter().copied().any(is_ending) { &half[..] } else { window };
        let expected = (bits(seen, is_ending), bits(seen, |octet| matches!(octet, b':' | b'#')));
        prop_assert_eq!(endings_and_marks_of_window(window), expected);
    }
}

#[test]
fn white_space_controls_and_hashes_stop() {
    let stop = (0..=u8::MAX).filter(|octet| is_stop(*octet)).count();
    assert!(b"\0\t\n\r #".iter().all(|octet| is_stop(*octet)) && stop == 0x24);
}

fn of_line(before: &str, line: &str) -> Option<(Field, usize, usize, usize)> {
    let octets = format!("{before}{line}");
    let mut window = [0; WINDOW];
    let shown = line.len().min(WINDOW);
    window[..shown].copy_from_slice(&line.as_bytes()[..shown]);
    record(octets.as_bytes(), &window, before.len())
}

#[rstest]
#[trace]
#[case::lf("allow: /x\n", Some((Field::Allow, 7, 9, 1)))]
#[case::no_space("Allow:/x\n/", Some((Field::Allow, 6, 8, 1)))]
#[case::cr("user-agent: *\r", Some((Field::UserAgent, 12, 13, 1)))]
#[case::cr_lf("Sitemap: x\r\n", Some((Field::Sitemap, 9, 10, 2)))]
#[case::the_end("Disallow: /x", Some((Field::Disallow, 10, 12, 0)))]
#[case::no_value("disallow: \n", None)]
#[case::a_tab("disallow:\t/x\n", None)]
#[case::two_spaces("disallow:  /x\n", None)]
#[case::a_comment("disallow: /x#\n", None)]
#[case::white_space("disallow: /x \n", None)]
#[case::a_nul("disallow: /x\0", None)]
#[case::no_colon("disallow /x\n", None)]
#[case::another_field("host: x\n", None)]
fn records(
    #[case] line: &str,
    #[case] found: Option<(Field, usize, usize, usize)>,
    #[values("", "#\n")] before: &str,
) {
    assert_eq!(of_line(before, line), found);
}

#[rstest]
#[trace]
#[case::lf("\n", Some(1))]
#[case::cr("\r", Some(1))]
#[case::cr_lf("\r\n", Some(2))]
#[case::cr_lf_and_more("\r\n/", Some(2))]
#[case::the_end("", Some(0))]
#[case::white_space(" \n", None)]
#[case::a_comment("#", None)]
fn long_records(#[case] behind: &str, #[case] ending: Option<usize>) {
    for len in 40..=CompactLine::MAX + 1 {
        let content = format!("disallow: {:/<1$}", "", len - 10);
        let found = ending.filter(|_| len <= CompactLine::MAX);
        let found = found.map(|ending| (Field::Disallow, 10, len, ending));
        let filler = if behind.ends_with('/') { "/".repeat(40) } else { String::new() };
        assert_eq!(of_line("#\n", &(content + behind + &filler)), found, "{len}");
    }
}

#[test]
fn long_lines() {
    let xs = |len: usize| "x".repeat(len);
    for len in 64..=CompactLine::MAX + 40 {
        for (line, first, colon) in [
            (xs(len) + "\n", 0, None),
            ("x:".to_owned() + &xs(len - 2) + "\r\n/", 1 << 1, Some(1)),
            (xs(len - 21) + ":#" + &xs(19) + "\n", 0, Some(len - 21)),
        ] {
            let octets = "##".to_owned() + &line + &xs(WINDOW);
            let found = long_line(octets.as_bytes(), 2, first);
            let fits = len <= CompactLine::MAX;
            let ending = line.trim_end_matches('/').len() - len;
            let reported = found.map(|(_, content, ending)| (content, ending));
            assert_eq!(reported, fits.then_some((len, ending)), "{len} {line}");
            let whole = Span::new(0, line.len());
            let line = found.map(|(line, ..)| line.line(LineNumber::FIRST, whole));
            let at = line.and_then(|line| line.colon).map(Span::start);
            assert_eq!(at, colon.filter(|_| fits), "{len}");
        }
    }
}
