//! Builds the site as a static folder: a ranking, the requirements, the differences between editions, and a tester that
//! runs in the page.

mod data;

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

use minijinja::Environment;
use minijinja::value::Serde;
use robots_conformance::robots_core::Edition;
use robots_conformance::suite::Suite;
use robots_conformance::suite::load;
use robots_conformance_cli::lint::portability::contested;
use robots_nom_parser::ScanParser;
use serde::Serialize;

use crate::arguments::Site as Arguments;
use crate::{crawlers, peers, portability};
use xtask::invocation::{cargo, usage, workspace};

/// The maximum size of the engine in octets, after gzip.
const MOST: usize = 400 * 1024;

/// This target has streams and a start function, so that the engine exchanges octets without unsafe code.
/// wasm32-unknown-unknown would need unsafe code for its exports.
const TARGET: &str = "wasm32-wasip1";

/// The pages: file and name.
const PAGES: [(&str, &str); 4] = [
    ("index.html", "Scoreboard"),
    ("requirements.html", "Requirements"),
    ("differences.html", "Differences"),
    ("tester.html", "Tester"),
];

const TEMPLATES: [(&str, &str); 5] = [
    ("layout.html", include_str!("site/layout.html")),
    ("index.html", include_str!("site/index.html")),
    ("requirements.html", include_str!("site/requirements.html")),
    ("differences.html", include_str!("site/differences.html")),
    ("tester.html", include_str!("site/tester.html")),
];

const FILES: [(&str, &str); 3] = [
    ("site.css", include_str!("site/site.css")),
    ("tester.js", include_str!("site/tester.js")),
    ("wasi.js", include_str!("site/wasi.js")),
];

pub(crate) fn run(arguments: &Arguments) -> ExitCode {
    match written(arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => usage(message),
    }
}

fn written(arguments: &Arguments) -> Result<(), String> {
    let out = workspace().join(&arguments.out);
    fs::create_dir_all(&out).map_err(|error| format!("{}: {error}", out.display()))?;
    let write = |name: &str, octets: &[u8]| {
        fs::write(out.join(name), octets).map_err(|error| format!("{name}: {error}"))
    };
    let suite = load::embedded().map_err(|problems| problems.to_string())?;
    let peers = peers::Document::read_file(&workspace().join(&arguments.peers))?;
    let crawlers = crawlers::Document::read_file(&workspace().join(&arguments.crawlers))?;
    let claims = portability::measured(&peers, &crawlers, &suite);
    let scores = data::Scores::of(&peers, &crawlers, &suite, &claims);
    for (name, text) in pages(&suite, &scores)? {
        write(name, text.as_bytes())?;
    }
    for (name, text) in FILES {
        write(name, text.as_bytes())?;
    }
    let json =
        |value: Result<Vec<u8>, _>| value.map_err(|error: serde_json::Error| error.to_string());
    write("portability.json", &json(serde_json::to_vec(&claims))?)?;
    write("contested.json", &json(serde_json::to_vec(&contested(&ScanParser, &suite)))?)?;
    if !arguments.no_engine {
        let engine = engine()?;
        let gzipped = gzipped(&engine);
        write("engine.wasm", &engine)?;
        let kib = |octets: usize| octets.div_ceil(1024);
        match gzipped {
            Some(octets) if octets > MOST => {
                return Err(format!("the engine has {} KiB by gzip, more than 400", kib(octets)));
            }
            Some(octets) => {
                anstream::println!("engine: {} KiB, {} by gzip", kib(engine.len()), kib(octets));
            }
            None => anstream::println!("engine: {} KiB; gzip is absent", kib(engine.len())),
        }
    }
    anstream::println!(
        "written: {}; serve it with `python3 -m http.server --directory {}`",
        out.display(),
        arguments.out.display()
    );
    Ok(())
}

fn pages(suite: &Suite, scores: &data::Scores) -> Result<Vec<(&'static str, String)>, String> {
    let mut environment = Environment::new();
    for (name, text) in TEMPLATES {
        environment.add_template(name, text).map_err(|error| format!("{name}: {error:#}"))?;
    }
    let requirements = data::requirements(suite, scores);
    let differences = data::differences(suite);
    let page = |here| Page {
        here,
        pages: PAGES.map(|(file, name)| Link { file, name }),
        cases: suite.cases.len(),
        scores,
        requirements: &requirements,
        differences: &differences,
        editions: Edition::ALL.iter().map(|edition| edition.id()).collect(),
    };
    let rendered = PAGES.iter().map(|&(file, _)| {
        let template = environment.get_template(file).expect("it was added");
        let text = template.render(Serde(&page(file)));
        Ok((file, text.map_err(|error| format!("{file}: {error:#}"))?))
    });
    rendered.collect()
}

/// The data for the templates.
#[derive(Serialize)]
struct Page<'s> {
    here: &'static str,
    pages: [Link; PAGES.len()],
    cases: usize,
    #[serde(flatten)]
    scores: &'s data::Scores,
    requirements: &'s [data::Required],
    differences: &'s [data::Difference],
    editions: Vec<&'static str>,
}

#[derive(Serialize)]
struct Link {
    file: &'static str,
    name: &'static str,
}

/// Compiles the engine.
fn engine() -> Result<Vec<u8>, String> {
    let manifest = workspace().join("site/Cargo.toml");
    let target = workspace().join("target/site-engine");
    let mut command = Command::new(cargo());
    command
        .args(["build", "--release", "--target", TARGET, "--manifest-path"])
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
        [Path::new(TARGET), Path::new("release/robots-site-engine.wasm")].iter().collect();
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
