//! The verb `serve-web`: serves the sites of a case until standard input ends.

use std::fmt::Write as _;
use std::io::{self, Read as _, Write as _};
use std::process::ExitCode;

use clap::Args;
use robots_conformance::problem::Problems;
use robots_conformance::render::{self, visible};
use robots_conformance_live::verdicts::on_the_wire;
use robots_conformance_live::{Case, HUB, load};
use robots_core::Edition;
use robots_test_web::Web;

use super::{Network, inside};
use crate::console;
use crate::error::Error;
use crate::lookup::suggestion;
use crate::pages::listed;

/// The arguments of `serve-web`.
#[derive(Args, Clone, Debug)]
pub struct ServeArgs {
    /// The case's id, as `list --live` prints it
    pub case: String,
    /// The product token that the robots.txt files name
    #[arg(long, value_name = "TOKEN", default_value = "examplebot")]
    pub agent: String,
    /// The kind of network for the test server
    #[arg(long, value_enum, default_value_t = Network::Loopback)]
    pub net: Network,
}

/// Returns every case that a crawler can be asked.
fn all() -> Result<impl Iterator<Item = Case>, Error> {
    let text = |problems: Problems| problems.to_string();
    let verdicts = on_the_wire().map_err(text)?.cases.into_values().flatten();
    Ok(load().map_err(text)?.into_iter().chain(verdicts))
}

/// Finds a case by its id.
fn find(id: &str) -> Result<Case, Error> {
    let id = id.split("::").next().unwrap_or(id);
    let cases: Vec<Case> = all()?.collect();
    let meant = suggestion(id, cases.iter().map(|case| case.id.as_str()));
    cases.into_iter().find(|case| case.id == id).ok_or_else(|| {
        Error::new(format!(
            "no live case has the id {id:?}; {meant}`robots-conformance list --live` prints them"
        ))
    })
}

/// Serves the sites of a case until standard input ends, and prints the requests.
pub fn serve(arguments: &ServeArgs) -> ExitCode {
    inside::run(arguments.net, || match served(arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => console::usage(&message),
    })
}

fn served(arguments: &ServeArgs) -> Result<(), Error> {
    let case = find(&arguments.case)?;
    let web = Web::start_in(&case.served(&arguments.agent), arguments.net.into())
        .map_err(|error| Error::new(error.to_string()))?;
    let mut text = format!("{}\n{}\n\n", case.id, case.about);
    for (name, url) in web.origins() {
        let _ = writeln!(text, "{name:<12} {url}");
    }
    let seed = web.expand(&format!("{{{HUB}}}/"));
    let _ = writeln!(text, "\nauthority    {}", web.authority_file().display());
    let _ = writeln!(text, "begin at     {seed}\n\nThe server runs until standard input ends.");
    let failed = |error: io::Error| format!("cannot write to standard output: {error}");
    let mut stdout = io::stdout();
    stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()).map_err(failed)?;
    let mut input = io::stdin().lock();
    let mut octets = [0; 256];
    while input.read(&mut octets).is_ok_and(|count| count > 0) {}
    for entry in web.log() {
        let what = entry.answer.map_or_else(|| "was not answered".to_owned(), |answer| answer.what);
        let at = entry.at / 1000;
        let line = format!(
            "{at:>6} ms  {:<8} {:<4} {}  {what}\n",
            entry.origin, entry.method, entry.target
        );
        stdout.write_all(visible(&line).as_bytes()).map_err(failed)?;
    }
    Ok(())
}

/// Lists the live cases of an edition, or all of them.
///
/// # Errors
/// The problems of the suite.
pub fn list(editions: &[Edition]) -> Result<String, Error> {
    let mut text = String::new();
    for case in all()? {
        let asked = |edition: &Edition| case.expect.contains_key(edition);
        if !editions.is_empty() && !editions.iter().any(asked) {
            continue;
        }
        let sources = case.expect.iter().map(|(edition, expect)| (*edition, &*expect.source));
        let Case { id, requirement, about, .. } = &case;
        let _ = writeln!(text, "{}", listed(id, requirement, about, sources));
    }
    Ok(text)
}

/// Returns the id that is most like a mistyped one, or `None` if no id is similar.
pub fn nearest(typed: &str) -> Option<String> {
    let ids: Vec<String> = all().ok()?.map(|case| case.id).collect();
    render::nearest(typed, ids.iter().map(String::as_str)).map(str::to_owned)
}

/// Shows a live case in full.
///
/// # Errors
/// A message if there is no such case.
pub fn show(id: &str) -> Result<String, Error> {
    let case = find(id)?;
    let mut text = format!("{}\n  {}\n  {}\n\nThe sites:\n", case.id, case.about, case.requirement);
    let sites =
        serde_yaml::to_string(&case.sites).map_err(|error| Error::new(error.to_string()))?;
    for line in sites.lines() {
        let _ = writeln!(text, "  {line}");
    }
    for (edition, expect) in &case.expect {
        let _ = writeln!(text, "\n{}::{edition}  ({}, {})", case.id, expect.level, expect.source);
        for line in expect.conforming.lines() {
            let _ = writeln!(text, "  {line}");
        }
        if let Some(why) = &expect.why {
            let _ = writeln!(text, "  for {}", why.trim());
        }
    }
    let _ = writeln!(text, "\nserve: robots-conformance serve-web {}", case.id);
    Ok(text)
}
