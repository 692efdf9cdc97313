//! The site in a real browser: built as `cargo xtask site` does, served on loopback, and used.
//!
//! `cargo test -p xtask-heavy --test site` runs it, and nothing else does: the engine needs the target wasm32-wasip1.
//! `ROBOTS_CORPUS` names a folder of real files for the comparison with the command; without it the files are made of
//! the suite's.

#[path = "../../../../conformance/cli/tests/browser/mod.rs"]
#[allow(dead_code, reason = "the report's page uses more of it")]
mod browser;
mod files;
mod measured;
mod same;
mod server;
mod tester;

use std::env;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::sync::LazyLock;

use browser::Browser;
use libtest_mimic::{Arguments, Completion, Trial};
use server::Server;

type Test = (&'static str, fn(&Browser, &Server));

const TESTS: [Test; 10] = [
    ("every_page_is_readable_on_a_phone_and_a_desk", pages),
    ("a_case_is_shown_where_a_link_leads_to_it", links),
    ("the_tester_is_used_by_keyboard_alone", tester::keyboard),
    ("the_tester_has_names_and_roles_for_a_screen_reader", tester::semantics),
    ("lines_have_a_meaning_and_the_deciding_one_is_lit", tester::lines),
    ("what_is_contested_and_read_otherwise_is_told", tester::constructs),
    ("a_file_is_dropped_and_chosen_octet_by_octet", tester::dropped),
    ("nothing_is_loaded_from_or_sent_elsewhere", tester::nothing_elsewhere),
    ("the_tester_gives_the_verdicts_of_the_command", same::same),
    ("the_tester_is_small_and_quick", same::quick),
];

/// The site, which is built once and removed at the end.
static SITE: LazyLock<PathBuf> =
    LazyLock::new(|| env::temp_dir().join(format!("robots-site-{}", std::process::id())));

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let is_required = env::var("ROBOTS_REQUIRE_CHROMIUM").is_ok_and(|value| value == "1");
    if !arguments.list {
        build(&SITE);
    }
    let trials = TESTS.into_iter().map(|(name, test)| {
        Trial::ignorable_test(name, move || match Browser::start(name) {
            Ok(browser) => {
                test(&browser, &Server::start(&SITE));
                let errors = browser.errors();
                assert!(errors.is_empty(), "the console says: {errors:#?}");
                Ok(Completion::Completed)
            }
            Err(reason) if is_required => Err(reason.into()),
            Err(reason) => Ok(Completion::ignored_with(reason)),
        })
    });
    let conclusion = libtest_mimic::run(&arguments, trials.collect());
    let _ = std::fs::remove_dir_all(&*SITE);
    conclusion.exit_code()
}

/// Builds the site with invented peers and an invented crawler.
fn build(folder: &Path) {
    std::fs::create_dir_all(folder).unwrap();
    let peers = folder.join("peers.json");
    std::fs::write(&peers, measured::peers()).unwrap();
    let crawlers = folder.join("crawlers.json");
    std::fs::write(&crawlers, measured::crawlers()).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_xtask-heavy"));
    command.arg("site").arg("--out").arg(folder);
    command.arg("--peers").arg(&peers).arg("--crawlers").arg(&crawlers);
    assert!(command.status().unwrap().success(), "the site is not built");
}

fn pages(browser: &Browser, server: &Server) {
    let mut links = Vec::new();
    for page in ["index.html", "requirements.html", "differences.html", "tester.html"] {
        browser.visit(&server.url(page));
        if page == "tester.html" {
            tester::ready(browser);
        }
        for width in [390, 1280] {
            for scheme in ["light", "dark"] {
                browser.show(width, scheme);
                let wide = browser.run("return document.documentElement.scrollWidth");
                assert!(wide.as_u64() <= Some(width.into()), "{page} at {width}: {wide} px");
                let seen = browser.contrast();
                assert!(seen[0].as_u64() > Some(20), "{seen}");
                assert_eq!(seen.as_array().unwrap().len(), 2, "{page} {scheme}: faint: {seen:#}");
            }
        }
        let all = "return [...document.links].map((link) => link.href)";
        let all = browser.run(all);
        links.extend(all.as_array().unwrap().iter().map(|link| link.as_str().unwrap().to_owned()));
        assert_eq!(browser.run("return document.querySelectorAll('h1').length"), 1, "{page}");
        let doubled = "const ids = [...document.querySelectorAll('[id]')].map((one) => one.id);
            return ids.filter((id, at) => ids.indexOf(id) !== at)";
        assert_eq!(browser.run(doubled), serde_json::json!([]), "{page}");
    }
    links.sort_unstable();
    links.dedup();
    assert!(links.len() > 100, "{}", links.len());
    let requirements = std::fs::read_to_string(SITE.join("requirements.html")).unwrap();
    for link in links {
        let path =
            link.strip_prefix(&server.url("")).unwrap_or_else(|| panic!("elsewhere: {link}"));
        let (file, fragment) = path.split_once('#').unwrap_or((path, ""));
        assert!(SITE.join(file).is_file(), "{link} leads nowhere");
        let leads = file != "requirements.html" || fragment.is_empty();
        assert!(leads || requirements.contains(&format!("id=\"{fragment}\"")), "{link}");
    }
    let told = std::fs::read_to_string(SITE.join("index.html")).unwrap();
    assert!(told.contains("blindfold 1.0") && told.contains("`*` in a path"), "{told}");
    assert!(told.contains("<th scope=\"row\">creeper 2.0</th>"), "{told}");
}

/// Cases are in folded lists, and a link opens the one it leads to.
fn links(browser: &Browser, server: &Server) {
    browser.visit(&server.url("requirements.html"));
    let folded = "return [...document.querySelectorAll('details:not([open]) article')].at(-1).id";
    let id = browser.run(folded);
    let id = id.as_str().unwrap();
    browser.visit(&server.url("tester.html"));
    browser.visit(&server.url(&format!("requirements.html#{id}")));
    browser.until(
        "the case is seen",
        &format!(
            "document.getElementById('{id}').checkVisibility({{ contentVisibilityAuto: true }})"
        ),
    );
    browser.until(
        "it is in view",
        &format!(
            "Math.abs(document.getElementById('{id}').getBoundingClientRect().top) < innerHeight"
        ),
    );
}
