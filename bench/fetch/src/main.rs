//! `robots-bench-fetch`: measures the retrieval and its caches, and prints a table of results and targets.
//!
//! `--quick` measures with fewer origins and rounds. `--short` prints only the rows with a target. `--only PART`
//! measures one part: flight (many questions at once about one origin), warm (verdicts from memory), cold (new
//! origins), redb or redis (a store), or away (a store that is unavailable). Numbers are compared only within one run,
//! because absolute times depend on the machine.

mod away;
mod cold;
mod corpus;
mod lanes;
mod server;
mod stores;
mod table;
mod warm;

use std::process::ExitCode;

use tokio::task::JoinSet;

use crate::server::Server;
use crate::table::Row;
use crate::warm::client;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let quick = words.iter().any(|word| word == "--quick");
    let is_short = words.iter().any(|word| word == "--short");
    let only = words.iter().position(|word| word == "--only").and_then(|at| words.get(at + 1));
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    let done =
        runtime.map_err(Into::into).and_then(|runtime| runtime.block_on(measure(quick, only)));
    match done {
        Ok(rows) => {
            print(rows.iter().filter(|row| !is_short || row.met.is_some()));
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
        rows.extend(cold::measure(&server, if quick { 1_000 } else { 10_000 }).await?);
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

fn print<'r>(rows: impl Iterator<Item = &'r Row>) {
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
