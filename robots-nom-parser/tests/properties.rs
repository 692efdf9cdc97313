//! Tests properties of the parser and the core that must be true for all octets, or for all well-formed files.
//!
//! proptest generates arbitrary octets, almost well-formed lines, and well-formed files in many layouts. If a
//! well-formed file is printed and parsed, its content must stay the same.

mod common;

use std::fmt::Write as _;

use common::accounted_lines;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::FileFailurePersistence;
use robots_nom_parser::robots_core::syntax::{Field, Line, LineKind};
use robots_nom_parser::robots_core::{Edition, Options, RobotsTxt, RuleKind};
use robots_nom_parser::{NomParser, ScanParser, parse_with};

fn lines_and_groups(robots: &RobotsTxt<&Vec<u8>>) -> (Vec<(Line, LineKind)>, Vec<String>) {
    (robots.lines().collect(), robots.groups().map(|group| format!("{group:?}")).collect())
}

/// Returns the published editions and the drafts. Only a draft defines `content-usage`.
fn editions() -> impl Iterator<Item = Edition> {
    Edition::ALL.iter().chain(Edition::DRAFTS).copied()
}

/// Generates lines that are records, and some that are almost records.
fn records() -> impl Strategy<Value = Vec<u8>> {
    let line = (
        prop::sample::select(
            &[
                "allow",
                "Disallow",
                "USER-AGENT",
                "sitemap",
                "content-usage",
                "allowe",
                "user\ragent",
            ][..],
        ),
        prop::sample::select(&[":", ": ", ":  ", ":\t", " :", "\x1A", ""][..]),
        prop::sample::select(&["", "/", "*", "x", "#", "https://example.com/", "\0", "/\x01"][..]),
        ("[a-z/*$]{0,4}", prop::sample::select(&[0, 12, 28, 29, 30, 31, 60, 230, 250][..])),
        prop::sample::select(&["\n", "\r\n", "\r", " \n", "\0\n", " # c\n", ""][..]),
    );
    let line = line.prop_map(|(name, colon, begin, (rest, more), ending)| {
        format!("{name}{colon}{begin}{rest}{:a<more$}{ending}", "").into_bytes()
    });
    vec(line, 0..8).prop_map(|lines| lines.concat())
}

/// Generates records with many empty lines between them.
fn sparse() -> impl Strategy<Value = Vec<u8>> {
    let ending = prop::sample::select(&["\n", "\r\n", "\r", " \n"][..]);
    let empty = (ending, prop::sample::select(&[0, 1, 15, 16, 17, 100][..]))
        .prop_map(|(ending, times)| ending.repeat(times).into_bytes());
    vec((records(), empty), 0..8)
        .prop_map(|parts| parts.into_iter().flat_map(|(a, b)| [a, b]).collect::<Vec<_>>().concat())
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 1024,
        failure_persistence: Some(Box::new(FileFailurePersistence::Direct(
            "proptest-regressions/properties.txt",
        ))),
        ..ProptestConfig::default()
    })]

    #[test]
    fn any_octets_are_accounted_for(octets in any_file()) {
        accounted_lines(&octets);
        for edition in editions() {
            parse_with(&octets, edition).verdict("a", "/a").to_string();
        }
    }

    #[test]
    fn short_lines_mean_what_whole_ones_do(octets in prop_oneof![any_file(), records(), sparse()]) {
        for edition in editions() {
            let options = Options::from(edition);
            let [short, whole] = [
                lines_and_groups(&RobotsTxt::parse(&ScanParser, &octets, options)),
                lines_and_groups(&RobotsTxt::parse(&NomParser, &octets, options)),
            ];
            prop_assert_eq!(short, whole);
        }
    }

    #[test]
    fn lines_are_kept_as_they_were_reported(octets in prop_oneof![any_file(), records(), sparse()]) {
        let reported = accounted_lines(&octets);
        for edition in editions() {
            let options = Options::from(edition);
            let robots = RobotsTxt::parse(&ScanParser, &octets, options);
            let kept: Vec<_> = robots.lines().collect();
            let kind = |line: &Line| (*line, line.kind(&octets, edition));
            prop_assert_eq!(&kept, &reported.iter().map(kind).collect::<Vec<_>>());
            let kept = |line: Line| kept.iter().any(|(kept, _)| *kept == line);
            for group in robots.groups() {
                prop_assert!(group.user_agents().all(|agent| kept(agent.line())));
                prop_assert!(group.rules().all(|rule| kept(rule.line())));
            }
            prop_assert!(robots.sitemaps().all(|(_, line)| kept(line)));
            let sitemaps = robots.lines().filter(|(_, kind)| {
                matches!(kind, LineKind::Record { field: Field::Sitemap, effect: Ok(()) })
            });
            prop_assert_eq!(robots.sitemaps().count(), sitemaps.count());
        }
    }

    #[test]
    fn what_was_printed_is_parsed(file in well_formed(), style in style()) {
        let text = file.print(style);
        for edition in editions() {
            prop_assert_eq!(&File::of(&parse_with(&text, edition)), &file, "{}", text);
        }
    }

    #[test]
    fn what_means_nothing_changes_no_verdict(
        octets in any_file(),
        place in any::<prop::sample::Index>(),
        inserted in prop::sample::select(&MEANINGLESS[..]),
        path in PATH,
    ) {
        let mut lines = accounted_lines(&octets);
        // Text that is inserted after a last line without an ending would become part of that line.
        lines.retain(|line| !line.ending().is_empty());
        if lines.is_empty() {
            return Ok(());
        }
        let at = place.get(&lines).span.end();
        // After a CR, the inserted text must not begin with LF, because that would make a CR LF.
        prop_assume!(!(octets[at - 1] == b'\r' && inserted.starts_with('\n')));
        let more = [&octets[..at], inserted.as_bytes(), &octets[at..]].concat();
        for edition in editions() {
            for agent in ["a", "ab", "b"] {
                let [before, after] = [&octets, &more].map(|octets| {
                    let robots = parse_with(octets, edition);
                    let verdict = robots.verdict(agent, &path);
                    let rule = verdict.rule().map(|rule| (rule.kind(), rule.path().to_vec()));
                    (verdict.is_allowed(), verdict.reason(), rule)
                });
                prop_assert_eq!(before, after);
            }
        }
    }
}

#[test]
fn a_limit_cuts_between_lines() {
    let body = "user-agent: *\ndisallow: /a\ndisallow: /b\n";
    for limit in 0..=body.len() + 1 {
        let options = Options::default().with_limit(limit);
        for robots in [
            RobotsTxt::parse(&NomParser, body, options),
            RobotsTxt::parse(&ScanParser, body, options),
        ] {
            let read = robots.truncated_at().unwrap_or(body.len());
            assert!(read <= limit || robots.truncated_at().is_none());
            let reached = robots.lines().last().map_or(0, |(line, _)| line.span.end());
            assert_eq!(reached, read);
        }
    }
}

/// Paths of few different characters, so that rules often match.
const PATH: &str = "/[ab/]{0,4}";

/// Lines that change no verdict, with their endings.
const MEANINGLESS: [&str; 10] = [
    "\n",
    "\r",
    "\r\n",
    " \t\n",
    "# user-agent: b\r\n",
    "  # disallow: /\n",
    "crawl-delay: 10\n",
    "Host : a # b\r",
    "x:\r\n",
    "disallowed: /\n",
];

/// Generates arbitrary octets, or lines that may or may not change a verdict.
fn any_file() -> impl Strategy<Value = Vec<u8>> {
    let line = prop_oneof![
        4 => "(user-agent|User-Agent ): ?(a|b|ab|\\*|c)",
        6 => "(dis)?allow: ?(/[ab/*$]{0,4})?",
        1 => "content-usage: ?(/[ab*$]{0,3} )?train-ai=[yn]",
        1 => prop::sample::select(&MEANINGLESS[..]).prop_map(str::to_owned),
        1 => "[ :#a\t/]{0,8}",
    ];
    let ending = prop::sample::select(vec!["\n", "\r", "\r\n", ""]);
    prop_oneof![
        1 => vec(any::<u8>(), 0..200),
        1 => vec(prop::sample::select(&b"\xEF\xBB\xBF\r\n\r\n :#a\t\0"[..]), 0..60),
        4 => vec((line, ending), 0..16).prop_map(|lines| {
            lines.into_iter().flat_map(|(line, ending)| (line + ending).into_bytes()).collect()
        }),
    ]
}

/// The content of a well-formed file.
#[derive(Clone, Debug, Default, PartialEq)]
struct File {
    groups: Vec<Group>,
    sitemaps: Vec<String>,
}

#[derive(Clone, Debug, PartialEq)]
struct Group {
    agents: Vec<String>,
    rules: Vec<(RuleKind, String)>,
}

/// The layout of a file.
#[derive(Clone, Copy, Debug)]
struct Style {
    ending: &'static str,
    before_colon: &'static str,
    behind_colon: &'static str,
    behind_value: &'static str,
    upper_case: bool,
    mark: &'static str,
}

fn well_formed() -> impl Strategy<Value = File> {
    let agent = prop_oneof!["[A-Za-z_-]{1,8}", Just("*".to_owned())];
    let kind = prop_oneof![Just(RuleKind::Allow), Just(RuleKind::Disallow)];
    // Only the last group may have no rules. If another group had none, its user-agent lines and those of the next
    // group would begin one group together.
    let rule = (kind, "/[!-\"$-~é魚]{0,8}");
    let group =
        (vec(agent, 1..4), vec(rule, 1..5)).prop_map(|(agents, rules)| Group { agents, rules });
    let sitemap = "https?://[a-z]{1,5}(:[0-9]{1,4})?/[!-\"$-~]{0,8}";
    (vec(group, 0..5), any::<bool>(), vec(sitemap, 0..3)).prop_map(|(groups, empty, sitemaps)| {
        let mut file = File { groups, sitemaps };
        if let (true, Some(last)) = (empty, file.groups.last_mut()) {
            last.rules.clear();
        }
        file
    })
}

fn style() -> impl Strategy<Value = Style> {
    let of = |choices: &'static [&'static str]| prop::sample::select(choices);
    (
        of(&["\n", "\r", "\r\n"]),
        of(&["", " ", "\t "]),
        of(&["", " ", " \t"]),
        of(&["", " ", "#c", "\t # c: d"]),
        any::<bool>(),
        of(&["", "\u{FEFF}"]),
    )
        .prop_map(|(ending, before_colon, behind_colon, behind_value, upper_case, mark)| {
            Style { ending, before_colon, behind_colon, behind_value, upper_case, mark }
        })
}

impl File {
    fn print(&self, style: Style) -> String {
        let mut text = style.mark.to_owned();
        let mut line = |field: &str, value: &str| {
            let field = if style.upper_case { field.to_uppercase() } else { field.to_owned() };
            let Style { ending, before_colon, behind_colon, behind_value, .. } = style;
            write!(text, "{field}{before_colon}:{behind_colon}{value}{behind_value}{ending}")
                .unwrap();
        };
        for group in &self.groups {
            group.agents.iter().for_each(|agent| line("user-agent", agent));
            group.rules.iter().for_each(|(kind, value)| line(kind.name(), value));
        }
        self.sitemaps.iter().for_each(|sitemap| line("sitemap", sitemap));
        text
    }

    fn of<B: AsRef<[u8]>>(robots: &RobotsTxt<B>) -> Self {
        let text = |octets: &[u8]| String::from_utf8(octets.to_vec()).expect("UTF-8 was printed");
        let group = |group: robots_nom_parser::robots_core::Group<'_>| Group {
            agents: group.user_agents().map(|agent| text(agent.value())).collect(),
            rules: group.rules().map(|rule| (rule.kind(), text(rule.path()))).collect(),
        };
        Self {
            groups: robots.groups().map(group).collect(),
            sitemaps: robots.sitemaps().map(|(value, _)| text(value)).collect(),
        }
    }
}
