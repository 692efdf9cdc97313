//! Crawls with a library: `crawl spider AGENT SEEDS` runs the crate spider, and `crawl spire AGENT SEEDS` runs the crate
//! spire. The file SEEDS has one start URL in each line.

use std::time::Duration;

/// The time limit of a request.
const TIMEOUT: Duration = Duration::from_secs(3);

#[tokio::main]
async fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let [library, agent, file] = words[..] else {
        eprintln!("usage: crawl LIBRARY AGENT SEEDS");
        std::process::exit(2);
    };
    let seeds = std::fs::read_to_string(file).expect("the file has the seeds");
    match library {
        "spider" => by_spider(agent, &seeds).await,
        "spire" => by_spire(agent, &seeds).await,
        _ => {
            eprintln!("the libraries are spider and spire");
            std::process::exit(2);
        }
    }
}

/// Crawls the site of each seed. By default spider stays on the host of a site. Spider's option for external domains is
/// not used here: with this option, spider treats other hosts as parts of the site.
async fn by_spider(agent: &str, seeds: &str) {
    for seed in seeds.lines() {
        let mut website = spider::website::Website::new(seed);
        website
            .with_respect_robots_txt(true)
            .with_user_agent(Some(agent))
            .with_request_timeout(Some(TIMEOUT))
            .with_delay(0);
        website.crawl_raw().await;
    }
}

async fn by_spire(agent: &str, seeds: &str) {
    use spire::backend::ReqwestBackend;
    use spire::backend::reqwest::Client;
    use spire::crawler::Robots;
    use spire::frontier::seed::Seed;
    use spire::frontier::{FrontierExt, InMemFrontier};
    use spire::handler::FollowLinks;
    use spire::{Crawler, Router};

    let name = agent.to_owned();
    let client = move || Client::builder().user_agent(&name).no_proxy().timeout(TIMEOUT);
    let backend = ReqwestBackend::from_builder(client).expect("the client is built");
    // There are no retries, because spire waits for half a minute before a retry.
    let robots = Robots::new(agent).with_unreachable_retries(0);
    let mut crawler = Crawler::new(backend, Router::new().fallback(FollowLinks::new("page")))
        .with_frontier(InMemFrontier::fifo().dedup())
        .with_robots(robots);
    for seed in seeds.lines() {
        crawler = crawler.with_seed(Seed::get(seed).expect("the seed is a URL"));
    }
    if let Err(error) = crawler.run().await {
        eprintln!("{error}");
    }
}
