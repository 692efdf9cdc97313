//! Measures the retrievers: software of this project and of others that fetches robots.txt.
//!
//! The retrievers answer the timelines of the suite. The measurement writes survey/retrievers.md, survey/retrievers.json
//! and the table in the README. Start at [`run()`]; the module `entry` measures a retriever and defines its result.

mod entry;
mod manifest;

use robots_conformance::suite::load;

use self::entry::Entry;
use crate::arguments::Retrievers as Arguments;
use crate::files::workspace;
use crate::manifests::Folders;
use crate::measured::{self, Pages};

/// Returns the folder of the manifest, and the folder where retrievers are installed.
fn folders() -> Folders {
    Folders {
        manifest: workspace().join("survey/peers"),
        install: workspace().join("target/retrievers"),
    }
}

/// Measures and writes the documents. Returns whether the documents are up to date.
///
/// # Errors
/// Returns a message about the file or the retriever that cannot be read, run or written.
pub(crate) fn run(arguments: &Arguments) -> Result<bool, String> {
    let suite = load::embedded()?;
    let folders = folders();
    measured::run::<Entry>(
        &arguments.measuring,
        &folders,
        &(),
        |manifest, retriever| {
            let words = manifest.adapter(retriever, &folders)?;
            Entry::measure(retriever, words, &suite)
        },
        |document| Ok(Pages { summary: document.requirements(), others: Vec::new() }),
    )
}
