//! Tests the site in a real browser. The test builds the site as `cargo survey site` does, and serves it on loopback.
//!
//! Only `cargo test --test site` runs this test, because the engine needs the target wasm32-wasip1.
//! `ROBOTS_CORPUS` names a folder of real files for the comparison with the command; without it, the files are made
//! from those of the suite.

#[path = "../../../conformance/cli/tests/browser/mod.rs"]
#[allow(dead_code, reason = "the report's page uses more of it")]
mod browser;
mod files;
mod same;
mod server;
mod tester;

use std::env;
use std::path::Path;
use std::process::{Command, ExitCode};

use browser::Browser;
use browser::axe::Axe;
use libtest_mimic::{Arguments, Completion, Trial};
use server::{SITE, Server};

type Test = (&'static str, fn(&Browser, &Server));

const TESTS: [Test; 15] = [
    ("every_page_is_readable_on_a_phone_and_a_desk", pages),
    ("every_page_works_from_a_disk", from_a_disk),
    ("a_case_shows_its_file_question_and_answers", cases),
    ("everything_is_found_by_words_and_ids", found),
    ("a_wide_table_shows_that_it_scrolls", wide_tables),
    (AXE, axe),
    ("the_tester_is_used_by_keyboard_alone", tester::keyboard),
    ("the_tester_has_names_and_roles_for_a_screen_reader", tester::semantics),
    ("lines_have_a_meaning_and_the_deciding_one_is_lit", tester::lines),
    ("what_is_contested_and_read_otherwise_is_told", tester::constructs),
    ("a_change_and_expectations_are_tried", tester::modes),
    ("a_file_is_dropped_and_chosen_octet_by_octet", tester::dropped),
    ("nothing_is_loaded_from_or_sent_elsewhere", tester::nothing_elsewhere),
    ("the_tester_gives_the_verdicts_of_the_command", same::same),
    ("the_tester_is_small_and_quick", same::quick),
];

/// The test that needs axe-core in addition to a browser.
const AXE: &str = "axe_finds_no_violation";

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let is_required = env::var("ROBOTS_REQUIRE_CHROMIUM").is_ok_and(|value| value == "1");
    if !arguments.list {
        build(&SITE);
    }
    let trials = TESTS.into_iter().map(|(name, test)| {
        Trial::ignorable_test(name, move || {
            if name == AXE && env::var_os("ROBOTS_AXE").is_none() {
                let reason = "ROBOTS_AXE=1 runs axe-core from npm on the pages";
                return Ok(Completion::ignored_with(reason));
            }
            match Browser::start(name) {
                Ok(browser) => {
                    test(&browser, &Server::start(&SITE));
                    let errors = browser.errors();
                    assert!(errors.is_empty(), "the console says: {errors:#?}");
                    Ok(Completion::Completed)
                }
                Err(reason) if is_required => Err(reason.into()),
                Err(reason) => Ok(Completion::ignored_with(reason)),
            }
        })
    });
    let conclusion = libtest_mimic::run(&arguments, trials.collect());
    let _ = std::fs::remove_dir_all(&*SITE);
    conclusion.exit_code()
}

/// Builds the site of this checkout.
fn build(folder: &Path) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_robots-survey"));
    command.arg("site").arg("--out").arg(folder);
    assert!(command.status().unwrap().success(), "the site is not built");
}

const PAGES: [&str; 10] = [
    "index.html",
    "tester.html",
    "parsers.html",
    "crawlers.html",
    "retrievers.html",
    "requirements.html",
    "standard-rfc9309.html",
    "standard-google-2022.html",
    "differences.html",
    "search.html",
];

/// Opens a page, and waits until it is complete.
fn open(browser: &Browser, server: &Server, page: &str) {
    browser.visit(&server.url(page));
    if page.starts_with("tester.html") {
        tester::ready(browser);
    }
}

fn pages(browser: &Browser, server: &Server) {
    let mut links = Vec::new();
    for page in PAGES {
        open(browser, server, page);
        for width in [390, 1280] {
            for scheme in ["light", "dark"] {
                browser.show(width, scheme);
                let wide = browser.run("return document.documentElement.scrollWidth");
                assert!(wide.as_u64() <= Some(width.into()), "{page} at {width}: {wide} px");
                let seen = browser.contrast();
                assert!(seen[0].as_u64() > Some(10), "{seen}");
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
        // Words between backticks in the texts of the suite become code, so no backtick is visible outside files.
        let raw = "const seen = document.createTreeWalker(document.querySelector('main'), NodeFilter.SHOW_TEXT);
            const raw = [];
            while (seen.nextNode()) {
              const inside = seen.currentNode.parentElement.closest('script, style, pre, code, textarea');
              if (!inside && seen.currentNode.data.includes('`')) raw.push(seen.currentNode.data);
            }
            return raw";
        assert_eq!(browser.run(raw), serde_json::json!([]), "{page}");
    }
    links.sort_unstable();
    links.dedup();
    assert!(links.len() > 1000, "{}", links.len());
    let (mut ids, mut cases) = (0, 0);
    for link in links {
        if link.starts_with("https://www.rfc-editor.org/")
            || link.starts_with("https://developers.google.com/")
        {
            continue;
        }
        let path =
            link.strip_prefix(&server.url("")).unwrap_or_else(|| panic!("elsewhere: {link}"));
        let (file, fragment) = path.split_once('#').unwrap_or((path, ""));
        let text = std::fs::read_to_string(SITE.join(file))
            .unwrap_or_else(|_| panic!("{link} leads nowhere"));
        if !fragment.is_empty() && file != "tester.html" {
            assert!(text.contains(&format!("id=\"{fragment}\"")), "{link}");
            ids += 1;
            cases += usize::from(fragment.starts_with("case-"));
        }
    }
    assert!(ids > 500 && cases > 300, "{ids} {cases}");
}

/// A page is a single file, so it also works when it is opened from a disk.
fn from_a_disk(browser: &Browser, _: &Server) {
    for page in PAGES {
        browser.visit(&format!("file://{}", SITE.join(page).display()));
        if page == "tester.html" {
            tester::ready(browser);
            browser.until(
                "it is answered",
                "document.querySelectorAll('#verdicts tbody tr').length === 4",
            );
        }
        let loaded =
            browser.run("return performance.getEntriesByType('resource').map(({ name }) => name)");
        assert_eq!(loaded, serde_json::json!([]), "{page}");
    }
}

/// A case shows its file, its questions, the answers of the editions, and the software that fails it. The failures of a
/// parser link to the case.
fn cases(browser: &Browser, server: &Server) {
    browser.visit(&server.url("requirements.html#case-path-fish-star-php"));
    browser.until("the case is open", "document.querySelector('details:target')?.open");
    let body = browser.text("details:target");
    for part in ["disallow: /fish*.php", "/fish.php", "disallow (google-2018", "WWW-RobotRules"] {
        assert!(body.contains(part), "{part:?} is missing in {body}");
    }
    browser.visit(&server.url("crawlers.html#httrack"));
    let section = browser.text(":target");
    for part in ["HTTrack 3.49", "APPLY-CRAWLERS", "It says of itself"] {
        assert!(section.contains(part), "{part:?} is missing in {section}");
    }
    browser.click(":target summary");
    browser.click(":target [data-item] a");
    browser.until("the case is open", "document.querySelector('details:target')?.open");
}

/// The lists can be filtered, and the search finds everything by words and ids.
fn found(browser: &Browser, server: &Server) {
    let visible = "document.querySelectorAll('[data-item]:not([hidden])').length";
    open(browser, server, "requirements.html");
    let all = browser.run(&format!("return {visible}"));
    browser.keys("[name=text]", "redirect");
    browser.until("the list is shorter", &format!("{visible} < {all} && {visible} > 0"));
    open(browser, server, "differences.html");
    let all = browser.run(&format!("return {visible}"));
    browser.click("[name=pairs] option[value='google-2022~rfc9309']");
    browser.until("the list is shorter", &format!("{visible} < {all} && {visible} > 0"));
    open(browser, server, "search.html");
    browser.keys("[name=text]", "PREC-LENGTH");
    browser.until("it is found", "document.querySelector('#found a')?.hash === '#PREC-LENGTH'");
}

/// If a table is wider than a phone's screen, a hint says so, and the keyboard can scroll the table. Nothing else on a
/// page is wider than the screen.
fn wide_tables(browser: &Browser, server: &Server) {
    for page in ["index.html", "parsers.html", "crawlers.html"] {
        open(browser, server, page);
        browser.show(390, "light");
        browser.until(
            "the table is wider",
            "document.querySelector('.scrolls').matches('.is-wide[data-more=right]')",
        );
        assert_eq!(
            browser.run("return document.querySelector('.hint').checkVisibility()"),
            true,
            "{page}"
        );
        browser.run("document.querySelector('.scroll').focus()");
        browser.press("\u{E014}");
        browser.until("it scrolls", "document.querySelector('.scroll').scrollLeft > 0");
        browser.until(
            "it goes on at both sides",
            "document.querySelector('.scrolls').dataset.more.includes('left')",
        );
        browser.show(2400, "light");
    }
    // The columns of the editions are below each other on a phone.
    open(browser, server, "differences.html");
    browser.show(390, "light");
    let cut = "return [...document.querySelectorAll('.differences td, .differences th')]
        .filter((cell) => cell.checkVisibility() && cell.getBoundingClientRect().right > innerWidth).length";
    assert_eq!(browser.run(cut), 0);
}

/// axe-core finds no violation on any page or in any mode of the tester.
fn axe(browser: &Browser, server: &Server) {
    let axe = Axe::get();
    for page in PAGES.into_iter().chain([
        "tester.html#diff",
        "tester.html#check",
        "requirements.html#case-path-fish-prefix",
        "search.html#text=redirect",
    ]) {
        browser.visit("about:blank");
        open(browser, server, page);
        axe.check(browser, page);
    }
}
