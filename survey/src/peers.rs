//! Measures the peers: our parser and the parsers of other projects.
//!
//! Each peer is asked every question of the suite. The measurement writes survey/peers.md, survey/peers.json and the table
//! in the README. Start at [`run()`]; the module `measure` asks one peer, and the module `entry` describes its result.

mod entry;
pub(crate) mod manifest;
mod measure;

use std::fs;
use std::sync::{Mutex, PoisonError};

use robots_conformance::report::Cases;
use robots_conformance::suite::load;
use robots_conformance_cli::report::html::{Page, Subject};

pub(crate) use self::entry::Entry;
use self::entry::Today;
use crate::arguments::Peers as Arguments;
use crate::files::workspace;
use crate::manifests::Folders;
use crate::measured::{self, Pages};
use crate::offences::Faults;

pub(crate) type Document = measured::Document<Entry>;

/// Returns the folder of the peers' manifest, and the folder where they are installed.
pub(crate) fn folders() -> Folders {
    Folders {
        manifest: workspace().join("survey/peers"),
        install: workspace().join("target/peers"),
    }
}

/// Measures and writes the documents. Returns whether the documents are up to date.
///
/// # Errors
/// Returns a message about the file or the peer that cannot be read, run or written.
pub(crate) fn run(arguments: &Arguments) -> Result<bool, String> {
    let suite = load::embedded()?;
    let faults = Faults::read()?;
    let folders = folders();
    let page = Page { title: "The peers, measured".to_owned(), ..Page::default() };
    let page = Mutex::new(page);
    let page = || page.lock().unwrap_or_else(PoisonError::into_inner);
    let settled = measured::run::<Entry>(
        &arguments.measuring,
        &folders,
        &Today::of(&suite),
        |manifest, peer| {
            let words = manifest.adapter(peer, &folders);
            match words.and_then(|words| measure::measure(peer, words, &suite, &faults)) {
                Ok((entry, record)) => {
                    page()
                        .subjects
                        .push(Subject { name: peer.name.clone(), ..entry.subject.of_page(record) });
                    Ok(entry)
                }
                Err(why) => {
                    page().unmeasured.push((peer.name.clone(), why.clone()));
                    Err(why)
                }
            }
        },
        |_| Ok(Pages::default()),
    )?;
    if let Some(file) = &arguments.html {
        let html = page().render(&Cases::of(&suite)).map_err(|error| error.to_string())?;
        fs::write(file, html).map_err(|error| format!("{}: {error}", file.display()))?;
    }
    Ok(settled)
}
