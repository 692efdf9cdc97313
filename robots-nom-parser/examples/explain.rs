//! Prints whether a crawler may fetch a URL under a given robots.txt file, and why.

use std::env;
use std::fs;
use std::process::ExitCode;

const USAGE: &str = "usage: explain FILE AGENT URL
  FILE   a robots.txt as fetched
  AGENT  the crawler's product token: examplebot
  URL    a URL, or its path and query: https://example.com/a?b, /a?b";

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [file, agent, url] = &arguments[..] else {
        eprintln!("explain takes 3 arguments, not {}\n{USAGE}", arguments.len());
        return ExitCode::from(2);
    };
    let body = match fs::read(file) {
        Ok(body) => body,
        Err(error) => {
            eprintln!("cannot read {file}: {error}; FILE is the path of a robots.txt\n{USAGE}");
            return ExitCode::from(2);
        }
    };
    let robots = robots_nom_parser::parse(body);
    match robots.try_verdict(agent.as_str(), url) {
        Ok(verdict) => {
            println!("{verdict}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{url}: {error}\n{USAGE}");
            ExitCode::from(2)
        }
    }
}
