//! Makes files that a hostile site might serve, in any size, and paths from the letters of the patterns in these files.
//!
//! Start at [`CASES`]. A case consists of functions that write a file or a path of a given length. So a measurement can
//! double either length. A rule matches the path of [`Case::late`], and no rule matches the path of [`Case::never`].
//! `hostile.rs` checks this before it measures. Every run makes the same octets.

use std::fmt::Write as _;

use robots_core::Crawler;

/// The full size of a file: 500 KiB.
pub const SIZE: usize = 500 * 1024;

/// A kind of hostile file.
#[derive(Clone, Copy, Debug)]
pub struct Case {
    /// The name of the case in the tables.
    pub name: &'static str,
    /// The product tokens of the crawler, separated by commas.
    pub crawler: &'static str,
    /// Writes a file of approximately, and at most, this number of octets.
    pub text: fn(usize) -> String,
    /// Writes a path of approximately this number of octets that a rule matches. If the rule has wildcards, it matches
    /// only at the very end of the path. `None` if the case measures no path that a rule matches.
    pub late: Option<fn(usize) -> String>,
    /// Writes a path of approximately this number of octets that no rule matches.
    pub never: fn(usize) -> String,
}

impl Case {
    /// Returns the crawler.
    ///
    /// # Panics
    /// Panics if the tokens in the table are not product tokens.
    #[must_use]
    pub fn asks(&self) -> Crawler {
        self.crawler.parse().expect("the tokens of the table are product tokens")
    }
}

/// 32 tokens, the maximum for a crawler. The generated files name none of these tokens.
const MANY: &str = "b0,b1,b2,b3,b4,b5,b6,b7,b8,b9,c0,c1,c2,c3,c4,c5,c6,c7,c8,c9,d0,d1,d2,d3,d4,d5,d6,d7,d8,d9,e0,e1";

/// The hostile files.
pub const CASES: [Case; 19] = [
    Case {
        name: "rules `/` + `*a` × 800 + `b`",
        crawler: "examplebot",
        text: |size| rules(size, |number| format!("/{}b", "*a".repeat(800 - number % 50))),
        late: Some(|len| format!("/{}b", "a".repeat(len - 2))),
        never: |len| format!("/{}", "a".repeat(len - 1)),
    },
    Case {
        name: "rules `/*a*b*c*d<i>`",
        crawler: "examplebot",
        text: |size| rules(size, |number| format!("/*a*b*c*d{}", 10_000 + number)),
        late: Some(|len| format!("{}d10007", repeated("/", "abcd1000", len - 6))),
        never: |len| repeated("/", "abcd1000", len),
    },
    Case {
        name: "rules `/*<i>$`",
        crawler: "examplebot",
        text: |size| rules(size, |number| format!("/*{}$", 10_000 + number)),
        late: Some(|len| format!("{}10007", repeated("/", "1000", len - 5))),
        never: |len| format!("{}00000", repeated("/", "1000", len - 5)),
    },
    Case {
        name: "31 rules of 16 KB, `*` × 15 + `a` repeated, `b`",
        crawler: "examplebot",
        text: |size| {
            let each = size / 31 - 16;
            let unit = "***************a";
            rules(size, |number| format!("/{}b", unit.repeat(each / unit.len() - number % 31)))
        },
        late: Some(|len| format!("/{}b", "a".repeat(len - 2))),
        never: |len| format!("/{}", "a".repeat(len - 1)),
    },
    Case {
        name: "one rule: 1000 × `*a`, then `*` without end, `b`",
        crawler: "examplebot",
        text: |size| {
            let stars = "*".repeat(size.saturating_sub(2_100));
            format!("user-agent: *\ndisallow: /{}{stars}b\n", "*a".repeat(1000))
        },
        late: Some(|len| format!("/{}b", "a".repeat(len - 2))),
        never: |len| format!("/{}", "a".repeat(len - 1)),
    },
    Case {
        name: "one rule: `/*` and one literal",
        crawler: "examplebot",
        text: |size| format!("user-agent: *\ndisallow: /*{}\n", repeated("", "ab", size - 30)),
        late: None,
        never: |len| repeated("/", "ab", len),
    },
    Case {
        name: "one endless line",
        crawler: "examplebot",
        text: |size| "a".repeat(size),
        late: None,
        never: |len| repeated("/", "a", len),
    },
    Case {
        name: "empty lines",
        crawler: "examplebot",
        text: |size| "\r\n".repeat(size / 2),
        late: None,
        never: |len| repeated("/", "a", len),
    },
    Case {
        name: "`user-agent: a` lines",
        crawler: "a",
        text: |size| repeated("", "user-agent: a\n", size),
        late: None,
        never: |len| repeated("/", "a", len),
    },
    Case {
        name: "distinct agents, then rules",
        crawler: "a10007",
        text: |size| {
            let mut text = agents(size / 2);
            lines(&mut text, size, |number| format!("disallow: /{}\n", 10_000 + number));
            text
        },
        late: Some(|len| repeated("/10007", "1000", len)),
        never: |len| repeated("/", "0", len),
    },
    Case {
        name: "distinct agents, then crawl-delay lines",
        crawler: "a10007",
        text: |size| {
            let mut text = agents(size / 2);
            lines(&mut text, size, |number| format!("crawl-delay: {number}\n"));
            text
        },
        late: None,
        never: |len| repeated("/", "a", len),
    },
    Case {
        name: "15,000 groups for one agent",
        crawler: "a",
        text: |size| {
            let mut text = String::new();
            lines(&mut text, size, |number| {
                format!("user-agent: a\ndisallow: /a{}\n", 10_000 + number)
            });
            text
        },
        late: Some(|len| repeated("/a10007", "a", len)),
        never: |len| repeated("/", "a", len),
    },
    Case {
        name: "15 line ends and `a`",
        crawler: "examplebot",
        text: |size| repeated("", "\n\n\n\n\n\n\n\n\n\n\n\n\n\n\na\n", size),
        late: None,
        never: |len| repeated("/", "a", len),
    },
    Case {
        name: "`a` lines",
        crawler: "examplebot",
        text: |size| repeated("", "a\n", size),
        late: None,
        never: |len| repeated("/", "a", len),
    },
    Case {
        name: "line ends alone",
        crawler: "examplebot",
        text: |size| "\n".repeat(size),
        late: None,
        never: |len| repeated("/", "a", len),
    },
    Case {
        name: "distinct agents, a crawler of 32 tokens",
        crawler: MANY,
        text: agents,
        late: None,
        never: |len| repeated("/", "a", len),
    },
    Case {
        name: "agents that are nearly a token of 253 octets",
        crawler: LONG,
        text: |size| {
            let mut text = String::new();
            lines(&mut text, size, |number| {
                let cut = number % 120;
                format!("user-agent: {}b\ndisallow: /{number}\n", &LONG[..LONG.len() - 2 * cut])
            });
            text
        },
        late: None,
        never: |len| repeated("/", "a", len),
    },
    Case {
        name: "a unit by chance, of few octets",
        crawler: "a",
        text: |size| repeated("user-agent: a\n", &by_chance(7, 11), size),
        late: None,
        never: |len| repeated("/", "c", len),
    },
    Case {
        name: "a unit by chance, of many octets",
        crawler: "a",
        text: |size| repeated("user-agent: a\n", &by_chance(11, 997), size),
        late: None,
        never: |len| repeated("/", "c", len),
    },
];

/// A token of 253 octets with a hyphen after each letter but the last. In its case, each user-agent value consists of a
/// prefix of this token and a `b`.
const LONG: &str = "a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a";

/// Returns a text that consists of fragments of lines, chosen pseudo-randomly. The number of fragments is `pieces`.
/// Callers repeat this text to fill a file. The same seed gives the same text. Every pattern that begins with `/` or
/// `*` contains a `b`, so no rule matches a path without `b`.
fn by_chance(seed: u32, pieces: usize) -> String {
    const PIECES: [&str; 12] = [
        "\n",
        "\r",
        "allow: ",
        "disallow:",
        "/b",
        "*b",
        "a",
        "$",
        "user-agent: a",
        "user-agent: b",
        "#",
        " ",
    ];
    let mut state = seed;
    let next = || {
        // This is a linear congruential generator. Its high bits are random enough for this purpose.
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        PIECES[(state >> 16) as usize % PIECES.len()]
    };
    std::iter::repeat_with(next).take(pieces).collect()
}

/// Returns a file of at most this size with one group for all crawlers.
fn rules(size: usize, pattern: impl Fn(usize) -> String) -> String {
    let mut text = String::from("user-agent: *\n");
    lines(&mut text, size, |number| format!("disallow: {}\n", pattern(number)));
    text
}

fn agents(size: usize) -> String {
    let mut text = String::new();
    lines(&mut text, size, |number| format!("user-agent: a{}\n", 10_000 + number));
    text
}

/// Adds numbered lines, as long as the text does not exceed the size.
fn lines(text: &mut String, size: usize, line: impl Fn(usize) -> String) {
    for number in 0.. {
        let line = line(number);
        if text.len() + line.len() > size {
            break;
        }
        text.write_str(&line).expect("writing to a String cannot fail");
    }
}

/// Returns `start`, followed by as many repetitions of `unit` as fit into the length.
fn repeated(start: &str, unit: &str, len: usize) -> String {
    format!("{start}{}", unit.repeat(len.saturating_sub(start.len()) / unit.len()))
}
