//! The measured files: 1,000 files. About nine in ten of these files have at most 60 rules, and the others have up to
//! 400. The files are the same in each run.

use std::fmt::Write as _;
use std::sync::LazyLock;

/// The number of files.
pub(crate) const FILES: u32 = 1_000;

static CORPUS: LazyLock<Vec<String>> = LazyLock::new(|| {
    let mut random = fastrand::Rng::with_seed(9309);
    (0..FILES).map(|_| file(&mut random)).collect()
});

/// Returns the file of an origin. Every file disallows `/private`.
pub(crate) fn of(origin: u32) -> &'static str {
    &CORPUS[(origin % FILES) as usize]
}

/// Returns the mean length of the files of the first `origins` origins, in octets.
pub(crate) fn mean_octets(origins: u32) -> usize {
    (0..origins).map(|origin| of(origin).len()).sum::<usize>() / origins.max(1) as usize
}

fn file(random: &mut fastrand::Rng) -> String {
    let mut text = String::from("# robots.txt\nUser-agent: *\nDisallow: /private\n");
    let rules = match random.u8(0..10) {
        0..=5 => random.u16(2..20),
        6..=8 => random.u16(20..60),
        _ => random.u16(60..400),
    };
    for _ in 0..rules {
        let word = |random: &mut fastrand::Rng| -> String {
            (0..random.usize(3..10)).map(|_| random.lowercase()).collect()
        };
        let (one, two) = (word(random), word(random));
        let _ = match random.u8(0..8) {
            0 => writeln!(text, "Allow: /{one}/{two}"),
            1 => writeln!(text, "Disallow: /*.{one}$"),
            2 => writeln!(text, "Disallow: /*?{one}="),
            _ => writeln!(text, "Disallow: /{one}/{two}/"),
        };
    }
    text + "Sitemap: https://example.com/sitemap.xml\n"
}
