//! Tests the verb `verdicts`, which answers questions in bulk, with untrusted input and slow sites.
//!
//! The output must stay within its limits, contain no invisible character, and have an answer for each line. Most tests
//! call the function behind the verb, through [`verdicts`].

use std::fs;
use std::process::Command;
use std::time::{Duration, Instant};

use crate::verdicts::{self, Files, LONGEST_LINE};
use robots_console::render::is_visible;
use robots_nom_parser::NomParser;
use rstest::rstest;
use serde_json::{Value, json};

fn verdicts(files: &Files, input: impl Into<Vec<u8>>) -> Vec<u8> {
    let mut output = Vec::new();
    let input = std::io::Cursor::new(input.into());
    verdicts::run(&NomParser, files, input, &mut output).unwrap();
    output
}

fn answers(files: &Files, input: impl Into<Vec<u8>>) -> Vec<Value> {
    let output = String::from_utf8(verdicts(files, input)).unwrap();
    output.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Checks that the output for a line stays below the limit that `verdicts::run` documents: 64 octets for each octet of
/// the line, plus 64 KiB. Returns the length of the output.
fn is_bounded(line: &str) -> usize {
    let output = verdicts(&Files::none(), line.as_bytes());
    assert!(
        output.len() <= 64 * line.len() + 64 * 1024,
        "{} octets became {}",
        line.len(),
        output.len()
    );
    output.len()
}

#[test]
fn a_long_rule_is_not_told_with_every_url() {
    let long = format!("/{}", "a\u{202e}".repeat(100_000));
    let urls = vec!["/a"; 4000];
    let line = |robots_txt: String| {
        json!({ "robots_txt": robots_txt, "crawler": "a", "url": urls }).to_string()
    };
    is_bounded(&line(format!("user-agent: *\ndisallow: /*\nallow: {long}\ndisallow: /a*{long}")));
    let output =
        is_bounded(&line(format!("user-agent: a {long}\ndisallow: /a{}", "*".repeat(500_000))));
    assert!(output > 4000 * 200, "{output}: every verdict has its reason");
}

/// A line with a million agents, which is fourteen megabytes long, is refused at once.
#[test]
fn agents_by_the_million_are_refused_at_once() {
    let line = json!({
        "robots_txt": "user-agent: a\ndisallow: /\n".repeat(10_000),
        "crawler": vec!["abcdefghijk"; 1_000_000],
        "url": "/",
    });
    let start = Instant::now();
    let answers = answers(&Files::none(), line.to_string());
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
    let error = answers[0]["error"].as_str().unwrap();
    assert!(error.contains("32"), "{error}");
}

#[test]
fn reasons_that_are_left_out_are_counted() {
    let robots_txt = format!("user-agent: *\ndisallow: /{}", "*".repeat(1000));
    let ask = |count: usize| {
        let line = json!({ "robots_txt": robots_txt, "crawler": "a", "url": vec!["/"; count] });
        answers(&Files::none(), line.to_string()).remove(0)
    };
    assert_eq!(ask(10).get("reasons_left_out"), None);
    let many = ask(100_000);
    let verdicts = many["verdicts"].as_array().unwrap();
    let given = verdicts.iter().filter(|verdict| verdict.get("reason").is_some()).count();
    assert!(given > 1000, "{given}");
    assert_eq!(many["reasons_left_out"], 100_000 - given);
}

#[test]
fn a_line_too_long_is_an_error_in_its_place() {
    let good = r#"{"robots_txt":"","crawler":"a","url":"/"}"#;
    let long = "x".repeat(LONGEST_LINE + 1);
    let answers = answers(&Files::none(), format!("{good}\n{long}\n\n{good}\n{long}"));
    let errors: Vec<bool> = answers.iter().map(|answer| answer.get("error").is_some()).collect();
    assert_eq!(errors, [false, true, false, true]);
    assert!(answers[1]["error"].as_str().unwrap().starts_with("a line of more than 16777216"));
}

/// A list is not an object. Texts are read from the line when they are needed, but a wrong one is an error of the whole
/// line, also at the end of a list.
#[rstest]
#[trace]
#[case::a_list(
    r#"["", null, null, "a", "/", null, null, null]"#,
    "a line is a JSON object, not a list"
)]
#[case::a_number("1", "invalid type: integer `1`")]
#[case::a_url_that_is_no_text(
    r#"{"robots_txt":"","crawler":"a","url":["/",5]}"#,
    "invalid type: integer `5`"
)]
#[case::a_list_in_a_list(
    r#"{"robots_txt":"","crawler":"a","url":[["/"]]}"#,
    "invalid type: sequence"
)]
#[case::no_url(
    r#"{"robots_txt":"","crawler":"a","url":null}"#,
    "expected a text or a list of texts"
)]
fn a_line_that_is_no_question_is_one_error(#[case] line: &str, #[case] why: &str) {
    let answers = answers(&Files::none(), line);
    assert_eq!(answers.len(), 1);
    let error = answers[0]["error"].as_str().unwrap();
    assert!(error.contains(why) && answers[0].as_object().unwrap().len() == 1, "{answers:?}");
}

/// The header of a question has the meaning of its values. It is short, because each verdict of the question reads it.
#[rstest]
#[trace]
#[case::one(r#""search=y""#, Some("search=y"))]
#[case::lines(r#"["train-ai=n","search=y, train-ai=y"]"#, Some("train-ai=y, search=y"))]
#[case::more(r#""train-ai=n;why=money, other=(1 2), search=5""#, Some("train-ai=n"))]
#[case::no_dictionary(r#""train-ai=n,""#, Some(""))]
#[case::none("[]", None)]
fn a_header_is_read_once(#[case] values: &str, #[case] header: Option<&str>) {
    let line = format!(r#"{{"content_usage":{values},"crawler":"a","url":"/"}}"#);
    let line = verdicts::Line { number: 1, octets: Some(line.into_bytes()) };
    assert_eq!(verdicts::question(&line).unwrap().header().as_deref(), header);
}

#[rstest]
#[trace]
#[case::one(r#""/a""#, &["/a"])]
#[case::several(" [ \"/a\" ,\t\"/b\"] ", &["/a", "/b"])]
#[case::marks(r#"["/[,]","/\"\\","/\u00e9"]"#, &["/[,]", "/\"\\", "/é"])]
#[case::none("[]", &[])]
fn texts_are_read_from_the_line(#[case] url: &str, #[case] urls: &[&str]) {
    let line = format!(r#"{{"url":{url},"robots_txt":"","crawler":"a"}}"#);
    let answers = answers(&Files::none(), line);
    let given = answers[0]["verdicts"].as_array().unwrap().iter().map(|one| one["url"].as_str());
    assert!(given.eq(urls.iter().map(|url| Some(*url))), "{answers:?}");
}

/// Invisible characters are escaped, because such a character could make a terminal show the parts of an answer in
/// another order.
#[rstest]
#[trace]
#[case::of_a_rule_and_a_url(&json!({
    "robots_txt": "user-agent: *\ndisallow: /\u{202e}",
    "crawler": "a",
    "url": ["/\u{202e}", "\u{200b}"],
}))]
#[case::of_a_crawler(&json!({ "robots_txt": "", "crawler": "a\u{202e}", "url": "/" }))]
#[case::of_an_edition(&json!({
    "robots_txt": "", "crawler": "a", "url": "/", "edition": "\u{202e}",
}))]
#[case::of_a_file(&json!({ "file": "\u{202e}", "crawler": "a", "url": "/" }))]
#[case::of_a_key(&json!({ "\u{202e}": 1 }))]
fn what_cannot_be_seen_is_escaped(#[case] line: &Value) {
    let output = String::from_utf8(verdicts(&Files::none(), line.to_string())).unwrap();
    assert!(output.trim_end_matches('\n').chars().all(is_visible), "{output:?}");
    let answer: Value = serde_json::from_str(&output).unwrap();
    if let Some(verdicts) = answer.get("verdicts") {
        assert_eq!((&verdicts[0]["url"], &verdicts[1]["url"]), (&line["url"][0], &line["url"][1]));
    }
}

/// An `id` is copied to the answer unchanged, even if it is an unusual number or contains invisible characters.
#[rstest]
#[trace]
#[case("18446744073709551616")]
#[case("-123456789012345678901234567890.10")]
#[case("1e400")]
#[case("[1.0,{\"a\":1e2}]")]
#[case("\"\\u00e9\"")]
#[case("\"\u{202e}\"")]
fn an_id_comes_back_as_it_came(#[case] id: &str) {
    let line = format!(r#"{{"id":{id},"robots_txt":"","crawler":"a","url":"/"}}"#);
    let output = String::from_utf8(verdicts(&Files::none(), line)).unwrap();
    assert!(output.starts_with(&format!("{{\"id\":{id},\"verdicts\"")), "{output}");
    let wrong = format!(r#"{{"id":{id},"crawler":"a","url":"/"}}"#);
    let output = String::from_utf8(verdicts(&Files::none(), wrong)).unwrap();
    assert!(output.starts_with(&format!("{{\"id\":{id},\"error\"")), "{output}");
}

#[test]
fn files_are_regular_and_below_their_folder() {
    let outer = tempfile::tempdir().unwrap();
    let root = outer.path().join("root");
    fs::create_dir_all(root.join("folder")).unwrap();
    let rule = "user-agent: *\ndisallow: /secret\n";
    fs::write(root.join("folder/robots.txt"), rule).unwrap();
    fs::write(outer.path().join("outside.txt"), rule).unwrap();
    let ask = |files: &Files, file: &str| {
        let line = json!({ "file": file, "crawler": "a", "url": "/secret" });
        answers(files, line.to_string()).remove(0)
    };
    let error = |answer: &Value| answer["error"].as_str().unwrap_or_default().to_owned();
    let inside = root.join("folder/robots.txt");
    assert!(
        error(&ask(&Files::none(), inside.to_str().unwrap())).contains("only with --files [ROOT]")
    );

    let files = Files::below(&root).unwrap();
    for file in ["folder/robots.txt", "folder/../folder/robots.txt", inside.to_str().unwrap()] {
        assert_eq!(ask(&files, file)["verdicts"][0]["verdict"], "disallow", "{file}");
    }
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("../outside.txt", root.join("link")).unwrap();
        std::os::unix::fs::symlink("folder/robots.txt", root.join("inner")).unwrap();
        let made = Command::new("mkfifo").arg(root.join("fifo")).status().unwrap();
        assert!(made.success());
        assert_eq!(ask(&files, "inner")["verdicts"][0]["verdict"], "disallow");
    }
    for file in ["../outside.txt", "link", "fifo", "folder", "/dev/zero", "/etc/passwd", "none", ""]
    {
        let error = error(&ask(&files, file));
        assert!(error.ends_with("no regular file below the folder of --files"), "{file}: {error}");
    }
    assert!(Files::below(&inside).is_err());
}

#[test]
fn a_file_is_read_to_the_limit() {
    let root = tempfile::tempdir().unwrap();
    let path = root.path().join("large.txt");
    fs::File::create(&path).unwrap().set_len(1 << 40).unwrap();
    let line = json!({ "file": "large.txt", "crawler": "a", "url": "/" });
    let answers = answers(&Files::below(root.path()).unwrap(), line.to_string());
    assert_eq!(answers[0]["verdicts"][0]["verdict"], "allow");
}

/// For lines without a file, the command fetches robots.txt of the origin: one request for two lines. For a line with a
/// file, it uses this file.
#[test]
fn files_are_fetched_where_that_is_wanted() {
    use std::sync::Arc;

    use crate::fetch::Fetcher;
    use robots_test_web::{Sites, Web};

    let sites = "main: { robots: \"user-agent: *\\ndisallow: /private\\n\" }";
    let web = Web::start(&Sites::from_yaml(sites).unwrap()).unwrap();
    let main = web.url("main").unwrap();
    let line = json!({ "crawler": "a", "url": [format!("{main}/private"), format!("{main}/x")] });
    let with_file = "{\"robots_txt\": \"\", \"crawler\": \"a\", \"url\": \"/private\"}\n";
    let input = format!("{line}\n{line}\n{with_file}").into_bytes();
    let asked = |fetcher: Option<Fetcher>| {
        let (files, input) = (Files::none(), std::io::Cursor::new(input.clone()));
        let mut output = Vec::new();
        match fetcher {
            None => verdicts::run(&NomParser, &files, input, &mut output),
            Some(fetcher) => {
                let fetch: Arc<dyn verdicts::Fetch> = Arc::new(fetcher);
                verdicts::run_fetching(&NomParser, &files, &fetch, input, &mut output)
            }
        }
        .unwrap();
        String::from_utf8(output).unwrap()
    };
    let output = asked(Some(Fetcher::new(true)));
    assert_eq!(output.matches("\"verdict\":\"disallow\",\"line\":2").count(), 2, "{output}");
    assert_eq!(output.matches("\"verdict\":\"allow\"").count(), 3, "{output}");
    assert_eq!(web.log().len(), 1);
    // Without permission for private addresses, the command sends no request to this machine. Without a fetcher, it
    // sends no request at all.
    let output = asked(Some(Fetcher::new(false)));
    assert_eq!(output.matches("which is loopback").count(), 4, "{output}");
    assert_eq!(asked(None).matches("give exactly one of").count(), 2);
    assert_eq!(web.log().len(), 1);
}

/// A site that does not answer delays only the lines about it. Later lines are answered first, and each answer names
/// its line.
#[test]
fn a_site_that_hangs_holds_back_its_own_lines_only() {
    use std::sync::{Arc, Mutex, mpsc};
    use std::time::Duration;

    use crate::fetch::Fetcher;
    use robots_test_web::{Sites, Web};

    /// A writer that sends each line of output to a channel when the line is complete.
    struct Lines(mpsc::Sender<String>, Vec<u8>);

    impl std::io::Write for Lines {
        fn write(&mut self, octets: &[u8]) -> std::io::Result<usize> {
            self.1.extend_from_slice(octets);
            while let Some(end) = self.1.iter().position(|octet| *octet == b'\n') {
                let line: Vec<u8> = self.1.drain(..=end).collect();
                let _ = self.0.send(String::from_utf8(line).unwrap());
            }
            Ok(octets.len())
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    let sites = "hangs: { robots: { delay: 5000 } }\nmain: { robots: \"user-agent: *\\ndisallow: /private\\n\" }";
    let web = Web::start(&Sites::from_yaml(sites).unwrap()).unwrap();
    let (hangs, main) = (web.url("hangs").unwrap(), web.url("main").unwrap());
    let mut input = String::from("\n");
    for number in 0..300 {
        let url =
            if number < 200 { format!("{hangs}/{number}") } else { format!("{main}/{number}") };
        input += &json!({ "crawler": "a", "url": url, "id": number }).to_string();
        input.push('\n');
    }
    let (sender, lines) = mpsc::channel();
    let output = Lines(sender, Vec::new());
    let counts = Arc::new(Mutex::new(None));
    let run = std::thread::spawn({
        let counts = Arc::clone(&counts);
        move || {
            let fetch: Arc<dyn verdicts::Fetch> = Arc::new(Fetcher::new(true));
            let input = std::io::Cursor::new(input.into_bytes());
            let ran = verdicts::run_fetching(&NomParser, &Files::none(), &fetch, input, output);
            *counts.lock().unwrap() = Some(ran.unwrap());
        }
    });
    let mut answered = Vec::new();
    for _ in 0..100 {
        let line = lines
            .recv_timeout(Duration::from_secs(4))
            .expect("answered before the site that hangs");
        let answer: Value = serde_json::from_str(&line).unwrap();
        // The input begins with a blank line, and its lines are numbered from 1, so the line of id 0 is line 2.
        assert_eq!(answer["input_line"].as_u64().unwrap(), answer["id"].as_u64().unwrap() + 2);
        answered.push(answer["id"].as_u64().unwrap());
    }
    answered.sort_unstable();
    assert_eq!(answered, (200..300).collect::<Vec<u64>>());
    run.join().unwrap();
    assert_eq!(lines.iter().count(), 200);
    assert_eq!(counts.lock().unwrap().unwrap().lines, 300);
}
