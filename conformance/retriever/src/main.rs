//! A program with which the conformance runner can test the retrieval of `robots-fetch`. The program reads timelines
//! (scripts of answers and questions over time) from a pipe, and writes its answers to a pipe.
//!
//! Run it with `robots-conformance run --subject 'cargo run -p robots-retriever'`. For your own retriever, write the
//! same `main`, and implement `Engine` and `Retrieve` of `robots_conformance`.

use std::io;

use robots_conformance::serve::serve;
use robots_retriever::Retriever;

fn main() -> io::Result<()> {
    let version = Some(env!("CARGO_PKG_VERSION"));
    serve(&Retriever, version, 1, io::stdin().lock(), io::stdout())
}
