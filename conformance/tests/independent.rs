//! Compares the engine with an independent reader of the drafts (`aipref/reader.py`, in Python with `http-sf`). Both
//! must give the same answers about generated files. They must also agree about real files with inserted
//! `Content-Usage` lines. The environment variable `ROBOTS_CORPUS` names the folder of these real files.
//!
//! The environment variable `ROBOTS_HTTP_SF` names a Python interpreter that has `http-sf`. If it is not set, the test
//! prints that it is skipped. `cargo xtask ci full` sets this variable, so it needs `http-sf`. If the answer depends on
//! an open point of the drafts, the answer that follows from any reading is accepted. The test prints the number of
//! files with more than one accepted answer.

use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use robots_core::{Edition, Options, RobotsTxt};
use robots_nom_parser::ScanParser;
use serde_json::{Value, json};

const FILES: usize = 10_000;

#[test]
fn an_independent_reader_agrees() {
    let mut random = Random(0x2545_F491_4F6C_DD1D);
    let asked: Vec<Asked> = (0..FILES).map(|_| Asked::of(&mut random)).collect();
    if let Some(stated) = compared("generated", &asked) {
        assert!(stated > FILES / 4, "only {stated} files state anything");
    }
}

/// The two readers agree on the files of `ROBOTS_CORPUS`, with lines inserted at random places.
#[test]
fn an_independent_reader_agrees_on_real_files() {
    let Some(folder) = std::env::var_os("ROBOTS_CORPUS") else {
        eprintln!("SKIPPED: set ROBOTS_CORPUS to a folder of robots.txt files to compare on them");
        return;
    };
    let mut files = Vec::new();
    collect(Path::new(&folder), &mut files);
    files.sort();
    assert!(!files.is_empty(), "ROBOTS_CORPUS: no file in {}", folder.display());
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    let asked = files.iter().map(|file| {
        let body = fs::read(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        Asked::with_lines_in(&body, &mut random)
    });
    compared("real", &asked.collect::<Vec<_>>());
}

/// Adds the files of a folder and of its subfolders. The independent reader has no size limit, so files that could
/// exceed the engine's limit are omitted.
fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    let entries = fs::read_dir(folder);
    let entries =
        entries.unwrap_or_else(|error| panic!("ROBOTS_CORPUS: {}: {error}", folder.display()));
    for entry in entries {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(&path, files);
        } else if fs::metadata(&path).is_ok_and(|file| file.len() < 500 * 1024 - 4096) {
            files.push(path);
        }
    }
}

/// Asks the two readers, and compares their answers. Returns the number of answers that state a preference, or `None`
/// if `ROBOTS_HTTP_SF` is not set.
fn compared(files: &str, asked: &[Asked]) -> Option<usize> {
    let Some(python) = std::env::var_os("ROBOTS_HTTP_SF") else {
        eprintln!(
            "SKIPPED: set ROBOTS_HTTP_SF to a Python with http-sf to ask the independent reader"
        );
        return None;
    };
    let reader = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/aipref/reader.py");
    let mut child = Command::new(&python)
        .arg(reader)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap_or_else(|error| panic!("{}: {error}", python.display()));
    let questions: String =
        asked.iter().map(|question| format!("{}\n", question.message())).collect();
    let mut input = child.stdin.take().unwrap();
    let writer = std::thread::spawn(move || input.write_all(questions.as_bytes()));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap().unwrap();
    assert!(
        output.status.success(),
        "the reader ended with {}; does it have http-sf?",
        output.status
    );
    let answers = String::from_utf8(output.stdout).unwrap();
    assert_eq!(answers.lines().count(), asked.len());
    let (mut open, mut stated) = (0, 0);
    for (question, line) in asked.iter().zip(answers.lines()) {
        let accepted: Vec<Value> = serde_json::from_str(line).unwrap();
        let answer = question.answer();
        open += usize::from(accepted.len() > 1);
        stated += usize::from(answer != json!({}));
        assert!(accepted.contains(&answer), "{answer} is not among {line} for\n{question:?}");
    }
    println!("{} {files} files: the readers agree; open points decide about {open}", asked.len());
    Some(stated)
}

/// A question to both readers: a robots.txt, a crawler, a URL, and the `Content-Usage` lines of the page's response.
#[derive(Debug)]
struct Asked {
    body: Vec<u8>,
    crawler: &'static str,
    url: &'static str,
    header: Vec<&'static str>,
}

impl Asked {
    fn of(random: &mut Random) -> Self {
        let mut body = String::new();
        for _ in 0..random.below(14) {
            let end = random.of(&["\n", "\n", "\n", "\r\n", "\r"]);
            let _ = write!(body, "{}{end}", line(random));
        }
        let url = random.of(URLS);
        let header = (0..random.below(8) / 6 + random.below(8) / 7).map(|_| random.of(PREFERENCES));
        let header = header.collect();
        Self { header, body: body.into_bytes(), crawler: "examplebot", url }
    }

    /// Makes a question about a real file with one to six inserted lines.
    fn with_lines_in(file: &[u8], random: &mut Random) -> Self {
        let mut lines: Vec<&[u8]> = file.split(|octet| *octet == b'\n').collect();
        let inserted: Vec<String> = (0..=random.below(6)).map(|_| statement(random)).collect();
        for line in &inserted {
            lines.insert(random.below(lines.len() + 1), line.as_bytes());
        }
        let crawler = random.of(&["examplebot", "examplebot", "googlebot", "bingbot", "gptbot"]);
        let url = random.of(URLS);
        let header = (0..random.below(8) / 6).map(|_| random.of(PREFERENCES)).collect();
        Self { body: lines.join(&b'\n'), crawler, url, header }
    }

    fn message(&self) -> Value {
        let header: Vec<String> = self.header.iter().map(|line| BASE64.encode(line)).collect();
        json!({
            "robots_txt": BASE64.encode(&self.body),
            "crawler": self.crawler,
            "url": self.url,
            "content_usage": header,
        })
    }

    fn answer(&self) -> Value {
        let robots =
            RobotsTxt::parse(&ScanParser, &self.body, Options::from(Edition::Aipref2026_08));
        let header: Vec<&[u8]> = self.header.iter().map(|line| line.as_bytes()).collect();
        match robots.usage(self.crawler, self.url, &header).preferences() {
            None => json!("not-applicable"),
            Some(preferences) => {
                let stated = preferences
                    .stated()
                    .map(|(category, preference)| (category.label(), preference.id()));
                stated.map(|(label, word)| (label.to_owned(), Value::from(word))).collect()
            }
        }
    }
}

const URLS: &[&str] =
    &["/", "/a", "/a/b", "/a/b/c?d=1", "/ab", "/b", "/%C3%A9", "/a%20b", "/robots.txt"];

const PATHS: &[&str] = &[
    "/", "/a", "/a", "/a/", "/a/b", "/b", "/%61", "/é", "/%C3%A9", "/%c3%a9", "/a%20b", "/a*",
    "/*b", "/a$", "/a/b$", "*/a", "/A",
];

const PREFERENCES: &[&str] = &[
    "train-ai=n",
    "train-ai=y",
    "search=n",
    "search=y",
    "train-ai=n, search=y",
    "train-ai=y,search=n",
    "train-ai=y, train-ai=n",
    "train-ai=n;a=1",
    "train-ai=n;",
    "train-ai=n,",
    "train-ai = n",
    "Train-AI=n",
    "train-ai=N, search=y",
    "train-ai",
    "train-ai=\"n\"",
    "train-ai=(n), search=n",
    "train-ai=?0",
    "x=\"a#b\", train-ai=n",
    "tdm=n, train-ai=y",
    "x=\"é\", search=n",
    "ai-train=no",
    "train-ai=n search=n",
    "",
    "train-ai=n\t, search=y",
    "*x=1, search=y",
    "x=%\"a\", search=n",
    "x=@1659578233, train-ai=y",
];

fn line(random: &mut Random) -> String {
    let space = random.of(&[" ", " ", "", "\t", "  "]);
    match random.below(10) {
        0 | 1 => format!(
            "user-agent:{space}{}",
            random.of(&["examplebot", "ExampleBot/1.0", "*", "foo"])
        ),
        2 => format!("Disallow:{space}{}", random.of(PATHS)),
        3 => format!("allow :{space}{}", random.of(PATHS)),
        4 => random
            .of(&["", "# comment", "crawl-delay: 1", "content-signal: ai-train=no"])
            .to_owned(),
        _ => statement_with(space, random),
    }
}

/// Makes a random `Content-Usage` line of a robots.txt.
fn statement(random: &mut Random) -> String {
    let space = random.of(&[" ", " ", "", "\t", "  "]);
    statement_with(space, random)
}

fn statement_with(space: &str, random: &mut Random) -> String {
    let field = random.of(&["content-usage", "Content-Usage", "CONTENT-USAGE "]);
    let gap = random.of(&[" ", " ", " ", "  ", "\t", " \t"]);
    let tail = random.of(&["", "", "", " # why", "#why", " \t"]);
    let preference = random.of(PREFERENCES);
    if random.below(3) == 0 {
        format!("{field}:{space}{preference}{tail}")
    } else {
        format!("{field}:{space}{}{gap}{preference}{tail}", random.of(PATHS))
    }
}

/// A generator of random numbers (xorshift) that gives the same numbers on every machine.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 33).unwrap() % end
    }

    fn of<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }
}
