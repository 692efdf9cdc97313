//! The command `robots-conformance`.
//!
//! [`main()`] parses the command line and calls the library for each verb. Only this program names the parser; the
//! library works with any parser. Verbs such as `lint` return an exit status for their result. If another verb fails,
//! the exit status is that of a usage error. `command.rs` defines the verbs and options.

mod command;

use std::fmt::Write as _;
use std::io;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Instant;

use clap::{CommandFactory as _, Parser as _};
use robots_conformance::kind;
use robots_conformance::report::{CaseRecord, Cases};
use robots_conformance::run::selection::Selection;
use robots_conformance::run::trial::{self, Trial};
use robots_conformance::suite::Suite;
use robots_conformance::suite::case::Case;
use robots_conformance::suite::load;
use robots_conformance::{render, serve};
use robots_conformance_cli::fetch::{self, Fetcher};
use robots_conformance_cli::lookup::{self, Found};
use robots_conformance_cli::{
    bulk, check, copy, diff, explain, lint, live, pages, run, served, vectors,
};
use robots_console::error::Error;
use robots_console::output::{self, print};
use robots_console::render::hint;
use robots_console::render::quoted;
use robots_console::shell;
use robots_core::engine::{Engine, Interpreted};
use robots_core::{Edition, Profile};
use robots_google_cpp::WithGoogleCpp;
use robots_nom_parser::NomParser;

use self::command::{Command, Verb};

fn main() -> ExitCode {
    let Command { output, verb } = Command::parse();
    output.apply();
    let done = match verb {
        Verb::Run(arguments) => {
            let engines: [Arc<dyn Engine>; 1] = [Arc::new(engine())];
            return run::run(&arguments, &engines, "robots-conformance run");
        }
        Verb::Live(arguments) => return live::run(&arguments),
        Verb::ServeWeb(arguments) => return live::serve(&arguments),
        Verb::List { editions, areas, requirements, live } => {
            list(&editions, &areas, &requirements, live)
        }
        Verb::Show { name } => show(&name),
        Verb::Diff(arguments) => return diff::run(&NomParser, &arguments),
        Verb::Check(arguments) => return check::run(&NomParser, &arguments),
        Verb::Served(arguments) => return served::run(&NomParser, &arguments),
        Verb::Editions { one, other } => {
            suite().and_then(|suite| print(&pages::editions(&suite, one, other)))
        }
        Verb::Lint(arguments) => return lint::run(&NomParser, &arguments),
        Verb::Explain(arguments) => match arguments.trial() {
            Ok(Some(name)) => explain_trials(name),
            Ok(None) => return explain::run(&NomParser, &arguments),
            Err(message) => Err(message),
        },
        Verb::Fetch(arguments) => return fetch::run(&arguments),
        Verb::Verdicts { files, fetch, allow_private } => {
            verdicts(files.as_deref(), fetch.then(|| Fetcher::new(allow_private)))
        }
        Verb::Copy { dir } => suite().and_then(|suite| {
            let files = copy::copy(&suite, &dir)?;
            if output::is_quiet() {
                return Ok(());
            }
            print(&format!("{files} files in {}\n", dir.display()))
        }),
        Verb::Vectors { timelines, schema } => {
            let flat = if timelines { vectors::TIMELINES } else { vectors::VECTORS };
            if schema {
                print(flat.schema())
            } else {
                suite().and_then(|suite| print(&flat.text(&suite)))
            }
        }
        Verb::Serve { pipeline } => answer(pipeline.into()),
        Verb::Completions(arguments) => shell::completions(Command::command(), arguments),
        Verb::Man(arguments) => shell::man(Command::command(), &arguments),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => output::usage(&message),
    }
}

/// Returns the built-in engine.
fn engine() -> WithGoogleCpp<Interpreted<NomParser>> {
    WithGoogleCpp::new(Interpreted(NomParser))
}

fn answer(pipeline: usize) -> Result<(), Error> {
    let version = Some(env!("CARGO_PKG_VERSION"));
    serve::serve(&engine(), version, pipeline, io::stdin().lock(), io::stdout()).or_else(|error| {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Ok(()),
            _ => Err(format!("cannot answer: {error}").into()),
        }
    })
}

fn verdicts(files: Option<&Path>, fetcher: Option<Fetcher>) -> Result<(), Error> {
    let start = Instant::now();
    let files = match files {
        None => bulk::Files::none(),
        Some(root) => bulk::Files::below(root)
            .map_err(|error| Error::new(format!("--files {}: {error}", root.display())))?,
    };
    let output = io::BufWriter::with_capacity(1 << 16, io::stdout());
    let ran = match fetcher {
        None => bulk::run(&NomParser, &files, io::stdin(), output),
        Some(fetcher) => {
            let fetch: Arc<dyn bulk::Fetch> = Arc::new(fetcher);
            bulk::run_fetching(&NomParser, &files, &fetch, io::stdin(), output)
        }
    };
    let counts = match ran {
        Ok(counts) => counts,
        // A closed pipe is not an error.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => return Ok(()),
        Err(error) => return Err(format!("verdicts: {error}").into()),
    };
    let seconds = start.elapsed().as_secs_f64().max(1e-9);
    #[expect(clippy::cast_precision_loss, reason = "the rates are only shown to readers")]
    let rate = |count: u64| count as f64 / seconds;
    output::remark(&format!(
        "{} lines, {} errors, {} verdicts in {seconds:.2} s: {:.0} verdicts/s, {:.1} MB/s of robots.txt",
        counts.lines,
        counts.errors,
        counts.verdicts,
        rate(counts.verdicts),
        rate(counts.octets) / 1e6,
    ));
    Ok(())
}

fn suite() -> Result<Suite, Error> {
    Ok(load::embedded()?)
}

/// Lists the cases of the suite, or the live cases.
fn list(
    editions: &[Edition],
    areas: &[String],
    requirements: &[String],
    are_live: bool,
) -> Result<(), Error> {
    let suite = suite()?;
    run::known_areas(&suite.areas(), areas)?;
    if let Some(id) = requirements.iter().find(|id| suite.requirement(id).is_none()) {
        let known = suite.requirements.iter().map(|known| known.id.as_str());
        let hint = hint(id, "requirements", known);
        return Err(format!("unknown requirement {id:?}; {hint}").into());
    }
    let mut selection = Selection::default();
    selection.profiles = editions.iter().copied().map(Profile::from).collect();
    selection.areas = areas.to_vec();
    let cases = if are_live { live::records(&suite)?.collect() } else { Cases::of(&suite) };
    let asks = |case: &&CaseRecord| {
        let mut asked = case.expect.iter().map(|expect| expect.profile);
        selection.has_area(&case.area)
            && (requirements.is_empty() || requirements.contains(&case.requirement))
            && asked.any(|profile| selection.has_profile(profile))
    };
    print(&pages::list(cases.iter().filter(asks)))
}

/// Shows a case, a live case, a trial or a requirement.
fn show(name: &str) -> Result<(), Error> {
    let suite = suite()?;
    let questions = suite.cases.iter().map(|case| CaseRecord::of(case, &suite));
    let cases: Cases = questions.chain(live::records(&suite)?).collect();
    let page = match lookup::find(&suite, &cases, name)? {
        Found::Case(case, trials) => {
            let filter = match &trials[..] {
                [trial] => format!("::{}", trial.name),
                _ => format!("::{}::", case.id),
            };
            let next = match suite.case(&case.id) {
                Some(_) => format!("run: robots-conformance run --filter {}", quoted(&filter)),
                None => format!("serve: robots-conformance serve-web {}", case.id),
            };
            pages::case(case, &trials, &next)
        }
        Found::Requirement(requirement) => pages::requirement(&suite, requirement),
        _ => return Err(format!("{name:?} cannot be shown").into()),
    };
    print(&page)
}

/// Shows the nom parser's answers to the named trials, with the reasons.
fn explain_trials(name: &str) -> Result<(), Error> {
    let suite = suite()?;
    let cases = Cases::of(&suite);
    let Found::Case(case, named) = lookup::find(&suite, &cases, name)? else {
        return Err(
            format!("{name:?} is a requirement; name a case or a trial, or FILE and URL").into()
        );
    };
    let is_named = |trial: &&Arc<Trial>| named.iter().any(|named| named.name == trial.name());
    let of_case = |case: &Arc<Case>| [trial::of_case(case), trial::observed_of(case)].concat();
    let trials = suite.case(&case.id).map(of_case).unwrap_or_default();
    let mut text = String::new();
    for trial in trials.iter().filter(is_named) {
        let answer = engine().answer(&trial.question());
        let _ = writeln!(text, "{}", trial.name());
        let _ = writeln!(text, "  {}", kind::question_text(&trial.member().ask));
        let conforming = trial.conforming().text();
        let _ = writeln!(text, "  expected  {}", conforming.replace('\n', "\n            "));
        let answered =
            kind::evidence(&answer).map_or_else(|| kind::answer_text(&answer), render::text);
        let _ = writeln!(text, "  answered  {}", answered.replace('\n', "\n            "));
    }
    print(&text)
}
