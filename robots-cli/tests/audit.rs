//! Tests the verb `audit` with the log and the robots.txt of `docs/examples/audit`.

mod common;

use std::fs;
use std::io::Write as _;

use rstest::rstest;
use serde_json::Value;

use self::common::{Folder, text};

const LOG: &str = include_str!("../../docs/examples/audit/access.log");
const ROBOTS: &str = include_str!("../../docs/examples/audit/robots.txt");
const RANGES: &str = include_str!("../../docs/examples/audit/ranges/goodbot.json");

fn example() -> Folder {
    let folder = Folder::with(&[("access.log", LOG), ("robots.txt", ROBOTS)]);
    fs::create_dir(folder.path("ranges")).unwrap();
    folder.write("ranges/goodbot.json", RANGES);
    folder
}

/// Runs the verb with arguments that are separated by spaces, and returns its status and its output.
fn audit(folder: &Folder, arguments: &str) -> (Option<i32>, String) {
    let arguments: Vec<&str> = ["audit"].into_iter().chain(arguments.split_whitespace()).collect();
    let output = folder.run(&arguments);
    (output.status.code(), text(&output.stdout) + &text(&output.stderr))
}

fn report(folder: &Folder, arguments: &str) -> Value {
    let (status, text) = audit(folder, &format!("{arguments} --format json"));
    assert_eq!(status, Some(0), "{text}");
    common::object(text.as_bytes(), "audit")
}

#[rstest]
#[trace]
#[case("text", "")]
#[case("explain", "--explain hungrybot")]
#[case("anonymised", "--explain hungrybot --anonymise")]
#[case("json", "--format json --explain hungrybot")]
#[case("csv", "--format csv")]
#[case("html", "--format html --anonymise")]
fn each_format_shows_the_report(#[case] name: &str, #[case] arguments: &str) {
    let (status, text) =
        audit(&example(), &format!("access.log --robots robots.txt --ranges ranges {arguments}"));
    assert_eq!(status, Some(0), "{text}");
    insta::assert_snapshot!(format!("audit_{name}"), text);
}

/// Rotated logs in any order, compressed or not, are one log.
#[test]
fn rotated_logs_are_merged_by_time() {
    let folder = example();
    let whole = report(&folder, "access.log --robots robots.txt --ranges ranges");
    // The parts overlap: two servers take turns.
    let part = |number: usize| {
        let lines = LOG.lines().enumerate().filter(move |(at, _)| at % 2 == number % 2);
        let lines = lines.filter(move |(at, _)| (at / 24) == number / 2);
        lines.map(|(_, line)| format!("{line}\n")).collect::<String>()
    };
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(part(0).as_bytes()).unwrap();
    folder.write("a.gz", gzip.finish().unwrap());
    folder.write("b.zst", zstd::encode_all(part(1).as_bytes(), 1).unwrap());
    folder.write("c.log", part(2));
    folder.write("d.log", part(3));
    let parts = report(&folder, "d.log a.gz c.log b.zst --robots robots.txt --ranges ranges");
    assert_eq!(parts["crawlers"], whole["crawlers"]);
    assert_eq!(parts["requests"], whole["requests"]);
    assert_eq!(parts["logs"].as_array().unwrap().len(), 4);
    let output = common::run(&["audit", "-", "--robots", "no.txt"], LOG.as_bytes());
    assert!(text(&output.stderr).contains("cannot read no.txt"), "{output:?}");
    let robots = folder.path("robots.txt");
    let arguments = ["audit", "-", "--robots", robots.to_str().unwrap(), "--format", "csv"];
    let output = common::run(&arguments, LOG.as_bytes());
    assert_eq!(
        text(&output.stdout),
        audit(&folder, "access.log --robots robots.txt --format csv").1
    );
}

/// A crawler and a client that only uses its name have a row each, and `--explain` names both.
#[test]
fn rows_of_one_token_are_told_apart() {
    let (_, text) =
        audit(&example(), "access.log --robots robots.txt --ranges ranges --explain goodbot");
    for row in ["\ngoodbot\n  3 requests for", "\ngoodbot (not its address)\n  1 request for"] {
        assert!(text.contains(row), "{row}: {text}");
    }
}

/// Nothing is dropped in silence: unreadable lines are counted, and too many of them are an error.
#[test]
fn unreadable_lines_are_counted() {
    let folder = example();
    folder.write("cut.log", LOG.trim_end_matches("\"\n"));
    let cut = report(&folder, "cut.log --robots robots.txt");
    assert_eq!((&cut["logs"][0]["is_cut"], &cut["logs"][0]["lines"]), (&true.into(), &45.into()));
    folder.write("few.log", format!("{LOG}x\n\n{}\ny\n", "z".repeat(100_000)));
    let few = "few.log --robots robots.txt";
    let (status, error) = audit(&folder, few);
    let expected = "few.log: 3 of 49 lines are not of the format combined, line 47 is the first; state the format";
    assert!(status == Some(2) && error.contains(expected), "{error}");
    let few = report(&folder, &format!("{few} --allow-unreadable"));
    let log = &few["logs"][0];
    assert_eq!((&log["unreadable"], &log["first_unreadable"]), (&3.into(), &47.into()));
    assert_eq!((&log["no_url"], &few["requests"]), (&1.into(), &45.into()));
}

/// A server that decodes paths writes `%3F` as `?`. Whether the rule `/*?` matches is not decided, so it is not disobeyed.
#[test]
fn a_decoded_path_is_open() {
    let line = |path: &str| format!("2026-10-05 00:00:01 GET {path} - 200 examplebot/1.0\r\n");
    let lines = ["/robots.txt", "/what?", "/a"].map(line).concat();
    let log = format!(
        "#Fields: date time cs-method cs-uri-stem cs-uri-query sc-status cs(User-Agent)\r\n{lines}"
    );
    let folder =
        Folder::with(&[("iis.log", &log), ("robots.txt", "user-agent: *\ndisallow: /*?\n")]);
    let report = report(&folder, "iis.log --robots robots.txt");
    let crawler = &report["crawlers"][0];
    assert_eq!((&crawler["disobeyed"], &crawler["open"]), (&0.into(), &1.into()), "{crawler}");
    assert_eq!(crawler["causes"][0]["reason"], "decoded");
}

/// The help has its own list, whose order is that of the servers' fame.
#[test]
fn every_format_of_logs_is_in_the_help() {
    let folder = example();
    let (_, message) = audit(&folder, "access.log --robots robots.txt --log-format x");
    let (_, names) = message.split_once("A format is one of ").expect("the list of the formats");
    let (names, _) = names.split_once(", a format string").unwrap();
    let (_, help) = audit(&folder, "--help");
    for name in names.split(", ") {
        assert!(help.split([' ', ',', '\n']).any(|word| word == name), "{name}: {help}");
    }
}

#[rstest]
#[trace]
#[case("access.log", "--robots <FILE|URL>")]
#[case("access.log --robots robots.txt --robots-git robots.txt", "cannot be used with")]
#[case("--robots robots.txt", "<LOG|->...")]
#[case("no.log --robots robots.txt", "cannot read no.log")]
#[case("- - --robots robots.txt", "standard input can be only one of the logs")]
#[case(
    "robots.txt --robots robots.txt",
    "robots.txt: no known format reads the first lines; state the format by"
)]
#[case(
    "access.log --robots robots.txt --log-format common,x",
    "--log-format \"common,x\" is not a log format: it has no"
)]
#[case(
    "access.log --robots robots.txt --log-format aws-alb",
    "46 of 46 lines are not of the format aws-alb"
)]
#[case(
    "access.log --robots robots.txt --explain hungrybt",
    "the logs have no such crawler; did you mean \"hungrybot\"?"
)]
#[case("access.log --robots robots.txt --ranges .", "it has no file TOKEN.json")]
#[case(
    "access.log --robots robots.txt --agents robots.txt",
    "robots.txt, line 1, column 13: this is not YAML"
)]
#[case("access.log --robots robots.txt --deployed-after 10m", "cannot be used with")]
#[case("access.log --robots-git robots.txt --deployed-after soon", "such as 10m")]
#[case("access.log --robots-git robots.txt", "--robots-git robots.txt: ")]
#[case(
    "access.log --robots-git ranges",
    "--robots-git ranges: it is a folder; name the robots.txt"
)]
#[case(
    "access.log --robots-git no/robots.txt",
    "--robots-git no/robots.txt: there is no such folder"
)]
#[case("access.log --robots robots.txt --max-age soon", "such as 10m")]
#[case(
    "access.log --robots-history ranges",
    "goodbot.json: the name of a file in the history has its date"
)]
#[case("access.log --robots-history robots.txt", "cannot read robots.txt: ")]
#[case("access.log --robots robots.txt --host a/b", "--host a/b: it is not a host")]
#[case("access.log --robots robots.txt --host ftp://a", "--host ftp://a: it is not a host")]
#[case("access.log --robots robots.txt --host [a", "--host [a: it is not a host")]
fn what_cannot_be_used_is_an_error(#[case] arguments: &str, #[case] message: &str) {
    let (status, error) = audit(&example(), arguments);
    assert!(status == Some(2) && error.contains(message), "{error}");
}

/// A list names crawlers that nothing else shows, and states the groups that they follow.
#[rstest]
#[trace]
#[case("never-blocked: shopper", "disobeyed")]
#[case("crawlers: { shopper: [\"*\"] }", "disobeyed")]
#[case("crawlers: { shopper: [] }", "obeyed")]
#[case("crawlers: { shopper: [otherbot] }", "obeyed")]
fn a_list_states_the_groups_of_a_crawler(#[case] list: &str, #[case] class: &str) {
    let line = |path: &str| {
        format!(
            "192.0.2.7 - - [05/Oct/2026:09:30:00 +0000] \"GET {path} HTTP/1.1\" 200 99 \"-\" \"shopper/1.0\"\n"
        )
    };
    let folder = Folder::with(&[
        ("access.log", &*["/robots.txt", "/a"].map(line).concat()),
        ("robots.txt", "user-agent: *\ndisallow: /\nuser-agent: otherbot\nallow: /\n"),
        ("agents.yaml", list),
    ]);
    let report = report(&folder, "access.log --robots robots.txt --agents agents.yaml");
    assert_eq!(report["crawlers"][0][class], 1, "{report}");
}

/// A report for others has no address, no query in any form, and no folder of the logs.
#[rstest]
#[trace]
fn an_anonymised_report_has_no_private_words(
    #[values("text", "json", "csv", "html")] format: &str,
) {
    let line = |path: &str| {
        format!(
            "203.0.113.9 198.51.100.7 - - [05/Oct/2026:09:30:00 +0000] \"GET {path} HTTP/1.1\" 200 5 \"-\" \"xbot/1.0\"\n"
        )
    };
    let paths =
        ["/robots.txt", "/a?private", "/b;private", "/c%3Fprivate", "/d%3bprivate", "/e#private"];
    let folder = Folder::with(&[("robots.txt", "user-agent: *\ndisallow: /\n")]);
    fs::create_dir(folder.path("private")).unwrap();
    folder.write("private/access.log", paths.map(line).concat());
    let arguments = format!(
        "private/access.log --robots robots.txt --explain xbot --anonymise --format {format}"
    );
    let (status, text) = audit(&folder, &arguments);
    assert_eq!(status, Some(0), "{text}");
    for word in ["private", "203.0.113.9", "198.51.100.7"] {
        assert!(!text.contains(word), "{word}: {text}");
    }
}

/// Letters in upper case and a last full stop do not make another host. A log may have a scheme and no host.
#[test]
fn hosts_are_compared_without_case() {
    let line = |host: &str| {
        format!(
            "{host} 192.0.2.7 - - [05/Oct/2026:09:30:00 +0000] \"GET / HTTP/1.1\" 200 5 \"-\" \"xbot/1.0\"\n"
        )
    };
    let iis = "#Fields: date time s-port cs-method cs-uri-stem sc-status cs(User-Agent)\n2026-10-05 00:00:01 443 GET / 200 xbot/1.0\n";
    let log = ["shop.example", "Shop.Example", "shop.example."].map(line).concat();
    let folder = Folder::with(&[("a.log", &*log), ("iis.log", iis), ("robots.txt", ROBOTS)]);
    let origins = |log: &str| {
        let report = report(&folder, &format!("{log} --robots robots.txt"));
        let causes = report["crawlers"][0]["causes"].as_array().unwrap().clone();
        causes.iter().map(|cause| cause["origin"].to_string()).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(origins("a.log"), r#""shop.example""#);
    assert_eq!(origins("iis.log"), r#""https://(no host)""#);
}

/// The figures of the page are those of the command.
#[test]
fn the_page_shows_the_report() {
    let page = include_str!("../../docs/audit.md");
    let (_, shown) = audit(&example(), "access.log --robots robots.txt --ranges ranges");
    assert!(
        page.contains(&format!("```text\n{shown}```")),
        "docs/audit.md does not show:\n{shown}"
    );
}

#[test]
fn disobedience_can_fail_a_job() {
    let folder = example();
    let fails =
        |arguments: &str| audit(&folder, &format!("access.log {arguments} --fail-on disobeyed")).0;
    assert_eq!(fails("--robots robots.txt"), Some(1));
    assert_eq!(fails("--robots robots.txt --explain newbot"), Some(0));
    // Somebody who only uses the name of goodbot is not goodbot.
    folder.write("account.txt", "user-agent: goodbot\ndisallow: /account\n");
    assert_eq!(fails("--robots account.txt"), Some(1));
    assert_eq!(fails("--robots account.txt --ranges ranges"), Some(0));
    folder.write("open.txt", "user-agent: *\nallow: /\n");
    assert_eq!(fails("--robots open.txt"), Some(0));
}

/// Only the file that a crawler has read counts. A folder and a repository give the same history. An archive does not show
/// when the file changed between two copies.
#[test]
fn a_history_is_read_from_three_sources() {
    let folder = example();
    let (old, new) = ("user-agent: *\nallow: /\n", "user-agent: hungrybot\ndisallow: /\n");
    fs::create_dir(folder.path("history")).unwrap();
    folder.write("history/robots-2026-10-01.txt", old);
    folder.write("history/robots-2026-10-06T00:10.txt", new);
    let record = |date: &str, file: &str| {
        let http = format!("HTTP/1.1 200 OK\r\n\r\n{file}");
        format!(
            "WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: https://shop.example/robots.txt\r\nWARC-Date: {date}\r\n\
             Content-Type: application/http\r\nContent-Length: {}\r\n\r\n{http}\r\n\r\n",
            http.len()
        )
    };
    let records = record("2026-10-01T00:00:00Z", old) + &record("2026-10-06T00:10:00Z", new);
    folder.write("history.warc", records);
    folder.git(&["init", "--quiet"]);
    for (date, file) in [("2026-10-01T00:00:00Z", old), ("2026-10-06T00:00:00Z", new)] {
        folder.write("site.txt", file);
        folder.git(&["add", "site.txt"]);
        let git =
            ["-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "--quiet", "-m", "x"];
        let mut git = std::process::Command::new("git")
            .args(git)
            .current_dir(folder.path("."))
            .env("GIT_COMMITTER_DATE", date)
            .spawn()
            .unwrap();
        assert!(git.wait().unwrap().success());
    }
    let histories = [
        ("--robots-history history", 5, 3),
        ("--robots-history history.warc", 0, 8),
        ("--robots-git site.txt --deployed-after 10m", 5, 3),
    ];
    for (history, obeyed, open) in histories {
        let report = report(&folder, &format!("access.log {history}"));
        assert_eq!(report["robots_txt_versions"], 2, "{history}");
        let crawlers = report["crawlers"].as_array().unwrap();
        let hungry = crawlers.iter().find(|crawler| crawler["token"] == "hungrybot").unwrap();
        // It read the old file in the morning of 5 October, and came back in the evening of the 6th.
        assert_eq!(
            (&hungry["obeyed"], &hungry["disobeyed"]),
            (&obeyed.into(), &0.into()),
            "{history}: {hungry}"
        );
        let (_, text) = audit(&folder, &format!("access.log {history} --explain hungrybot"));
        let why = "disallows the URLs; robots.txt of 2026-10-06 00:";
        assert!(text.contains(why), "{history}: {text}");
        assert_eq!(
            (&hungry["open"], &hungry["forbidden"]),
            (&open.into(), &3.into()),
            "{history}: {hungry}"
        );
    }
    folder.write("history/robots-2026-08-01.txt", old);
    let hint = "3 versions; --max-age if crawlers may use one for more than 24 hours";
    for (max_age, class) in [("", "open"), ("--max-age 7d", "not_yet_known")] {
        let arguments =
            format!("access.log --robots-history history --explain hungrybot {max_age}");
        assert_eq!(report(&folder, &arguments)["crawlers"][0][class], 3, "{max_age}");
        assert_eq!(audit(&folder, &arguments).1.contains(hint), max_age.is_empty());
    }
}
