//! Tests the verb `check`: its input, its output in each format, and its exit status.

mod common;

use std::fs;
use std::process::Output;

use rstest::rstest;
use serde_json::Value;
use serde_sarif::sarif::Sarif;

use self::common::text;

const EXPECTED: &str = "\
never-blocked: [Googlebot]
blocked: [ai]
lists: { ai: [GPTBot, ClaudeBot] }
urls:
  - allow: [/, /shop/]
    disallow: [/private/]
  - agents: [Googlebot]
    allow: /news/
sitemaps: [https://example.com/sitemap.xml]
";

const GOOD: &str = "User-agent: *\nDisallow: /private/\nSitemap: https://example.com/sitemap.xml\n";

const BAD: &str = "User-agent: *\nDisallow: /\n\nUser-agent: GPTBot\nDisallow: /x\n";

struct Folder(common::Folder);

impl Folder {
    fn new(expected: &str, robots: &str) -> Self {
        Self(common::Folder::with(&[("expect.yaml", expected), ("robots.txt", robots)]))
    }

    fn run(&self, arguments: &[&str]) -> Output {
        self.0.run(&[&["check"], arguments].concat())
    }

    fn check(&self, format: &str) -> (Option<i32>, String) {
        let output = self.run(&["--format", format, "expect.yaml", "robots.txt"]);
        (output.status.code(), text(&output.stdout))
    }
}

#[test]
fn what_is_met_is_counted() {
    let expected =
        EXPECTED.replace("blocked: [ai]\n", "").replace("never-", "never-blocked: [Googlebot]\n#");
    let (status, text) = Folder::new(&expected, GOOD).check("text");
    assert_eq!((status, &text[..]), (Some(0), "robots.txt: 6 of 6 expectations met\n"));
}

#[test]
fn what_is_not_met_has_its_line_and_its_reason() {
    let (status, text) = Folder::new(EXPECTED, BAD).check("text");
    assert_eq!(status, Some(1));
    insta::assert_snapshot!("check_text", text);
}

#[test]
fn programs_get_an_object_of_the_schema() {
    let (_, text) = Folder::new(EXPECTED, BAD).check("json");
    let object = common::object(text.as_bytes(), "check");
    let results = object["files"][0]["results"].as_array().unwrap();
    assert_eq!(results[0]["expected"], "Googlebot is not blocked");
    assert_eq!(
        (&results[0]["met"], &results[0]["line"], &results[0]["at"]["column"]),
        (&false.into(), &2.into(), &17.into())
    );
}

#[test]
fn junit_has_a_case_for_each_expectation() {
    let (_, text) = Folder::new(EXPECTED, BAD).check("junit");
    let xml = roxmltree::Document::parse(&text).unwrap();
    let named = |name: &str| xml.descendants().filter(|node| node.has_tag_name(name)).count();
    let (_, json) = Folder::new(EXPECTED, BAD).check("json");
    let object: Value = serde_json::from_str(&json).unwrap();
    let totals = &object["files"][0]["totals"];
    assert_eq!(totals["failed"], named("failure"));
    assert_eq!(object["files"][0]["results"].as_array().unwrap().len(), named("testcase"));
}

#[test]
fn code_hosts_get_the_failures() {
    let folder = Folder::new(EXPECTED, BAD);
    let (_, text) = folder.check("sarif");
    let log: Sarif = serde_json::from_str(&text).unwrap();
    let results = log.runs[0].results.as_ref().unwrap().len();
    let (_, text) = folder.check("github");
    assert_eq!(text.lines().filter(|line| line.starts_with("::error file=")).count(), results);
    assert!(text.contains("file=robots.txt,line=2,"), "{text}");
}

/// A crawler that no group names follows the groups that the text states for it.
#[rstest]
#[trace]
#[case("Applebot: [Googlebot, \"*\"]", "user-agent: Googlebot\nallow: /\n", None)]
#[case("Applebot: [Googlebot, \"*\"]", "", Some("line 2"))]
#[case("Applebot: [Googlebot]", "", None)]
#[case("applebot: []", "user-agent: applebot\ndisallow: /\n", Some("line 4"))]
#[case("Otherbot: []", "user-agent: Otherbot\nallow: /\n", Some("line 2"))]
fn a_crawler_may_follow_other_groups(
    #[case] crawlers: &str,
    #[case] group: &str,
    #[case] blocking: Option<&str>,
) {
    let expected = |key: &str| {
        format!(
            "crawlers: {{ {crawlers} }}\n{key}: Applebot\nurls: {{ agents: Applebot, allow: /a }}\n"
        )
    };
    let robots = format!("user-agent: *\ndisallow: /\n{group}");
    let folder = Folder::new(&expected("never-blocked"), &robots);
    let (status, text) = folder.check("text");
    assert_eq!(status, Some(i32::from(blocking.is_some())), "{text}");
    assert!(blocking.is_none_or(|line| text.contains(line)), "{text}");
    folder.0.write("expect.yaml", expected("blocked"));
    let (status, text) = folder.check("text");
    assert_eq!(status, Some(1), "one of the two is not met: {text}");
    let is_unbound = group.is_empty() && blocking.is_none();
    assert_eq!(
        text.contains("Applebot may fetch /: allow: no group for this crawler"),
        is_unbound,
        "{text}"
    );
}

/// `--init` reads a file, and writes expectations that this file meets.
#[rstest]
#[trace]
#[case(GOOD)]
#[case(BAD)]
#[case("")]
#[case("user-agent: everyone\ndisallow: /\n\nuser-agent: *\ndisallow: /a b\ndisallow: /null\n")]
fn a_draft_is_met_by_its_file(#[case] robots: &str) {
    let folder = Folder::new("", robots);
    let output = folder.run(&["--init", "robots.txt"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    folder.0.write("expect.yaml", &output.stdout);
    let (status, text) = folder.check("text");
    assert_eq!(status, Some(0), "{text}{}", String::from_utf8_lossy(&output.stdout));
    let schema: Value = serde_json::from_str(include_str!("../schema/expect.schema.json")).unwrap();
    let value: Value = serde_yaml::from_slice(&output.stdout).unwrap();
    assert!(jsonschema::validator_for(&schema).unwrap().is_valid(&value), "{value}");
}

/// Each message about a mistake has its line and its column.
#[rstest]
#[trace]
#[case("urls:\n  - alow: [/]\n", "line 2, column 5: unknown key \"alow\"")]
#[case("crawlers: { 'two words': [] }\n", "line 1, column 13: not a product token")]
#[case("crawlers: [a]\n", "line 1, column 11: `crawlers` has the groups of each crawler")]
#[case("blocked: [GPTBot, 'two words']\n", "line 1, column 19: \"two words\" is not the name")]
#[case("sitemaps:\n  - /sitemap.xml\n", "line 2, column 5: \"/sitemap.xml\" is not a whole URL")]
#[case(
    "never: [a]\n",
    "line 1, column 1: unknown key \"never\"; the keys are never-blocked, blocked"
)]
#[case("blocked: [a]\nblocked: [b]\n", "line 2, column 1: `blocked` is there twice")]
#[case("urls: [{allow: [x]}]\n", "line 1, column 17: \"x\" is no path and no URL")]
#[case("blocked: [a\n", "line ")]
#[case("", "expects nothing")]
fn mistakes_have_their_place(#[case] expected: &str, #[case] message: &str) {
    let output = Folder::new(expected, GOOD).run(&["expect.yaml", "robots.txt"]);
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{stderr}");
    assert!(stderr.contains(message), "{stderr}");
}

/// The example in `docs/examples` and the page `docs/site-owners.md` contain valid expectations.
#[test]
fn what_the_documents_show_is_read() {
    use robots_lint::expect::Expectations;
    let docs = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs");
    let list = fs::read_to_string(format!("{docs}/examples/ai-agents.yaml")).unwrap();
    assert!(Expectations::read(&list).unwrap().all.len() >= 6);
    let page = fs::read_to_string(format!("{docs}/site-owners.md")).unwrap();
    let (_, rest) = page.split_once("```yaml\nnever-blocked").unwrap();
    let (shown, _) = rest.split_once("```").unwrap();
    assert!(!Expectations::read(&format!("never-blocked{shown}")).unwrap().all.is_empty());
}
