//! `robots-bench-fetch`: measures the retrieval and its caches, and prints a table of results and targets.
//!
//! `--quick` measures on fewer origins. `--only PART` measures one part: flight, warm, cold, redb, redis or away.
//! Numbers are compared only within one run, because absolute times depend on the machine.

mod away;
mod corpus;
mod lanes;
mod server;
mod stores;
mod table;
mod warm;

use std::collections::HashMap;
use std::process::ExitCode;
use std::sync::{Arc, Mutex};
use std::time::Instant;

use robots_fetch::robots_core::RuleSet;
use tokio::task::JoinSet;

use crate::lanes::each;
use crate::server::Server;
use crate::table::{Row, median};
use crate::warm::client;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let quick = words.iter().any(|word| word == "--quick");
    let only = words.iter().position(|word| word == "--only").and_then(|at| words.get(at + 1));
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    let done =
        runtime.map_err(Into::into).and_then(|runtime| runtime.block_on(measure(quick, only)));
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

async fn measure(
    quick: bool,
    only: Option<&String>,
) -> Result<Vec<Row>, Box<dyn std::error::Error>> {
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
    if is_wanted("away") {
        rows.extend(away::measure(&server, quick).await?);
    }
    if rows.is_empty() {
        return Err("there is no such part: flight, warm, cold, redb, redis, away".into());
    }
    Ok(rows)
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
    let row = Row::new(
        "requests for 1,000 questions at once about one cold origin",
        requests.to_string(),
    );
    Ok(row.wanted("1", requests == 1))
}

/// Measures questions about origins that are new to the client, and compares them with plain GET requests for the same
/// files.
async fn cold(server: &Server, origins: u32) -> Result<Vec<Row>, Box<dyn std::error::Error>> {
    const AT_ONCE: usize = 64;
    let urls: Arc<Vec<String>> = Arc::new(
        (0..origins).map(|number| format!("{}/private/x", server.origin(number))).collect(),
    );
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
            // The second question compiles the rules.
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
        // The minimum that a crawler does with a file: it parses the rules and stores them by origin.
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
                    kept.lock().is_ok_and(|mut kept| kept.insert(url, rules).is_none())
                        && !is_allowed
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
    let beside = |others: &[f64]| {
        median(rates.0.iter().zip(others).map(|(ours, other)| ours / other).collect())
    };
    let (ratio, to_rules) = (beside(&rates.1), beside(&rates.2));
    let each_origin = memory / u64::from(origins);
    let body = corpus::mean_octets(origins);
    let most = (body + rules) as u64 * 3 / 2 + 1024;
    Ok(vec![
        Row::new(
            format!("{origins} cold origins over loopback, a question each, {AT_ONCE} at once, beside a bare reqwest GET"),
            format!("{ratio:.2} × ({:.0} and {:.0} origins/s)", median(rates.0), median(rates.1)),
        )
        .wanted("≥ 0.9 ×", ratio >= 0.9),
        Row::new(
            "… beside a bare GET whose rules are compiled and kept in a `HashMap`",
            format!("{to_rules:.2} × ({:.0} origins/s)", median(rates.2)),
        ),
        Row::new(
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

/// Returns the memory of the process in octets.
fn resident() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kilo = line.and_then(|line| line.trim().trim_end_matches(" kB").parse::<u64>().ok());
    kilo.unwrap_or(0) * 1024
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
