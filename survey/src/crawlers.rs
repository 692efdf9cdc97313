//! Measures the crawlers: installs each as the manifest says, runs it on the live cases, and writes survey/crawlers.md,
//! survey/crawlers.json, survey/crawlers.cases.json, survey/crawlers.html and the table in the README.
//!
//! The module `entry` describes a measured crawler, `measure` runs the crawlers, and `page` and `summary` compare them.
//! The access logs stay in target/crawlers/records, so that they can be read and judged again.

pub(crate) mod cases;
mod causes;
mod entry;
pub(crate) mod manifest;
mod measure;
mod page;
mod summary;

pub(crate) use self::entry::Entry;
pub(crate) use self::measure::run;
use crate::files::workspace;
use crate::manifests::Folders;
use crate::measured;

pub(crate) type Document = measured::Document<Entry>;

/// Returns the folder of the crawlers' manifest, and the folder where they are installed.
pub(crate) fn folders() -> Folders {
    Folders {
        manifest: workspace().join("survey/crawlers"),
        install: workspace().join("target/crawlers"),
    }
}
