//! The retrieval of this crate as a subject of the timelines: a program that the runner asks over pipes.
//!
//! `robots-conformance run --subject 'cargo run --example retriever'`. A retriever of your own needs the same line, and
//! `robots_core::engine::Retrieve`.

use std::io;

use robots_conformance::serve::serve;
use robots_fetch::Retriever;

fn main() -> io::Result<()> {
    let version = Some(env!("CARGO_PKG_VERSION"));
    serve(&Retriever, version, 1, io::stdin().lock(), io::stdout())
}
