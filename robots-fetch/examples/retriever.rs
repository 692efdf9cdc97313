//! Makes the retrieval of this crate a subject: a program that gets timelines from the runner over pipes, and answers
//! them.
//!
//! Run it with `robots-conformance run --subject 'cargo run --example retriever'`. For your own retriever, write the
//! same `main`, and implement `Engine` and `Retrieve` of `robots_core::engine`.

use std::io;

use robots_conformance::serve::serve;
use robots_fetch::Retriever;

fn main() -> io::Result<()> {
    let version = Some(env!("CARGO_PKG_VERSION"));
    serve(&Retriever, version, 1, io::stdin().lock(), io::stdout())
}
