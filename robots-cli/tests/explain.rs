//! Tests the verb `explain` with several crawlers and URLs: its text, its JSON and its exit status. Also tests that the
//! verb `fetch` agrees with `explain`.

mod common;

use std::process::Output;
use std::time::{Duration, Instant};

use robots_test_web::{Sites, Web};
use rstest::rstest;
use serde_json::Value;

use self::common::text;

const FILE: &str =
    "User-agent: *\nDisallow: /private/\nDisalow: /typo\n\nUser-agent: GPTBot\nDisallow: /\n";

fn run(arguments: &[&str]) -> Output {
    common::run(arguments, FILE.as_bytes())
}

fn object(output: &Output) -> Value {
    common::object(&output.stdout, "explain")
}

#[test]
fn each_crawler_is_asked_about_each_url() {
    let output = run(&[
        "explain",
        "--agent",
        "Googlebot",
        "--agent",
        "GPTBot",
        "-",
        "/",
        "/private/x",
        "/typo",
    ]);
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    insta::assert_snapshot!("explain_several", text(&output.stdout));
}

#[test]
fn programs_get_an_object_of_the_schema() {
    let header = "Mozilla/5.0 (compatible; GPTBot/1.2)";
    let arguments = [
        "explain",
        "--agent",
        "Googlebot-News,Googlebot",
        "--user-agent",
        header,
        "--format",
        "json",
    ];
    let output = run(&[&arguments[..], &["-", "/typo", "https://example.com/private/"]].concat());
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    let object = object(&output);
    let answers = object["answers"].as_array().unwrap();
    let verdicts = answers.iter().map(|one| {
        let agents = one["agents"].as_array().unwrap().iter().map(|agent| agent.as_str().unwrap());
        let agents = agents.collect::<Vec<_>>().join("+");
        format!("{agents} {} {} {}", one["url"], one["verdict"], one["line"])
    });
    let verdicts: Vec<String> = verdicts.collect();
    assert_eq!(
        verdicts,
        [
            "Googlebot-News+Googlebot \"/typo\" \"allow\" null",
            "Googlebot-News+Googlebot \"https://example.com/private/\" \"disallow\" 2",
            "GPTBot \"/typo\" \"disallow\" 6",
            "GPTBot \"https://example.com/private/\" \"disallow\" 6",
        ]
    );
    assert_eq!(answers[0]["findings"][0]["kind"], "misspelt-field");
    assert_eq!(
        (&answers[0]["user_agent"], &answers[2]["user_agent"]),
        (&Value::Null, &header.into())
    );
}

/// The use is shown on request. Under the draft it is always shown, but the pages of a site may have preferences too.
#[test]
fn the_use_of_content_is_shown_on_request() {
    let file = "User-agent: *\nContent-Usage: train-ai=n\nAllow: /\n\nUser-agent: __usage_ai-training\nDisallow: /x\n";
    let sites = format!("main: {{ robots: {} }}", serde_json::to_string(file).unwrap());
    let web = Web::start(&Sites::from_yaml(&sites).unwrap()).unwrap();
    for origin in ["-", &web.expand("{main}")] {
        let run = |further: &[&str]| {
            let arguments = [&["explain", "--agent", "a", origin, "/x"], further].concat();
            common::run(&arguments, file.as_bytes())
        };
        let usage = "train-ai disallowed: the longest matching path is line 2";
        let policy = "disallow: the longest matching rule is line 6";
        let printed = text(&run(&["--usage"]).stdout);
        for part in [
            format!("use, by the draft aipref-2026-08: {usage}"),
            format!("use, by the policy token __usage_ai-training: {policy}"),
        ] {
            assert!(printed.contains(&part), "{part}: {printed}");
        }
        assert!(!text(&run(&[]).stdout).contains("use, by"));
        let draft = text(&run(&["--edition", "aipref-2026-08"]).stdout);
        assert_eq!(draft.contains(usage), origin == "-", "{draft}");
        assert!(!draft.contains("policy token"), "{draft}");
        let answer = object(&run(&["--usage", "--format", "json"]))["answers"][0].clone();
        for (found, part) in
            [(&answer["usage"], usage), (&answer["policies"]["__usage_ai-training"], policy)]
        {
            assert!(found.as_str().unwrap().contains(part), "{answer}");
        }
    }
}

#[rstest]
#[trace]
#[case::older("google-2018", "/private/", "disallow")]
#[case::draft("aipref-2026-08", "/typo", "allow")]
fn each_edition_writes_the_object(#[case] edition: &str, #[case] url: &str, #[case] verdict: &str) {
    let output =
        run(&["explain", "--edition", edition, "--agent", "a", "--format", "json", "-", url]);
    let object = object(&output);
    assert_eq!(
        (&object["edition"], &object["answers"][0]["verdict"]),
        (&edition.into(), &verdict.into())
    );
}

/// `explain` of an origin and `fetch` give the same answer and the same exit status.
#[rstest]
#[trace]
#[case::allowed("main", "/open", 0)]
#[case::disallowed("main", "/private/x", 1)]
#[case::no_file("none", "/private/x", 0)]
#[case::an_outage("broken", "/open", 1)]
fn fetch_and_explain_agree(#[case] origin: &str, #[case] path: &str, #[case] status: i32) {
    let robots = serde_json::to_string(FILE).unwrap();
    let sites =
        format!("main: {{ robots: {robots} }}\nnone: {{ robots: 404 }}\nbroken: {{ robots: 503 }}");
    let web = Web::start(&Sites::from_yaml(&sites).unwrap()).unwrap();
    let origin = web.expand(&format!("{{{origin}}}"));
    let url = format!("{origin}{path}");
    let fetched = run(&["fetch", "--json", &url]);
    let explained = run(&["explain", "--agent", "examplebot", "--format", "json", &origin, path]);
    assert_eq!((fetched.status.code(), explained.status.code()), (Some(status), Some(status)));
    let line: Value = serde_json::from_slice(&fetched.stdout).unwrap();
    let answer = &object(&explained)["answers"][0];
    for key in ["verdict", "reason", "basis"] {
        assert_eq!(line[key], answer[key], "{key}");
    }
    assert_eq!(line["agents"][0], "examplebot");
}

/// The exit status is 1 if at least one of the URLs is forbidden.
#[test]
fn the_status_counts_every_url() {
    let robots = serde_json::to_string(FILE).unwrap();
    let web =
        Web::start(&Sites::from_yaml(&format!("main: {{ robots: {robots} }}")).unwrap()).unwrap();
    let [open, closed] = ["/", "/private/"].map(|path| web.expand(&format!("{{main}}{path}")));
    let status = |arguments: &[&str]| run(arguments).status.code();
    assert_eq!(status(&["fetch", &open]), Some(0));
    assert_eq!(status(&["fetch", &closed, &open]), Some(1));
    assert_eq!(status(&["fetch", "--agent", "a", "--agent", "GPTBot", &open]), Some(1));
    assert_eq!(status(&["explain", "--agent", "a", "-", "/", "/x"]), Some(0));
    assert_eq!(status(&["explain", "--agent", "a", "-", "/private/", "/"]), Some(1));
    assert_eq!(status(&["explain", "--agent", "a", "--agent", "GPTBot", "-", "/"]), Some(1));
}

/// A message about a wrong argument of any length is short, because it shows only the beginning of the argument.
#[rstest]
#[trace]
#[case(&["explain", "-", "/", "--agent"])]
#[case(&["explain", "-", "/", "--user-agent"])]
#[case(&["explain", "--agent", "a", "-"])]
#[case(&["explain", "--agent", "a", "http://127.0.0.1:9"])]
#[case(&["served", "--expect", "-"])]
#[case(&["lint", "--select"])]
fn messages_are_short(#[case] arguments: &[&str]) {
    let output = run(&[arguments, &[&"\u{1b}(x) ".repeat(20_000)]].concat());
    let message = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{message:.1000}");
    assert!(message.len() < 2000 && !message.contains('\u{1b}'), "{} octets", message.len());
}

/// A message about a wrong argument names the option, and suggests a correction if one is probable.
#[rstest]
#[trace]
#[case(&["explain", "--agent", "Mozilla/5.0 (compatible; examplebot/1.0)", "-", "/"], "did you mean --agent examplebot?")]
#[case(&["fetch", "--agent", "a b", "http://127.0.0.1:9/"], "--agent \"a b\": ")]
#[case(&["served", "--agent", "", "--expect", "-", "http://127.0.0.1:9/"], "--agent is empty")]
#[case(&["explain", "-", "/"], "add --agent examplebot, or --user-agent")]
#[case(&["explain", "--agent", "a", "Cargo.toml"], "<URL>...")]
#[case(&["explain", "--agent", "a", "--format", "yaml", "-", "/"], "[possible values: text, json]")]
#[case(&["fetch", "--timeout", "0", "http://127.0.0.1:9/"], "a number of seconds above 0")]
#[case(&["fetch", "--ca", "Cargo.toml", "https://127.0.0.1:9/"], "--ca: ")]
#[case(&["explain", "--agent", "a", "http://127.0.0.1:9", "http://127.0.0.1:8/x"], "is a URL of another site")]
fn messages_name_options(#[case] arguments: &[&str], #[case] message: &str) {
    let output = run(arguments);
    let message_seen = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{message_seen}");
    assert!(message_seen.contains(message), "{message_seen}");
    // The message names no item of the library, because users of the command line do not know its items.
    assert!(!message_seen.contains("::"), "{message_seen}");
}

/// The text of a hostile file is shown without effect on a terminal, and no file takes long.
#[rstest]
#[trace]
#[case::text(
    "user-agent: a\ndisallow: /\u{1b}]0;owned\u{7}\u{1b}[2J\u{85}\u{202e}\r\n::error::x\n\0\u{feff}disallow: /\n",
    0
)]
#[case::groups(&"user-agent: *\ndisallow: /a\nuser-agent: a\nallow: /b\n".repeat(10_000), 0)]
#[case::agents(&("user-agent: b\n".repeat(30_000) + "user-agent: a\ndisallow: /\n"), 1)]
#[case::stars(&("user-agent: a\ndisallow: ".to_owned() + &"/*a".repeat(100_000) + "$\n"), 0)]
#[case::rules_of_stars(&("user-agent: a\n".to_owned() + &"disallow: /*a*a*a*a*a*a*a*a*b$\n".repeat(15_000)), 0)]
#[case::one_line(&format!("user-agent: a\ndisallow: /{}", "\u{1b}".repeat(5 << 20)), 0)]
#[case::bad_lines(&("\u{1b}disalow /x: \n".repeat(35_000) + "user-agent: a\ndisallow: /\n"), 1)]
fn a_hostile_file_is_explained(#[case] file: &str, #[case] status: i32) {
    let url = format!("/{}", "a".repeat(60_000));
    for format in ["text", "json"] {
        let start = Instant::now();
        let header = "a/1.0 \u{1b}[2J \u{202e}";
        let arguments = ["explain", "--user-agent", header, "--format", format, "-", &url];
        let output = common::run(&arguments, file.as_bytes());
        assert_eq!(output.status.code(), Some(status), "{}", text(&output.stderr));
        assert!(start.elapsed() < Duration::from_secs(30), "{:?}", start.elapsed());
        let shown = text(&output.stdout);
        assert!(shown.len() < 1 << 20, "{} octets", shown.len());
        if format == "json" {
            object(&output);
        } else {
            let hidden = |c: &char| {
                *c != '\n'
                    && (c.is_control() || c.escape_debug().count() > 1 && !"\"'\\".contains(*c))
            };
            assert_eq!(shown.chars().find(hidden), None, "{shown}");
            assert!(!shown.lines().any(|line| line.starts_with("::")), "{shown}");
        }
    }
}
