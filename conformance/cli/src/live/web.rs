//! The verb `serve-web`: serves the sites of a case until standard input ends.
//!
//! [`records()`] returns the live cases as `list` and `show` present them.

use std::fmt::Write as _;
use std::io::{self, Read as _, Write as _};
use std::process::ExitCode;

use clap::Args;
use robots_conformance::report::CaseRecord;
use robots_conformance::suite::{self, Suite};
use robots_conformance_live::verdicts::on_the_wire;
use robots_conformance_live::{Case, case_record, load, request, served as sites, start};
use robots_console::render::{meant, nearest};
use robots_test_web::{Net, Web};
use serde::Serialize;

use super::inside::{self, NETS};
use crate::choice::choice;
use crate::lookup::named;
use robots_console::error::Error;
use robots_console::output;

/// The arguments of `serve-web`.
#[derive(Args, Clone, Debug)]
pub(crate) struct ServeArgs {
    /// The case's id, as `list --live` prints it
    pub(crate) case: String,
    /// The product token that the robots.txt files name
    #[arg(long, value_name = "TOKEN", default_value = "examplebot")]
    pub(crate) agent: String,
    /// The kind of network for the test server
    #[arg(long, value_parser = choice(NETS), default_value = NETS[0].0)]
    pub(crate) net: Net,
}

/// Returns all live cases: the cases about fetching, and the verdict cases for crawlers.
fn all(suite: &Suite) -> Result<impl Iterator<Item = Case> + use<>, Error> {
    let cases = load(suite)?;
    Ok(cases.into_iter().chain(on_the_wire(suite).cases.into_values().flatten()))
}

/// Returns the records of all live cases. The suite provides the texts of the requirements.
///
/// # Errors
/// Returns the problems of the live cases.
pub(crate) fn records(suite: &Suite) -> Result<impl Iterator<Item = CaseRecord>, Error> {
    Ok(all(suite)?.map(|case| case_record(&case, Some(suite))))
}

/// A live case as JSON, for programs that prepare or compare crawls.
#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
struct Listed {
    #[serde(flatten)]
    case: CaseRecord,
    /// Whether all pages are on one origin, as `live --own-host` requires.
    own_host: bool,
    /// The editions by which every behaviour conforms, so that no crawler can fail.
    open: Vec<&'static str>,
}

/// Returns all live cases, each as a JSON object in one line.
///
/// # Errors
/// Returns the problems of the live cases.
pub(crate) fn json_lines(suite: &Suite) -> Result<String, Error> {
    let mut lines = String::new();
    for case in all(suite)? {
        let open = case.expect.iter().filter(|(_, expect)| !expect.conforming.binds());
        let listed = Listed {
            case: case_record(&case, Some(suite)),
            own_host: case.form.is_on_own_host(),
            open: open.map(|(edition, _)| edition.id()).collect(),
        };
        lines += &serde_json::to_string(&listed).map_err(|error| error.to_string())?;
        lines.push('\n');
    }
    Ok(lines)
}

/// Finds a case by its id, or by the name of a trial that contains the id.
fn find(name: &str) -> Result<Case, Error> {
    let suite = suite::load::embedded()?;
    let cases: Vec<Case> = all(&suite)?.collect();
    let of_id = |id: &str| cases.iter().find(|case| case.id == id);
    named(name, of_id).map(|(case, _)| case.clone()).ok_or_else(|| {
        let near = nearest(name, cases.iter().map(|case| case.id.as_str()));
        let meant = near.map(|near| meant(near) + " ").unwrap_or_default();
        Error::new(format!(
            "no live case has the id {name:?}; {meant}`robots-conformance list --live` prints them"
        ))
    })
}

/// Serves the sites of a case until standard input ends, and prints the requests.
pub(crate) fn serve(arguments: &ServeArgs) -> ExitCode {
    inside::run(arguments.net, || match served(arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => output::usage(&message),
    })
}

fn served(arguments: &ServeArgs) -> Result<(), Error> {
    let case = find(&arguments.case)?;
    let start = start(&case, &arguments.agent, false);
    let web = Web::start_in(&sites(&case, &arguments.agent, &start), arguments.net)
        .map_err(|error| Error::new(error.to_string()))?;
    let mut text = format!("{}\n{}\n\n", case.id, case.about.trim());
    for (name, url) in web.origins() {
        let _ = writeln!(text, "{name:<12} {url}");
    }
    let seed = web.expand(&start.link());
    let _ = writeln!(text, "\nauthority    {}", web.authority_file().display());
    let _ = writeln!(text, "begin at     {seed}\n\nThe server runs until standard input ends.");
    let failed = |error: io::Error| format!("cannot write to standard output: {error}");
    let mut stdout = io::stdout();
    stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()).map_err(failed)?;
    let mut input = io::stdin().lock();
    let mut octets = [0; 256];
    while input.read(&mut octets).is_ok_and(|count| count > 0) {}
    for entry in web.log() {
        writeln!(stdout, "{}", request(&entry)).map_err(failed)?;
    }
    Ok(())
}
