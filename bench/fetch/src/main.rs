//! `robots-bench-fetch`: measures the retrieval and its caches, and prints a table of what was found and what was
//! wanted.
//!
//! `--quick` measures on fewer origins, `--only PART` one part: flight, warm, cold, redb or redis. Everything is
//! compared within one run: the times themselves belong to the machine.

mod corpus;
mod server;
mod stores;
mod warm;

use std::collections::HashMap;
use std::process::ExitCode;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use robots_fetch::Client;
use robots_fetch::robots_core::RuleSet;
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
    let words: Vec<String> = std::env::args().skip(1).collect();
    let quick = words.iter().any(|word| word == "--quick");
    let only = words.iter().position(|word| word == "--only").and_then(|at| words.get(at + 1));
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    let done = runtime.map_err(Into::into).and_then(|runtime| runtime.block_on(measure(quick, only)));
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

async fn measure(quick: bool, only: Option<&String>) -> Result<Vec<Row>, Box<dyn std::error::Error>> {
    let _ = rustls::crypto::ring::default_provider().install_default();
    let is_wanted = |part: &str| {
        let wanted = only.is_none_or(|only| only == part);
        if wanted {
            eprintln!("{part}");
        }
        wanted
    };
    let mut rows = Vec::new();
    let server = Server::start().await?;
    if is_wanted("flight") {
        rows.push(one_flight(&server).await?);
    }
    if is_wanted("warm") {
        rows.extend(warm::measure(&server, quick).await?);
    }
    if is_wanted("cold") {
        rows.extend(cold(&server, if quick { 1_000 } else { 10_000 }).await?);
    }
    if is_wanted("redb") {
        let sizes: &[u64] = if quick { &[1_000, 10_000] } else { &[10_000, 1_000_000] };
        rows.extend(stores::redb(sizes)?);
    }
    if is_wanted("redis") {
        rows.extend(stores::redis().await?);
    }
    if rows.is_empty() {
        return Err("there is no such part: flight, warm, cold, redb, redis".into());
    }
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
    let mut rates = (Vec::new(), Vec::new(), Vec::new());
    let mut memory = 0;
    let mut kept = None;
    for round in 0..5 {
        let client = client()?;
        let before = resident();
        let ask = {
            let client = client.clone();
            move |url: String| {
                let client = client.clone();
                async move { client.verdict(&url).await.is_ok_and(|verdict| !verdict.is_allowed()) }
            }
        };
        let began = Instant::now();
        each(&urls, AT_ONCE, ask.clone()).await?;
        rates.0.push(f64::from(origins) / began.elapsed().as_secs_f64());
        if round == 0 {
            // The second question has the rules compiled.
            each(&urls, AT_ONCE, ask).await?;
            memory = resident().saturating_sub(before);
            kept = Some(client);
        }
        let began = Instant::now();
        each(&urls, AT_ONCE, {
            let bare = bare.clone();
            move |url| {
                let answer = file_of(bare.clone(), url);
                async move { answer.await.is_some_and(|text| !text.is_empty()) }
            }
        })
        .await?;
        rates.1.push(f64::from(origins) / began.elapsed().as_secs_f64());
        // The least that a crawler does with them: it keeps the rules for itself, by origin.
        let kept: Arc<Mutex<HashMap<String, RuleSet>>> = Arc::default();
        let began = Instant::now();
        each(&urls, AT_ONCE, {
            let (bare, kept) = (bare.clone(), Arc::clone(&kept));
            move |url| {
                let (answer, kept) = (file_of(bare.clone(), url.clone()), Arc::clone(&kept));
                async move {
                    let Some(text) = answer.await else { return false };
                    let rules = robots_nom_parser::parse(&text).rules_for("examplebot");
                    let is_allowed = rules.verdict(&url).is_allowed();
                    kept.lock().is_ok_and(|mut kept| kept.insert(url, rules).is_none()) && !is_allowed
                }
            }
        })
        .await?;
        rates.2.push(f64::from(origins) / began.elapsed().as_secs_f64());
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
    let beside = |others: &[f64]| median(rates.0.iter().zip(others).map(|(ours, other)| ours / other).collect());
    let (ratio, to_rules) = (beside(&rates.1), beside(&rates.2));
    let each_origin = memory / u64::from(origins);
    let body = corpus::mean_octets(origins);
    let most = (body + rules) as u64 * 3 / 2 + 1024;
    Ok(vec![
        Row::told(
            format!("{origins} cold origins over loopback, a question each, {AT_ONCE} at once, beside a bare reqwest GET"),
            format!("{ratio:.2} × ({:.0} and {:.0} origins/s)", median(rates.0), median(rates.1)),
        )
        .wanted("≥ 0.9 ×", ratio >= 0.9),
        Row::told(
            "… beside a bare GET whose rules are compiled and kept in a `HashMap`",
            format!("{to_rules:.2} × ({:.0} origins/s)", median(rates.2)),
        ),
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

async fn file_of(client: reqwest::Client, url: String) -> Option<String> {
    let url = url.replace("/private/x", "/robots.txt");
    client.get(url).send().await.ok()?.text().await.ok()
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
