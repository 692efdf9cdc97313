//! `robots-bench-fetch`: measures the retrieval and its caches, and prints a table of what was found and what was
//! wanted.
//!
//! `--quick` measures on fewer origins. Everything is compared within one run: the times themselves belong to the
//! machine.

mod corpus;
mod server;
mod stores;
mod warm;

use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

use robots_fetch::Client;
use tokio::task::JoinSet;

use crate::server::Server;

/// What was found, and what was wanted of it.
pub(crate) struct Row {
    what: String,
    found: String,
    wanted: String,
    met: Option<bool>,
}

impl Row {
    pub(crate) fn told(what: impl Into<String>, found: impl Into<String>) -> Self {
        Self { what: what.into(), found: found.into(), wanted: String::new(), met: None }
    }

    pub(crate) fn wanted(self, wanted: &str, met: bool) -> Self {
        Self { wanted: wanted.to_owned(), met: Some(met), ..self }
    }
}

fn main() -> ExitCode {
    let quick = std::env::args().any(|word| word == "--quick");
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    let done = runtime.map_err(Into::into).and_then(|runtime| runtime.block_on(measure(quick)));
    match done {
        Ok(rows) => {
            print(&rows);
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("robots-bench-fetch: {error}");
            ExitCode::from(2)
        }
    }
}

async fn measure(quick: bool) -> Result<Vec<Row>, Box<dyn std::error::Error>> {
    let _ = rustls::crypto::ring::default_provider().install_default();
    let mut rows = Vec::new();
    let server = Server::start().await?;
    eprintln!("one flight");
    rows.push(one_flight(&server).await?);
    eprintln!("warm");
    rows.extend(warm::measure(&server, quick).await?);
    eprintln!("cold");
    rows.extend(cold(&server, if quick { 1_000 } else { 10_000 }).await?);
    eprintln!("redb");
    let sizes: &[u64] = if quick { &[1_000, 10_000] } else { &[10_000, 1_000_000] };
    rows.extend(stores::redb(sizes)?);
    eprintln!("redis");
    rows.extend(stores::redis().await?);
    Ok(rows)
}

fn client() -> Result<Client, robots_fetch::Error> {
    Client::builder("examplebot").no_proxy().memory(1 << 30).build()
}

async fn one_flight(server: &Server) -> Result<Row, Box<dyn std::error::Error>> {
    let client = client()?;
    let mut tasks = JoinSet::new();
    for number in 0..1000 {
        let (client, url) = (client.clone(), format!("{}/{number}", server.origin(0)));
        tasks.spawn(async move { client.verdict(&url).await.map(|verdict| verdict.is_allowed()) });
    }
    while let Some(done) = tasks.join_next().await {
        done??;
    }
    let requests = client.counts().requests;
    let row = Row::told("requests for 1,000 questions at once about one cold origin", requests.to_string());
    Ok(row.wanted("1", requests == 1))
}

/// Asks so many origins for the first time, and the same files by bare GETs.
async fn cold(server: &Server, origins: u32) -> Result<Vec<Row>, Box<dyn std::error::Error>> {
    const AT_ONCE: usize = 64;
    let urls: Arc<Vec<String>> =
        Arc::new((0..origins).map(|number| format!("{}/private/x", server.origin(number))).collect());
    let bare = reqwest::Client::builder().no_proxy().pool_max_idle_per_host(0).build()?;
    let mut rates = (Vec::new(), Vec::new());
    let mut memory = 0;
    let mut kept = None;
    for round in 0..5 {
        let client = client()?;
        let before = resident();
        let began = Instant::now();
        each(&urls, AT_ONCE, {
            let client = client.clone();
            move |url| {
                let client = client.clone();
                async move { client.verdict(&url).await.is_ok_and(|verdict| !verdict.is_allowed()) }
            }
        })
        .await?;
        rates.0.push(f64::from(origins) / began.elapsed().as_secs_f64());
        if round == 0 {
            memory = resident().saturating_sub(before);
            kept = Some(client);
        }
        let began = Instant::now();
        let bare = bare.clone();
        each(&urls, AT_ONCE, move |url| {
            let bare = bare.clone();
            async move {
                let url = url.replace("/private/x", "/robots.txt");
                let Ok(answer) = bare.get(url).send().await else { return false };
                answer.text().await.is_ok_and(|text| !text.is_empty())
            }
        })
        .await?;
        rates.1.push(f64::from(origins) / began.elapsed().as_secs_f64());
    }
    let kept = kept.ok_or("no round was run")?;
    let asked = corpus::FILES.min(origins);
    let mut rules = 0;
    for number in 0..asked {
        let origin = kept.origin(&server.origin(number)).await?;
        rules += origin.rules().ok_or("every file has rules")?.size();
    }
    let rules = rules / asked.max(1) as usize;
    drop(kept);
    let ratios: Vec<f64> = rates.0.iter().zip(&rates.1).map(|(ours, bare)| ours / bare).collect();
    let ratio = median(ratios);
    let each_origin = memory / u64::from(origins);
    let body = corpus::mean_octets(origins);
    let most = (body + rules) as u64 * 3 / 2 + 1024;
    Ok(vec![
        Row::told(
            format!("{origins} cold origins over loopback, {AT_ONCE} at once, beside a bare reqwest GET"),
            format!("{ratio:.2} × ({:.0} and {:.0} origins/s)", median(rates.0), median(rates.1)),
        )
        .wanted("≥ 0.9 ×", ratio >= 0.9),
        Row::told(
            format!(
                "memory by origin, by the growth of the process (generated files, in the mean {body} octets and {rules} \
                 of rules)"
            ),
            format!("{each_origin} octets"),
        )
        .wanted(&format!("≤ 1.5 × both + 1 KiB: {most}"), each_origin <= most),
    ])
}

async fn each<F, A>(urls: &Arc<Vec<String>>, at_once: usize, ask: F) -> Result<(), String>
where
    F: Fn(String) -> A + Clone + Send + 'static,
    A: Future<Output = bool> + Send + 'static,
{
    let mut tasks = JoinSet::new();
    for lane in 0..at_once {
        let (urls, ask) = (Arc::clone(urls), ask.clone());
        tasks.spawn(async move {
            for url in urls.iter().skip(lane).step_by(at_once) {
                if !ask(url.clone()).await {
                    return Err(format!("{url} was answered otherwise than it should be"));
                }
            }
            Ok(())
        });
    }
    while let Some(done) = tasks.join_next().await {
        done.map_err(|error| error.to_string())??;
    }
    Ok(())
}

/// The octets of memory that the process has.
fn resident() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kilo = line.and_then(|line| line.trim().trim_end_matches(" kB").parse::<u64>().ok());
    kilo.unwrap_or(0) * 1024
}

pub(crate) fn median(mut numbers: Vec<f64>) -> f64 {
    numbers.sort_unstable_by(f64::total_cmp);
    numbers.get(numbers.len() / 2).copied().unwrap_or(f64::NAN)
}

pub(crate) fn percentile(sorted: &[Duration], part: f64) -> Duration {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a place in a list")]
    let place = (sorted.len() as f64 * part) as usize;
    sorted.get(place.min(sorted.len() - 1)).copied().unwrap_or_default()
}

fn print(rows: &[Row]) {
    println!("| what | wanted | found | target |\n|---|---|---|---|");
    for row in rows {
        let met = match row.met {
            Some(true) => "met",
            Some(false) => "**not met**",
            None => "–",
        };
        println!("| {} | {} | {} | {met} |", row.what, row.wanted, row.found);
    }
}
