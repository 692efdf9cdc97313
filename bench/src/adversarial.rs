//! Files a hostile site might serve, each at any size, and paths made of their patterns' own letters.

use std::fmt::Write as _;

/// The size of a file unless it is grown: 500 KiB.
pub const SIZE: usize = 500 * 1024;

/// A kind of hostile file.
#[derive(Clone, Copy, Debug)]
pub struct Case {
    /// What the tables call it.
    pub name: &'static str,
    /// Who asks.
    pub crawler: &'static str,
    /// Writes a file of about, and at most, so many octets.
    pub text: fn(usize) -> String,
    /// Writes a path of about so many octets that a rule matches at its very end; `None` where no rule
    /// can match.
    pub late: Option<fn(usize) -> String>,
    /// Writes a path of about so many octets that no rule matches.
    pub never: fn(usize) -> String,
}

/// The hostile files.
pub const CASES: [Case; 12] = [
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
];

/// One group for all crawlers, rules up to the size.
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

/// Adds numbered lines as long as they fit.
fn lines(text: &mut String, size: usize, line: impl Fn(usize) -> String) {
    for number in 0.. {
        let line = line(number);
        if text.len() + line.len() > size {
            break;
        }
        text.write_str(&line).expect("a String takes all");
    }
}

/// A beginning, then a unit as often as it fits.
fn repeated(start: &str, unit: &str, len: usize) -> String {
    format!("{start}{}", unit.repeat(len.saturating_sub(start.len()) / unit.len()))
}
