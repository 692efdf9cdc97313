//! A program that uses reqwest and rustls directly, in addition to robots-fetch. It shows that the three crates work
//! together in one program.
//!
//! Cargo unites the features of all crates of a program. With feature `two-providers`, rustls has two cryptography
//! providers and cannot choose. With two providers, the program needs the line that the README of robots-fetch shows.

use std::error::Error;

const README: &str = include_str!("../../../README.md");

fn main() -> Result<(), Box<dyn Error>> {
    #[cfg(feature = "two-providers")]
    {
        let panics = std::panic::catch_unwind(rustls::ClientConfig::builder).is_err();
        assert!(panics, "the line is no longer needed: remove it from the README");
        assert!(README.contains("rustls::crypto::ring::default_provider().install_default()"));
        rustls::crypto::ring::default_provider().install_default().expect("no provider was installed before");
    }
    #[cfg(not(feature = "two-providers"))]
    assert!(README.contains("If your program uses rustls itself and both of its cryptography providers are built in"));

    // The program uses reqwest and rustls without robots-fetch.
    drop(reqwest::Client::new());
    drop(rustls::ClientConfig::builder());

    // Nothing listens on port 1, so the blocking and the async client report that the site cannot be reached.
    let url = "https://127.0.0.1:1/page";
    let robots = robots_fetch::blocking::Client::builder("examplebot").no_proxy().build()?;
    let verdict = robots.verdict(url)?;
    assert!(!verdict.is_allowed() && verdict.to_string().contains("could not be reached"));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let robots = robots_fetch::Client::builder("examplebot").no_proxy().build()?;
        assert!(!robots.verdict(url).await?.is_allowed());
        assert!(reqwest::Client::new().get("http://127.0.0.1:1/").send().await.is_err());
        Ok(())
    })
}
