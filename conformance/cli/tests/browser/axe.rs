//! Runs axe-core, a program that finds accessibility problems in a page.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

use super::Browser;

/// The version of axe-core that the test installs from npm.
const VERSION: &str = "4.14.1";

/// Runs axe-core on the page, and returns each violation with the elements that have it.
const RUN: &str = "
    if (!window.axe) (0, eval)(arguments[0]);
    return axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) =>
      violations.flatMap(({ id, help, nodes }) =>
        nodes.slice(0, 3).map(({ html, failureSummary }) => `${id}: ${help}: ${html.slice(0, 200)}: ${failureSummary}`)))";

/// The source of axe-core.
pub(crate) struct Axe(String);

impl Axe {
    /// Returns axe-core, and installs it from npm if it is not installed yet.
    pub(crate) fn get() -> Self {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("axe-{VERSION}"));
        let script = folder.join("node_modules/axe-core/axe.min.js");
        if !script.is_file() {
            fs::create_dir_all(&folder).unwrap();
            let mut npm = Command::new("npm");
            npm.args(["install", "--no-audit", "--no-fund", "--ignore-scripts", "--prefix"]);
            let ended = npm.arg(&folder).arg(format!("axe-core@{VERSION}")).status();
            assert!(
                ended.is_ok_and(|ended| ended.success()),
                "npm cannot install axe-core {VERSION}"
            );
        }
        Self(fs::read_to_string(&script).unwrap())
    }

    /// Asserts that axe-core finds no violation on the page, at the width of a phone and of a desktop screen, in light
    /// and in dark colours.
    pub(crate) fn check(&self, browser: &Browser, page: &str) {
        for width in [390, 1280] {
            for scheme in ["light", "dark"] {
                browser.show(width, scheme);
                let found = browser.run_with(RUN, &json!([self.0]));
                let found: Vec<&Value> = found.as_array().expect("a list").iter().collect();
                assert!(found.is_empty(), "{page} at {width} px, {scheme}: {found:#?}");
            }
        }
    }
}
