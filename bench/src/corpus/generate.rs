//! Generates texts with the shape of real files. The numbers come from about a thousand files of well-known sites: half
//! of these files have fewer than 550 octets, and one in a hundred has more than 20,000. Four lines in five are rules.
//! One file in 27 is an HTML page. These pages are longer than most other files.

use std::fmt::Write as _;

use fastrand::Rng;

/// Pairs of a share and a size in octets: this share of the files is smaller than this size.
const SIZES: [(f64, f64); 9] = [
    (0.0, 24.0),
    (0.25, 166.0),
    (0.5, 550.0),
    (0.75, 1_700.0),
    (0.9, 4_000.0),
    (0.975, 10_000.0),
    (0.99, 20_000.0),
    (0.997, 100_000.0),
    (1.0, 512_000.0),
];

const WORDS: [&str; 24] = [
    "admin", "search", "user", "login", "cart", "wp-admin", "includes", "modules", "tmp", "node",
    "comment", "reply", "print", "feed", "tag", "archive", "profile", "account", "checkout", "api",
    "static", "images", "en", "private",
];

const AGENTS: [&str; 8] = [
    "Googlebot",
    "bingbot",
    "Slurp",
    "MJ12bot",
    "AhrefsBot",
    "Mediapartners-Google",
    "Yandex",
    "Baiduspider",
];

/// Returns texts of all sizes in random order. Every run makes the same texts.
pub(super) fn texts(count: usize) -> Vec<String> {
    let mut rng = Rng::with_seed(9309);
    let mut texts: Vec<String> = (0..count)
        .map(|number| {
            let size = size_at((number as f64 + 0.5) / count as f64);
            if number % 27 == 5 {
                let share = rng.f64();
                html(&mut rng, size_at(0.8 + share * 0.197))
            } else {
                robots(&mut rng, size)
            }
        })
        .collect();
    rng.shuffle(&mut texts);
    texts
}

/// Returns a size in octets: this share of the files is smaller than this size. The function interpolates geometrically
/// between the pairs of [`SIZES`].
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "sizes are small and positive"
)]
fn size_at(share: f64) -> usize {
    let above = SIZES.iter().position(|(upto, _)| share <= *upto).unwrap_or(SIZES.len() - 1).max(1);
    let ((from, low), (to, high)) = (SIZES[above - 1], SIZES[above]);
    (low * (high / low).powf((share - from) / (to - from))) as usize
}

fn robots(rng: &mut Rng, size: usize) -> String {
    let mut out = String::with_capacity(size + 128);
    let end = if rng.u8(..100) < 28 { "\r\n" } else { "\n" };
    if rng.u8(..100) < 25 {
        write!(out, "# robots.txt of {}.example{end}", word(rng)).unwrap();
    }
    write!(out, "User-agent: *{end}").unwrap();
    // A large file consists mostly of one long group.
    let new_group = if size > 20_000 { 2 } else { 40 };
    while out.len() < size {
        match rng.u16(..1000) {
            0..44 => out.push_str(end),
            44..84 => write!(out, "# {} {} {}{end}", word(rng), word(rng), word(rng)).unwrap(),
            84..116 => {
                write!(
                    out,
                    "Sitemap: https://www.{}.example/sitemap-{}.xml{end}",
                    word(rng),
                    rng.u16(..999)
                )
                .unwrap();
            }
            116..120 => write!(out, "Crawl-delay: {}{end}", rng.u8(1..30)).unwrap(),
            120..130 => write!(out, "{}: {}{end}", word(rng), word(rng)).unwrap(),
            n if n < 130 + new_group => {
                out.push_str(end);
                for _ in 0..rng.u8(1..3) {
                    write!(out, "User-agent: {}{end}", rng.choice(AGENTS).unwrap_or("*")).unwrap();
                }
            }
            _ => {
                out.push_str(if rng.u8(..100) < 12 { "Allow: " } else { "Disallow: " });
                pattern(rng, &mut out);
                out.push_str(end);
            }
        }
    }
    out
}

fn pattern(rng: &mut Rng, out: &mut String) {
    let wild = rng.u8(..100);
    if wild < 8 {
        out.push_str("/*");
    }
    let segments = rng.u8(1..4);
    for _ in 0..segments {
        write!(out, "/{}", word(rng)).unwrap();
    }
    match rng.u8(..100) {
        0..45 => out.push('/'),
        45..70 => write!(out, "/{}", rng.u32(..100_000)).unwrap(),
        70..78 => out.push_str(".php"),
        78..84 => write!(out, "?{}=", word(rng)).unwrap(),
        84..86 => out.push_str("/caf%c3%a9"),
        _ => {}
    }
    if (8..14).contains(&wild) {
        out.push('*');
    } else if wild == 14 {
        out.push('$');
    }
}

fn html(rng: &mut Rng, size: usize) -> String {
    let mut out =
        String::from("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<title>Not found</title>\n");
    while out.len() < size {
        match rng.u8(..4) {
            0 => {
                writeln!(out, "  <div class=\"{} {}\" id=\"{}\">", word(rng), word(rng), word(rng))
                    .unwrap();
            }
            1 => writeln!(
                out,
                "    <a href=\"https://{0}.example/{0}#{1}\">{1}</a>",
                word(rng),
                word(rng)
            )
            .unwrap(),
            2 => writeln!(
                out,
                "  .{} {{ margin: {}px; color: #{:06x}; }}",
                word(rng),
                rng.u8(..99),
                rng.u32(..0xFF_FFFF)
            )
            .unwrap(),
            _ => {
                for _ in 0..rng.u8(4..30) {
                    write!(out, "{} ", word(rng)).unwrap();
                }
                out.push_str("\n\n");
            }
        }
    }
    out.push_str("</html>\n");
    out
}

fn word(rng: &mut Rng) -> &'static str {
    WORDS[rng.usize(..WORDS.len())]
}
