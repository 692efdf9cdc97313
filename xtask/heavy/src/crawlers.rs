//! Measures the crawlers: installs each as the manifest says, runs it on the live cases, and writes docs/crawlers.md,
//! docs/crawlers.json, docs/crawlers.cases.json, docs/crawlers.html and the table in the README.
//!
//! The module `entry` describes a measured crawler, `measure` runs the crawlers, and `page` and `summary` compare them.
//! The access logs stay in target/crawlers/records, so that they can be read and judged again.

pub(crate) mod cases;
mod causes;
mod entry;
pub(crate) mod manifest;
#[cfg(feature = "measure")]
mod measure;
mod page;
mod summary;

pub(crate) use self::entry::Entry;
#[cfg(feature = "measure")]
pub(crate) use self::measure::run;
use crate::manifests::Folders;
use crate::measured;
use xtask::invocation::workspace;

pub(crate) type Document = measured::Document<Entry>;

/// Returns the folder of the crawlers' manifest, and the folder where they are installed.
pub(crate) fn folders() -> Folders {
    Folders {
        manifest: workspace().join("conformance/crawlers"),
        install: workspace().join("target/crawlers"),
    }
}
