//! A crawler that conforms, as a program: `reference --ca FILE [--edition ID] [--rogue NAME] AGENT SEED`.

mod bent;
mod crawler;
mod rogue;

use std::process::ExitCode;
use std::time::Duration;
use std::{env, fs};

use robots_nom_parser::robots_core::Edition;

use crate::crawler::Crawler;
use crate::rogue::Rogue;

const USAGE: &str = "usage: reference --ca FILE [--edition ID] [--rogue NAME] AGENT SEED";

/// How long a crawl may take.
const LIMIT: Duration = Duration::from_secs(60);

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::from(2)
        }
    }
}

fn run() -> Result<(), String> {
    let mut words = env::args().skip(1);
    let (mut edition, mut rogue, mut authority) = (Edition::default(), None, None);
    let mut operands = Vec::new();
    while let Some(word) = words.next() {
        let mut value = || words.next().ok_or_else(|| format!("{word} needs a value; {USAGE}"));
        match word.as_str() {
            "--ca" => authority = Some(value()?),
            "--edition" => edition = value()?.parse().map_err(|error| format!("{error}"))?,
            "--rogue" => {
                let name = value()?;
                let found = Rogue::ALL.iter().copied().find(|rogue| format!("{rogue:?}") == name);
                let found = found.ok_or_else(|| {
                    let names = Rogue::ALL.iter().map(|rogue| format!("{rogue:?}"));
                    format!("no fault {name}; there are {}", names.collect::<Vec<_>>().join(", "))
                })?;
                rogue = Some(found);
            }
            _ => operands.push(word),
        }
    }
    let (Some(authority), [agent, seed]) = (authority, &*operands) else {
        return Err(USAGE.to_owned());
    };
    let authority = fs::read(&authority).map_err(|error| format!("{authority}: {error}"))?;
    let crawler = Crawler::new(agent, edition, &authority, LIMIT);
    let crawler = crawler.map_err(|error| format!("the certificate is not read: {error}"))?;
    let mut crawler = rogue.into_iter().fold(crawler, Crawler::with);
    crawler.crawl(seed);
    Ok(())
}
