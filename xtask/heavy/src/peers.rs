//! The peers, measured: installs each as the manifest says, runs the whole suite against it, and writes
//! docs/peers.md, docs/peers.json and the table in the README.

mod document;
pub(crate) mod manifest;
mod measure;

use std::fs;
use std::path::PathBuf;

use robots_conformance::load;
use robots_conformance::report::Cases;
use robots_conformance_cli::report::html::{Page, Subject};

pub(crate) use self::document::{Document, Entry, FILES};
use self::manifest::Peer;
use crate::invocation::workspace;
use crate::manifests::{Folders, Manifest};

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Measure this peer only and keep what is known of the others; repeatable
    #[arg(long, value_name = "NAME")]
    only: Vec<String>,
    /// Write nothing, and fail where what is checked in is stale
    #[arg(long)]
    pub(crate) check: bool,
    /// Write the page of all measured peers here as well
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
}

/// Returns where the peers' manifest is, and where they are installed.
pub(crate) fn folders() -> Folders {
    Folders {
        manifest: workspace().join("conformance/peers"),
        install: workspace().join("target/peers"),
    }
}

/// Measures, and writes the documents; returns whether they are as they should be.
///
/// # Errors
/// A sentence about what cannot be read, run or written.
pub(crate) fn run(arguments: &Arguments) -> Result<bool, String> {
    let suite = load::embedded().map_err(|problems| problems.to_string())?;
    let folders = folders();
    let manifest: Manifest<Peer> = Manifest::read(&folders.manifest)?;
    manifest.known(&arguments.only)?;
    let mut document = Document::default();
    let mut page = Page { title: "The peers, measured".to_owned(), ..Page::default() };
    let before: Document = FILES.read(&workspace())?;
    for peer in &manifest.listed {
        if !arguments.only.is_empty() && !arguments.only.contains(&peer.name) {
            document.entries.extend(before.entry(&peer.name));
            continue;
        }
        anstream::eprintln!("── {}", peer.name);
        let outcome = manifest
            .install(peer, &folders)
            .and_then(|()| manifest.adapter(peer, &folders))
            .and_then(|words| measure::measure(peer, words, &suite));
        match outcome {
            Ok((entry, record)) => {
                page.subjects.push(Subject {
                    name: peer.name.clone(),
                    version: Some(entry.version.clone()),
                    language: Some(peer.language.clone()),
                    record,
                });
                document.entries.push(entry);
            }
            Err(why) => {
                anstream::eprintln!("not measured: {why}");
                page.unmeasured.push((peer.name.clone(), why.clone()));
                document.entries.push(Entry::unmeasured(peer, why));
            }
        }
    }
    if let Some(file) = &arguments.html {
        let html = page.render(&Cases::of(&suite))?;
        fs::write(file, html).map_err(|error| format!("{}: {error}", file.display()))?;
    }
    document.rank();
    let texts = document.texts(&workspace())?;
    FILES.settle(&workspace(), &texts, arguments.check)
}
