//! Crawls from a URL by spider: `crawl AGENT SEED`.

use std::time::Duration;

use spider::website::Website;

#[tokio::main]
async fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [agent, seed] = &*words else {
        eprintln!("usage: crawl AGENT SEED");
        std::process::exit(2);
    };
    let mut website = Website::new(seed);
    website
        .with_respect_robots_txt(true)
        .with_user_agent(Some(agent))
        .with_external_domains(Some(std::iter::once("*".to_owned())))
        .with_request_timeout(Some(Duration::from_secs(3)))
        .with_delay(0);
    website.crawl_raw().await;
}
