//! Builds the site as a static folder: the tables, the requirements, the differences between editions, and a tester that
//! runs in the page.
//!
//! Every page is one file that loads no other file, so it also works from a disk. The module `data` makes the data of
//! the pages. The pages share layout, styles and filters with the HTML report of the suite ([`Templates`]), and the site
//! adds its frame and its own styles. Start at [`run()`].

mod data;
mod standard;

use std::collections::BTreeMap;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use robots_conformance::report::html::{Templates, script_json};
use serde_json::{Value, json};

use crate::all::All;
use crate::arguments::Site as Arguments;
use crate::constructs::{contested, says};
use crate::files::{cargo, workspace};
use crate::portability;
use crate::row::Survey;
use crate::suite::{EDITIONS, SHOWN};

/// The maximum size of the engine in octets, after gzip.
const MAX: usize = 400 * 1024;

/// The target of the engine. This target has standard streams and a start function, so the engine exchanges octets
/// without unsafe code. On wasm32-unknown-unknown, exported functions need unsafe code.
const TARGET: &str = "wasm32-wasip1";

/// The tables: name, file and title.
const TABLES: [[&str; 3]; 3] = [
    ["parsers", "parsers.html", "The parsers, measured"],
    ["crawlers", "crawlers.html", "The crawlers, measured"],
    ["retrievers", "retrievers.html", "The retrievers, measured"],
];

/// The pages: file, name in the navigation, template, title, and the sentence that search engines and previews show.
const PAGES: [[&str; 5]; 9] = [
    [
        "index.html",
        "Start",
        "index.html",
        "Who reads robots.txt correctly?",
        "The specification of robots.txt as tests, and how parsers and crawlers do: RFC 9309 and Google's editions.",
    ],
    [
        "tester.html",
        "Tester",
        "tester.html",
        "Try a robots.txt",
        "Check a robots.txt in your browser: verdicts, findings, what a change opens or closes. Nothing is sent anywhere.",
    ],
    [
        "parsers.html",
        "Parsers",
        "software.html",
        TABLES[0][2],
        "What robots.txt parsers do otherwise than the documents that they name, cause by cause.",
    ],
    [
        "crawlers.html",
        "Crawlers",
        "software.html",
        TABLES[1][2],
        "What crawlers do otherwise than the documents that they name, cause by cause.",
    ],
    [
        "retrievers.html",
        "Retrievers",
        "software.html",
        TABLES[2][2],
        "How software that fetches robots.txt handles failures, redirects and caching, cause by cause.",
    ],
    [
        "requirements.html",
        "Requirements",
        "requirements.html",
        "Every requirement",
        "Every requirement of RFC 9309 and of Google's robots.txt specification, with its section and its test cases.",
    ],
    [
        "standard-rfc9309.html",
        "Standard",
        "standard.html",
        "RFC 9309, annotated",
        "RFC 9309 section by section: requirements, test cases, open readings, and the software that violates it.",
    ],
    [
        "differences.html",
        "Differences",
        "differences.html",
        "Where the editions differ",
        "The cases for which RFC 9309 and the editions of Google's specification expect different answers.",
    ],
    [
        "search.html",
        "Search",
        "search.html",
        "Search",
        "Search the requirements, cases, parsers and crawlers of robots.txt conformance.",
    ],
];

/// The templates, with their names.
const TEMPLATES: [(&str, &str); 11] = [
    ("table.html", include_str!("site/table.html")),
    ("index.html", include_str!("site/index.html")),
    ("software.html", include_str!("site/software.html")),
    ("release.html", include_str!("site/release.html")),
    ("case.html", include_str!("site/case.html")),
    ("catalogue.html", include_str!("site/catalogue.html")),
    ("requirements.html", include_str!("site/requirements.html")),
    ("standard.html", include_str!("site/standard.html")),
    ("differences.html", include_str!("site/differences.html")),
    ("tester.html", include_str!("site/tester.html")),
    ("search.html", include_str!("site/search.html")),
];

/// Checks that the compiler can build the engine, before anything is built.
///
/// # Errors
/// Returns a message that names the missing target.
pub(crate) fn needs_target(arguments: &Arguments) -> Result<(), String> {
    if arguments.no_engine {
        return Ok(());
    }
    let probe = Command::new("rustc")
        .args(["--print", "target-libdir", "--target", TARGET])
        .stderr(Stdio::null())
        .output();
    let folder = probe.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned());
    // rustc prints the path of a target's library even if the target is not installed.
    if folder.is_ok_and(|folder| !folder.is_empty() && Path::new(&folder).is_dir()) {
        return Ok(());
    }
    Err(format!(
        "the page that checks a file needs the target {TARGET}; run `rustup target add {TARGET}`, or build the site \
         without this page's engine: --no-engine"
    ))
}

/// Writes the site.
///
/// # Errors
/// Returns a message about the file that cannot be read or written, or about the engine.
pub(crate) fn run(arguments: &Arguments, survey: &Survey) -> Result<(), String> {
    let engine = if arguments.no_engine { None } else { Some(engine()?) };
    let pages = pages(arguments, survey, engine.as_deref())?;
    let out = workspace().join(&arguments.out);
    empty(&out).map_err(|error| format!("{}: {error}", out.display()))?;
    for (name, text) in pages {
        fs::write(out.join(&name), text).map_err(|error| format!("{name}: {error}"))?;
    }
    let preview: &[u8] = include_bytes!("site/preview.png");
    fs::write(out.join("preview.png"), preview).map_err(|error| format!("preview.png: {error}"))?;
    if let Some(engine) = &engine {
        let kib = |octets: usize| octets.div_ceil(1024);
        match gzipped(engine) {
            Some(octets) if octets > MAX => {
                let kib = kib(octets);
                return Err(format!("the engine has {kib} KiB after gzip; the maximum is 400"));
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

/// Makes the folder, and removes the pages of an earlier site: a page of a release that is no longer measured would stay.
fn empty(folder: &Path) -> std::io::Result<()> {
    fs::create_dir_all(folder)?;
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "html") {
            fs::remove_file(path)?;
        }
    }
    Ok(())
}

/// Renders all pages.
fn pages(
    arguments: &Arguments,
    survey: &Survey,
    engine: Option<&[u8]>,
) -> Result<Vec<(String, String)>, String> {
    let all = All::read()?;
    let (peers, crawlers, retrievers) = all.rows(survey);
    let tables = [
        data::table(TABLES[0], &peers, survey)?,
        data::table(TABLES[1], &crawlers, survey)?,
        data::table(TABLES[2], &retrievers, survey)?,
    ];
    let mut failed = BTreeMap::new();
    data::add_failed(&mut failed, &peers);
    data::add_failed(&mut failed, &crawlers);
    data::add_failed(&mut failed, &retrievers);
    let areas = data::areas(&survey.suite, &failed);
    let cases: usize =
        areas.iter().flat_map(|area| &area.requirements).map(|one| one.cases.len()).sum();
    let claims = portability::claims(&peers, &crawlers, &survey.suite);
    let shown = claims.get(SHOWN).into_iter().flatten().filter_map(|(construct, readers)| {
        let mut readers = readers.clone();
        for case in readers.iter_mut().flat_map(|reader| &mut reader.cases) {
            *case = case.rsplit("::").next().unwrap_or_default().to_owned();
        }
        Some(json!({ "says": says(construct)?, "readers": readers }))
    });
    let shown: Vec<Value> = shown.collect();
    let measured = json!({
        "claims": { "editions": claims },
        "contested": contested(&survey.suite.questions),
    });
    let site = json!({
        "pages": PAGES.map(|[file, name, ..]| json!({ "file": file, "name": name })),
        "address": arguments.address.as_ref().map(|it| format!("{}/", it.trim_end_matches('/'))),
        "style": include_str!("site/site.css"),
        "commit": commit(),
    });
    let templates = Templates::new(include_str!("site/frame.html"), &site);
    let mut templates = templates.map_err(|error| error.to_string())?;
    for (name, text) in TEMPLATES {
        templates.add(name, text).map_err(|error| error.to_string())?;
    }
    let scripts = json!({
        "filter": include_str!("site/filter.js"),
        "search": include_str!("site/search.js"),
        "tester": include_str!("site/tester.js"),
        "wasi": include_str!("site/wasi.js"),
    });
    let render = |[file, template, title, description]: [&str; 4], mut page: Value| {
        page["here"] = file.into();
        page["title"] = title.into();
        page["description"] = description.into();
        page["scripts"] = scripts.clone();
        templates.render(template, &page).map_err(|error| format!("{file}: {error}"))
    };
    let documents = standard::documents(&survey.suite, &tables)?;
    let name = |it: &standard::Document<'_>| json!({ "file": it.file, "edition": it.edition });
    let names: Vec<Value> = documents.iter().map(name).collect();
    let mut pages = Vec::new();
    for [file, _, template, title, description] in PAGES {
        let data = json!({
            "counts": {
                "requirements": survey.suite.requirements.len(),
                "cases": cases,
                "parsers": peers.len(),
                "crawlers": crawlers.len(),
                "retrievers": retrievers.len(),
            },
            "tables": if template == "index.html" { json!(tables) } else { Value::Null },
            "table": tables.iter().find(|table| table.file == file),
            "document": documents.iter().find(|document| document.file == file),
            "documents": names,
            "claims": shown,
            "areas": if template == "requirements.html" { json!(areas) } else { Value::Null },
            "differences": data::differences(&survey.suite.questions),
            "editions": EDITIONS,
            "index": json_of(&data::index(&tables, &areas))?,
            "measured": json_of(&measured)?,
            "engine": engine.map(|octets| BASE64_STANDARD.encode(octets)),
        });
        pages.push((file.to_owned(), render([file, template, title, description], data)?));
    }
    for document in documents.iter().filter(|it| PAGES.iter().all(|page| page[0] != it.file)) {
        let title = document.title();
        let description =
            "Google's specification of robots.txt section by section, with test cases.";
        let page = [&document.file, "standard.html", &title, description];
        let data = json!({ "document": document, "documents": names });
        pages.push((document.file.clone(), render(page, data)?));
    }
    for table in &tables {
        for row in table.rows() {
            let data = json!({ "row": row, "table": table.file });
            let title = format!("{} {}", row.name, row.version);
            let description =
                "What it does otherwise than the document that it names, and how to see it.";
            let page = render([&row.file, "release.html", &title, description], data)?;
            pages.push((row.file.clone(), page));
        }
    }
    Ok(pages)
}

/// Returns data as JSON for a script.
fn json_of(data: &impl serde::Serialize) -> Result<String, String> {
    script_json(data).map_err(|error| error.to_string())
}

/// Returns the commit of the checkout with its day, or `None` if git does not know it.
fn commit() -> Option<String> {
    let output = Command::new("git")
        .current_dir(workspace())
        .args(["log", "-1", "--format=commit %h of %cs"])
        .output()
        .ok()?;
    let text = String::from_utf8(output.stdout).ok()?.trim().to_owned();
    (output.status.success() && !text.is_empty()).then_some(text)
}

/// Compiles the engine.
fn engine() -> Result<Vec<u8>, String> {
    let target = workspace().join("target/survey");
    let mut command = Command::new(cargo());
    command
        .args(["build", "--locked", "--package", "robots-site-engine", "--profile", "engine"])
        .args(["--target", TARGET, "--manifest-path"])
        .arg(workspace().join("survey/Cargo.toml"))
        .arg("--target-dir")
        .arg(&target);
    let ended = command.status().map_err(|error| format!("cargo did not start: {error}"))?;
    if !ended.success() {
        return Err("the engine does not compile; the output is above".to_owned());
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

#[cfg(test)]
mod tests {
    use std::fs;

    use super::empty;

    #[test]
    fn pages_of_an_earlier_site_are_removed() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        fs::write(folder.join("gone.html"), "").unwrap();
        fs::write(folder.join("notes.txt"), "").unwrap();
        empty(folder).unwrap();
        let left = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name());
        assert_eq!(left.collect::<Vec<_>>(), ["notes.txt"]);
    }
}
