//! Builds the site as a static folder: the measurements, the requirements, the differences between editions, and a
//! tester that runs in the page.
//!
//! Every page is one file that loads no other file, so it also works from a disk. The pages share the layout, the
//! styles and the tables of the HTML report ([`robots_conformance_cli::report::html`]). Start at [`run()`].

mod frame;
mod parsers;
mod requirements;
mod search;

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::constructs::{Portability, Reader, contested, says};
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use robots_conformance::report::{CaseRecord, Cases};
use robots_conformance::robots_core::Edition;
use robots_conformance::suite::Suite;
use robots_conformance::suite::load;
use robots_conformance_cli::report::Sources;
use robots_conformance_cli::report::html::{Matrix, Templates, Words, script_json};
use robots_console::error::Error;
use robots_nom_parser::ScanParser;
use serde::Serialize;
use serde_json::{Value, json};

use self::frame::Facts;
use crate::arguments::Site as Arguments;
use crate::crawlers::cases;
use crate::files::{cargo, workspace};
use crate::measured::SHOWN;
use crate::{crawlers, peers, portability};

/// The maximum size of the engine in octets, after gzip.
const MOST: usize = 400 * 1024;

/// The target of the engine. This target has standard streams and a start function, so the engine exchanges octets
/// without unsafe code. On wasm32-unknown-unknown, exported functions need unsafe code.
const TARGET: &str = "wasm32-wasip1";

/// The templates of the pages that are not reports. An item contains the file, the template, the title, and the
/// sentence that search engines and previews show.
const TEMPLATES: [(&str, &str, &str, &str); 5] = [
    (
        "index.html",
        include_str!("site/index.html"),
        "Who reads robots.txt correctly?",
        "The specification of robots.txt as tests, and how parsers and crawlers do: RFC 9309 and Google's editions.",
    ),
    (
        "requirements.html",
        include_str!("site/requirements.html"),
        "Every requirement",
        "Every requirement of RFC 9309 and of Google's robots.txt specification, with its section and its test cases.",
    ),
    (
        "differences.html",
        include_str!("site/differences.html"),
        "Where the editions differ",
        "The cases for which RFC 9309 and the editions of Google's specification expect different answers.",
    ),
    (
        "tester.html",
        include_str!("site/tester.html"),
        "Try a robots.txt",
        "Check a robots.txt in your browser: verdicts, findings, what a change opens or closes. Nothing is sent anywhere.",
    ),
    (
        "search.html",
        include_str!("site/search.html"),
        "Search",
        "Search the requirements, cases, parsers and crawlers of robots.txt conformance.",
    ),
];

pub(crate) fn run(arguments: &Arguments) -> Result<(), String> {
    let out = workspace().join(&arguments.out);
    fs::create_dir_all(&out).map_err(|error| format!("{}: {error}", out.display()))?;
    let files = [&arguments.peers, &arguments.crawlers, &arguments.cases];
    let [peers, crawlers, crawled] = files.map(|file| workspace().join(file));
    let facts = Facts::of(&peers, &crawlers, arguments.address.as_deref());
    let site = Site {
        facts,
        suite: load::embedded()?,
        peers: peers::Document::read_file(&peers)?,
        crawlers: crawlers::Document::read_file(&crawlers)?,
        crawled: cases::FILE.read_file(&crawled)?,
        engine: if arguments.no_engine { None } else { Some(engine()?) },
    };
    let pages = site.pages().map_err(|error| error.to_string())?;
    for (name, text) in pages {
        fs::write(out.join(name), text).map_err(|error| format!("{name}: {error}"))?;
    }
    let preview: &[u8] = include_bytes!("site/preview.png");
    fs::write(out.join("preview.png"), preview).map_err(|error| format!("preview.png: {error}"))?;
    if let Some(engine) = &site.engine {
        let kib = |octets: usize| octets.div_ceil(1024);
        match gzipped(engine) {
            Some(octets) if octets > MOST => {
                return Err(format!(
                    "the engine has {} KiB after gzip; the maximum is 400",
                    kib(octets)
                ));
            }
            Some(octets) => {
                anstream::println!("engine: {} KiB, {} by gzip", kib(engine.len()), kib(octets));
            }
            None => anstream::println!("engine: {} KiB; gzip is absent", kib(engine.len())),
        }
    }
    anstream::println!("written: open {} in a browser", out.join("index.html").display());
    Ok(())
}

/// The data from which the pages are made.
struct Site {
    facts: Facts,
    suite: Suite,
    peers: peers::Document,
    crawlers: crawlers::Document,
    crawled: Vec<CaseRecord>,
    engine: Option<Vec<u8>>,
}

impl Site {
    /// Renders all pages.
    fn pages(&self) -> Result<Vec<(&'static str, String)>, Error> {
        let sources: Option<Sources> = self.facts.sources().map(|at| at.parse()).transpose()?;
        let claims = portability::measured(&self.peers, &self.crawlers, &self.suite);
        let mut parsers = parsers::page(&self.peers, &self.suite);
        let (mut crawls, crawled) = self.crawlers.page(&self.crawled, &self.suite);
        crawls.requirements.clone_from(&parsers.requirements);
        for page in [&mut parsers, &mut crawls] {
            page.sources.clone_from(&sources);
        }
        let areas =
            requirements::requirements(&self.suite, &self.peers, &self.crawlers, &self.crawled);
        let index = search::index(
            &frame::PAGES,
            &self.suite,
            &areas,
            &self.peers,
            &self.crawlers,
            &self.crawled,
        );
        let counts = json!({
            "requirements": self.suite.requirements.len(),
            "cases": self.suite.cases.len(),
            "crawls": cases::fetching(&self.crawled).count(),
            "parsers": self.peers.measured.len(),
            "crawlers": self.crawlers.measured.len(),
        });
        let charts = [
            Chart {
                id: "parsers",
                page: "parsers.html",
                words: parsers.words,
                matrix: (!parsers.subjects.is_empty()).then(|| parsers.matrix().chart(SHOWN)),
            },
            Chart {
                id: "crawlers",
                page: "crawlers.html",
                words: crawls.words,
                matrix: (!crawls.subjects.is_empty()).then(|| crawls.matrix().chart(SHOWN)),
            },
        ];
        let open = contested(&ScanParser, &self.suite);
        let data = Data {
            title: "",
            counts,
            charts,
            claims: claimed(&claims),
            areas: &areas,
            differences: requirements::differences(&self.suite),
            editions: Edition::ALL.iter().map(|edition| edition.id()).collect(),
            index: script_json(&index)?,
            measured: script_json(&json!({ "claims": claims, "contested": open }))?,
            engine: self.engine.as_deref().map(base64).unwrap_or_default(),
            scripts: json!({
                "filter": include_str!("site/filter.js"),
                "search": include_str!("site/search.js"),
                "tester": include_str!("site/tester.js"),
                "wasi": include_str!("site/wasi.js"),
            }),
        };
        let mut pages = Vec::new();
        for (file, text, title, description) in TEMPLATES {
            let mut templates = Templates::new(&self.facts.frame(file, description))?;
            templates.add(file, text)?;
            pages.push((file, templates.render(file, &Data { title, ..data.clone() })?));
        }
        let of = |cases: &Cases, page: &robots_conformance_cli::report::html::Page, file, about| {
            page.render_in(cases, &self.facts.frame(file, about))
        };
        let about = "The answers of robots.txt parsers, area by area and question by question.";
        let cases = parsers::cases(&self.suite);
        pages.push(("parsers.html", of(&cases, &parsers, "parsers.html", about)?));
        let about = "The pages that crawlers fetched although robots.txt forbids them, or did not fetch although it allows them.";
        pages.push(("crawlers.html", of(&crawled, &crawls, "crawlers.html", about)?));
        Ok(pages)
    }
}

/// The data for the templates.
#[derive(Clone, Serialize)]
struct Data<'s> {
    title: &'static str,
    counts: Value,
    charts: [Chart; 2],
    claims: Vec<Claimed>,
    areas: &'s [requirements::Area],
    differences: Vec<requirements::Difference>,
    editions: Vec<&'static str>,
    index: String,
    measured: String,
    engine: String,
    scripts: Value,
}

/// A table on the first page.
#[derive(Clone, Serialize)]
struct Chart {
    id: &'static str,
    page: &'static str,
    words: Words,
    matrix: Option<Matrix>,
}

/// A construct that software reads in another way than the edition requires.
#[derive(Clone, Serialize)]
struct Claimed {
    says: &'static str,
    readers: Vec<Reader>,
}

/// Returns the constructs that are read differently from RFC 9309.
fn claimed(claims: &Portability) -> Vec<Claimed> {
    let shown = claims.all().filter(|(edition, ..)| *edition == SHOWN);
    let claims = shown.filter_map(|(_, construct, readers)| {
        let mut readers = readers.to_vec();
        for case in readers.iter_mut().flat_map(|reader| &mut reader.cases) {
            *case = case.rsplit("::").next().unwrap_or_default().to_owned();
        }
        Some(Claimed { says: says(construct)?, readers })
    });
    claims.filter(|claim| !claim.readers.is_empty()).collect()
}

/// Compiles the engine.
fn engine() -> Result<Vec<u8>, String> {
    let manifest = workspace().join("survey/Cargo.toml");
    let target = workspace().join("target/survey");
    let mut command = Command::new(cargo());
    command
        .args([
            "build",
            "--package",
            "robots-site-engine",
            "--profile",
            "engine",
            "--target",
            TARGET,
            "--manifest-path",
        ])
        .arg(&manifest)
        .arg("--target-dir")
        .arg(&target);
    let ended = command.status().map_err(|error| format!("cargo did not start: {error}"))?;
    if !ended.success() {
        return Err(format!(
            "the engine does not compile; is the target there? `rustup target add {TARGET}`"
        ));
    }
    let file: PathBuf =
        [Path::new(TARGET), Path::new("engine/robots-site-engine.wasm")].iter().collect();
    let file = target.join(file);
    fs::read(&file).map_err(|error| format!("{}: {error}", file.display()))
}

/// Returns the length after gzip, if gzip is installed.
fn gzipped(octets: &[u8]) -> Option<usize> {
    let mut child = Command::new("gzip")
        .args(["-9", "-c"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .ok()?;
    let mut input = child.stdin.take()?;
    let octets = octets.to_vec();
    let writer = std::thread::spawn(move || input.write_all(&octets));
    let output = child.wait_with_output().ok()?;
    writer.join().ok()?.ok()?;
    Some(output.stdout.len())
}

/// Encodes octets as text, so that a page can contain them.
fn base64(octets: &[u8]) -> String {
    BASE64_STANDARD.encode(octets)
}
