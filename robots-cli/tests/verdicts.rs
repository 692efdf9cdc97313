//! Tests the verb `verdicts` as a filter between other programs. The tests in `src/verdicts` call its function.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use robots_test_web::{Sites, Web};
use rstest::rstest;
use serde_json::json;

#[test]
fn verdicts_in_bulk_keep_their_order_and_survive_bad_lines() {
    let line = |number: usize| match number % 5 {
        0 => "no JSON\n".to_owned(),
        1 => format!("{{\"id\":{number},\"crawler\":\"a\",\"url\":\"/\"}}\n"),
        _ => format!(
            "{{\"id\":{number},\"robots_txt\":\"user-agent: a\\ndisallow: /{number}$\",\
             \"crawler\":[\"b\",\"a\"],\"url\":[\"/{number}\",\"/x\"]}}\n"
        ),
    };
    let lines = (0..10_000).map(line).collect::<Vec<_>>().concat();
    let mut child = Command::new(env!("CARGO_BIN_EXE_robots"))
        .arg("verdicts")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    let writer = thread::spawn(move || input.write_all(lines.as_bytes()));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap().unwrap();
    assert!(output.status.success());
    let answers: Vec<&str> = std::str::from_utf8(&output.stdout).unwrap().lines().collect();
    assert_eq!(answers.len(), 10_000);
    for (number, answer) in answers.into_iter().enumerate() {
        let answer: serde_json::Value = serde_json::from_str(answer).unwrap();
        match number % 5 {
            0 => assert!(answer["error"].as_str().unwrap().contains("line 1 column"), "{answer}"),
            1 => assert_eq!((&answer["id"], answer["error"].is_string()), (&number.into(), true)),
            _ => {
                assert_eq!(answer["id"], number);
                assert_eq!(answer["verdicts"][0]["verdict"], "disallow");
                assert_eq!(answer["verdicts"][0]["line"], 2);
                assert_eq!(answer["verdicts"][1]["verdict"], "allow");
            }
        }
    }
    let printed = String::from_utf8(output.stderr).unwrap();
    assert!(printed.starts_with("10000 lines, 4000 errors, 12000 verdicts in "), "{printed}");
}

/// A program that asks, waits for the answer, and asks again gets each answer at once.
#[test]
fn a_coprocess_is_answered_at_once() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_robots"))
        .arg("verdicts")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    for id in 0..20 {
        let line = json!({ "id": id, "robots_txt": "", "crawler": "a", "url": "/" });
        writeln!(input, "{line}").unwrap();
        let mut answer = String::new();
        output.read_line(&mut answer).unwrap();
        assert!(answer.starts_with(&format!("{{\"id\":{id},")), "{answer}");
    }
    drop(input);
    assert!(child.wait().unwrap().success());
}

/// The command ends when its output is closed, even if its input stays open.
#[test]
fn a_reader_that_goes_ends_the_filter() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_robots"))
        .arg("verdicts")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    drop(child.stdout.take());
    input.write_all(b"no JSON\n").unwrap();
    assert!(child.wait().unwrap().success());
    drop(input);
}

/// A line needs at most eight times its length in memory, whatever it consists of. `{site}` is a site.
#[cfg(target_os = "linux")]
#[rstest]
#[trace]
#[case::urls("", r#"{"robots_txt":"","crawler":"a","url":["#, r#""/","#, r#""/"]}"#)]
#[case::crawlers("", r#"{"robots_txt":"","url":"/","crawler":["#, r#""a","#, r#""a"]}"#)]
#[case::text("", r#"{"crawler":"a","url":"/","robots_txt":""#, r"\n", "\"}")]
#[case::fetched_urls(
    "--fetch --allow-private",
    r#"{"crawler":"a","url":["#,
    r#""{site}","#,
    r#""{site}"]}"#
)]
#[case::fetched_for_crawlers(
    "--fetch --allow-private",
    r#"{"url":"{site}","crawler":["#,
    r#""a","#,
    r#""a"]}"#
)]
fn a_line_needs_eight_times_its_length(
    #[case] option: &str,
    #[case] start: &str,
    #[case] part: &str,
    #[case] end: &str,
) {
    // The client for requests needs memory of its own.
    let most = if option.is_empty() { 4 << 20 } else { 8 << 20 };
    let web = Web::start(&Sites::from_yaml("site: { robots: \"\" }").unwrap()).unwrap();
    let [start, part, end] = [start, part, end].map(|text| web.expand(text));
    let mut line = start + &part.repeat((most - 100) / part.len()) + &end;
    line.push('\n');
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("line"), &line).unwrap();
    let mut child = Command::new(env!("CARGO_BIN_EXE_robots"))
        .arg("verdicts")
        .args(option.split_whitespace())
        .stdin(std::fs::File::open(folder.path().join("line")).unwrap())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let status = format!("/proc/{}/status", child.id());
    let mut needs = 0;
    while child.try_wait().unwrap().is_none() {
        let text = std::fs::read_to_string(&status).unwrap_or_default();
        let peak =
            text.lines().find_map(|line| line.strip_prefix("VmHWM:")?.split_whitespace().next());
        needs = peak.map_or(needs, |peak| peak.parse().unwrap());
        thread::sleep(Duration::from_millis(5));
    }
    println!("{} octets: {needs} KiB", line.len());
    assert!((1..=8 * most / 1024).contains(&needs), "{needs} KiB");
}

/// The rows of an archive are the same in both formats, from a file and from standard input.
#[test]
fn an_archive_gives_a_row_for_each_response() {
    let record = |host: &str, http: &str| {
        format!(
            "WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: https://{host}/robots.txt\r\n\
             WARC-Date: 2024-05-01T12:00:00Z\r\nContent-Type: application/http\r\n\
             Content-Length: {}\r\n\r\n{http}\r\n\r\n",
            http.len()
        )
    };
    let ok = "HTTP/1.1 200 OK\r\n\r\nuser-agent: *\ndisallow: /x\n\nuser-agent: a\ndisallow: /\n";
    let archive = [
        "garbage\n".to_owned(),
        record("a.example", ok),
        record("b.example", "HTTP/1.1 404 No\r\n\r\n"),
        record("c.example", "HTTP/1.1 503 No\r\n\r\n"),
        record("d.example", "HTTP/1.1 301 M\r\nLocation: /y\r\n\r\n"),
    ]
    .concat();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.warc");
    std::fs::write(&file, &archive).unwrap();
    let run = |path: &str, arguments: &[&str]| {
        let command = ["verdicts", "--warc", path, "--agent", "a", "--agent", "b", "--path", "/x"];
        let output = Command::new(env!("CARGO_BIN_EXE_robots"))
            .args(command)
            .args(arguments)
            .stdin(std::fs::File::open(&file).unwrap())
            .output()
            .unwrap();
        let printed = String::from_utf8(output.stderr).unwrap();
        assert!(printed.starts_with("5 responses, 1 errors, 6 verdicts in "), "{printed}");
        output.stdout
    };
    let rows = String::from_utf8(run("-", &[])).unwrap();
    let rows: Vec<serde_json::Value> =
        rows.lines().map(|row| serde_json::from_str(row).unwrap()).collect();
    let verdict = |agent: &str, verdict: &str, disallowed: &str| json!({"agent": agent, "path": "/x", "verdict": verdict, "disallowed": disallowed});
    let begin = |offset: usize| json!({"archive": "-", "offset": offset});
    let starts: Vec<usize> = archive.match_indices("WARC/1.1").map(|(at, _)| at).collect();
    let date = "2024-05-01T12:00:00Z";
    let offsets = [0, starts[0], starts[1], starts[2], starts[3]];
    let mut expected = offsets.map(begin);
    for (row, more) in expected.iter_mut().zip([
        json!({"error": "no record begins here"}),
        json!({"url": "https://a.example/robots.txt", "date": date, "status": 200, "access": "conditional-allow",
            "verdicts": [verdict("a", "disallow", "everywhere"), verdict("b", "disallow", "in-part")]}),
        json!({"url": "https://b.example/robots.txt", "date": date, "status": 404, "access": "full-allow",
            "verdicts": [verdict("a", "allow", "nowhere"), verdict("b", "allow", "nowhere")]}),
        json!({"url": "https://c.example/robots.txt", "date": date, "status": 503, "access": "full-disallow",
            "verdicts": [verdict("a", "disallow", "everywhere"), verdict("b", "disallow", "everywhere")]}),
        json!({"url": "https://d.example/robots.txt", "date": date, "status": 301,
            "reason": "it redirects to https://d.example/y, which the archive does not have"}),
    ]) {
        row.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    }
    assert_eq!(rows, expected);

    let arrow = run(file.to_str().unwrap(), &["--format", "arrow"]);
    let batches: Vec<_> = arrow_ipc::reader::StreamReader::try_new(&arrow[..], None)
        .unwrap()
        .collect::<Result<_, _>>()
        .unwrap();
    assert_eq!(batches.iter().map(arrow_array::RecordBatch::num_rows).sum::<usize>(), rows.len());
    let column = |name: &str| {
        use arrow_array::cast::AsArray as _;
        let column = batches[0].column_by_name(name).unwrap().as_string::<i32>();
        column.iter().map(|text| text.map(str::to_owned)).collect::<Vec<_>>()
    };
    for name in ["url", "access", "reason", "error"] {
        let keys = rows.iter().map(|row| row[name].as_str().map(str::to_owned));
        assert_eq!(column(name), keys.collect::<Vec<_>>(), "{name}");
    }
}
