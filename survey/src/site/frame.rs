//! The frame of every page of the site: the navigation, the texts for previews, and the sources of the facts.

use std::path::Path;
use std::process::Command;

use robots_conformance_cli::report::html::Frame;
use serde_json::{Value, json};

use crate::files::workspace;

/// The pages in the navigation: file and name.
pub(super) const PAGES: [(&str, &str); 6] = [
    ("index.html", "Start"),
    ("tester.html", "Tester"),
    ("parsers.html", "Parsers"),
    ("crawlers.html", "Crawlers"),
    ("requirements.html", "Requirements"),
    ("differences.html", "Differences"),
];

/// The facts that are the same on every page.
pub(super) struct Facts {
    repository: Option<&'static str>,
    version: &'static str,
    commit: Option<String>,
    measured: Value,
    address: Option<String>,
}

impl Facts {
    /// Collects the facts about the checkout and about the two files with measurements.
    pub(super) fn of(peers: &Path, crawlers: &Path, address: Option<&str>) -> Self {
        let repository = env!("CARGO_PKG_REPOSITORY");
        Self {
            // Before the first release, the address of the repository is a placeholder and is not linked.
            repository: (!repository.contains(".invalid")).then_some(repository),
            version: env!("CARGO_PKG_VERSION"),
            commit: git(&["log", "-1", "--format=%h of %cs"]),
            measured: json!({ "parsers": changed(peers), "crawlers": changed(crawlers) }),
            address: address.map(|address| format!("{}/", address.trim_end_matches('/'))),
        }
    }

    /// Returns the address of the cases' folder in the repository, or `None` before the first release.
    pub(super) fn sources(&self) -> Option<String> {
        self.repository.map(|at| format!("{at}/blob/v{}/spec-cases", self.version))
    }

    /// Returns the frame of a page.
    pub(super) fn frame(&self, here: &str, description: &str) -> Frame {
        let pages = PAGES.iter().map(|(file, name)| json!({ "file": file, "name": name }));
        Frame {
            template: include_str!("frame.html").to_owned(),
            site: json!({
                "here": here,
                "pages": pages.collect::<Vec<_>>(),
                "description": description,
                "address": self.address,
                "style": include_str!("site.css"),
                "repository": self.repository,
                "version": self.version,
                "commit": self.commit,
                "measured": self.measured,
            }),
        }
    }
}

/// Returns the day of the commit that changed a file last.
fn changed(file: &Path) -> Option<String> {
    git(&["log", "-1", "--format=%cs", "--", file.to_str()?])
}

/// Returns the output of a git command, or `None` if the command fails or prints nothing.
fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").current_dir(workspace()).args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?.trim().to_owned();
    (output.status.success() && !text.is_empty()).then_some(text)
}
