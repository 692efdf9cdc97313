//! Tests hostile text in every field of a subject and of a deviations file, in every report. When a report is shown,
//! the text must have no effect, and every report must stay well-formed.

#[path = "../../tests/common/mod.rs"]
mod common;

use std::sync::Arc;
use std::time::Duration;

use common::suite;
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};
use robots_conformance::engine::Profile;
use robots_conformance::engine::{Engine, Question};
use robots_conformance::kind::{Answer, Ask, Group, VerdictAnswer, VerdictQuestion};
use robots_conformance::report::Cases;
use robots_conformance::report::failure;
use robots_conformance::report::record::RunRecord;
use robots_conformance::report::{self, ReportFormat};
use robots_conformance::run::deviations::Deviations;
use robots_conformance::run::{Report, Runner};
use robots_core::{Edition, RuleKind};

/// Hostile text. On a terminal, this text would set the title, clear the screen and make a link. The text contains a
/// carriage return, a backspace, C1 controls, direction marks and code points without a character. The text also
/// contains parts that would end elements, scripts, sections, fences, cells and lists.
const NASTY: &str = "\u{1b}]0;owned\u{7}\u{1b}[2J\u{1b}]8;;http://evil.example\u{1b}\\x\r\u{8}\0\u{9b}31m\u{85}\u{2028}\
    \u{202e}gnp.exe\u{2066}\u{200f}\u{feff}\u{fffe}\u{ffff}\u{1fffe}\u{fdd0}\
    ]]></failure><script>alert(1)</script><!-- & \" ' <img src=x onerror=alert(2)>\
    \n::error::y\n  ::add-mask::y ##[error]z\n\n```\n# Heading\n| a | b |\n</details></code></pre>\n[x](javascript:alert(3)) ![i](http://evil.example/i) ~~~ ***b***";

/// An engine that returns the hostile text in every field that it can choose.
struct Hostile;

impl Engine for Hostile {
    fn name(&self) -> &str {
        NASTY
    }

    fn profiles(&self) -> &[Profile] {
        &[Profile::Edition(Edition::Rfc9309), Profile::Edition(Edition::Google2022)]
    }

    fn answer(&self, question: &Question) -> Answer {
        let nasty = || NASTY.to_owned();
        let group = || Group { agents: vec![nasty()], rules: vec![(RuleKind::Allow, nasty())] };
        match &question.ask {
            Ask::Verdict(VerdictQuestion { url, .. }) if url.ends_with("/fishheads") => {
                Answer::Error(nasty())
            }
            Ask::Verdict(VerdictQuestion { url, .. }) if url.ends_with("/catfish") => {
                Answer::Unsupported(nasty())
            }
            Ask::Verdict(_) => Answer::Verdict(VerdictAnswer {
                allowed: true,
                line: None,
                evidence: Some(nasty()),
            }),
            Ask::Groups(_) => Answer::Groups(vec![group(), group()]),
            Ask::Group(_) => Answer::Group(Some(group())),
            Ask::Sitemaps(_) => Answer::Sitemaps(vec![nasty(), "x".repeat(10 << 20)]),
            _ => panic!("{NASTY}"),
        }
    }
}

fn hostile() -> Report {
    let runner = Runner::new(Arc::new(Hostile));
    let name = runner.engine_name().to_owned();
    // YAML can contain any character in escaped form.
    let quoted = |text: &str| {
        let escaped: Vec<String> =
            text.chars().map(|c| format!("\\U{:08X}", u32::from(c))).collect();
        format!("\"{}\"", escaped.concat())
    };
    let entry = |trial: &str, answers: &str| {
        let (key, why) = (quoted(&format!("{name}::{trial}")), quoted(NASTY));
        format!("? {key}\n: {{ answers: {answers}, why: {why} }}\n")
    };
    let file = entry("paths::fish-prefix::google-2022::/fish", "allow") + &entry("gone", "allow");
    let deviations =
        Deviations::parse(NASTY, &file).unwrap_or_else(|problems| panic!("{problems}"));
    let runner = Runner::new(Arc::new(Hostile)).deviations(deviations);
    let trials = runner.trials(&suite());
    let mut report = runner.report(runner.run(&trials, |_| {}));
    let names: Vec<&str> = report.trials.iter().map(|done| done.outcome.name()).collect();
    for outcome in ["failed", "errored", "unanswered", "deviation"] {
        assert!(names.contains(&outcome), "{outcome}: {names:?}");
    }
    assert_eq!(report.stale.len(), 1);
    (report.took, report.unasked) = (Duration::from_secs(1), 1);
    report
}

fn written(format: ReportFormat, report: &Report) -> String {
    let mut out = Vec::new();
    report::write(format, &[RunRecord::of(report)], &Cases::of(&suite()), None, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

/// Returns whether the character is visible and unchanged in a report.
fn is_plain(c: char) -> bool {
    c == '\n' || !c.is_control() && c.escape_debug().count() == 1 || matches!(c, '"' | '\'' | '\\')
}

#[test]
fn no_report_holds_what_cannot_be_seen() {
    let report = hostile();
    for format in ReportFormat::ALL {
        let text = written(format, &report);
        let hidden: Vec<char> = text.chars().filter(|c| !is_plain(*c) && *c != '\t').collect();
        assert!(hidden.is_empty(), "{format}: {hidden:?}");
        assert!(text.len() < 4 << 20, "{format}: {} octets", text.len());
    }
    for done in report.failures() {
        let text = failure::of(done, &report.subject, &suite(), "again");
        let hidden: Vec<char> = text.chars().filter(|c| !is_plain(*c)).collect();
        assert!(hidden.is_empty(), "{hidden:?} in {text}");
        assert!(text.len() < 64 * 1024, "{} octets", text.len());
    }
}

/// GitHub's runner looks for commands in every line of a log: see `ActionCommand` in actions/runner.
#[test]
fn no_line_of_a_report_is_a_command() {
    let report = hostile();
    let failures =
        report.failures().map(|done| failure::of(done, &report.subject, &suite(), "again"));
    let reports = ReportFormat::ALL.into_iter().map(|format| written(format, &report));
    for text in reports.chain(failures) {
        // The HTML page must also pass this check, although a log never shows the page.
        let command =
            text.lines().find(|line| line.trim_start().starts_with("::") || line.contains("##["));
        assert_eq!(command, None);
    }
}

#[test]
fn junit_is_well_formed() {
    let text = written(ReportFormat::Junit, &hostile());
    // This assertion shows that the parser refuses characters that XML forbids.
    assert!(roxmltree::Document::parse("<a>\u{fffe}</a>").is_err());
    let document = roxmltree::Document::parse(&text).unwrap_or_else(|error| panic!("{error}"));
    let elements: std::collections::BTreeSet<&str> = document
        .descendants()
        .filter(roxmltree::Node::is_element)
        .map(|node| node.tag_name().name())
        .collect();
    let known = [
        "error",
        "failure",
        "properties",
        "property",
        "skipped",
        "testcase",
        "testsuite",
        "testsuites",
    ];
    assert!(elements.iter().all(|element| known.contains(element)), "{elements:?}");
    assert!(text.contains("\\u{fffe}"));
}

/// In the rendered Markdown, only text of the project appears outside code. Text of the subject appears only in code.
#[test]
fn markdown_renders_as_it_is_meant() {
    let text = written(ReportFormat::Markdown, &hostile());
    let mut plain = String::new();
    let (mut in_code, mut html, mut codes) = (false, String::new(), 0);
    for event in Parser::new_ext(&text, Options::all()) {
        match event {
            Event::Start(Tag::CodeBlock(_)) => in_code = true,
            Event::End(TagEnd::CodeBlock) => in_code = false,
            Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => {
                panic!("a link to {dest_url}")
            }
            Event::Start(Tag::Heading { .. }) => plain.push('\n'),
            Event::Text(text) if !in_code => plain.push_str(&text),
            Event::Text(_) | Event::Code(_) => codes += 1,
            Event::Html(text) | Event::InlineHtml(text) => html.push_str(&text),
            _ => {}
        }
    }
    assert!(codes > 5, "{codes}");
    for word in ["Heading", "evil", "script", "alert"] {
        assert!(!plain.contains(word), "{word} in {plain}");
    }
    let tags: std::collections::BTreeSet<&str> =
        html.split('<').skip(1).map(|tag| tag.split(['>', ' ']).next().unwrap()).collect();
    let known = ["details", "/details", "summary", "/summary", "code", "/code"];
    assert!(tags.iter().all(|tag| known.contains(tag)), "{tags:?}");
}

#[test]
fn the_page_has_no_element_of_theirs() {
    let page = written(ReportFormat::Html, &hostile());
    assert_eq!(page.matches("<script").count(), page.matches("</script>").count());
    let without_data = page.split("<script").next().unwrap();
    for tag in ["<img", "<script>alert", "onerror=alert(2)>"] {
        assert!(!without_data.contains(tag), "{tag}");
    }
    let data = page.split("<script").nth(1).unwrap().split_once('>').unwrap().1;
    let data = data.split("</script>").next().unwrap();
    assert!(!data.contains('<'));
    let _: serde_json::Value = serde_json::from_str(data).unwrap();
}

/// A subject writes hostile text to standard error, as an error, as an invalid line, and before it ends. No line of the
/// log may be a command of GitHub's runner.
#[cfg(unix)]
#[test]
fn no_line_of_a_subject_is_a_command_in_a_log() {
    use std::process::{Command, Stdio};

    let folder = tempfile::tempdir().unwrap();
    let adapter = folder.path().join("adapter.sh");
    let script = r#"read hello; echo '{"protocol":1,"name":"s"}'; echo '  ::add-mask::stderr' >&2
read question; printf '%s\n' '{"id":1,"error":"first\n::error::answer\n ##[error]answer"}'
read question; if mkdir "$0.dir" 2>/dev/null; then echo '::error::line'; read question; fi
echo '##[error]stderr' >&2; echo '::error::stderr' >&2; exit 3"#;
    std::fs::write(&adapter, script).unwrap();
    let subject = format!("sh {}", adapter.display());
    for format in ["terminal", "json", "jsonl", "junit", "markdown"] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_robots-conformance"));
        command.args(["run", "--area", "rules", "--edition", "rfc9309", "--failures", "all"]);
        command.args(["--jobs", "1", "--report", format, "--subject", &subject]);
        let output = command.stdin(Stdio::null()).env("NO_COLOR", "1").output().unwrap();
        let log = [output.stdout, output.stderr].map(|octets| String::from_utf8(octets).unwrap());
        for text in ["answer", "stderr"] {
            for shown in [format!("\\x3A:error::{text}"), format!("##\\x5Berror]{text}")] {
                assert!(log[1].contains(&shown), "{shown}: {}", log[1]);
            }
        }
        let is_command = |line: &&str| line.trim_start().starts_with("::") || line.contains("##[");
        assert_eq!(log.iter().flat_map(|log| log.lines()).find(is_command), None, "{format}");
    }
}

/// On a terminal, which `script` simulates, the output has no escape sequences except colours.
#[cfg(target_os = "linux")]
#[test]
fn a_terminal_is_told_colours_alone() {
    use std::process::{Command, Stdio};

    let folder = tempfile::tempdir().unwrap();
    let error = serde_json::to_string(NASTY).unwrap();
    let adapter = folder.path().join("adapter.sh");
    let script = r#"read hello; echo '{"protocol":1,"name":"nasty"}'; n=0
while read question; do
    n=$((n + 1)); printf '%s' '{"id":'$n',"error":'; cat "$0.error"; echo '}'; cat "$0.raw" >&2
done"#;
    std::fs::write(&adapter, script).unwrap();
    std::fs::write(folder.path().join("adapter.sh.error"), error).unwrap();
    std::fs::write(folder.path().join("adapter.sh.raw"), NASTY).unwrap();
    let command = format!(
        "'{}' run --area rules --edition rfc9309 --subject 'sh {}'",
        env!("CARGO_BIN_EXE_robots-conformance"),
        adapter.display()
    );
    let script = Command::new("script")
        .args(["--quiet", "--return", "--command", &command, "/dev/null"])
        .env_remove("NO_COLOR")
        .env("TERM", "xterm-256color")
        .stdin(Stdio::null())
        .output();
    let output = match script {
        Ok(output) => output,
        // `script` is part of util-linux. On other systems, only the other tests of this file check the text.
        Err(error) => return eprintln!("not run, script: {error}"),
    };
    let shown = String::from_utf8(output.stdout).unwrap();
    assert!(shown.contains("\\x1B]0;owned\\x07"), "{shown}");
    let mut rest = shown.as_str();
    let mut colours = 0;
    while let Some((_, after)) = rest.split_once('\u{1b}') {
        let sequence = after
            .strip_prefix('[')
            .unwrap_or_else(|| panic!("{:?}", &after[..after.len().min(40)]));
        let length = sequence.find(|c: char| !c.is_ascii_digit() && c != ';' && c != '?').unwrap();
        // The allowed sequences set colours, or change the line of the progress bar.
        let end = sequence[length..].chars().next().unwrap();
        assert!(
            "mKAhl".contains(end) || &sequence[..=length] == "2K",
            "{:?}",
            &sequence[..=length]
        );
        assert!(!sequence.starts_with("2J"), "the screen is cleared");
        colours += usize::from(end == 'm');
        rest = &sequence[length..];
    }
    assert!(colours > 2, "{colours}");
    let hidden: Vec<char> =
        shown.chars().filter(|c| !is_plain(*c) && !"\r\u{1b}\t".contains(*c)).collect();
    assert!(hidden.is_empty(), "{hidden:?}");
}
